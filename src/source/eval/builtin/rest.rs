//! What the language and Node have beyond what is modelled: it is there, and what it does is not known.

use super::opaque::Manner;
use crate::source::eval::Evaluator;
use crate::source::eval::heap::{ObjectId, PropertyKey};

/// Functions of built-in classes.
const STATICS: [(&str, &[&str]); 9] = [
    ("Array", &["Array.fromAsync"]),
    (
        "Atomics",
        &[
            "Atomics.and",
            "Atomics.compareExchange",
            "Atomics.exchange",
            "Atomics.isLockFree",
            "Atomics.or",
            "Atomics.sub",
            "Atomics.waitAsync",
            "Atomics.xor",
        ],
    ),
    ("Buffer", &["Buffer.allocUnsafeSlow", "Buffer.copyBytesFrom", "Buffer.of"]),
    ("Error", &["Error.isError"]),
    ("Intl", &["Intl.DurationFormat", "Intl.getCanonicalLocales", "Intl.supportedValuesOf"]),
    ("Iterator", &["Iterator.from"]),
    ("JSON", &["JSON.isRawJSON", "JSON.rawJSON"]),
    ("Math", &["Math.f16round"]),
    (
        "process",
        &[
            "process.availableMemory",
            "process.constrainedMemory",
            "process.dlopen",
            "process.execve",
            "process.hasUncaughtExceptionCaptureCallback",
            "process.initgroups",
            "process.openStdin",
            "process.reallyExit",
            "process.ref",
            "process.setSourceMapsEnabled",
            "process.setUncaughtExceptionCaptureCallback",
            "process.setegid",
            "process.seteuid",
            "process.setgid",
            "process.setgroups",
            "process.setuid",
            "process.threadCpuUsage",
            "process.unref",
        ],
    ),
];

/// Methods of built-in classes.
const METHODS: [(&str, &[&str]); 4] = [
    ("Array", &["Array.prototype.copyWithin"]),
    ("Date", &["Date.prototype.getYear", "Date.prototype.setYear", "Date.prototype.toGMTString"]),
    (
        "Object",
        &[
            "Object.prototype.__defineGetter__",
            "Object.prototype.__defineSetter__",
            "Object.prototype.__lookupGetter__",
            "Object.prototype.__lookupSetter__",
        ],
    ),
    (
        "String",
        &[
            "String.prototype.anchor",
            "String.prototype.big",
            "String.prototype.bold",
            "String.prototype.fixed",
            "String.prototype.fontcolor",
            "String.prototype.fontsize",
            "String.prototype.italics",
            "String.prototype.link",
            "String.prototype.small",
            "String.prototype.strike",
            "String.prototype.sub",
            "String.prototype.sup",
        ],
    ),
];

/// Global functions and classes.
const GLOBALS: [&str; 22] = [
    "CloseEvent",
    "Crypto",
    "Float16Array",
    "Navigator",
    "Performance",
    "PerformanceEntry",
    "PerformanceMark",
    "PerformanceMeasure",
    "PerformanceObserverEntryList",
    "PerformanceResourceTiming",
    "ReadableByteStreamController",
    "ReadableStreamBYOBReader",
    "ReadableStreamBYOBRequest",
    "ReadableStreamDefaultController",
    "ReadableStreamDefaultReader",
    "SubtleCrypto",
    "TransformStreamDefaultController",
    "WritableStreamDefaultController",
    "WritableStreamDefaultWriter",
    "FinalizationRegistry",
    "escape",
    "unescape",
];

/// Functions and classes of Node's modules.
const MODULES: [(&str, &[&str]); 7] = [
    (
        "events",
        &[
            "events.EventEmitterAsyncResource",
            "events.addAbortListener",
            "events.getMaxListeners",
            "events.listenerCount",
        ],
    ),
    (
        "fs",
        &[
            "fs.Dir",
            "fs.Dirent",
            "fs.FileReadStream",
            "fs.FileWriteStream",
            "fs.ReadStream",
            "fs.Stats",
            "fs.WriteStream",
            "fs.fchmod",
            "fs.fchmodSync",
            "fs.fchown",
            "fs.fchownSync",
            "fs.fdatasync",
            "fs.fdatasyncSync",
            "fs.fsync",
            "fs.ftruncate",
            "fs.ftruncateSync",
            "fs.futimes",
            "fs.futimesSync",
            "fs.glob",
            "fs.mkdtempDisposableSync",
            "fs.openAsBlob",
            "fs.readv",
            "fs.statfs",
            "fs.writev",
        ],
    ),
    ("fs/promises", &["fs.promises.lchmod", "fs.promises.mkdtempDisposable"]),
    (
        "module",
        &[
            "Module._findPath",
            "Module._initPaths",
            "Module._load",
            "Module._nodeModulePaths",
            "Module._preloadModules",
            "Module._resolveFilename",
            "Module._resolveLookupPaths",
            "Module.SourceMap",
            "Module.getSourceMapsSupport",
            "Module.registerHooks",
            "Module.runMain",
            "Module.setSourceMapsSupport",
        ],
    ),
    ("path", &["path._makeLong"]),
    ("url", &["url.URLPattern", "url.Url", "url.fileURLToPathBuffer", "url.resolveObject"]),
    (
        "util",
        &[
            "util.MIMEParams",
            "util.MIMEType",
            "util._extend",
            "util._errnoException",
            "util._exceptionWithHostPort",
            "util.convertProcessSignalToExitCode",
            "util.debug",
            "util.diff",
            "util.getCallSites",
            "util.getSystemErrorMap",
            "util.getSystemErrorMessage",
            "util.setTraceSigInt",
            "util.transferableAbortSignal",
        ],
    ),
];

pub(super) fn install(me: &mut Evaluator<'_>) {
    let global = me.realm.global;
    add(me, global, &GLOBALS);
    for (class, names) in STATICS {
        if let Some(object) = member(me, global, class) {
            add(me, object, names);
        }
    }
    for (class, names) in METHODS {
        let prototype = member(me, global, class).and_then(|it| member(me, it, "prototype"));
        if let Some(prototype) = prototype {
            add(me, prototype, names);
        }
    }
}

/// Adds what is not modelled of a module of Node.
pub(super) fn complete(me: &mut Evaluator<'_>, name: &str, module: ObjectId) {
    if let Some((_, names)) = MODULES.iter().find(|it| it.0 == name) {
        add(me, module, names);
    }
}

fn member(me: &mut Evaluator<'_>, of: ObjectId, name: &str) -> Option<ObjectId> {
    me.get_of(of, &name.into(), &of.into()).ok().and_then(|it| it.as_object())
}

fn add(me: &mut Evaluator<'_>, to: ObjectId, names: &[&'static str]) {
    for name in names {
        let key = PropertyKey::from(name.rsplit('.').next().unwrap_or_default());
        if me.heap.get(to).properties.get(&key).is_some() {
            continue;
        }
        let short = name.rsplit('.').next().unwrap_or_default();
        if short.starts_with(char::is_uppercase) {
            let class = me.opaque_class(name);
            me.hide(to, short, class.into());
        } else {
            me.opaque_methods(to, Manner::World, &[name]);
        }
    }
}
