//! What a report means for somebody who decides by it: findings, each with a code and an identity that stays the same on
//! other machines.

mod finding;
mod identity;

pub use finding::{Found, Level, Subject, findings};
pub use identity::{Identities, without_version};
