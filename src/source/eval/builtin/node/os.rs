//! `node:os`.

use super::super::opaque::Manner;
use super::super::process::{architecture, platform};
use super::super::{Evaluator, Methods};
use crate::source::eval::heap::ObjectId;
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::Value;
use crate::source::known::ReasonKind;

const FUNCTIONS: Methods = &[
    ("os.homedir", |me, _| Ok(Value::string(me.world.environment.home.as_str()))),
    ("os.platform", platform),
    ("os.arch", architecture),
    ("os.type", kind),
    ("os.userInfo", user),
];

/// Those that give texts, none of them empty.
const TEXTS: [&str; 6] =
    ["os.tmpdir", "os.hostname", "os.release", "os.version", "os.machine", "os.endianness"];

const UNKNOWN: [&str; 5] =
    ["os.cpus", "os.loadavg", "os.networkInterfaces", "os.getPriority", "os.setPriority"];

pub(super) fn module(me: &mut Evaluator<'_>) -> ObjectId {
    let module = me.new_object();
    me.methods(module, FUNCTIONS);
    me.opaque_methods(module, Manner::World, &UNKNOWN);
    me.opaque_methods(module, Manner::Text, &TEXTS);
    me.opaque_methods(
        module,
        Manner::PositiveNumber,
        &["os.totalmem", "os.freemem", "os.uptime", "os.availableParallelism"],
    );
    me.put(module, "EOL", Value::string("\n"));
    me.put(module, "devNull", Value::string("/dev/null"));
    let constants = me.opaque_object("Constants", ReasonKind::OutsideWorld, "os.constants");
    me.put(module, "constants", constants.into());
    module
}

fn kind(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let name = platform(me, call)?;
    Ok(me.map(&name, |_, it| {
        let text = match it.as_str().map(|it| &**it) {
            Some("darwin") => "Darwin",
            Some("win32") => "Windows_NT",
            _ => "Linux",
        };
        Value::string(text).resting_on(it.facts)
    }))
}

fn user(me: &mut Evaluator<'_>, _: &Call<'_>) -> Eval {
    let user = me.opaque_object("UserInfo", ReasonKind::OutsideWorld, "the user");
    let home = Value::string(me.world.environment.home.as_str());
    me.put(user, "homedir", home);
    Ok(user.into())
}
