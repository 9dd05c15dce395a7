//! How deeply a text nests, found by one linear scan before anything recurses over it.
//!
//! Parsers recurse: brackets, prefix operators, arrows, `else if` and the like cost a level each, and so do, for whoever walks the
//! tree, the operands of `a + a + …`. The scan knows strings, comments, templates and regular
//! expressions; where it cannot tell, it counts too much rather than too little. Pi itself gives up earlier: Babel overflows
//! at some hundred brackets, V8 at some thousand.

use memchr::{memchr, memchr_iter, memchr3, memmem};

/// Levels of brackets, prefix and right-associative operators, and statements without braces. A parser uses some kilobytes of
/// stack for each.
const NESTING_LIMIT: u32 = 16_000;
/// Levels with the left operands of operators, members and calls, which nothing but walking the tree has to descend into.
const DEPTH_LIMIT: u32 = 150_000;

/// How much there is in a text: words, brackets and operators, those in strings and comments included. What a parser keeps
/// grows with it. What is exported is kept several times over.
pub(super) fn density(text: &str) -> usize {
    const WORDS_OF_AN_EXPORT: usize = 4;
    let bytes = text.as_bytes();
    let is_whole = |at: &usize| bytes.get(at + "export".len()).is_none_or(|it| !OF_WORD[*it as usize]);
    let exports = memmem::find_iter(bytes, "export").filter(is_whole).count();
    deepening_tokens(bytes) + WORDS_OF_AN_EXPORT * exports
}

/// Angle brackets in one expression whose effort counts.
const FREE_ANGLES: u32 = 16;
/// What a parser may try for angle brackets in all: each of those in one expression may begin type arguments that go on to its end,
/// so that the effort grows with their square.
const ANGLE_EFFORT: u32 = 1_000_000;
/// So many angle brackets need not more than that.
const FEW_ANGLES: usize = 1_000;

/// The offset at which a text gets deeper than what is looked into, if it does.
pub(super) fn too_deep_at(text: &str) -> Option<u32> {
    let bytes = text.as_bytes();
    let is_short = bytes.len() <= NESTING_LIMIT as usize || deepening_tokens(bytes) <= NESTING_LIMIT as usize;
    if is_short && memchr_iter(b'<', bytes).count() <= FEW_ANGLES {
        return None;
    }
    Scan::new(text).run().and_then(|at| u32::try_from(at).ok())
}

/// No fewer than the tokens that can make a text any deeper: words, opening brackets, operators.
fn deepening_tokens(bytes: &[u8]) -> usize {
    /// Bytes that are looked at together, without a branch. Fewer than a byte counts to.
    const TOGETHER: usize = 128;
    let Some((&first, rest)) = bytes.split_first() else { return 0 };
    let begins = |(&here, &before): (&u8, &u8)| is_deepening(here) | (is_of_word(here) & !is_of_word(before));
    let pieces = rest.chunks(TOGETHER).zip(bytes.chunks(TOGETHER));
    let counts =
        pieces.map(|(here, before)| here.iter().zip(before).map(|it| u8::from(begins(it))).sum::<u8>());
    counts.map(usize::from).sum::<usize>() + usize::from(begins((&first, &b' ')))
}

/// Whether a byte is part of a word.
#[allow(clippy::needless_bitwise_bool, reason = "without a branch it is asked of many bytes at once")]
const fn is_of_word(byte: u8) -> bool {
    let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    let is_digit = byte.wrapping_sub(b'0') < 10;
    is_letter | is_digit | (byte == b'_') | (byte == b'$') | (byte == b'#') | (byte == b'\\') | (byte >= 0x80)
}

/// Whether a byte is part of no word and may make a text deeper.
#[allow(clippy::needless_bitwise_bool, reason = "without a branch it is asked of many bytes at once")]
const fn is_deepening(byte: u8) -> bool {
    let is_blank = (byte == b' ') | (byte == b'\t') | (byte == b'\n') | (byte == b'\r');
    let is_closing = (byte == b')') | (byte == b']') | (byte == b'}');
    let is_mark = (byte == b';') | (byte == b',') | (byte == b'"') | (byte == b'\'');
    !(is_of_word(byte) | is_blank | is_closing | is_mark)
}

/// [`is_of_word`] by byte.
const OF_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    loop {
        table[byte as usize] = is_of_word(byte);
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

/// What a word does to what follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    /// It is a name, or like one.
    Name,
    /// A statement with a head in brackets begins.
    Head,
    /// A statement follows.
    Branch,
    /// A case of a `switch`.
    Case,
    /// A value follows.
    Prefix,
    /// A value follows, and what stands before goes on.
    Extends,
    /// Between two values.
    Infix,
    /// A value or a declaration follows, no deeper.
    Statement,
    /// A block follows.
    Block,
}

/// The words that are no names.
const WORDS: [(&[u8], Word); 32] = [
    (b"if", Word::Head),
    (b"for", Word::Head),
    (b"while", Word::Head),
    (b"with", Word::Head),
    (b"else", Word::Branch),
    (b"do", Word::Branch),
    (b"case", Word::Case),
    (b"default", Word::Case),
    (b"typeof", Word::Prefix),
    (b"void", Word::Prefix),
    (b"delete", Word::Prefix),
    (b"await", Word::Prefix),
    (b"yield", Word::Prefix),
    (b"new", Word::Prefix),
    (b"keyof", Word::Prefix),
    (b"unique", Word::Prefix),
    (b"readonly", Word::Prefix),
    (b"infer", Word::Prefix),
    (b"async", Word::Prefix),
    (b"extends", Word::Extends),
    (b"in", Word::Infix),
    (b"of", Word::Infix),
    (b"instanceof", Word::Infix),
    (b"as", Word::Infix),
    (b"satisfies", Word::Infix),
    (b"return", Word::Statement),
    (b"throw", Word::Statement),
    (b"const", Word::Statement),
    (b"let", Word::Statement),
    (b"var", Word::Statement),
    (b"try", Word::Block),
    (b"finally", Word::Block),
];

/// The letters with which words of [`WORDS`] begin, as bits, by the length of the word.
const INITIALS: [u32; 11] = {
    let mut initials = [0; 11];
    let mut at = 0;
    while at < WORDS.len() {
        let word = WORDS[at].0;
        initials[word.len()] |= 1 << (word[0] - b'a');
        at += 1;
    }
    initials
};

impl Word {
    fn of(word: &[u8]) -> Self {
        let initial = word.first().map_or(u8::MAX, |it| it.wrapping_sub(b'a'));
        let initials = INITIALS.get(word.len()).copied().unwrap_or(0);
        // Most words are names: told by their length and first letter before they are looked at.
        if initial >= 26 || initials & (1 << initial) == 0 {
            return Self::Name;
        }
        WORDS.iter().find(|it| it.0 == word).map_or(Self::Name, |it| it.1)
    }
}

/// What stands before the current token, as far as it matters for the next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// The end of a value (or of a block): an operator continues it, another value begins a new statement.
    Operand,
    /// Anything that needs a value after it.
    Operator,
    /// The brackets of `if (…)`, `for (…)`, `while (…)`, `with (…)`, or the words `else` and `do`: a statement comes.
    Head,
}

/// What a closing bracket closes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    /// `(`, `[`, and `{` of an object.
    Value,
    /// `(` of `if`, `for`, `while`, `with`.
    Head,
    /// `{` of statements.
    Block,
    /// `${`.
    Substitution,
}

/// One open bracket, and the expression or statement that is being read inside it.
struct Frame {
    opened: Opened,
    /// Prefix and right-associative operators, statement words.
    right: u32,
    /// Left-associative operators, members, calls.
    left: u32,
    /// Angle brackets among the operators.
    angles: u32,
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    frames: Vec<Frame>,
    before: Before,
    /// The word before was `if`, `for`, `while` or `with`.
    head_word: bool,
    /// A semicolon or a block stands before: what was nested ends, unless an `else` goes on with it.
    statement_ended: bool,
    nesting: u32,
    depth: u32,
    angles: u32,
    angle_effort: u32,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            bytes: text.as_bytes(),
            at: 0,
            frames: vec![Frame { opened: Opened::Block, right: 0, left: 0, angles: 0 }],
            before: Before::Operator,
            head_word: false,
            statement_ended: false,
            nesting: 0,
            depth: 0,
            angles: 0,
            angle_effort: 0,
        }
    }

    /// The offset of the first token that is too deep.
    fn run(mut self) -> Option<usize> {
        while let Some(byte) = self.peek(0) {
            let start = self.at;
            self.token(byte);
            if self.nesting > NESTING_LIMIT || self.depth > DEPTH_LIMIT || self.angle_effort > ANGLE_EFFORT {
                return Some(start);
            }
        }
        None
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn token(&mut self, byte: u8) {
        if is_blank(byte) {
            let rest = &self.bytes[self.at..];
            self.at += rest.iter().position(|it| !is_blank(*it)).unwrap_or(rest.len());
            return;
        }
        if byte == b'/' && self.skip_comment() {
            return;
        }
        if std::mem::take(&mut self.statement_ended) && !self.bytes[self.at..].starts_with(b"else") {
            self.reset();
        }
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'#' | b'0'..=b'9' | b'\\' | 0x80.. => self.word(),
            b'"' | b'\'' => self.string(byte),
            b'`' => {
                if self.before == Before::Operand {
                    self.left();
                }
                self.at += 1;
                self.template();
            }
            b'(' | b'[' | b'{' => self.open(byte),
            b')' | b']' | b'}' => self.close(),
            b';' => {
                self.at += 1;
                self.end_statement();
            }
            b',' => {
                self.at += 1;
                self.reset();
                self.before = Before::Operator;
            }
            b'/' => self.slash(),
            _ => self.punctuator(byte),
        }
    }

    fn word(&mut self) {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|byte| !OF_WORD[*byte as usize]).unwrap_or(rest.len());
        let word = Word::of(&rest[..length]);
        self.at += length;
        self.head_word = false;
        match word {
            Word::Branch => {
                self.right();
                self.before = Before::Head;
            }
            Word::Case => {
                self.reset();
                self.before = Before::Operator;
            }
            Word::Extends => {
                self.right();
                self.before = Before::Operator;
            }
            Word::Infix if self.before == Before::Operand => {
                self.left();
                self.before = Before::Operator;
            }
            Word::Head | Word::Prefix => {
                self.begin_operand();
                self.right();
                self.head_word = word == Word::Head;
                self.before = Before::Operator;
            }
            Word::Statement => {
                self.begin_operand();
                self.before = Before::Operator;
            }
            Word::Block => {
                self.begin_operand();
                self.before = Before::Head;
            }
            Word::Name | Word::Infix => {
                self.begin_operand();
                self.before = Before::Operand;
            }
        }
    }

    /// A value, or a word that begins a statement, comes: right after another value it is a new statement.
    fn begin_operand(&mut self) {
        if self.before == Before::Operand {
            self.reset();
        }
    }

    fn string(&mut self, quote: u8) {
        self.begin_operand();
        self.before = Before::Operand;
        self.at += 1;
        while let Some(found) = memchr3(quote, b'\\', b'\n', self.bytes.get(self.at..).unwrap_or_default()) {
            self.at += found;
            if self.peek(0) != Some(b'\\') {
                self.at += 1;
                return;
            }
            self.at += 2;
        }
        self.at = self.bytes.len();
    }

    /// The text of a template, from after the backtick or the closing brace of a substitution.
    fn template(&mut self) {
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += 2,
                b'`' => {
                    self.at += 1;
                    self.before = Before::Operand;
                    return;
                }
                b'$' if self.peek(1) == Some(b'{') => {
                    self.at += 2;
                    self.push(Opened::Substitution);
                    return;
                }
                _ => self.at += 1,
            }
        }
    }

    fn open(&mut self, byte: u8) {
        self.at += 1;
        let opened = match (byte, self.before) {
            (b'(', _) if self.head_word => Opened::Head,
            (b'{', Before::Operand | Before::Head) => Opened::Block,
            (b'{', Before::Operator) if self.begins_block() => Opened::Block,
            _ => Opened::Value,
        };
        if byte != b'{' && self.before == Before::Operand {
            self.left();
        }
        self.head_word = false;
        self.push(opened);
    }

    /// Whether a brace where a value could stand begins statements: after `=>`, `;`, `{`, `}` or nothing.
    fn begins_block(&self) -> bool {
        let before = self.bytes[..self.at.saturating_sub(1)].trim_ascii_end();
        before.ends_with(b"=>") || before.last().is_none_or(|byte| b";{}".contains(byte))
    }

    fn push(&mut self, opened: Opened) {
        self.frames.push(Frame { opened, right: 0, left: 0, angles: 0 });
        self.nesting += 1;
        self.depth += 1;
        self.before = Before::Operator;
    }

    fn close(&mut self) {
        self.at += 1;
        if self.frames.len() < 2 {
            self.reset();
            self.before = Before::Operand;
            return;
        }
        self.reset();
        let Some(frame) = self.frames.pop() else { return };
        self.nesting -= 1;
        self.depth -= 1;
        match frame.opened {
            Opened::Value => self.before = Before::Operand,
            Opened::Head => self.before = Before::Head,
            Opened::Block => self.end_statement(),
            Opened::Substitution => self.template(),
        }
    }

    fn end_statement(&mut self) {
        self.statement_ended = true;
        self.before = Before::Operator;
    }

    /// Steps over a comment, if one begins here.
    fn skip_comment(&mut self) -> bool {
        let rest = &self.bytes[self.at..];
        let length = match rest.get(1) {
            Some(b'/') => memchr(b'\n', rest).unwrap_or(rest.len()),
            Some(b'*') => memmem::find(&rest[2..], b"*/").map_or(rest.len(), |at| at + 4),
            _ => return false,
        };
        self.at += length;
        true
    }

    fn slash(&mut self) {
        if self.before == Before::Operand {
            self.at += 1;
            self.left();
            self.before = Before::Operator;
        } else {
            self.regular_expression();
        }
    }

    fn regular_expression(&mut self) {
        self.at += 1;
        let mut in_class = false;
        let mut open: u32 = 0;
        let mut deepest = 0;
        while let Some(byte) = self.peek(0) {
            self.at += if byte == b'\\' { 2 } else { 1 };
            match byte {
                b'[' => in_class = true,
                b']' => in_class = false,
                b'(' => open += 1,
                b')' => open = open.saturating_sub(1),
                b'/' if !in_class => break,
                b'\n' => break,
                _ => {}
            }
            deepest = deepest.max(open);
        }
        self.before = Before::Operand;
        if self.nesting + deepest > NESTING_LIMIT {
            self.nesting += deepest;
        }
    }

    fn punctuator(&mut self, byte: u8) {
        let run = self.bytes[self.at..].iter().take(3).take_while(|it| **it == byte).count();
        let after = self.peek(run);
        let is_value_before = self.before == Before::Operand;
        let (length, is_left) = match byte {
            b'.' if run >= 3 => (3, false),
            b'?' if run == 1 && after == Some(b'.') => (2, true),
            b'+' | b'-' if run >= 2 && is_value_before => {
                self.at += 2;
                return;
            }
            b'+' | b'-' => (run.min(2), is_value_before && after != Some(b'=')),
            b'!' if after == Some(b'=') => (run, true),
            b'!' if is_value_before => {
                self.at += 1;
                self.left();
                return;
            }
            b'=' => (run, run > 1 && after != Some(b'>')),
            b'*' => (run, run == 1 && after != Some(b'=')),
            b'&' | b'|' | b'%' | b'^' | b'>' => (run, after != Some(b'=')),
            b'?' => (run, run > 1 && after != Some(b'=')),
            b'.' | b'@' => (1, true),
            _ => (1, false),
        };
        self.at += length;
        if byte == b'<' {
            self.angle();
        }
        if is_left {
            self.left();
        } else {
            self.right();
        }
        self.before = Before::Operator;
    }

    fn left(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.left += 1;
            self.depth += 1;
        }
    }

    fn angle(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.angles += 1;
            self.angles += 1;
            self.angle_effort = self.angle_effort.saturating_add(self.angles.saturating_sub(FREE_ANGLES));
        }
    }

    fn right(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.right += 1;
            self.nesting += 1;
            self.depth += 1;
        }
    }

    /// The expression or statement read in the innermost bracket ends.
    fn reset(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            self.nesting -= frame.right;
            self.depth -= frame.right + frame.left;
            self.angles -= frame.angles;
            frame.angles = 0;
            frame.right = 0;
            frame.left = 0;
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_nesting_is_seen() {
        let many = 40_000;
        let nested = [
            format!("{}1{}", "(".repeat(many), ")".repeat(many)),
            "!".repeat(many) + "1",
            "- -".repeat(many) + "1",
            "a=>".repeat(many) + "1",
            "if(a){}else ".repeat(many),
            "if(a)b;else ".repeat(many),
            "if(a)".repeat(many),
            "for(;;)".repeat(many),
            "a?b:".repeat(many),
            "x=".repeat(many),
            "`${".repeat(many),
            "typeof ".repeat(many),
            "a<".repeat(2_000),
            "(a<".repeat(2_000),
            format!("{};", "a<".repeat(200)).repeat(200),
            "a:".repeat(many),
            "a+".repeat(200_000),
            "a.b".repeat(200_000),
            format!("/{}/", "(".repeat(many)),
            "{".repeat(many),
            "new ".repeat(many),
            "function f(){".repeat(many),
        ];
        for text in nested {
            assert!(too_deep_at(&text).is_some(), "{}", &text[..20]);
        }
    }

    #[test]
    fn what_is_exported_counts_more() {
        assert_eq!(density("const name = 1;"), 4);
        assert_eq!(density("export const name = 1;"), 9);
        assert_eq!(density("exports.name = 1;"), 5);
        assert_eq!(density(""), 0);
        let long = "a+(b)\n".repeat(1_000);
        assert_eq!(density(&long), 4_000);
    }

    #[test]
    fn long_is_not_deep() {
        let many = 20_000;
        let flat = [
            "a = b + c;\n".repeat(many),
            "a = b + c\n".repeat(many),
            "if (a) { b } else { c }\n".repeat(many),
            "if (a) b()\n".repeat(many),
            "if (a) { b(!c) }\nfor (;;) d\n".repeat(many),
            format!("x = [{}]", "1,".repeat(many)),
            format!("x = {{{}}}", "a: -1,".repeat(many)),
            format!("x = '{}'", "((((".repeat(many)),
            format!("x = `{}`", "((((".repeat(many)),
            "x = a.replace(/[(\\[{'\"`]/g, '')\n".repeat(many),
            "// (((((\n/* ((((( */\n".repeat(many),
            "if (a) { !b }\n// else\n".repeat(many),
            format!("switch (a) {{{}}}", "case 1: b(); break;\n".repeat(many)),
            format!("switch (a) {{{}}}", "case 'x':\n".repeat(many)),
            "function f() { return { a: () => !x } }\n".repeat(many),
            "const x: A<B<C>> = y as unknown as D\n".repeat(many),
            "if (a) return /'/.test(b)\n".repeat(many),
            format!("x = a{}", "+ b".repeat(100_000)),
            "export const f = async (a) => { await g(a) }\n".repeat(many),
            "class A { m() { return 1 } get x() { return !2 } }\n".repeat(many),
        ];
        for text in flat {
            assert_eq!(too_deep_at(&text), None, "{}", &text[..20]);
        }
    }
}
