//! Whether the project is trusted, as far as flags and files say (rules, section 12; Pi: `dist/core/trust-manager.js`,
//! `dist/core/project-trust.js`, `dist/main.js`).

use camino::Utf8Path;

use super::context::Context;
use super::installation::{Fatal, Trust, TrustSource};
use super::options::TrustFlag;
use super::rules;
use super::settings::Settings;
use crate::json::{Node, Object, Value};
use crate::location::Span;

/// The verdict, and what ends Pi on the way to it.
pub(super) struct Decision {
    pub trust: Trust,
    pub fatal: Option<Fatal>,
}

/// Decides as Pi does before it asks anybody.
pub(super) fn decide(
    context: &Context<'_>,
    cwd: &Utf8Path,
    agent_dir: &Utf8Path,
    user: &Settings,
    flag: TrustFlag,
) -> Decision {
    let verdict = |trusted, from, at, asks_extensions| Trust { trusted, from, at, asks_extensions };
    let settled = |trust| Decision { trust, fatal: None };
    match flag {
        TrustFlag::Approve => return settled(verdict(true, TrustSource::Flag, None, false)),
        TrustFlag::Refuse => return settled(verdict(false, TrustSource::Flag, None, false)),
        TrustFlag::Undecided => {}
    }
    if !needs_trust(context, cwd) {
        return settled(verdict(true, TrustSource::NotNeeded, None, false));
    }
    let (saved, fatal) = match saved_decision(context, cwd, agent_dir) {
        Ok(saved) => (saved, None),
        Err(fatal) => (None, Some(fatal)),
    };
    let trust = if let Some((trusted, at)) = saved {
        verdict(trusted, TrustSource::Saved, Some(at), true)
    } else if let Some((trusted, at)) = user.default_project_trust() {
        verdict(trusted, TrustSource::Default, Some(at), true)
    } else {
        verdict(true, TrustSource::Assumed, None, true)
    };
    Decision { trust, fatal }
}

/// Whether the project holds anything that Pi loads only with trust (`hasTrustRequiringProjectResources`).
fn needs_trust(context: &Context<'_>, cwd: &Utf8Path) -> bool {
    let own = context.canonical(&context.environment.home).join(".agents/skills");
    let project = cwd.join(".pi");
    let names = &context.behaviour.trust_requiring;
    let skills = |it: &Utf8Path| it.join(".agents/skills");
    names.iter().any(|it| context.files.exists(&project.join(it)))
        || cwd.ancestors().map(skills).any(|it| it != own && context.files.exists(&it))
}

/// The nearest decision of trust.json (`findNearestTrustEntry`).
fn saved_decision(
    context: &Context<'_>,
    cwd: &Utf8Path,
    agent_dir: &Utf8Path,
) -> Result<Option<(bool, Span)>, Fatal> {
    let path = agent_dir.join("trust.json");
    if !context.files.exists(&path) {
        return Ok(None);
    }
    let fatal = |message: String, at: Option<Span>| Fatal {
        path: None,
        message: format!("Error: {message}"),
        explanation: "Pi cannot read its saved decisions on trust and stops".to_owned(),
        at,
        rule: rules::TRUST_STORE,
    };
    let Some(json) = context.json(&path) else {
        return Err(fatal(format!("Failed to read trust store {path}: cannot be read"), None));
    };
    let store = match &*json {
        Err(error) => {
            let message = format!("Failed to read trust store {path}: {}", error.message);
            return Err(fatal(message, Some(error.at)));
        }
        Ok(node) => match &node.value {
            Value::Object(store) => store,
            _ => {
                return Err(fatal(format!("Invalid trust store {path}: expected an object"), Some(node.at)));
            }
        },
    };
    if let Some((name, node)) = first_wrong(store) {
        let message = format!("Invalid trust store {path}: value for {name:?} must be true, false, or null");
        return Err(fatal(message, Some(node.at)));
    }
    Ok(cwd.ancestors().find_map(|it| match store.get(it.as_str()) {
        Some(Node { value: Value::Bool(trusted), at }) => Some((*trusted, *at)),
        _ => None,
    }))
}

fn first_wrong(store: &Object) -> Option<(&str, &Node)> {
    let mut values = store.iter().map(|(name, member)| (&**name, &member.node));
    values.find(|(_, it)| !matches!(it.value, Value::Bool(_) | Value::Null))
}
