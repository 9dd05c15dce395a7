//! Takes `//` comments and trailing commas out of a text (Pi: `dist/utils/json.js`, `stripJsonComments`). What goes becomes
//! spaces, so that every offset stays.

/// The text without `//` comments and trailing commas, byte for byte as long.
pub(super) fn strip(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    blank(text, &mut bytes, |rest| rest.starts_with("//").then(|| 0..rest.find('\n').unwrap_or(rest.len())));
    let text = String::from_utf8(bytes).unwrap_or_default();
    let mut bytes = text.as_bytes().to_vec();
    blank(&text, &mut bytes, |rest| {
        let after = rest.strip_prefix(',')?.trim_start_matches(is_space);
        after.starts_with(['}', ']']).then_some(0..1)
    });
    String::from_utf8(bytes).unwrap_or_default()
}

/// Blanks what `found` points out in the text outside of strings.
fn blank(text: &str, bytes: &mut [u8], found: impl Fn(&str) -> Option<std::ops::Range<usize>>) {
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|it| !it.is_empty()) {
        if let Some(length) = string_length(rest) {
            at += length;
        } else if let Some(range) = found(rest) {
            let end = at + range.end;
            bytes[at + range.start..end].fill(b' ');
            at = end;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
}

/// The length of the string literal that a text begins with. One that is not closed is none: what is in it counts as
/// if there were no quote.
fn string_length(text: &str) -> Option<usize> {
    let mut characters = text.char_indices();
    characters.next().filter(|(_, first)| *first == '"')?;
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some(at + 1),
            '\\' => {
                characters.next().filter(|(_, it)| !matches!(it, '\n' | '\r' | '\u{2028}' | '\u{2029}'))?;
            }
            _ => {}
        }
    }
    None
}

/// White space as a JavaScript regular expression knows it.
fn is_space(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::strip;

    #[test]
    fn strings_stay_and_what_goes_becomes_spaces() {
        assert_eq!(strip("[\"a//b\", 1, // c\n]"), "[\"a//b\", 1      \n]");
        assert_eq!(strip("{\"a\": \",}\" , }"), "{\"a\": \",}\"   }");
        assert_eq!(strip("[1,,]"), "[1, ]");
        assert_eq!(strip("\"x\\\" // y\" // z"), "\"x\\\" // y\"     ");
    }

    #[test]
    fn a_comment_between_comma_and_bracket_does_not_save_the_comma() {
        assert_eq!(strip("[1, // c\n]"), "[1      \n]");
    }

    #[test]
    fn an_unclosed_string_hides_nothing() {
        assert_eq!(strip("\"a // b"), "\"a     ");
    }

    proptest! {
        #[test]
        fn the_length_never_changes(text in "[\\\\\",/{}\\[\\] a\né]{0,40}") {
            prop_assert_eq!(strip(&text).len(), text.len());
        }
    }
}
