//! `contests`: one name with everybody who claims it.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{CertaintyWord, Places};
use crate::location::Location;
use crate::registry::contest::{self, ContestKind, Finding, HiddenWhen, Impact, Layer, Outcome};
use crate::render::redact;
use crate::report::Report;
use crate::source::Known;

/// A name of one kind that somebody claims.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Contest {
    /// Kind of name.
    pub kind: ContestKind,
    /// The name; for fields the provider id or provider/model id.
    pub name: Arc<str>,
    /// Commands: what the user types.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invocation: Option<Arc<str>>,
    /// Fields of providers and models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<Arc<str>>,
    /// Tools: in the model's tool list at start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Flags: `boolean` or `string`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub flag_type: Option<Value>,
    /// Flags: the value when nothing is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Who holds it once extensions have loaded, before any event.
    pub winner: Option<Claim>,
    /// Present when an unconditional event changes the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_session: Option<InSession>,
    /// What keeps the winner from being reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden_by: Option<HiddenBy>,
    /// The others, in order of precedence.
    pub losers: Vec<Loser>,
    /// Unresolved registrations of this kind that could be this name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub may_also_claim: Vec<MayAlsoClaim>,
    /// What Pi itself says of it without stopping: why the layers of a provider were dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// How the winner was found.
    pub rule: &'static str,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<Finding>,
    /// How bad that is.
    pub severity: Impact,
}

/// The answer in a running session.
#[derive(Debug, Serialize, JsonSchema)]
pub struct InSession {
    /// Who holds it then.
    pub winner: Option<Claim>,
    /// Commands: what the user types then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invocation: Option<Arc<str>>,
    /// Tools: in the model's tool list then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
}

/// What keeps a winner from being reached.
#[derive(Debug, Serialize, JsonSchema)]
pub struct HiddenBy {
    /// The built-in, in Pi's words.
    pub what: String,
    /// When.
    pub when: HiddenWhen,
}

/// Somebody's claim on a name.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    /// The owner, as Pi names it.
    pub path: Arc<str>,
    /// Which layer.
    pub layer: Layer,
    /// Position of the extension in list order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<u32>,
    /// Position in which its factory runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub execution: Option<u32>,
    /// The call or line that claims.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Location>,
    /// When: `factory`, `event:NAME`, `command:NAME`, `shortcut:KEY`, `tool:NAME`, `later`.
    pub phase: String,
    /// How sure.
    pub certainty: CertaintyWord,
    /// What has to hold, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Facts of this machine that it rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<Arc<str>>,
    /// Provider and model fields; secrets as `{"set": true, "form": …}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// A claim that does not hold the name.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Loser {
    /// The claim.
    #[serde(flatten)]
    pub claim: Claim,
    /// What became of it.
    pub outcome: Outcome,
}

/// An unresolved registration that could be of this name.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MayAlsoClaim {
    /// Whose.
    pub path: Arc<str>,
    /// Where.
    pub at: Location,
    /// Why it is not known.
    pub reason: String,
}

impl Contest {
    pub(super) fn new(it: &contest::Contest, report: &Report) -> Self {
        let claim = |it: &Option<contest::Claim>| it.as_ref().map(|it| Claim::new(it, report));
        Self {
            kind: it.kind,
            name: Arc::clone(&it.name),
            invocation: it.invocation.clone(),
            field: it.field.clone(),
            active: it.active,
            flag_type: it.flag_type.as_ref().and_then(json),
            value: redact::flag_value(it).as_ref().and_then(json),
            winner: claim(&it.winner),
            in_session: it.in_session.as_ref().map(|it| InSession {
                winner: claim(&it.winner),
                invocation: it.invocation.clone(),
                active: it.active,
            }),
            hidden_by: it.hidden_by.as_ref().map(|it| HiddenBy { what: it.what.clone(), when: it.when }),
            losers: it
                .losers
                .iter()
                .map(|it| Loser { claim: Claim::new(&it.claim, report), outcome: it.outcome })
                .collect(),
            may_also_claim: it
                .may_also_claim
                .iter()
                .map(|it| MayAlsoClaim {
                    path: Arc::clone(&it.path),
                    at: report.sources.locate(it.at),
                    reason: it.reason.text.to_string(),
                })
                .collect(),
            message: it.message.clone(),
            rule: it.rule.0,
            finding: it.finding,
            severity: it.impact,
        }
    }
}

impl Claim {
    fn new(it: &contest::Claim, report: &Report) -> Self {
        let position = it.extension.and_then(|id| report.position(id));
        let execution = it.extension.and_then(|id| report.by_id(id)).and_then(|it| it.entry.execution);
        Self {
            path: Arc::clone(&it.path),
            layer: it.layer,
            order: position,
            execution,
            at: Places(&report.sources).of(it.at),
            phase: it.phase.to_string(),
            certainty: (&it.certainty).into(),
            condition: it.certainty.condition_text(),
            rests_on: it.rests_on.iter().map(|fact| Arc::clone(&fact.0)).collect(),
            value: it.value.as_ref().and_then(json),
        }
    }
}

/// A known value as JSON writes it; `None` for `undefined`. What is not known becomes `{"unknown": reason}`, a choice
/// `{"oneOf": […]}`, a function `{"function": true}`.
fn json(it: &Known) -> Option<Value> {
    Some(match it {
        Known::Undefined => return None,
        Known::Null => Value::Null,
        Known::Bool(it) => Value::from(*it),
        Known::Number(it) => number(*it),
        Known::String(it) => Value::from(&**it),
        Known::Array(items) => {
            items.iter().map(|it| json(&it.value).unwrap_or(Value::Null)).collect::<Vec<_>>().into()
        }
        Known::Object { fields, .. } => Value::Object(
            fields.iter().filter_map(|(key, field)| Some((key.to_string(), json(&field.value)?))).collect(),
        ),
        Known::Function => serde_json::json!({ "function": true }),
        Known::Choice(values) => {
            serde_json::json!({ "oneOf": values.iter().filter_map(json).collect::<Vec<_>>() })
        }
        Known::Unknown(reason) => serde_json::json!({ "unknown": &*reason.text }),
    })
}

/// Whole numbers without a point, as JavaScript prints them.
fn number(it: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if it.fract() == 0.0 && it.abs() <= EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "whole and within the exact range")]
        let whole = it as i64;
        Value::from(whole)
    } else {
        Value::from(it)
    }
}
