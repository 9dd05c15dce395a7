//! Globs of a policy. They are Pi's own kind of globs, so that people need to know one kind only.

use serde::{Deserialize, Deserializer};

use crate::install::Minimatch;

/// A glob and its text.
#[derive(Debug)]
pub struct Pattern {
    text: String,
    glob: Minimatch,
}

impl Pattern {
    /// Compiles a glob.
    pub fn new(text: impl Into<String>) -> Self {
        let text = super::identity::bare(&text.into()).to_owned();
        let glob = Minimatch::new(&text);
        Self { text, glob }
    }

    /// Whether the glob covers a word; the word itself always counts, whatever it means as a glob. Unlike in Pi's settings,
    /// `*` and `**` reach into folders such as `.pi`: there is nothing hidden about them here.
    pub fn matches(&self, word: &str) -> bool {
        let without_dots = || word.replace("/.", "/_.");
        self.text == word
            || self.glob.matches(word)
            || word.contains("/.") && self.glob.matches(&without_dots())
    }
}

impl Clone for Pattern {
    fn clone(&self) -> Self {
        Self::new(self.text.clone())
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match unclosed(&text) {
            Some(sign) => Err(serde::de::Error::custom(format!(
                "the glob {text:?} never closes its `{sign}` (write `\\{sign}` for the character itself)"
            ))),
            None => Ok(Self::new(text)),
        }
    }
}

/// The sign that opens a class or alternatives which nothing closes. Pi takes such a glob for plain text; in a policy, that is
/// a rule that never holds.
fn unclosed(glob: &str) -> Option<char> {
    let mut characters = glob.chars().peekable();
    let mut braces = 0_usize;
    while let Some(it) = characters.next() {
        match it {
            '\\' => _ = characters.next(),
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            '[' => {
                characters.next_if(|it| matches!(it, '!' | '^'));
                // A bracket that comes first is one of the class.
                characters.next_if_eq(&']');
                loop {
                    match characters.next() {
                        None => return Some('['),
                        Some(']') => break,
                        Some('\\') => _ = characters.next(),
                        Some(_) => {}
                    }
                }
            }
            _ => {}
        }
    }
    (braces > 0).then_some('{')
}

#[cfg(test)]
mod tests {
    use super::unclosed;

    #[test]
    fn only_what_nothing_closes_is_a_mistake() {
        for (glob, sign) in [("[unclosed", '['), ("a[!", '['), ("[]", '['), ("{a", '{'), ("{a,{b}", '{')] {
            assert_eq!(unclosed(glob), Some(sign), "{glob}");
        }
        for glob in ["", "**/*.ts", "[a-z]", "[]a]", "[!]]", "{a,b{c,d}}", "\\[a", "\\{", "a]", "}", "[{]"] {
            assert_eq!(unclosed(glob), None, "{glob}");
        }
    }
}
