//! Paths in URLs.

use std::fmt::Write as _;

/// A path with every byte percent-encoded that a URL or a terminal could misread.
pub fn path(path: &str) -> String {
    let mut url = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~@+=,".contains(&byte) {
            url.push(char::from(byte));
        } else {
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}
