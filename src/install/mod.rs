//! What is loaded, in which order, and why the rest is not.
//!
//! Mirrors Pi's settings, package and resource managers (rules, sections 1 and 12). Knows nothing of
//! JavaScript: whether a planned file really loads is found out by the `source` stage.

pub mod load_order;
pub mod source_info;

pub use load_order::{Entry, EntryKind, ExtensionId, LoadOrder, Status};
pub use source_info::{Origin, Scope, SourceInfo};
