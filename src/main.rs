//! The process around the library.

fn main() {}
