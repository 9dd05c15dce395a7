//! Which key press a key string stands for (Pi: `@earendil-works/pi-tui`, `dist/keys.js`, `parseKeyId` and `matchesKey`).
//!
//! Pi compares the strings of shortcuts literally, but asks this at each key press: two spellings of one chord are
//! two shortcuts, of which the first gets the key.

/// Modifiers and key of a press. Equal ones are the same press.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chord {
    /// Whether each of [`MODIFIERS`] is held.
    held: [bool; MODIFIERS.len()],
    key: String,
}

const MODIFIERS: [&str; 4] = ["ctrl", "shift", "alt", "super"];
const NAMED: [&str; 16] = [
    "space",
    "tab",
    "enter",
    "backspace",
    "insert",
    "delete",
    "clear",
    "home",
    "end",
    "pageup",
    "pagedown",
    "up",
    "down",
    "left",
    "right",
    "escape",
];
const SYMBOLS: &str = "`-=[]\\;',./!@#$%^&*()_|~{}:<>?";

impl Chord {
    /// The press that a key string matches; `None` when none ever does. Words before the last `+` that are no modifiers
    /// are passed over: `control+x` is plain `x`.
    pub(super) fn parse(key: &str) -> Option<Self> {
        let lower = key.to_lowercase();
        let parts: Vec<&str> = lower.split('+').collect();
        let name = match *parts.last()? {
            "esc" => "escape",
            "return" => "enter",
            other => other,
        };
        let held = MODIFIERS.map(|it| parts.contains(&it));
        let plain = held == [false; MODIFIERS.len()];
        let function =
            name.strip_prefix('f').and_then(|it| it.parse::<u8>().ok()).filter(|it| (1..=12).contains(it));
        let matches = match name {
            "escape" => plain,
            _ if function.is_some_and(|it| name == format!("f{it}")) => plain,
            _ if NAMED.contains(&name) => true,
            _ => {
                let mut letters = name.chars();
                let single = letters.next().filter(|_| letters.next().is_none());
                single
                    .is_some_and(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || SYMBOLS.contains(it))
            }
        };
        matches.then(|| Self { held, key: name.to_owned() })
    }
}

/// Whether any key press matches a key string.
pub fn is_key(key: &str) -> bool {
    Chord::parse(key).is_some()
}

/// Whether two key strings stand for one key press.
pub fn is_same_key(one: &str, other: &str) -> bool {
    Chord::parse(one).is_some_and(|it| Chord::parse(other) == Some(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_modifiers_and_the_case_do_not_matter() {
        assert_eq!(Chord::parse("ctrl+shift+y"), Chord::parse("Shift+Ctrl+Y"));
        assert_eq!(Chord::parse("esc"), Chord::parse("escape"));
        assert_eq!(Chord::parse("ctrl+return"), Chord::parse("ctrl+enter"));
        assert_ne!(Chord::parse("ctrl+y"), Chord::parse("ctrl+shift+y"));
    }

    #[test]
    fn words_that_are_no_modifiers_are_passed_over() {
        assert_eq!(Chord::parse("control+x"), Chord::parse("x"));
        assert_eq!(Chord::parse(" ctrl+x"), Chord::parse("x"));
    }

    #[test]
    fn some_strings_never_match() {
        for dead in [
            "",
            "ctrl+",
            "ctrl++",
            "ctrl + x",
            "ctrl+x ",
            "ctrl+f5",
            "ctrl+escape",
            "f13",
            "f01",
            "ctrl",
            "ä",
        ] {
            assert_eq!(Chord::parse(dead), None, "{dead}");
        }
        assert!(Chord::parse("f12").is_some() && Chord::parse("alt+pageUp").is_some());
    }
}
