//! What a report means for somebody who decides by it: findings, each with a code and an identity that stays the same on
//! other machines.

pub mod baseline;
pub mod check;
pub mod config;
mod contents;
mod finding;
mod identity;
pub mod pack;
mod pattern;
pub mod policy;
pub mod snapshot;
mod summary;
mod target;

pub use baseline::{Baseline, Known};
pub use config::Config;
pub use finding::{Found, Key, Level, Subject, findings};
pub use identity::{Identities, without_version};
pub use pack::Pack;
pub use policy::{Judgement, Policy};
pub use summary::summary;
pub use target::Target;
