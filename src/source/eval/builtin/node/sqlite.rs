//! `node:sqlite`: every Node that Pi runs on has it, and a database in memory can always be opened.

use super::super::Evaluator;
use super::super::opaque::Manner;
use crate::source::eval::heap::{ObjectId, ObjectKind};
use crate::source::eval::native::{Call, Eval};
use crate::source::known::ReasonKind;

pub(super) fn module(me: &mut Evaluator<'_>) -> ObjectId {
    let module = me.new_object();
    let prototype = me.new_object();
    let class = me.new_native_class("DatabaseSync", open, prototype);
    me.opaque_methods(prototype, Manner::Nothing, &["DatabaseSync.exec", "DatabaseSync.close"]);
    me.opaque_methods(prototype, Manner::Pure, &["DatabaseSync.prepare"]);
    let why = me.unknown(ReasonKind::OutsideWorld, "what a database holds");
    me.open_up(prototype, &why);
    me.put(module, "DatabaseSync", class.into());
    let statement = me.opaque_class("StatementSync");
    me.put(module, "StatementSync", statement.into());
    let why = me.unknown(ReasonKind::OutsideWorld, "what node:sqlite does");
    me.open_up(module, &why);
    module
}

fn open(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if call.arg(0).as_str().is_none_or(|it| &**it != ":memory:") {
        let why = me.unknown(ReasonKind::OutsideWorld, "whether a database can be opened");
        me.may_throw(&why)?;
    }
    let otherwise = me.realm.object;
    let prototype = me.prototype_for(call, otherwise);
    Ok(me.allocate(Some(prototype), ObjectKind::Opaque("DatabaseSync")).into())
}
