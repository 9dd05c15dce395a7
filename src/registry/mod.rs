//! Who wins each name and why: one file per kind of name. Pure functions over what `install` and `source`
//! found; no files, no printing.
//!
//! [`resolve`] is the door: it takes an [`Input`] and gives every [`Contest`], whether Pi starts, and what it
//! prints if it does not.

pub mod contest;
mod input;
mod start;

pub use contest::{
    Claim, Contest, ContestKind, Finding, HiddenBy, HiddenWhen, Impact, InSession, Layer, Loser,
    MayAlsoClaim, Outcome,
};
pub use input::{FlagArgument, Input, ToolSelection};
pub use start::{Fatal, PiWarning, Starts};

use crate::rule::Rule;

/// Every rule of this stage.
pub static RULES: &[&[Rule]] = &[];

/// All that can be said about the names of an installation.
#[derive(Debug, Clone)]
pub struct Resolution {
    /// Every claimed name, contested or not: by kind, then by name (commands: then by invocation).
    pub contests: Vec<Contest>,
    /// Whether Pi starts.
    pub starts: Starts,
    /// What keeps it from starting, in the order in which Pi says it. Conditional ones count only for
    /// [`Starts::Unknown`].
    pub fatal: Vec<Fatal>,
    /// What Pi warns about and goes on.
    pub warnings: Vec<PiWarning>,
}

/// Decides every contest.
pub fn resolve(_input: &Input<'_>) -> Resolution {
    Resolution { contests: Vec::new(), starts: Starts::Yes, fatal: Vec::new(), warnings: Vec::new() }
}
