//! Who wins each name and why: one file per kind of name. Pure functions over what `install` and `source`
//! found; no files, no printing.

pub mod contest;

pub use contest::{Claim, Contest, ContestKind, Layer, Loser, Outcome};
