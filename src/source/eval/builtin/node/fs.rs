//! `node:fs`: what can be read without running anything is read, and answers rest on the fact.
//!
//! Whether a path exists is looked up anywhere but in places that change all the time; contents are read only of
//! files of the installation. What the program writes is in `written`.

use std::io::ErrorKind;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::super::Evaluator;
use super::super::opaque::Manner;
use super::super::process::getter;
use super::written::{Made, touch, write};
use crate::files::{DirectoryEntry, FileKind};
use crate::source::eval::fact::FactSet;
use crate::source::eval::heap::ObjectId;
use crate::source::eval::loading::decode_url_path;
use crate::source::eval::native::{Call, Code, Eval};
use crate::source::eval::path::Stop;
use crate::source::eval::value::{Data, Nature, Value};
use crate::source::known::ReasonKind;

/// The one that gives contents.
const READ_FILE: &str = "readFile";

/// Functions of both forms: `readFileSync(path)` and `promises.readFile(path)`.
const READING: [(&str, Code); 7] = [
    (READ_FILE, |me, call| on_path(me, call, read_file)),
    ("readdir", |me, call| on_path(me, call, read_directory)),
    ("stat", |me, call| on_path(me, call, stat)),
    ("lstat", |me, call| on_path(me, call, stat)),
    ("access", |me, call| on_path(me, call, access)),
    ("realpath", |me, call| on_path(me, call, real_path)),
    ("mkdtemp", |me, call| Manner::World.code()(me, call)),
];

const WRITING: [&str; 17] = [
    "writeFile",
    "appendFile",
    "mkdir",
    "rm",
    "unlink",
    "rmdir",
    "rename",
    "copyFile",
    "cp",
    "chmod",
    "chown",
    "utimes",
    "symlink",
    "link",
    "truncate",
    "lchown",
    "lutimes",
];

/// Opened files, streams and the like.
const OPAQUE: [&str; 25] = [
    "fs.openSync",
    "fs.closeSync",
    "fs.readSync",
    "fs.writeSync",
    "fs.fstatSync",
    "fs.fsyncSync",
    "fs.readlinkSync",
    "fs.opendirSync",
    "fs.statfsSync",
    "fs.createReadStream",
    "fs.createWriteStream",
    "fs.watch",
    "fs.watchFile",
    "fs.unwatchFile",
    "fs.open",
    "fs.close",
    "fs.read",
    "fs.write",
    "fs.exists",
    "fs.fstat",
    "fs.readlink",
    "fs.opendir",
    "fs.globSync",
    "fs.readvSync",
    "fs.writevSync",
];

const OPAQUE_PROMISES: [&str; 6] = [
    "fs.promises.open",
    "fs.promises.readlink",
    "fs.promises.opendir",
    "fs.promises.watch",
    "fs.promises.glob",
    "fs.promises.statfs",
];

/// Files larger than this are not read.
const MAX_BYTES: u64 = 4 << 20;

/// Where Pi and extensions keep settings, in the home and in projects.
const SETTINGS_FOLDERS: [&str; 2] = [".pi", ".agents"];

/// Where things come and go while nobody looks.
const VOLATILE: [&str; 6] = ["/tmp", "/proc", "/sys", "/dev", "/run", "/var"];

/// Files of the system that tell which it is, such as by which C library: loaders of native modules read them.
const OF_THE_SYSTEM: [&str; 2] = ["/usr/bin/ldd", "/etc/os-release"];

/// Files with keys and tokens: what stands in them is never looked at.
const SECRET: [&str; 2] = ["auth.json", ".env"];

/// `node:fs`.
pub(super) fn module(me: &mut Evaluator<'_>) -> ObjectId {
    let module = me.new_object();
    for (name, code) in READING {
        let sync = me.new_native(name, code);
        me.put(module, &format!("{name}Sync"), sync.into());
        let with_callback = me.new_native(name, |me, call| Manner::Nothing.code()(me, call));
        me.put(module, name, with_callback.into());
    }
    for name in WRITING {
        let sync = me.new_native(name, write);
        me.put(module, &format!("{name}Sync"), sync.into());
        let with_callback = me.new_native(name, write_with_callback);
        me.put(module, name, with_callback.into());
    }
    me.methods(module, &[("fs.existsSync", |me, call| on_path(me, call, exists))]);
    me.opaque_methods(module, Manner::World, &OPAQUE);
    if let Ok(real_path) = me.get_of(module, &"realpathSync".into(), &module.into())
        && let Some(object) = real_path.as_object()
    {
        me.hide(object, "native", real_path);
    }
    constants(me, module);
    getter(me, module, "promises", "fs.promises", |me, _| Ok(super::module(me, "fs/promises")));
    module
}

/// `node:fs/promises`.
pub(super) fn promises(me: &mut Evaluator<'_>) -> ObjectId {
    let module = me.new_object();
    for (name, _) in READING {
        let function = me.new_native(name, read_in_time);
        me.put(module, name, function.into());
    }
    for name in WRITING {
        let function = me.new_native(name, write_in_time);
        me.put(module, name, function.into());
    }
    me.opaque_methods(module, Manner::WorldInTime, &OPAQUE_PROMISES);
    constants(me, module);
    module
}

fn constants(me: &mut Evaluator<'_>, module: ObjectId) {
    let constants = me.opaque_object("Constants", ReasonKind::NotModelled, "fs.constants");
    for (name, number) in [("F_OK", 0.0), ("X_OK", 1.0), ("W_OK", 2.0), ("R_OK", 4.0)] {
        me.put(constants, name, Value::number(number));
        me.put(module, name, Value::number(number));
    }
    me.put(module, "constants", constants.into());
}

/// What a path may tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Anything: it belongs to the installation.
    Installation,
    /// Whether there is something.
    Machine,
    /// Nothing that lasts.
    Volatile,
}

/// A path that is asked for.
pub(super) struct Asked {
    /// Absolute.
    pub(super) path: Utf8PathBuf,
    /// As the program wrote it, for messages.
    written: Arc<str>,
    place: Place,
    /// What the program made of it.
    made: Option<Made>,
}

impl Asked {
    fn is_installation(&self) -> bool {
        self.place == Place::Installation
    }
}

impl Evaluator<'_> {
    pub(super) fn asked(&self, written: &Arc<str>) -> Asked {
        let cwd = self.cwd.as_ref().unwrap_or(&self.world.options.cwd).as_str();
        let path = Utf8PathBuf::from(super::path::resolve(cwd, std::slice::from_ref(written)));
        let is_lost = self.cwd.is_none() && !written.starts_with('/');
        let made = if is_lost { Some(Made::Unknown) } else { self.made_of(&path) };
        let place = if matches!(made, Some(Made::Unknown)) { Place::Volatile } else { self.place_of(&path) };
        Asked { path, written: written.clone(), place, made }
    }

    fn place_of(&self, path: &Utf8Path) -> Place {
        let home = &self.world.environment.home;
        let is_own = path.starts_with(&self.world.options.cwd)
            || path.starts_with(&self.world.options.agent_dir)
            || SETTINGS_FOLDERS.iter().any(|it| path.starts_with(home.join(it)))
            || self.belongs_to_a_package(path);
        // Settings are looked for in the folders around a project as well.
        let mut around = path.parent().unwrap_or(path);
        if around.file_name().is_some_and(|it| SETTINGS_FOLDERS.contains(&it)) {
            around = around.parent().unwrap_or(around);
        }
        let is_around = self.world.options.cwd.starts_with(around) && around.as_str() != "/";
        if is_own {
            Place::Installation
        } else if is_around {
            Place::Machine
        } else if !path.starts_with(home) && VOLATILE.iter().any(|it| path.starts_with(it)) {
            Place::Volatile
        } else {
            Place::Machine
        }
    }

    /// Whether the package that a path lies in has modules that are loaded.
    fn belongs_to_a_package(&self, path: &Utf8Path) -> bool {
        let root = path.ancestors().skip(1).find(|it| self.world.files.is_file(&it.join("package.json")));
        if let Some(root) = root {
            return self.instances.any_below(root);
        }
        let is_shared = |it: &Utf8Path| {
            self.world.environment.home.starts_with(it) || VOLATILE.iter().any(|shared| it == *shared)
        };
        let parent = path.parent().filter(|it| it.as_str() != "/");
        parent.is_some_and(|it| self.instances.any_below(it))
            || path.ancestors().skip(1).any(|it| !is_shared(it) && self.instances.any_in(it))
    }

    /// A path as facts show it.
    fn shown_path(&self, path: &Utf8Path) -> String {
        match path.strip_prefix(&self.world.environment.home) {
            Ok(rest) => format!("~/{rest}"),
            Err(_) => path.to_string(),
        }
    }

    fn fact_of_file(&mut self, path: &Utf8Path, says: &str) -> FactSet {
        let shown = self.shown_path(path);
        self.facts.single(&format!("{shown} {says}"))
    }

    fn unknown_file(&mut self, asked: &Asked, what: &str) -> Eval {
        let shown = self.shown_path(&asked.path);
        let unknown = self.unknown(ReasonKind::RuntimeFile, format!("{what} {shown}"));
        self.may_throw(&unknown)?;
        Ok(unknown)
    }

    fn unknown_contents(&mut self, asked: &Asked, call: &Call<'_>) -> Eval {
        let shown = self.shown_path(&asked.path);
        let nature = nature_of_contents(self, call)?;
        let what = format!("the contents of {shown}");
        let unknown = self.unknown_of(nature, ReasonKind::RuntimeFile, what);
        self.may_throw(&unknown)?;
        Ok(unknown)
    }

    /// Throws the error that Node makes of a failed system call.
    pub(super) fn throw_system(&mut self, code: &SystemError, call: &str, asked: &Asked) -> Stop {
        let SystemError { name, number, text, fact } = code;
        let facts = self.fact_of_file(&asked.path, fact);
        let error = self.new_error("Error", &format!("{name}: {text}, {call} '{}'", asked.written));
        self.put(error, "errno", Value::number(*number));
        self.put(error, "code", Value::string(*name));
        self.put(error, "syscall", Value::string(call));
        self.put(error, "path", Value::string(asked.written.clone()));
        self.control = self.facts.union(self.control, facts);
        self.trip(Value::from(error).resting_on(facts))
    }
}

/// What a system call says when it fails.
pub(super) struct SystemError {
    pub(super) name: &'static str,
    pub(super) number: f64,
    pub(super) text: &'static str,
    pub(super) fact: &'static str,
}

pub(super) const NOT_FOUND: SystemError =
    SystemError { name: "ENOENT", number: -2.0, text: "no such file or directory", fact: "does not exist" };
const IS_DIRECTORY: SystemError = SystemError {
    name: "EISDIR",
    number: -21.0,
    text: "illegal operation on a directory",
    fact: "is a directory",
};
const NOT_DIRECTORY: SystemError =
    SystemError { name: "ENOTDIR", number: -20.0, text: "not a directory", fact: "is not a directory" };

fn system_error(error: &std::io::Error) -> Option<&'static SystemError> {
    match error.kind() {
        ErrorKind::NotFound => Some(&NOT_FOUND),
        ErrorKind::NotADirectory => Some(&NOT_DIRECTORY),
        ErrorKind::IsADirectory => Some(&IS_DIRECTORY),
        _ => None,
    }
}

/// The path that an argument is: a string, or a file URL.
pub(super) fn path_text(me: &mut Evaluator<'_>, value: &Value) -> Eval {
    me.each(value, |me, value| match &value.data {
        Data::Object(_) => {
            let href = me.get_name(value, "href")?;
            Ok(me.map(&href, |_, it| match it.as_str().and_then(|it| it.strip_prefix("file://")) {
                Some(path) => Value::string(decode_url_path(path)).resting_on(it.facts),
                None => it.clone(),
            }))
        }
        _ => Ok(value.clone()),
    })
}

fn on_path(
    me: &mut Evaluator<'_>,
    call: &Call<'_>,
    code: fn(&mut Evaluator<'_>, &Asked, &Call<'_>) -> Eval,
) -> Eval {
    let path = path_text(me, &call.arg(0))?;
    me.each(&path, |me, path| match &path.data {
        Data::String(written, _) => {
            let asked = me.asked(written);
            let value = code(me, &asked, call)?;
            Ok(me.with_facts(value, path.facts))
        }
        Data::Unknown(unknown) => {
            let nature =
                if call.name == READ_FILE { nature_of_contents(me, call)? } else { Nature::Anything };
            let result = me.path.unknown_of(unknown.reason.clone(), nature);
            me.may_throw(&result)?;
            Ok(result)
        }
        _ if call.name == "fs.existsSync" => Ok(Value::FALSE),
        _ => {
            let error = me.new_error(
                "TypeError",
                "The \"path\" argument must be of type string or an instance of Buffer or URL.",
            );
            me.put(error, "code", Value::string("ERR_INVALID_ARG_TYPE"));
            Err(me.trip(error.into()))
        }
    })
}

/// What an option object says, or the default.
fn option(me: &mut Evaluator<'_>, call: &Call<'_>, name: &str) -> Eval {
    let options = call.arg(1);
    if options.as_object().is_some() { me.get_name(&options, name) } else { Ok(Value::UNDEFINED) }
}

fn exists(me: &mut Evaluator<'_>, asked: &Asked, _: &Call<'_>) -> Eval {
    match asked.made {
        Some(Made::File(_) | Made::Directory) => return Ok(Value::TRUE),
        Some(Made::Gone) => return Ok(Value::FALSE),
        _ => {}
    }
    if asked.place == Place::Volatile {
        let shown = me.shown_path(&asked.path);
        return Ok(me.unknown(ReasonKind::RuntimeFile, format!("whether {shown} exists")));
    }
    let there = me.world.files.exists(&asked.path);
    let facts = me.fact_of_file(&asked.path, if there { "exists" } else { "does not exist" });
    Ok(Value::from(there).resting_on(facts))
}

fn access(me: &mut Evaluator<'_>, asked: &Asked, call: &Call<'_>) -> Eval {
    let there = exists(me, asked, call)?;
    match me.truthiness(&there) {
        Some(true) => Ok(Value::UNDEFINED.resting_on(there.facts)),
        Some(false) => Err(me.throw_system(&NOT_FOUND, "access", asked)),
        None => me.unknown_file(asked, "access to"),
    }
}

/// What is known of a path that the program wrote to: a function of the disk does not look there.
fn as_made(me: &mut Evaluator<'_>, asked: &Asked, system_call: &str) -> Option<Eval> {
    match asked.made {
        Some(Made::Gone) => Some(Err(me.throw_system(&NOT_FOUND, system_call, asked))),
        Some(Made::File(_) | Made::Directory) => {
            let shown = me.shown_path(&asked.path);
            Some(Ok(me.unknown(ReasonKind::RuntimeFile, format!("what {shown} is once it is written"))))
        }
        Some(Made::Unknown) | None => None,
    }
}

/// The encoding that a file is to be read in.
fn encoding(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    if call.arg(1).as_object().is_some() { option(me, call, "encoding") } else { Ok(call.arg(1)) }
}

/// What is known of the contents of a file: a text when there is an encoding, else a buffer.
fn nature_of_contents(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval<Nature> {
    let encoding = encoding(me, call)?;
    Ok(match &encoding.data {
        Data::String(name, _) if &**name != "buffer" => Nature::Text,
        Data::Undefined | Data::Null => Nature::Object,
        _ => Nature::Anything,
    })
}

/// What a call that reads a file gives of its contents.
fn decoded(me: &mut Evaluator<'_>, text: Arc<str>, call: &Call<'_>) -> Eval {
    let encoding = encoding(me, call)?;
    Ok(if encoding.is_nullish() { Value::from(me.buffer_of(text)) } else { Value::string(text) })
}

fn read_file(me: &mut Evaluator<'_>, asked: &Asked, call: &Call<'_>) -> Eval {
    match &asked.made {
        Some(Made::File(contents)) => {
            let contents = me.path.settle(contents);
            return match contents.as_str() {
                Some(text) => {
                    let value = decoded(me, text.clone(), call)?;
                    Ok(me.with_facts(value, contents.facts))
                }
                None => Ok(me.unknown(ReasonKind::RuntimeFile, "what was written to a file")),
            };
        }
        Some(Made::Directory) => return Err(me.throw_system(&IS_DIRECTORY, "read", asked)),
        Some(Made::Gone) => return Err(me.throw_system(&NOT_FOUND, "open", asked)),
        Some(Made::Unknown) | None => {}
    }
    if asked.place == Place::Volatile {
        return me.unknown_contents(asked, call);
    }
    let metadata = match me.world.files.metadata(&asked.path) {
        Ok(metadata) => metadata,
        Err(error) => {
            return match system_error(&error) {
                Some(code) => Err(me.throw_system(code, "open", asked)),
                None => me.unknown_contents(asked, call),
            };
        }
    };
    if metadata.kind == FileKind::Directory {
        return Err(me.throw_system(&IS_DIRECTORY, "read", asked));
    }
    let is_secret = asked.path.file_name().is_some_and(|name| SECRET.contains(&name));
    let is_readable = asked.is_installation() || OF_THE_SYSTEM.contains(&asked.path.as_str());
    if !is_readable || metadata.size > MAX_BYTES || is_secret {
        return me.unknown_contents(asked, call);
    }
    let Ok(text) = me.world.files.read_text(&asked.path) else {
        return me.unknown_contents(asked, call);
    };
    me.spend_string(text.len())?;
    let facts = me.fact_of_file(&asked.path, "says so");
    let value = decoded(me, text.into(), call)?;
    Ok(value.resting_on(facts))
}

fn read_directory(me: &mut Evaluator<'_>, asked: &Asked, call: &Call<'_>) -> Eval {
    if let Some(made) = as_made(me, asked, "scandir") {
        return made;
    }
    if asked.place == Place::Volatile {
        return me.unknown_file(asked, "the names in");
    }
    let entries = match me.world.files.read_directory(&asked.path) {
        Ok(entries) => entries,
        Err(error) => {
            return match system_error(&error) {
                Some(code) => Err(me.throw_system(code, "scandir", asked)),
                None => me.unknown_file(asked, "the names in"),
            };
        }
    };
    let recursive = option(me, call, "recursive")?;
    if !asked.is_installation() || me.truthiness(&recursive) == Some(true) {
        return me.unknown_file(asked, "the names in");
    }
    let facts = me.fact_of_file(&asked.path, "holds these files");
    let with_types = option(me, call, "withFileTypes")?;
    let with_types = me.truthiness(&with_types) == Some(true);
    me.steps(entries.len())?;
    let values = entries
        .iter()
        .map(
            |entry| {
                if with_types { entry_object(me, entry, asked) } else { Value::string(entry.name.as_str()) }
            },
        )
        .map(|it| it.resting_on(facts))
        .collect();
    Ok(Value::from(me.new_array(values)).resting_on(facts))
}

/// Adds the methods that say what kind of file something is.
fn kind_methods(me: &mut Evaluator<'_>, object: ObjectId, kind: Option<FileKind>) {
    for (name, truth) in [
        ("isFile", kind == Some(FileKind::File)),
        ("isDirectory", kind == Some(FileKind::Directory)),
        ("isSymbolicLink", kind.is_none()),
        ("isFIFO", false),
        ("isSocket", false),
        ("isBlockDevice", false),
        ("isCharacterDevice", false),
    ] {
        let method = me.new_native_with("Stats.is", |_, call| Ok(call.data.clone()), truth.into());
        me.hide(object, name, method.into());
    }
}

fn entry_object(me: &mut Evaluator<'_>, entry: &DirectoryEntry, asked: &Asked) -> Value {
    let object = me.new_object();
    me.put(object, "name", Value::string(entry.name.as_str()));
    me.put(object, "parentPath", Value::string(asked.written.clone()));
    me.put(object, "path", Value::string(asked.written.clone()));
    kind_methods(me, object, entry.kind);
    object.into()
}

fn stat(me: &mut Evaluator<'_>, asked: &Asked, call: &Call<'_>) -> Eval {
    if let Some(made) = as_made(me, asked, call.name) {
        return made;
    }
    if asked.place == Place::Volatile {
        return me.unknown_file(asked, "the state of");
    }
    let link = call.name == "lstat";
    let metadata = match me.world.files.metadata(&asked.path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let strict = option(me, call, "throwIfNoEntry")?;
            let facts = me.fact_of_file(&asked.path, "does not exist");
            if me.truthiness(&strict) == Some(false) && !strict.is_undefined() {
                return Ok(Value::UNDEFINED.resting_on(facts));
            }
            return Err(me.throw_system(&NOT_FOUND, call.name, asked));
        }
        Err(error) => {
            return match system_error(&error) {
                Some(code) => Err(me.throw_system(code, call.name, asked)),
                None => me.unknown_file(asked, "the state of"),
            };
        }
    };
    let facts = me.fact_of_file(&asked.path, "exists");
    let stats = me.opaque_object("Stats", ReasonKind::RuntimeFile, "the times and owner of a file");
    let is_link = link && is_symbolic_link(me, &asked.path);
    kind_methods(me, stats, if is_link { None } else { Some(metadata.kind) });
    if metadata.kind == FileKind::File && !is_link {
        #[allow(clippy::cast_precision_loss, reason = "the size of a file")]
        me.put(stats, "size", Value::number(metadata.size as f64));
    }
    Ok(Value::from(stats).resting_on(facts))
}

fn is_symbolic_link(me: &Evaluator<'_>, path: &Utf8Path) -> bool {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return false };
    let entries = me.world.files.read_directory(parent).unwrap_or_default();
    entries.iter().any(|it| it.name == name && it.is_symlink())
}

fn real_path(me: &mut Evaluator<'_>, asked: &Asked, call: &Call<'_>) -> Eval {
    if let Some(made) = as_made(me, asked, "lstat") {
        return made;
    }
    if asked.place == Place::Volatile {
        return me.unknown_file(asked, "the real path of");
    }
    match me.world.files.canonicalize(&asked.path) {
        Ok(path) => {
            let facts = me.fact_of_file(&asked.path, "exists");
            Ok(Value::string(path.as_str()).resting_on(facts))
        }
        Err(error) => match system_error(&error) {
            Some(code) => Err(me.throw_system(code, "lstat", asked)),
            None => me.unknown_file(asked, call.name),
        },
    }
}

fn write_with_callback(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    touch(me, call)?;
    me.callbacks_later(call);
    Ok(Value::UNDEFINED)
}

fn write_in_time(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    me.as_async(|me| {
        me.wait(None);
        write(me, call)
    })
}

fn read_in_time(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let code = READING.iter().find(|(name, _)| *name == call.name).map(|(_, code)| *code);
    me.as_async(|me| {
        me.wait(None);
        let result = match code {
            Some(code) => code(me, call),
            None => me.not_modelled(call),
        };
        if result.as_ref().map_or_else(|stop| *stop == Stop::Dead, Value::is_settled) {
            me.schedule.make_sure();
        }
        result
    })
}
