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
        String::deserialize(deserializer).map(Self::new)
    }
}
