//! Makes characters that a terminal would act on, or that the eye would miss, visible.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text with control characters, direction marks and invisible characters written as escapes (`\n`, `\x1b`,
/// `\u{202e}`). Tabs and line feeds too: no name runs over a line.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        // Writing to a string does not fail.
        let _ = match character {
            '\n' => shown.write_str("\\n"),
            '\r' => shown.write_str("\\r"),
            '\t' => shown.write_str("\\t"),
            it if is_hidden(it) && (it as u32) < 0x100 => write!(shown, "\\x{:02x}", it as u32),
            it if is_hidden(it) => write!(shown, "\\u{{{:x}}}", it as u32),
            it => shown.write_char(it),
        };
    }
    Cow::Owned(shown)
}

/// Whether a character acts on the terminal or cannot be seen. The joiner of emoji sequences stays.
pub fn is_hidden(it: char) -> bool {
    it.is_control()
        || matches!(it,
            '\u{ad}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_act_on_is_spelt_out() {
        assert_eq!(visible("a\u{1b}[31mb"), "a\\x1b[31mb");
        assert_eq!(visible("a\nb\tc\u{9b}"), "a\\nb\\tc\\x9b");
        assert_eq!(visible("gpj.\u{202e}exe"), "gpj.\\u{202e}exe");
        assert_eq!(visible("日本 👩‍💻"), "日本 👩‍💻");
    }
}
