//! Values as they are handed on: [`Known`].

use super::Evaluator;
use super::heap::{ObjectId, ObjectKind};
use super::value::{Data, Spot, Value};
use crate::source::known::{Field, Known, Reason, ReasonKind};

/// How deep objects are copied.
const MAX_DEPTH: u32 = 12;

/// How many values one snapshot holds.
const MAX_NODES: u32 = 5_000;

/// A snapshot that is being taken.
struct Snapshot {
    nodes: u32,
    open: Vec<ObjectId>,
}

impl Evaluator<'_> {
    /// A value as far as it is known, seen from here.
    pub(super) fn snapshot(&mut self, value: &Value) -> Known {
        let mut state = Snapshot { nodes: 0, open: Vec::new() };
        self.copy(value, &mut state, 0)
    }

    fn copy(&mut self, value: &Value, state: &mut Snapshot, depth: u32) -> Known {
        state.nodes += 1;
        let value = self.path.settle(value);
        match &value.data {
            Data::Absent | Data::Undefined => Known::Undefined,
            Data::Null => Known::Null,
            Data::Bool(it) => Known::Bool(*it),
            Data::Number(it) => Known::Number(*it),
            Data::String(text, _) => Known::String(text.clone()),
            Data::BigInt(_) => not_kept("a big integer"),
            Data::Symbol(_) => not_kept("a symbol"),
            Data::Unknown(unknown) => Known::Unknown(unknown.reason.clone()),
            Data::Choice(choice) => {
                let values: Vec<Value> = choice.alternatives.iter().map(|it| it.value.clone()).collect();
                Known::Choice(values.iter().map(|it| self.copy(it, state, depth + 1)).collect())
            }
            Data::Object(object) => self.copy_object(*object, state, depth),
        }
    }

    fn copy_object(&mut self, object: ObjectId, state: &mut Snapshot, depth: u32) -> Known {
        if self.is_callable(&object.into()) {
            return Known::Function;
        }
        if depth >= MAX_DEPTH || state.nodes >= MAX_NODES {
            return not_kept("a value that is nested too deeply or too large");
        }
        if state.open.contains(&object) {
            return not_kept("an object that contains itself");
        }
        state.open.push(object);
        let known = self.copy_contents(object, state, depth);
        state.open.pop();
        known
    }

    fn copy_contents(&mut self, object: ObjectId, state: &mut Snapshot, depth: u32) -> Known {
        let it = self.heap.get(object);
        if let ObjectKind::Opaque(class) = it.kind {
            return not_kept(&format!("a {class}"));
        }
        if let ObjectKind::Array(elements) = &it.kind
            && it.open.is_none()
        {
            let elements = elements.clone();
            return Known::Array(elements.iter().map(|it| self.field(it, state, depth)).collect());
        }
        let open = it.open.as_ref().map(|it| it.reason.clone());
        let Ok(entries) = self.own_entries(object) else { return not_kept("a getter that throws") };
        let fields =
            entries.into_iter().map(|(name, value)| (name, self.field(&value, state, depth))).collect();
        Known::Object { fields, open }
    }

    fn field(&mut self, value: &Value, state: &mut Snapshot, depth: u32) -> Field {
        let at = match &value.data {
            Data::String(_, spot) if *spot != Spot::NONE => self.instances.spot_span(*spot),
            _ => None,
        };
        Field { value: self.copy(value, state, depth + 1), at }
    }
}

fn not_kept(what: &str) -> Known {
    Known::Unknown(Reason { kind: ReasonKind::NotModelled, text: what.into(), at: None })
}
