//! Writing down what is registered, and making the final list of it.

use std::sync::Arc;

use super::fact::FactSet;
use super::guard::{either_guard, is_either_exact};
use super::heap::SegmentId;
use super::path::{Asks, Meaning, Tested};
use super::value::{Alternative, CondId, Data, Guard, Literal, Spot, Value};
use super::{Arguments, Evaluator, FxHashMap};
use crate::install::ExtensionId;
use crate::location::Span;
use crate::source::known::{Field, Known, Reason, ReasonKind};
use crate::source::registration::{Certainty, Condition, Kind, Phase, Registration};

/// A registration as it happened.
#[derive(Debug)]
struct Record {
    kind: Kind,
    name: Result<(Arc<str>, Spot), Reason>,
    call: Span,
    trail: Vec<Span>,
    segment: SegmentId,
    guard: Guard,
    facts: FactSet,
    payload: Value,
    /// The payload as it stood when loading was over.
    snapshot: Option<Known>,
    /// How many registrations had happened when it did.
    moment: u32,
}

/// Names a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordId {
    extension: ExtensionId,
    index: usize,
}

/// Everything that was registered.
#[derive(Debug, Default)]
pub struct Records {
    of: FxHashMap<ExtensionId, Vec<Record>>,
    count: u32,
    /// When generators went on behind a value, by the condition that they do.
    resumed: FxHashMap<CondId, u32>,
}

impl Records {
    /// Notes that a generator goes on now.
    pub fn resume(&mut self, stage: CondId) {
        self.count += 1;
        self.resumed.entry(stage).or_insert(self.count);
    }

    /// When a registration happened: not before the generator that makes it went on.
    fn moment_of(&self, record: &Record) -> u32 {
        let stages = record.guard.iter().filter_map(|it| self.resumed.get(&it.cond()));
        stages.copied().fold(record.moment, u32::max)
    }
}

/// Registrations of one extension that are kept.
const MAX_RECORDS: usize = 4_000;

/// Characters of a condition that are shown.
const MAX_CONDITION: usize = 100;

impl Evaluator<'_> {
    /// Writes down a registration. A name that is one of several makes as many conditional ones, the last of which is
    /// returned.
    pub(super) fn register(
        &mut self,
        extension: ExtensionId,
        kind: Kind,
        name: &Value,
        payload: &Value,
        at: Span,
    ) -> Option<RecordId> {
        let name = self.path.settle(name);
        let alternatives = match &name.data {
            Data::Choice(choice) => choice.alternatives.clone(),
            _ => vec![Alternative { value: name.clone(), guard: Vec::new(), exact: true, tag: 0 }],
        };
        let choice_id = match &name.data {
            Data::Choice(choice) => Some(choice.id),
            _ => None,
        };
        let mut last = None;
        for alternative in alternatives {
            let mut guard = self.path.since_mark(0);
            guard
                .extend(alternative.guard.iter().filter(|it| self.path.value(it.cond()) != Some(it.holds())));
            if let (Some(id), false) = (choice_id, alternative.exact && !alternative.guard.is_empty()) {
                guard.push(self.path.one_of(id, 1 << alternative.tag, at));
            }
            let facts = self.facts.union(alternative.value.facts, payload.facts);
            let facts = self.facts.union(facts, name.facts);
            let facts = self.facts.union(facts, self.control);
            let name = self.name_of(&alternative.value, at);
            last = self.push_record(extension, kind, name, (payload.clone(), guard, facts), at);
        }
        last
    }

    fn name_of(&self, value: &Value, at: Span) -> Result<(Arc<str>, Spot), Reason> {
        match &value.data {
            Data::String(text, spot) => Ok((text.clone(), *spot)),
            Data::Unknown(unknown) => Err(unknown.reason.clone()),
            _ => self.text_of(value).map(|it| (it, Spot::NONE)).ok_or_else(|| Reason {
                kind: ReasonKind::NotModelled,
                text: "a name that is no string".into(),
                at: Some(at),
            }),
        }
    }

    fn push_record(
        &mut self,
        extension: ExtensionId,
        kind: Kind,
        name: Result<(Arc<str>, Spot), Reason>,
        (payload, guard, facts): (Value, Guard, FactSet),
        call: Span,
    ) -> Option<RecordId> {
        let trail = self.trail.get(1..).unwrap_or_default().to_vec();
        let segment = self.segment();
        let mut record =
            Record { kind, name, call, trail, segment, guard, facts, payload, snapshot: None, moment: 0 };
        self.records.count += 1;
        record.moment = self.records.count;
        let list = self.records.of.entry(extension).or_default();
        if list.len() > MAX_RECORDS {
            return None;
        }
        if list.len() == MAX_RECORDS {
            // The last one stands for all that are not kept.
            let text = "more names are registered than are kept".into();
            record.kind = Kind::Anything;
            record.name = Err(Reason { kind: ReasonKind::BudgetExceeded, text, at: Some(call) });
        }
        list.push(record);
        Some(RecordId { extension, index: list.len() - 1 })
    }

    /// Makes a value the payload of a registration.
    pub(super) fn set_payload(&mut self, id: RecordId, value: &Value) {
        let known = self.snapshot(value);
        let list = self.records.of.get_mut(&id.extension);
        if let Some(record) = list.and_then(|it| it.get_mut(id.index)) {
            record.snapshot = Some(known);
        }
    }

    /// Anything may be registered here, for this reason.
    pub(super) fn anything(&mut self, reason: Reason) {
        let at = reason.at.unwrap_or(self.here);
        let guard = self.path.since_mark(0);
        let facts = self.control;
        let extension = self.extension;
        self.push_record(extension, Kind::Anything, Err(reason), (Value::UNDEFINED, guard, facts), at);
    }

    /// Code that may register things is not followed.
    pub(super) fn unfollowed(&mut self, what: &str) {
        let at = Some(self.here);
        self.anything(Reason { kind: ReasonKind::NotModelled, text: what.into(), at });
    }

    /// `pi` goes into code that cannot be followed.
    pub(super) fn escaped(&mut self, to: &Value) {
        let at = self.here;
        let why = match &to.data {
            Data::Unknown(unknown) => format!("pi is handed to {}", unknown.reason.text),
            _ => "pi is handed to code that cannot be followed".to_owned(),
        };
        self.anything(Reason { kind: ReasonKind::EscapedApi, text: why.into(), at: Some(at) });
    }

    /// Takes the payloads of an extension as they stand when it has loaded: Pi keeps references.
    pub(super) fn freeze_payloads(&mut self, extension: ExtensionId) {
        let Some(mut list) = self.records.of.remove(&extension) else { return };
        for record in list.iter_mut().filter(|it| it.snapshot.is_none()) {
            let path = self.path.suspend();
            for &literal in &record.guard {
                self.path.assume(literal);
            }
            record.snapshot = Some(match record.kind {
                Kind::NativeProvider => self.native_provider(&record.payload),
                _ => self.snapshot(&record.payload),
            });
            self.path.truncate(0);
            self.path.restore(path);
        }
        self.records.of.insert(extension, list);
    }

    /// A provider that is registered whole, with the `models` that its `getModels` gives: Pi asks for them once it is there.
    fn native_provider(&mut self, provider: &Value) -> Known {
        let known = self.snapshot(provider);
        let Known::Object { mut fields, open } = known else { return known };
        let models = self
            .get_name(provider, "getModels")
            .and_then(|get_models| self.call(&get_models, provider, Arguments::of([])))
            .unwrap_or_else(|_| self.unknown(ReasonKind::NotModelled, "what getModels returns"));
        let models = Field { value: self.snapshot(&models), at: None };
        fields.retain(|(name, _)| &**name != "models");
        fields.push(("models".into(), models));
        Known::Object { fields, open }
    }

    /// The registrations of an extension, those of the factory first.
    pub(super) fn registrations(&mut self, extension: ExtensionId) -> Vec<Registration> {
        self.freeze_payloads(extension);
        let mut list = self.records.of.remove(&extension).unwrap_or_default();
        list.sort_by_key(|it| self.records.moment_of(it));
        list.retain_mut(|record| match self.path.left_of(&record.guard) {
            Some(guard) => {
                record.guard = guard;
                true
            }
            None => false,
        });
        let list = merged(list, |segment| self.schedule.phase(segment));
        let mut list: Vec<Registration> = list
            .into_iter()
            .map(|(record, phase)| {
                let conditions = self.conditions(&record.guard);
                let (name, name_at, certainty) = match record.name {
                    Ok((name, spot)) => {
                        let certainty = if conditions.is_empty() {
                            Certainty::Certain
                        } else {
                            Certainty::Conditional(conditions)
                        };
                        (Some(name), self.instances.spot_span(spot), certainty)
                    }
                    Err(reason) => (None, None, Certainty::Unresolved(reason, conditions)),
                };
                Registration {
                    kind: record.kind,
                    name,
                    call: record.call,
                    name_at,
                    trail: record.trail,
                    phase,
                    certainty,
                    rests_on: self.facts.list(record.facts),
                    payload: record.snapshot.unwrap_or(Known::Undefined),
                }
            })
            .collect();
        list.sort_by_key(|it| it.phase != Phase::Factory);
        list
    }

    /// What a guard says, for people, outermost first.
    pub(super) fn conditions(&mut self, guard: &[Literal]) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for &literal in guard {
            self.add_condition(literal, &mut conditions, 0);
        }
        conditions
    }

    fn add_condition(&self, literal: Literal, list: &mut Vec<Condition>, depth: u32) {
        if let (Some(Meaning::All(members)), true) = (self.path.meaning(literal.cond()), literal.holds()) {
            for &member in members {
                self.add_condition(member, list, depth + 1);
            }
            return;
        }
        if let Some(condition) = self.condition(literal, depth)
            && !list
                .iter()
                .any(|it| (it.at, it.holds, &it.text) == (condition.at, condition.holds, &condition.text))
        {
            list.push(condition);
        }
    }

    fn condition(&self, literal: Literal, depth: u32) -> Option<Condition> {
        const MAX_NESTING: u32 = 4;
        let (text, at, holds, reason) = match self.path.meaning(literal.cond())? {
            Meaning::Expression { tested, negated, reason } => {
                (self.in_code(*tested), tested.at, literal.holds() != *negated, reason.clone())
            }
            Meaning::Throws { at, reason } => {
                (format!("{} throws", self.shown(*at)), *at, literal.holds(), reason.clone())
            }
            Meaning::OneOf { tested, answer, .. } => {
                let reason = Reason {
                    kind: ReasonKind::Merged,
                    text: "it differs between ways through the code".into(),
                    at: Some(tested.at),
                };
                (self.in_code(*tested), tested.at, literal.holds() == *answer, reason)
            }
            Meaning::All(members) => {
                if depth > MAX_NESTING {
                    return None;
                }
                let parts: Vec<Condition> =
                    members.iter().filter_map(|it| self.condition(*it, depth + 1)).collect();
                let first = parts.first()?.clone();
                // Not all of several negations is one of what they negate.
                let (operator, holds) = if parts.iter().all(|it| !it.holds) {
                    (" || ", !literal.holds())
                } else {
                    (" && ", literal.holds())
                };
                let texts: Vec<String> = parts
                    .iter()
                    .map(|it| if operator == " || " { it.text.to_string() } else { it.to_string() })
                    .collect();
                (cut(&texts.join(operator)), first.at, holds, first.reason)
            }
        };
        Some(Condition { text: text.into(), at, holds, reason })
    }

    /// A question about an expression, as code.
    fn in_code(&self, tested: Tested) -> String {
        let shown = self.shown(tested.at);
        match tested.asks {
            Asks::Truth => shown,
            Asks::Case(subject) => cut(&format!("{} === {shown}", self.shown(subject))),
            Asks::Nullish if shown.contains(' ') => format!("({shown}) == null"),
            Asks::Nullish => format!("{shown} == null"),
        }
    }

    /// The source of an expression on one line.
    fn shown(&self, at: Span) -> String {
        let text = self.world.sources.snippet(at);
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        cut(&text)
    }
}

fn cut(text: &str) -> String {
    if text.char_indices().nth(MAX_CONDITION).is_none() {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(MAX_CONDITION - 1).collect();
    cut.push('…');
    cut
}

/// Joins registrations of one name that happen in both ways of a condition, and drops repetitions.
fn merged(list: Vec<Record>, phase_of: impl Fn(SegmentId) -> Phase) -> Vec<(Record, Phase)> {
    let mut result: Vec<(Record, Phase)> = Vec::with_capacity(list.len());
    let mut places: FxHashMap<(Kind, Arc<str>), Vec<usize>> = FxHashMap::default();
    'records: for record in list {
        let phase = phase_of(record.segment);
        let key = match &record.name {
            Ok((name, _)) => (record.kind, name.clone()),
            Err(reason) => (record.kind, Arc::from(format!("\0{:?}{}", record.call, reason.text))),
        };
        let same = places.entry(key).or_default();
        for &at in same.iter().rev() {
            let Some((earlier, when)) = result.get_mut(at) else { continue };
            // That a budget was used up is said once of each place.
            if let (Err(reason), true) = (&record.name, earlier.name.is_err())
                && reason.kind == ReasonKind::BudgetExceeded
            {
                earlier.guard = either_guard(&earlier.guard, &record.guard).0;
                continue 'records;
            }
            if *when != phase || record.name.is_ok() != earlier.name.is_ok() {
                continue;
            }
            // Of what cannot be determined it is not known how often it happens either.
            if record.name.is_err() {
                earlier.guard = either_guard(&earlier.guard, &record.guard).0;
                continue 'records;
            }
            if earlier.guard == record.guard && earlier.call == record.call {
                earlier.payload = record.payload;
                earlier.snapshot = record.snapshot;
                continue 'records;
            }
            if earlier.guard.is_empty() || record.guard.is_empty() {
                continue;
            }
            if is_either_exact(&earlier.guard, &record.guard) {
                earlier.guard = either_guard(&earlier.guard, &record.guard).0;
                if earlier.snapshot != record.snapshot {
                    let both = [earlier.snapshot.take(), record.snapshot];
                    earlier.snapshot = Some(Known::Choice(both.into_iter().flatten().collect()));
                }
                continue 'records;
            }
        }
        same.push(result.len());
        result.push((record, phase));
    }
    result
}
