//! `console`: nothing that matters comes of it.

use super::Evaluator;
use super::opaque::Manner;

const METHODS: [&str; 24] = [
    "console.log",
    "console.info",
    "console.warn",
    "console.error",
    "console.debug",
    "console.trace",
    "console.assert",
    "console.clear",
    "console.count",
    "console.countReset",
    "console.dir",
    "console.dirxml",
    "console.group",
    "console.groupCollapsed",
    "console.groupEnd",
    "console.table",
    "console.time",
    "console.timeEnd",
    "console.timeLog",
    "console.timeStamp",
    "console.profile",
    "console.profileEnd",
    "console.context",
    "console.createTask",
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let console = me.global_object("console", &[]);
    me.opaque_methods(console, Manner::Nothing, &METHODS);
}
