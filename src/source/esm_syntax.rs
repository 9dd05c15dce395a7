//! Whether a text has the syntax of an ECMAScript module, told without parsing it.
//!
//! jiti's test is a regular expression over the raw text, comments and strings included (mlly's `hasESMSyntax`). A CommonJS file
//! with the words `export default` in a comment passes it.

use memchr::memmem;

/// What may stand after `export`.
const AFTER_EXPORT: [&str; 10] =
    ["*", "{", "default", "class", "type", "function", "const", "var", "let", "async function"];

/// Whether jiti takes the text for an ECMAScript module.
pub(super) fn has_esm_syntax(text: &str) -> bool {
    has_export(text) || has_import(text)
}

/// Whether a text may be one that Node takes for an ECMAScript module: not if it names none of the words that only those
/// have, wherever it may be.
pub(super) fn may_be_module(text: &str) -> bool {
    ["import", "export", "await"].iter().any(|word| {
        memmem::find_iter(text.as_bytes(), word).any(|at| {
            let after = text.as_bytes().get(at + word.len());
            !after.is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_')
        })
    })
}

fn has_export(text: &str) -> bool {
    word_starts(text, "export").any(|at| {
        let after = &text[at + "export".len()..];
        if after.starts_with(is_word) {
            return false;
        }
        let after = after.trim_start_matches(is_space);
        AFTER_EXPORT.iter().any(|word| after.starts_with(word))
    })
}

fn has_import(text: &str) -> bool {
    // A run of characters in which no `from` was found: other imports inside it need no second look.
    let mut searched_to = 0;
    word_starts(text, "import").any(|at| {
        let after = &text[at + "import".len()..];
        if after.trim_start_matches(is_space).starts_with(['"', '\'', '*', '{']) {
            return true;
        }
        if let Some(rest) = after.strip_prefix(".meta")
            && !rest.starts_with(is_word)
        {
            return true;
        }
        if at < searched_to {
            return false;
        }
        let in_clause = |it: char| is_space(it) || is_word(it) || "*,{}".contains(it);
        let end = after.find(|it| !in_clause(it)).unwrap_or(after.len());
        searched_to = at + "import".len() + end;
        after[..end].contains("from")
    })
}

/// Where the word stands at the beginning of the text or after a space or a semicolon.
fn word_starts<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(|&at| text[..at].chars().next_back().is_none_or(|before| before == ';' || is_space(before)))
}

/// JavaScript's `\w`.
fn is_word(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_'
}

/// JavaScript's `\s`.
fn is_space(it: char) -> bool {
    it == '\u{feff}' || (it.is_whitespace() && it != '\u{85}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_searched_not_parsed() {
        for text in [
            "import a from 'x'",
            "import{a as $}from'x'",
            "import\"x\"",
            "x;export{a as default};",
            "// export default\nmodule.exports = 1",
            "const u = import.meta.url",
            "import type X,\n{ Y } from 'x'",
            "'use strict'; export async function f() {}",
        ] {
            assert!(has_esm_syntax(text), "{text}");
        }
        for text in [
            "import $ from 'x'",
            "module.exports = { import: 1, export: 2 }",
            "exports.default = 1",
            "import('x')",
            "reimport {",
            "export_default = 1",
            "x.export default",
        ] {
            assert!(!has_esm_syntax(text), "{text}");
        }
    }

    #[test]
    fn words_of_modules_are_seen_wherever_they_are() {
        for text in
            ["import'x'", "1}export{a}", "// export default", "await 0", "import.meta", "x = 'import('"]
        {
            assert!(may_be_module(text), "{text}");
        }
        for text in ["exports.a = 1", "module.exports = importer", "awaited()", "import_x(exported)"] {
            assert!(!may_be_module(text), "{text}");
        }
    }
}
