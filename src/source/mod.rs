//! What the code of each extension registers, in the order in which it happens, and how sure that is.
//!
//! Parses with oxc, lowers to an owned intermediate representation, resolves imports as Pi's
//! loader does, and evaluates the factory abstractly. Knows nothing of who wins a name.

mod esm_syntax;
pub mod eval;
#[cfg(test)]
mod fuzz;
pub mod graph;
pub mod host_modules;
pub mod ir;
pub mod known;
mod leniency;
mod lower;
mod memo;
mod mentions;
pub mod modules;
mod nesting;
mod outline;
pub mod parse;
pub mod problem;
pub mod registration;
pub mod resolve;
mod workers;

pub use known::{Known, Reason, ReasonKind};
pub use registration::{Certainty, Condition, Evaluated, Fact, Failure, Kind, Phase, Registration};
