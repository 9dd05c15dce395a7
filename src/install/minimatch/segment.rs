//! One part of a glob, between two slashes.
//!
//! Wildcards become a [`regex`] expression, which takes linear time. Extended globs (`!(a)`, `+(a|b)`) may need to look
//! ahead, which only [`regress`] can.

use std::fmt::Write as _;

/// How deep extended globs may stand in one another; deeper ones are text, as in minimatch.
const DEEPEST: usize = 2;

/// A compiled part.
#[derive(Debug)]
pub enum Segment {
    /// Text without wildcards.
    Text(String),
    /// Wildcards and character classes.
    Plain {
        /// The whole part.
        regex: regex::Regex,
        /// Whether a name that begins with a dot is out of reach.
        skips_dot_names: bool,
    },
    /// Extended globs.
    Extended(regress::Regex),
    /// Cannot match anything.
    Never,
}

impl Segment {
    /// Compiles a part.
    pub fn new(text: &str) -> Self {
        let sequence = Parser::new(text).sequence(0, false);
        if let [Piece::Extended { .. }] = sequence.as_slice()
            && let Piece::Extended { kind, alternatives } = &sequence[0]
            && *kind != Kind::Not
            && alternatives.iter().all(Vec::is_empty)
        {
            return Self::Text(text.to_owned());
        }
        if sequence.iter().any(|it| matches!(it, Piece::Extended { .. })) {
            let mut pattern = String::from("^");
            write_sequence(&mut pattern, &sequence, Context { start: true, dot: false, end: true }, &[]);
            pattern.push('$');
            let flags = if pattern.contains("\\p{") { "u" } else { "" };
            return regress::Regex::with_flags(&pattern, flags).map_or(Self::Never, Self::Extended);
        }
        if !has_magic(&sequence) {
            return Self::Text(sequence.iter().map(Piece::as_text).collect());
        }
        let mut pattern = String::from("(?s)^");
        let all_stars = sequence.iter().all(|it| matches!(it, Piece::Star));
        for piece in &sequence {
            write_plain(&mut pattern, piece, all_stars);
        }
        pattern.push('$');
        let skips_dot_names = !matches!(sequence.first(), Some(Piece::Character(_)));
        match regex::Regex::new(&pattern) {
            Ok(regex) => Self::Plain { regex, skips_dot_names },
            Err(_) => Self::Never,
        }
    }

    /// The text, when there are no wildcards.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether a name matches.
    pub fn matches(&self, name: &str) -> bool {
        match self {
            Self::Text(text) => text == name,
            Self::Plain { regex, skips_dot_names } => {
                let hidden = name.starts_with('.') && *skips_dot_names;
                !hidden && !matches!(name, "." | "..") && regex.is_match(name)
            }
            Self::Extended(regex) => regex.find(name).is_some(),
            Self::Never => false,
        }
    }
}

/// A piece of a part.
#[derive(Debug, Clone)]
enum Piece {
    Character(char),
    /// `*`, several in a row.
    Star,
    /// `?`.
    Any,
    /// `[…]`, as the inside of a regular expression's class.
    Class(Class),
    /// `!(a|b)` and its kin.
    Extended {
        kind: Kind,
        alternatives: Vec<Vec<Piece>>,
    },
}

#[derive(Debug, Clone)]
struct Class {
    negated: bool,
    /// Ranges and properties in the spelling of both regular expression crates.
    body: String,
}

/// The kinds of extended globs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `!(…)`.
    Not,
    /// `?(…)`.
    Optional,
    /// `+(…)`.
    OneOrMore,
    /// `*(…)`.
    ZeroOrMore,
    /// `@(…)`.
    One,
}

impl Kind {
    fn of(character: char) -> Option<Self> {
        Some(match character {
            '!' => Self::Not,
            '?' => Self::Optional,
            '+' => Self::OneOrMore,
            '*' => Self::ZeroOrMore,
            '@' => Self::One,
            _ => return None,
        })
    }

    /// Whether one of the other kind directly inside does not count as deeper.
    fn adopts(self, inner: Self) -> bool {
        match self {
            Self::Not | Self::Optional | Self::One => matches!(inner, Self::Optional | Self::One),
            Self::ZeroOrMore | Self::OneOrMore => inner != Self::Not,
        }
    }
}

impl Piece {
    fn as_text(&self) -> char {
        match self {
            Self::Character(it) => *it,
            _ => char::REPLACEMENT_CHARACTER,
        }
    }
}

fn has_magic(sequence: &[Piece]) -> bool {
    sequence.iter().any(|it| !matches!(it, Piece::Character(_)))
}

/// Reads a part. Works on characters with one position, so it cannot run away.
struct Parser {
    text: Vec<char>,
    at: usize,
}

impl Parser {
    fn new(text: &str) -> Self {
        Self { text: text.chars().collect(), at: 0 }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.text.get(self.at + ahead).copied()
    }

    /// Pieces up to the end, or inside an extended glob up to `|` or `)`.
    fn sequence(&mut self, depth: usize, inside: bool) -> Vec<Piece> {
        self.sequence_in(depth, if inside { Some(Kind::One) } else { None })
    }

    fn sequence_in(&mut self, depth: usize, outer: Option<Kind>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        while let Some(character) = self.peek(0) {
            if outer.is_some() && matches!(character, '|' | ')') {
                break;
            }
            if let Some(kind) = Kind::of(character)
                && self.peek(1) == Some('(')
            {
                let adopted = outer.is_some_and(|it| it.adopts(kind));
                if (depth <= DEEPEST || adopted)
                    && let Some(piece) = self.extended(kind, if adopted { depth } else { depth + 1 })
                {
                    pieces.push(piece);
                    continue;
                }
            }
            pieces.push(self.piece(character));
            if let [.., Piece::Star, Piece::Star] = pieces.as_slice() {
                pieces.pop();
            }
        }
        pieces
    }

    /// An extended glob that is closed; otherwise nothing, and the position stays.
    fn extended(&mut self, kind: Kind, depth: usize) -> Option<Piece> {
        let start = self.at;
        self.at += 2;
        let mut alternatives = Vec::new();
        loop {
            alternatives.push(self.sequence_in(depth, Some(kind)));
            match self.peek(0) {
                Some('|') => self.at += 1,
                Some(_) => {
                    self.at += 1;
                    return Some(Piece::Extended { kind, alternatives });
                }
                None => {
                    self.at = start;
                    return None;
                }
            }
        }
    }

    fn piece(&mut self, character: char) -> Piece {
        self.at += 1;
        match character {
            '*' => Piece::Star,
            '?' => Piece::Any,
            '\\' => match self.peek(0) {
                Some(escaped) => {
                    self.at += 1;
                    Piece::Character(escaped)
                }
                None => Piece::Character('\\'),
            },
            '[' => self.class().unwrap_or(Piece::Character('[')),
            other => Piece::Character(other),
        }
    }

    /// What follows `[`, when it is closed; otherwise nothing, and the position stays.
    fn class(&mut self) -> Option<Piece> {
        let start = self.at;
        let negated = matches!(self.peek(0), Some('!' | '^'));
        if negated {
            self.at += 1;
        }
        let (mut body, mut negative_body) = (String::new(), String::new());
        let mut single = Vec::new();
        let mut first = true;
        loop {
            let Some(character) = self.peek(0) else {
                self.at = start;
                return None;
            };
            if character == ']' && !first {
                self.at += 1;
                break;
            }
            first = false;
            if character == '['
                && let Some((length, posix)) = self.posix_class()
            {
                self.at += length;
                match posix {
                    Posix::Is(properties) => body.push_str(properties),
                    Posix::IsNot(properties) => negative_body.push_str(properties),
                }
                continue;
            }
            let low = self.class_character()?;
            if self.peek(0) == Some('-') && self.peek(1).is_some_and(|it| it != ']') {
                self.at += 1;
                let high = self.class_character()?;
                if low <= high {
                    let _ = write!(body, "{}-{}", class_escape(low), class_escape(high));
                }
            } else {
                body.push_str(&class_escape(low));
                single.push(low);
            }
        }
        if !negative_body.is_empty() {
            // `[[:graph:]]`: everything but these.
            let outside = format!("[^{negative_body}]");
            body = if body.is_empty() { outside } else { format!("{body}{outside}") };
        }
        if body.is_empty() {
            // Only ranges that run backwards: nothing can match, not even this part's text.
            return Some(Piece::Class(Class { negated: false, body: "\\x{0}&&\\x{1}".into() }));
        }
        if let ([only], false) = (single.as_slice(), negated)
            && body == class_escape(*only)
        {
            return Some(Piece::Character(*only));
        }
        Some(Piece::Class(Class { negated, body }))
    }

    fn class_character(&mut self) -> Option<char> {
        let mut character = self.peek(0)?;
        if character == '\\' && self.peek(1).is_some() {
            self.at += 1;
            character = self.peek(0)?;
        }
        self.at += 1;
        Some(character)
    }

    /// The POSIX class that stands here, with its length.
    fn posix_class(&self) -> Option<(usize, Posix)> {
        POSIX_CLASSES.iter().find_map(|&(name, properties)| {
            let here = self.text[self.at..].iter().take(name.len());
            here.copied().eq(name.chars()).then_some((name.len(), properties))
        })
    }
}

/// What a POSIX class stands for.
#[derive(Debug, Clone, Copy)]
enum Posix {
    Is(&'static str),
    IsNot(&'static str),
}

/// minimatch's reading of the POSIX classes.
const POSIX_CLASSES: [(&str, Posix); 14] = [
    ("[:alnum:]", Posix::Is("\\p{L}\\p{Nl}\\p{Nd}")),
    ("[:alpha:]", Posix::Is("\\p{L}\\p{Nl}")),
    ("[:ascii:]", Posix::Is("\\x00-\\x7f")),
    ("[:blank:]", Posix::Is("\\p{Zs}\\t")),
    ("[:cntrl:]", Posix::Is("\\p{Cc}")),
    ("[:digit:]", Posix::Is("\\p{Nd}")),
    ("[:graph:]", Posix::IsNot("\\p{Z}\\p{C}")),
    ("[:lower:]", Posix::Is("\\p{Ll}")),
    ("[:print:]", Posix::Is("\\p{C}")),
    ("[:punct:]", Posix::Is("\\p{P}")),
    ("[:space:]", Posix::Is("\\p{Z}\\t\\r\\n\\x0b\\x0c")),
    ("[:upper:]", Posix::Is("\\p{Lu}")),
    ("[:word:]", Posix::Is("\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}")),
    ("[:xdigit:]", Posix::Is("A-Fa-f0-9")),
];

fn class_escape(character: char) -> String {
    match character {
        '[' | ']' | '\\' | '-' | '^' | '&' | '~' => format!("\\{character}"),
        other => other.to_string(),
    }
}

fn write_plain(pattern: &mut String, piece: &Piece, all_stars: bool) {
    match piece {
        Piece::Character(it) => pattern.push_str(&regex::escape(it.encode_utf8(&mut [0; 4]))),
        Piece::Star => pattern.push_str(if all_stars { ".+" } else { ".*" }),
        Piece::Any => pattern.push('.'),
        Piece::Class(class) => write_class(pattern, class),
        Piece::Extended { .. } => {}
    }
}

fn write_class(pattern: &mut String, class: &Class) {
    let _ = write!(pattern, "[{}{}]", if class.negated { "^" } else { "" }, class.body);
}

/// Where a sequence stands.
#[derive(Debug, Clone, Copy)]
struct Context {
    /// At the beginning of the name: what follows may not begin with a dot unless the glob says so.
    start: bool,
    /// A dot may come first all the same.
    dot: bool,
    /// At the end of the name.
    end: bool,
}

const NO_DOT: &str = "(?!\\.)";
const NOT_DOTS: &str = "(?!\\.\\.?$)";

/// Writes pieces as a regular expression that may look ahead. `rest` is what follows them in the surrounding sequences, which
/// `!(…)` has to look at.
fn write_sequence(pattern: &mut String, pieces: &[Piece], context: Context, rest: &[&[Piece]]) {
    if context.start && !context.dot {
        match pieces {
            [Piece::Star | Piece::Any | Piece::Class(_), ..] => pattern.push_str(NO_DOT),
            [Piece::Character('.'), Piece::Star | Piece::Any | Piece::Class(_), ..] => {
                pattern.push_str(NOT_DOTS);
            }
            _ => {}
        }
    }
    let all_stars = context.start && context.end && pieces.iter().all(|it| matches!(it, Piece::Star));
    let mut start = context.start;
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Character(it) => write_ecmascript(pattern, *it),
            Piece::Star => pattern.push_str(if all_stars { "[^/]+?" } else { "[^/]*?" }),
            Piece::Any => pattern.push_str("[^/]"),
            Piece::Class(class) => write_class(pattern, class),
            Piece::Extended { kind, alternatives } => {
                let after = &pieces[at + 1..];
                let inner = Context { start, dot: context.dot, end: context.end && after.is_empty() };
                let following: Vec<&[Piece]> = std::iter::once(after).chain(rest.iter().copied()).collect();
                write_extended(pattern, *kind, alternatives, inner, &following);
            }
        }
        // A leading `!(…)` may be empty, so what follows it still is at the start.
        start &= matches!(piece, Piece::Extended { kind: Kind::Not, .. });
    }
}

fn write_extended(
    pattern: &mut String,
    kind: Kind,
    alternatives: &[Vec<Piece>],
    context: Context,
    rest: &[&[Piece]],
) {
    if kind == Kind::Not {
        if alternatives.iter().all(Vec::is_empty) {
            pattern.push_str(if context.start { "(?!\\.)[^/]+?" } else { "[^/]+?" });
            return;
        }
        pattern.push_str("(?:(?!(?:");
        for (at, alternative) in alternatives.iter().enumerate() {
            if at > 0 {
                pattern.push('|');
            }
            write_sequence(pattern, alternative, Context { end: true, ..context }, rest);
            let is_plain = |it: &[Piece]| !it.iter().any(|it| matches!(it, Piece::Extended { .. }));
            let plain = is_plain(alternative) && rest.iter().all(|it| is_plain(it));
            let mut start = context.start && alternative.is_empty();
            for following in rest {
                // minimatch takes a lone `*` behind the parentheses for one that stands alone: `!(a)*` fits `a`
                let alone = context.start && plain && following.iter().all(|it| matches!(it, Piece::Star));
                if alone && !following.is_empty() {
                    pattern.push_str("[^/]+?");
                } else {
                    write_sequence(pattern, following, Context { start, dot: context.dot, end: true }, &[]);
                }
                start &= following.is_empty();
            }
            pattern.push('$');
        }
        pattern.push_str("))");
        if context.start && !context.dot {
            pattern.push_str(NO_DOT);
        }
        pattern.push_str("[^/]*?)");
        return;
    }
    let body = |dot: bool| {
        let mut text = String::new();
        for (at, alternative) in alternatives.iter().enumerate() {
            if at > 0 {
                text.push('|');
            }
            write_sequence(&mut text, alternative, Context { dot, ..context }, rest);
        }
        text
    };
    let (first, again) = (body(context.dot), body(true));
    let _ = match kind {
        Kind::One | Kind::Not => write!(pattern, "(?:{first})"),
        Kind::Optional => write!(pattern, "(?:{first})?"),
        // Only the first turn stands at the beginning of the name.
        Kind::OneOrMore => write!(pattern, "(?:(?:{first})(?:{again})*?)"),
        Kind::ZeroOrMore => write!(pattern, "(?:(?:{first})(?:{again})*?)?"),
    };
}

fn write_ecmascript(pattern: &mut String, character: char) {
    if "^$\\.*+?()[]{}|/".contains(character) {
        pattern.push('\\');
    }
    pattern.push(character);
}

#[cfg(test)]
mod tests {
    use super::Segment;

    #[test]
    fn extended_globs() {
        for (pattern, yes, no) in [
            ("!(a).ts", vec!["b.ts", "aa.ts"], vec!["a.ts", ".ts"]),
            ("!(a|b)", vec!["c", "ab"], vec!["a", "b"]),
            ("+(a|b).ts", vec!["a.ts", "abba.ts"], vec![".ts", "c.ts"]),
            ("*(a).ts", vec![".ts", "aa.ts"], vec!["b.ts"]),
            ("?(a)b", vec!["b", "ab"], vec!["aab"]),
            ("@(a|b)", vec!["a"], vec!["ab", ""]),
            ("@(*).ts", vec!["a.ts"], vec![".ts"]),
            ("@(a", vec!["@(a"], vec!["a"]),
            ("@()", vec!["@()"], vec![""]),
            ("a!(b)c", vec!["ac", "axc"], vec!["abc"]),
        ] {
            let segment = Segment::new(pattern);
            for name in yes {
                assert!(segment.matches(name), "{pattern} should take {name}");
            }
            for name in no {
                assert!(!segment.matches(name), "{pattern} should not take {name}");
            }
        }
    }

    #[test]
    fn classes() {
        for (pattern, yes, no) in [
            ("[a-c]", vec!["b"], vec!["d"]),
            ("[!a]", vec!["b", "é"], vec!["a", "."]),
            ("[]a]", vec!["]", "a"], vec!["b"]),
            ("[a-]", vec!["-", "a"], vec!["b"]),
            ("[c-a]", vec![], vec!["a", "b", "c", "[c-a]"]),
            ("[[:digit:]x]", vec!["1", "x"], vec!["a"]),
            ("[[:graph:]]", vec!["a"], vec![" "]),
            ("[a", vec!["[a"], vec!["a"]),
            ("[*]", vec!["*"], vec!["a"]),
            (".[a-z]*", vec![".pi"], vec!["pi", ".."]),
        ] {
            let segment = Segment::new(pattern);
            for name in yes {
                assert!(segment.matches(name), "{pattern} should take {name}");
            }
            for name in no {
                assert!(!segment.matches(name), "{pattern} should not take {name}");
            }
        }
    }
}
