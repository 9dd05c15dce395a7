//! What the program writes to the disk: nothing is written, but what it reads afterwards is what it would find.
//!
//! Writes into the home, the project, Pi's folder and the folder for temporary files are taken to succeed if the folder that
//! they go to is there.

use camino::{Utf8Path, Utf8PathBuf};

use super::super::Evaluator;
use super::fs::{Asked, NOT_FOUND, SystemError, path_text};
use crate::files::FileKind;
use crate::source::eval::native::{Call, Eval};
use crate::source::eval::value::{Data, Value};
use crate::source::known::ReasonKind;

/// What the program made of a path.
#[derive(Debug, Clone)]
pub enum Made {
    /// A file that holds this.
    File(Value),
    /// A directory; what was in it before still is.
    Directory,
    /// Nothing is there any more.
    Gone,
    /// It is not known.
    Unknown,
}

/// How a write ends.
enum Outcome {
    Succeeds,
    Fails(&'static SystemError, &'static str),
    Unsure,
}

const EXISTS: SystemError =
    SystemError { name: "EEXIST", number: -17.0, text: "file already exists", fact: "exists" };

/// Paths that are remembered; of more, nothing is known.
const MAX_WRITTEN: usize = 1_000;

impl Evaluator<'_> {
    /// What the program made of a path, if it touched it.
    pub(super) fn made_of(&self, path: &Utf8Path) -> Option<Made> {
        if self.realm.written.len() >= MAX_WRITTEN {
            return Some(Made::Unknown);
        }
        for (written, made) in self.realm.written.iter().rev() {
            if written == path {
                return Some(made.clone());
            }
            if path.starts_with(written) {
                match made {
                    Made::Directory => {}
                    Made::Gone | Made::File(_) => return Some(Made::Gone),
                    Made::Unknown => return Some(Made::Unknown),
                }
            } else if written.starts_with(path) {
                match made {
                    Made::Directory | Made::File(_) => return Some(Made::Directory),
                    Made::Gone => {}
                    Made::Unknown => return Some(Made::Unknown),
                }
            }
        }
        None
    }

    /// Whether there is something at a path, if that is known.
    fn is_there(&self, path: &Utf8Path) -> Option<bool> {
        match self.made_of(path) {
            Some(Made::File(_) | Made::Directory) => Some(true),
            Some(Made::Gone) => Some(false),
            Some(Made::Unknown) => None,
            None => Some(self.world.files.exists(path)),
        }
    }

    /// Whether a path lies where Pi may write, as far as one can tell.
    fn is_writable(&self, path: &Utf8Path) -> bool {
        let temporary = self.world.environment.variable("TMPDIR").unwrap_or("/tmp");
        path.starts_with(&self.world.environment.home)
            || path.starts_with(&self.world.options.cwd)
            || path.starts_with(&self.world.options.agent_dir)
            || path.starts_with(temporary)
    }

    /// Notes what a path is from now on; under a condition that is not known.
    fn note_made(&mut self, path: Utf8PathBuf, made: Made) {
        let is_sure = self.path.mark() == 0 && self.loop_nesting == 0;
        let made = if is_sure { made } else { Made::Unknown };
        self.realm.written.retain(|(it, _)| *it != path);
        self.realm.written.push((path, made));
    }

    fn options_say(&mut self, call: &Call<'_>, name: &str) -> Eval<Option<bool>> {
        let options = call.arg(1);
        let value = match options.data {
            Data::Undefined | Data::Absent => return Ok(Some(false)),
            Data::Object(_) => self.get_name(&options, name)?,
            _ => return Ok(None),
        };
        Ok(self.truthiness(&value))
    }

    fn outcome(&mut self, asked: &Asked, other: Option<&Asked>, call: &Call<'_>) -> Eval<Outcome> {
        let path = &asked.path;
        if !self.is_writable(path) || other.is_some_and(|it| !self.is_writable(&it.path)) {
            return Ok(Outcome::Unsure);
        }
        let there = self.is_there(path);
        let parent = |it: &Utf8Path| it.parent().map_or(Some(true), |it| self.is_there(it));
        let by_presence = |there, call| match there {
            Some(true) => Outcome::Succeeds,
            Some(false) => Outcome::Fails(&NOT_FOUND, call),
            None => Outcome::Unsure,
        };
        Ok(match call.name {
            "writeFile" | "appendFile" => {
                let is_file =
                    matches!(self.made_of(path), Some(Made::File(_))) || !self.world.files.is_directory(path);
                let plain = call.arg(2).as_object().is_none();
                match parent(path) {
                    Some(false) => Outcome::Fails(&NOT_FOUND, "open"),
                    Some(true) if is_file && plain => Outcome::Succeeds,
                    _ => Outcome::Unsure,
                }
            }
            "mkdir" => {
                let parent = parent(path);
                match (self.options_say(call, "recursive")?, there, parent) {
                    (Some(true), ..) if !self.is_blocked(path) => Outcome::Succeeds,
                    (Some(false), Some(true), _) => Outcome::Fails(&EXISTS, "mkdir"),
                    (Some(false), _, Some(false)) => Outcome::Fails(&NOT_FOUND, "mkdir"),
                    (Some(false), Some(false), Some(true)) => Outcome::Succeeds,
                    _ => Outcome::Unsure,
                }
            }
            "rm" => match self.options_say(call, "force")? {
                Some(true) => Outcome::Succeeds,
                Some(false) if !self.world.files.is_directory(path) => by_presence(there, "rm"),
                _ => Outcome::Unsure,
            },
            "unlink" if !self.world.files.is_directory(path) => by_presence(there, "unlink"),
            "chmod" | "utimes" => by_presence(there, if call.name == "chmod" { "chmod" } else { "utime" }),
            "rename" | "copyFile" => match (there, other.map(|it| parent(&it.path))) {
                (Some(false), _) => {
                    Outcome::Fails(&NOT_FOUND, if call.name == "rename" { "rename" } else { "copyfile" })
                }
                (Some(true), Some(Some(true))) => Outcome::Succeeds,
                _ => Outcome::Unsure,
            },
            _ => Outcome::Unsure,
        })
    }

    /// Whether a file is in the way of a directory.
    fn is_blocked(&self, path: &Utf8Path) -> bool {
        path.ancestors().any(|it| match self.world.files.metadata(it) {
            Ok(metadata) => metadata.kind != FileKind::Directory,
            Err(_) => false,
        })
    }

    fn note_outcome(&mut self, asked: Asked, other: Option<Asked>, call: &Call<'_>, succeeds: bool) {
        let unknown = |succeeds, made| if succeeds { made } else { Made::Unknown };
        let made = match call.name {
            "writeFile" => Made::File(call.arg(1)),
            "mkdir" => Made::Directory,
            "rm" | "unlink" | "rename" => Made::Gone,
            "chmod" | "utimes" | "copyFile" => {
                if let Some(other) = other {
                    self.note_made(other.path, Made::Unknown);
                }
                return;
            }
            _ => Made::Unknown,
        };
        if let Some(other) = other {
            let moved = if call.name == "rename" { self.made_of(&asked.path) } else { None };
            self.note_made(other.path, unknown(succeeds, moved.unwrap_or(Made::Unknown)));
        }
        self.note_made(asked.path, unknown(succeeds, made));
    }

    fn asked_by(&mut self, value: &Value) -> Eval<Option<Asked>> {
        let path = path_text(self, value)?;
        let path = self.path.settle(&path);
        Ok(path.as_str().map(|it| self.asked(it)))
    }
}

/// Whether a function writes to a second path.
fn has_target(name: &str) -> bool {
    matches!(name, "rename" | "copyFile" | "cp" | "symlink" | "link")
}

/// `writeFileSync` and its siblings.
pub(super) fn write(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval {
    let asked = me.asked_by(&call.arg(0))?;
    let target = if has_target(call.name) { me.asked_by(&call.arg(1))? } else { None };
    if let Some(asked) = asked {
        let is_known = target.is_some() || !has_target(call.name);
        match if is_known { me.outcome(&asked, target.as_ref(), call)? } else { Outcome::Unsure } {
            Outcome::Succeeds => {
                me.note_outcome(asked, target, call, true);
                return Ok(Value::UNDEFINED);
            }
            Outcome::Fails(error, system_call) => return Err(me.throw_system(error, system_call, &asked)),
            Outcome::Unsure => me.note_outcome(asked, target, call, false),
        }
    } else {
        touch(me, call)?;
    }
    let result = me.unknown(ReasonKind::OutsideWorld, "whether a file can be written");
    me.may_throw(&result)?;
    Ok(Value::UNDEFINED)
}

/// Forgets what is known of the paths that a call writes to.
pub(super) fn touch(me: &mut Evaluator<'_>, call: &Call<'_>) -> Eval<()> {
    let paths = if has_target(call.name) { vec![call.arg(0), call.arg(1)] } else { vec![call.arg(0)] };
    for path in paths {
        let path = path_text(me, &path)?;
        let alternatives = match &path.data {
            Data::Choice(choice) => choice.alternatives.iter().map(|it| it.value.clone()).collect(),
            _ => vec![path],
        };
        for path in alternatives {
            if let Some(written) = path.as_str() {
                let asked = me.asked(written);
                me.note_made(asked.path, Made::Unknown);
            }
        }
    }
    Ok(())
}
