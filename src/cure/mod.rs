//! Cures: what to change so that somebody else holds a name, or so that Pi starts. Each is tried out on the files as they would
//! be, and offered only if it brings what it promises; what it changes besides is told.

mod change;
mod effect;
mod name;
mod rival;
mod start;
mod trial;

pub use change::Change;
pub use effect::Effect;
pub use name::for_name;
pub use start::{Search, for_start};

use std::sync::Arc;

use crate::registry::ContestKind;

/// What a cure brings about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aim {
    /// The owner of this path holds the name.
    Keep(Arc<str>),
    /// Pi's own holds the name.
    KeepBuiltin,
    /// The key is free for the shortcut.
    FreeKey,
    /// Pi starts, without these.
    Start(Vec<String>),
    /// Pi starts, without the project's part.
    StartWithoutProject,
    /// Pi starts, without any extension.
    StartBare,
}

/// A change that was tried, and what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cure {
    /// What it brings about.
    pub aim: Aim,
    /// What to change in files.
    pub changes: Vec<Change>,
    /// The command line to type instead, for one run.
    pub run: Option<String>,
    /// Whether Pi starts then.
    pub starts: bool,
    /// What else is different then.
    pub effects: Vec<Effect>,
}

/// What cures are for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ailment {
    /// A name that is contested.
    Name(ContestKind, Arc<str>),
    /// Pi does not start.
    Start,
}
