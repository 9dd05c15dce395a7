//! `node:child_process`: nothing is ever run.

use super::super::Evaluator;
use super::super::opaque::Manner;
use crate::source::eval::heap::ObjectId;

pub(super) fn module(me: &mut Evaluator<'_>) -> ObjectId {
    let module = me.new_object();
    me.opaque_methods(module, Manner::World, &["child_process.execSync", "child_process.execFileSync"]);
    // These tell of failure in what they give.
    me.opaque_methods(
        module,
        Manner::Outside,
        &[
            "child_process.spawn",
            "child_process.spawnSync",
            "child_process.exec",
            "child_process.execFile",
            "child_process.fork",
        ],
    );
    let class = me.opaque_class("ChildProcess");
    me.put(module, "ChildProcess", class.into());
    module
}
