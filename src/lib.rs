//! pi-why reads the files of a Pi installation and says, for every name that an
//! extension can register, who wins, who loses, by which rule and from which line.
//! It never runs what it inspects.
//!
//! Data goes one way:
//!
//! ```text
//! arguments ─► install ─► source ─► registry ─► render
//!                 ▲          ▲         ▲
//!                 └──────────┴─────────┘
//!                         catalog
//! ```

pub mod catalog;
pub mod cli;
pub mod cure;
pub mod declared;
pub mod diagnostic;
pub mod environment;
pub mod files;
pub mod gate;
mod inspect;
pub mod install;
pub mod json;
pub mod location;
pub mod options;
pub mod registry;
pub mod render;
pub mod report;
pub mod rule;
pub mod rulebook;
pub mod secret;
pub mod source;

pub use inspect::{inspect, inspect_again};
pub use options::Options;
