//! `process`: what is known of the process that Pi will be.

use std::sync::Arc;

use camino::Utf8PathBuf;

use super::opaque::Manner;
use super::{Evaluator, Methods};
use crate::source::eval::heap::{ObjectId, ObjectKind, Property, PropertyKey, Slot};
use crate::source::eval::native::{Call, Code, Eval};
use crate::source::eval::value::{Alternative, Data, Nature, Value};
use crate::source::known::ReasonKind;

const METHODS: Methods = &[
    ("process.cwd", |me, _| {
        Ok(match &me.cwd {
            Some(cwd) => Value::string(cwd.as_str()),
            None => me.unknown(ReasonKind::NotModelled, NO_CWD),
        })
    }),
    ("process.chdir", change_directory),
    ("process.exit", exit),
    ("process.abort", exit),
    ("process.nextTick", |me, call| super::timer::timer(me, call, 1, &Value::number(0.0), false)),
];

/// Listening to the process or telling it things.
const CHAINED: [&str; 12] = [
    "process.on",
    "process.once",
    "process.addListener",
    "process.prependListener",
    "process.prependOnceListener",
    "process.off",
    "process.removeListener",
    "process.removeAllListeners",
    "process.setMaxListeners",
    "process.emit",
    "process.emitWarning",
    "process.umask",
];

const UNKNOWN_FUNCTIONS: [&str; 19] = [
    "process.hrtime",
    "process.memoryUsage",
    "process.cpuUsage",
    "process.resourceUsage",
    "process.getuid",
    "process.geteuid",
    "process.getgid",
    "process.getegid",
    "process.getgroups",
    "process.kill",
    "process.listenerCount",
    "process.listeners",
    "process.eventNames",
    "process.getBuiltinModule",
    "process.binding",
    "process.send",
    "process.disconnect",
    "process.getActiveResourcesInfo",
    "process.loadEnvFile",
];

/// Values that differ from run to run or from machine to machine.
const UNKNOWN_VALUES: [&str; 5] = ["release", "config", "exitCode", "connected", "report"];

/// Such values of which the type is known.
const KNOWN_BY_TYPE: [(&str, Nature); 5] = [
    ("argv0", Nature::FullText),
    ("execPath", Nature::FullText),
    ("title", Nature::Text),
    ("pid", Nature::PositiveNumber),
    ("ppid", Nature::Number),
];

/// Variables that Pi sets itself (`cli.js`).
const SET_BY_PI: [(&str, &str); 1] = [("PI_CODING_AGENT", "true")];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let process = me.new_object();
    me.hide(me.realm.global, "process", process.into());
    me.methods(process, METHODS);
    me.opaque_methods(process, Manner::Itself, &CHAINED);
    me.opaque_methods(process, Manner::World, &UNKNOWN_FUNCTIONS);
    for name in UNKNOWN_VALUES {
        let value = me.unknown(ReasonKind::OutsideWorld, format!("process.{name}"));
        me.put(process, name, value);
    }
    for (name, nature) in KNOWN_BY_TYPE {
        let value = me.unknown_of(nature, ReasonKind::OutsideWorld, format!("process.{name}"));
        me.put(process, name, value);
    }
    me.opaque_methods(process, Manner::PositiveNumber, &["process.uptime"]);
    for name in ["argv", "execArgv"] {
        let why = me.unknown(ReasonKind::OutsideWorld, format!("process.{name}"));
        let list = me.new_array(Vec::new());
        me.open_up(list, &why);
        me.put(process, name, list.into());
    }
    let versions = me.new_object();
    let version = node_version(me);
    let with_v = me.map(&version, |_, it| {
        let text = it.as_str().map(|it| format!("v{it}")).unwrap_or_default();
        Value::string(text).resting_on(it.facts)
    });
    me.put(versions, "node", version);
    me.put(process, "version", with_v);
    for name in ["v8", "uv", "zlib", "modules", "openssl"] {
        let value = me.unknown(ReasonKind::OutsideWorld, format!("process.versions.{name}"));
        me.put(versions, name, value);
    }
    me.put(process, "versions", versions.into());
    getter(me, process, "platform", "process.platform", platform);
    getter(me, process, "arch", "process.arch", architecture);
    let env = environment(me);
    me.put(process, "env", env);
    for name in ["stdout", "stderr", "stdin"] {
        let stream = me.opaque_object("Stream", ReasonKind::OutsideWorld, &format!("process.{name}"));
        me.opaque_methods(
            stream,
            Manner::Nothing,
            &["Stream.write", "Stream.end", "Stream.cork", "Stream.uncork"],
        );
        me.opaque_methods(
            stream,
            Manner::Itself,
            &[
                "Stream.on",
                "Stream.once",
                "Stream.off",
                "Stream.addListener",
                "Stream.removeListener",
                "Stream.pipe",
                "Stream.setEncoding",
                "Stream.resume",
                "Stream.pause",
                "Stream.unref",
                "Stream.ref",
            ],
        );
        me.put(process, name, stream.into());
    }
}

/// Adds a property that is computed when it is read.
pub(super) fn getter(me: &mut Evaluator<'_>, object: ObjectId, name: &str, label: &'static str, code: Code) {
    let get = me.new_native(label, code);
    let property = Property {
        slot: Slot::Accessor { get: Some(get), set: None },
        enumerable: true,
        writable: true,
        is_fixed: false,
    };
    me.heap.get_mut(object).properties.insert(name.into(), property);
}

/// `process.platform`.
pub(super) fn platform(me: &mut Evaluator<'_>, _: &Call<'_>) -> Eval {
    let platform = me.world.environment.platform.as_str();
    let fact = me.facts.single(&format!("the platform is {platform}"));
    Ok(Value::string(platform).resting_on(fact))
}

/// `process.arch`.
pub(super) fn architecture(me: &mut Evaluator<'_>, _: &Call<'_>) -> Eval {
    let Some(architecture) = me.world.environment.architecture else {
        return Ok(me.unknown_of(Nature::FullText, ReasonKind::OutsideWorld, "process.arch"));
    };
    let fact = me.facts.single(&format!("the processor is {architecture}"));
    Ok(Value::string(architecture).resting_on(fact))
}

/// Which Node runs Pi is not known, only which is the oldest that Pi allows. What comes out alike for all of these holds for all.
fn node_version(me: &mut Evaluator<'_>) -> Value {
    const VERSIONS: [&str; 7] = ["22.19.0", "22.99.0", "23.99.0", "24.19.0", "24.99.0", "25.99.0", "26.19.0"];
    let fact = me.facts.single("Pi runs on Node 22.19 or newer");
    let alternatives = VERSIONS.map(|it| Alternative {
        value: Value::string(it).resting_on(fact),
        guard: Vec::new(),
        exact: false,
        tag: 0,
    });
    me.path.choose(alternatives.into())
}

/// Why a path is not known.
pub(super) const NO_CWD: &str = "the working directory after process.chdir()";

/// `process.chdir(directory)`: from then on relative paths start there.
fn change_directory(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let is_sure = me.path.mark() == 0 && me.loop_nesting == 0 && !me.schedule.is_late();
    me.cwd = match (call.arg(0).as_str().cloned(), me.cwd.take()) {
        (Some(to), Some(cwd)) if is_sure => {
            let path = Utf8PathBuf::from(super::node::path::resolve(cwd.as_str(), std::slice::from_ref(&to)));
            if me.world.files.is_directory(&path) {
                Some(path)
            } else {
                me.cwd = Some(cwd.clone());
                let message = format!("ENOENT: no such file or directory, chdir {cwd} -> '{to}'");
                return Err(me.throw_error("Error", &message));
            }
        }
        _ => None,
    };
    Ok(Value::UNDEFINED)
}

/// Pi ends: nothing after this happens.
fn exit(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    Err(me.throw_error("Error", &format!("{}() ends Pi", call.name)))
}

/// `process.env`: this environment, and what the program changes of it.
fn environment(me: &mut Evaluator<'_>) -> Value {
    let target = me.new_object();
    let handler = me.new_object();
    let traps: Methods = &[
        ("process.env.get", read),
        ("process.env.has", has),
        ("process.env.ownKeys", names),
        ("process.env.set", write),
    ];
    me.methods(handler, traps);
    let kind = ObjectKind::Proxy { target: target.into(), handler: handler.into() };
    let env = me.allocate(None, kind);
    let why = me.unknown(ReasonKind::OutsideWorld, "the variables of the environment");
    me.open_up(env, &why);
    env.into()
}

/// A variable of the environment, `Absent` when it is not set.
pub(super) fn variable(me: &mut Evaluator<'_>, name: &str) -> Value {
    if let Some((_, value)) = SET_BY_PI.iter().find(|(it, _)| *it == name) {
        return Value::string(*value);
    }
    let value = me.world.environment.variable(name).map(Arc::<str>::from);
    let state = if value.is_some() { "set" } else { "unset" };
    let fact = me.facts.single(&format!("env {name} is {state}"));
    value.map_or(Value::ABSENT, Value::string).resting_on(fact)
}

/// What a variable holds: what the program wrote, else what the environment has. `Absent` when there is none.
fn current(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let target = call.arg(0).as_object();
    me.each(&call.arg(1), |me, key| match (&key.data, target) {
        (Data::String(name, _), Some(target)) => {
            let written = match me.heap.get(target).properties.get(&PropertyKey::Name(name.clone())) {
                Some(Property { slot: Slot::Data(value), .. }) => value.clone(),
                _ => Value::ABSENT,
            };
            let written = me.path.settle(&written);
            Ok(if written.may_be_absent() {
                let outer = variable(me, name);
                me.map(&written, |_, it| match it.data {
                    Data::Absent => outer.clone(),
                    _ => it.clone(),
                })
            } else {
                written
            })
        }
        (Data::Symbol(_), _) => Ok(Value::ABSENT),
        _ => Ok(me.unknown(ReasonKind::OutsideWorld, "a variable of the environment")),
    })
}

fn read(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let value = current(me, call)?;
    Ok(me.map(&value, |_, it| match it.data {
        Data::Absent => Value::UNDEFINED.resting_on(it.facts),
        _ => it.clone(),
    }))
}

fn has(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let value = current(me, call)?;
    Ok(me.map(&value, |_, it| match it.data {
        Data::Unknown(_) => it.clone(),
        _ => Value::from(!matches!(it.data, Data::Absent)).resting_on(it.facts),
    }))
}

fn names(me: &mut Evaluator<'_>, _: &Call<'_>) -> Eval {
    Ok(me.unknown(ReasonKind::OutsideWorld, "the variables of the environment"))
}

fn write(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if let Some(target) = call.arg(0).as_object() {
        let value = me.to_text(&call.arg(2))?;
        super::object::define_any(me, target, &call.arg(1), value)?;
    }
    Ok(Value::TRUE)
}
