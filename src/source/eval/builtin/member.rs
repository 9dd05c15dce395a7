//! What the globals and modules of Node have beyond what is modelled: it is there, and what it does is not known.
//!
//! Members are made when they are first asked for.

use super::opaque::{Manner, hand_on, instance};
use crate::catalog::{NodeMember, NodeObject};
use crate::source::eval::Evaluator;
use crate::source::eval::heap::{ObjectId, Property, PropertyKey, Slot};
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::property::{Found, MAX_PROTOTYPES};
use crate::source::eval::value::Value;
use crate::source::known::ReasonKind;

pub(super) fn install(me: &mut Evaluator<'_>) {
    let global = me.realm.global;
    for list in NodeObject::all().iter().filter(|it| !it.path.starts_with("node:")) {
        let path = list.path.strip_prefix("globalThis").unwrap_or(list.path);
        if let Some(object) = at_path(me, global, path) {
            me.heap.get_mut(object).listed = Some(list);
        }
    }
    // Every miss ends at these two: they are completed at once.
    for object in [me.realm.object, me.realm.function] {
        if let Some(list) = me.heap.get(object).listed {
            me.complete_members(object, list);
            me.heap.get_mut(object).listed = None;
        }
    }
}

/// Notes which members a module of Node has, and what is inside of it.
pub(super) fn list_module(me: &mut Evaluator<'_>, name: &str, module: ObjectId) {
    let root = format!("node:{name}");
    for list in NodeObject::below(&root) {
        let path = list.path.get(root.len()..).unwrap_or_default().trim_start_matches('.');
        if let Some(object) = at_path(me, module, path) {
            me.heap.get_mut(object).listed.get_or_insert(list);
        }
    }
    for (_, property) in me.heap.get_mut(module).properties.iter_mut() {
        property.enumerable = true;
    }
}

/// The object at a path of properties that have been made.
fn at_path(me: &Evaluator<'_>, from: ObjectId, path: &str) -> Option<ObjectId> {
    let mut at = from;
    for name in path.split('.').filter(|it| !it.is_empty()) {
        let property = me.heap.get(at).properties.get(&name.into())?;
        at = match &property.slot {
            Slot::Data(value) => value.as_object()?,
            Slot::Accessor { .. } => return None,
        };
    }
    Some(at)
}

/// Modules whose functions only depend on what they are given.
const PURE: [&str; 11] = [
    "assert",
    "assert/strict",
    "buffer",
    "crypto",
    "path/win32",
    "punycode",
    "querystring",
    "string_decoder",
    "util/types",
    "v8",
    "zlib",
];

/// Why it is not known what a function of a module gives.
fn unknown_module(me: &mut Evaluator<'_>, path: &str) -> Value {
    let name = path.split('.').next().unwrap_or_default();
    if PURE.contains(&name) {
        me.unknown(ReasonKind::NotModelled, format!("node:{name} is not modelled"))
    } else {
        me.unknown(ReasonKind::OutsideWorld, format!("what node:{name} does"))
    }
}

/// A function of a module of Node; it holds why it is not known what it does.
fn of_module(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let Some(unknown) = call.data.as_unknown().cloned() else { return Ok(Value::UNDEFINED) };
    hand_on(me, call);
    me.hand_over(call.args, call.data)?;
    Ok(me.path.unknown(unknown.reason.clone()))
}

/// The constructor of a class of a module of Node.
fn construct_of_module(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let why = me.unknown(ReasonKind::OutsideWorld, format!("what a {} does", call.name));
    me.hand_over(call.args, &why)?;
    Ok(instance(me, call))
}

impl Evaluator<'_> {
    /// A member that is not modelled but on the list of an object or of what it inherits from.
    pub(in crate::source::eval) fn listed_member(
        &mut self,
        object: ObjectId,
        key: &PropertyKey,
    ) -> Option<Value> {
        let PropertyKey::Name(name) = key else { return None };
        let mut at = Some(object);
        for _ in 0..MAX_PROTOTYPES {
            let it = self.heap.get(at?);
            if let Some(list) = it.listed
                && let Some((name, kind)) = list.member(name)
            {
                return at.map(|it| self.unmodelled_member(it, list, name, kind));
            }
            at = it.prototype;
        }
        None
    }

    /// Whether a name is on the list of an object.
    pub(in crate::source::eval) fn lists(&self, object: ObjectId, key: &PropertyKey) -> bool {
        match (self.heap.get(object).listed, key) {
            (Some(list), PropertyKey::Name(name)) => list.member(name).is_some(),
            _ => false,
        }
    }

    /// Makes a member that is on the list of an object but not modelled.
    fn unmodelled_member(
        &mut self,
        object: ObjectId,
        list: &'static NodeObject,
        name: &'static str,
        kind: NodeMember,
    ) -> Value {
        // Whatever is assumed right now does not matter to what is built in.
        let path = self.path.suspend();
        let value = match kind {
            NodeMember::Function => match list.path.strip_prefix("node:") {
                Some(module) => {
                    let why = unknown_module(self, module);
                    self.new_native_with(name, of_module, why).into()
                }
                None => self.new_native(name, Manner::World.code()).into(),
            },
            NodeMember::Class if list.path.starts_with("node:") => {
                self.opaque_class_by(name, construct_of_module).into()
            }
            NodeMember::Class => self.opaque_class(name).into(),
            NodeMember::Value => {
                self.unknown(ReasonKind::NotModelled, format!("{}.{name} is not modelled", list.path))
            }
        };
        if let Some(member) = value.as_object() {
            let path = format!("{}.{name}", list.path);
            self.heap.get_mut(member).listed = NodeObject::below(&path).next().filter(|it| it.path == path);
        }
        let enumerable = list.path.starts_with("node:");
        let property = Property { enumerable, ..Property::hidden(value.clone()) };
        self.heap.get_mut(object).properties.insert(name.into(), property);
        self.path.restore(path);
        value
    }

    /// Makes all members of an object that are not modelled.
    pub(in crate::source::eval) fn complete_members(&mut self, object: ObjectId, list: &'static NodeObject) {
        for (name, kind) in list.members() {
            let mut at = Some(object);
            let mut is_known = false;
            while let (Some(id), false) = (at, is_known) {
                is_known = !matches!(self.own(id, &name.into()), Ok(Found::Nothing));
                at = self.heap.get(id).prototype;
            }
            if !is_known {
                self.unmodelled_member(object, list, name, kind);
            }
        }
    }
}
