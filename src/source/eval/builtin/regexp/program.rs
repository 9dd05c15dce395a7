//! A regular expression as instructions for the matcher.

use std::sync::Arc;

use oxc_allocator::Allocator;
use oxc_regular_expression::{LiteralParser, Options, ast};
use regex_syntax::hir::{Class, HirKind};

/// Instructions of one expression, and the names of its groups.
#[derive(Debug)]
pub(in crate::source::eval) struct Program {
    /// What to do; begins at 0 and ends with [`Instruction::Match`].
    pub(super) code: Vec<Instruction>,
    /// How many groups there are, the whole match included.
    pub(super) groups: usize,
    /// How many registers for positions of loops.
    pub(super) registers: usize,
    /// Named groups in the order of the pattern.
    pub(super) names: Vec<(Arc<str>, usize)>,
    /// `u` or `v`: positions are code points instead of UTF-16 units.
    pub(super) unicode: bool,
}

/// One step of the matcher. `back` is set within a lookbehind, where everything is read from right to left.
#[derive(Debug, Clone)]
pub(super) enum Instruction {
    /// One of these characters.
    One { set: Set, back: bool },
    /// The first way, and if it fails the second.
    Split(usize, usize),
    /// Goes on elsewhere.
    Jump(usize),
    /// Remembers the position as one end of a group.
    Save(usize),
    /// Forgets the groups of a range: a new turn of a loop begins.
    Clear(usize, usize),
    /// Remembers where a turn of a loop begins.
    Mark(usize),
    /// Fails if the turn has matched nothing.
    Advanced(usize),
    /// `^`.
    Start { multiline: bool },
    /// `$`.
    End { multiline: bool },
    /// `\b` and `\B`.
    Boundary { negated: bool },
    /// The same text as one of these groups.
    Same { groups: Vec<usize>, ignore_case: bool, back: bool },
    /// The instructions up to the end match here, or do not.
    Look { negated: bool, end: usize },
    /// Done.
    Match,
}

/// A set of characters.
#[derive(Debug, Clone, Default)]
pub(super) struct Set {
    /// First and last ones.
    pub(super) ranges: Vec<(u32, u32)>,
    /// All but these.
    pub(super) negated: bool,
    /// Whether case makes no difference.
    pub(super) ignore_case: bool,
}

/// Why there is no program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::source::eval) enum Problem {
    /// JavaScript refuses the pattern.
    Syntax(String),
    /// It is not modelled.
    NotModelled(&'static str),
}

/// Instructions of a program at most.
const MAX_CODE: usize = 50_000;

/// Bytes of a pattern at most.
const MAX_PATTERN: usize = 1 << 16;

#[allow(clippy::struct_excessive_bools, reason = "they are the flags of regular expressions")]
struct Compiler {
    code: Vec<Instruction>,
    groups: usize,
    registers: usize,
    names: Vec<(Arc<str>, usize)>,
    ignore_case: bool,
    multiline: bool,
    dot_all: bool,
    back: bool,
}

impl Program {
    /// Compiles a pattern.
    pub(in crate::source::eval) fn new(pattern: &str, flags: &str) -> Result<Self, Problem> {
        if pattern.len() > MAX_PATTERN {
            return Err(Problem::NotModelled("a very long regular expression"));
        }
        let allocator = Allocator::default();
        let parsed = LiteralParser::new(&allocator, pattern, Some(flags), Options::default()).parse();
        let parsed = parsed.map_err(|error| Problem::Syntax(error.to_string()))?;
        let mut compiler = Compiler {
            code: Vec::new(),
            groups: 1,
            registers: 0,
            names: Vec::new(),
            ignore_case: flags.contains('i'),
            multiline: flags.contains('m'),
            dot_all: flags.contains('s'),
            back: false,
        };
        collect_names(&parsed.body, &mut 1, &mut compiler.names);
        compiler.code.push(Instruction::Save(0));
        compiler.disjunction(&parsed.body)?;
        compiler.code.extend([Instruction::Save(1), Instruction::Match]);
        Ok(Self {
            code: compiler.code,
            groups: compiler.groups,
            registers: compiler.registers,
            names: compiler.names,
            unicode: flags.contains(['u', 'v']),
        })
    }
}

/// Names come before what refers to them.
fn collect_names(body: &ast::Disjunction<'_>, next: &mut usize, names: &mut Vec<(Arc<str>, usize)>) {
    fn term(it: &ast::Term<'_>, next: &mut usize, names: &mut Vec<(Arc<str>, usize)>) {
        match it {
            ast::Term::CapturingGroup(group) => {
                if let Some(name) = &group.name {
                    names.push((name.as_str().into(), *next));
                }
                *next += 1;
                collect_names(&group.body, next, names);
            }
            ast::Term::IgnoreGroup(group) => collect_names(&group.body, next, names),
            ast::Term::LookAroundAssertion(look) => collect_names(&look.body, next, names),
            ast::Term::Quantifier(quantifier) => term(&quantifier.body, next, names),
            _ => {}
        }
    }
    for alternative in &body.body {
        for it in &alternative.body {
            term(it, next, names);
        }
    }
}

impl Compiler {
    fn here(&self) -> usize {
        self.code.len()
    }

    fn push(&mut self, instruction: Instruction) -> Result<usize, Problem> {
        if self.code.len() >= MAX_CODE {
            return Err(Problem::NotModelled("a very large regular expression"));
        }
        self.code.push(instruction);
        Ok(self.code.len() - 1)
    }

    fn patch(&mut self, at: usize, instruction: Instruction) {
        if let Some(slot) = self.code.get_mut(at) {
            *slot = instruction;
        }
    }

    fn disjunction(&mut self, disjunction: &ast::Disjunction<'_>) -> Result<(), Problem> {
        let mut jumps = Vec::new();
        let last = disjunction.body.len().saturating_sub(1);
        for (index, alternative) in disjunction.body.iter().enumerate() {
            if index == last {
                self.alternative(alternative)?;
            } else {
                let split = self.push(Instruction::Jump(0))?;
                self.alternative(alternative)?;
                jumps.push(self.push(Instruction::Jump(0))?);
                let next = self.here();
                self.patch(split, Instruction::Split(split + 1, next));
            }
        }
        let end = self.here();
        for jump in jumps {
            self.patch(jump, Instruction::Jump(end));
        }
        Ok(())
    }

    fn alternative(&mut self, alternative: &ast::Alternative<'_>) -> Result<(), Problem> {
        if self.back {
            // Groups keep the numbers of the written order.
            let first = self.groups;
            let mut starts = Vec::with_capacity(alternative.body.len());
            let mut at = first;
            for term in &alternative.body {
                starts.push(at);
                at += groups_in(term);
            }
            for (term, start) in alternative.body.iter().zip(starts).rev() {
                self.groups = start;
                self.term(term)?;
            }
            self.groups = at;
            return Ok(());
        }
        alternative.body.iter().try_for_each(|term| self.term(term))
    }

    fn term(&mut self, term: &ast::Term<'_>) -> Result<(), Problem> {
        match term {
            ast::Term::BoundaryAssertion(it) => {
                let multiline = self.multiline;
                self.push(match it.kind {
                    ast::BoundaryAssertionKind::Start => Instruction::Start { multiline },
                    ast::BoundaryAssertionKind::End => Instruction::End { multiline },
                    ast::BoundaryAssertionKind::Boundary => Instruction::Boundary { negated: false },
                    ast::BoundaryAssertionKind::NegativeBoundary => Instruction::Boundary { negated: true },
                })?;
            }
            ast::Term::LookAroundAssertion(it) => self.look_around(it)?,
            ast::Term::Quantifier(it) => self.quantifier(it)?,
            ast::Term::Character(it) => {
                self.one(Set { ranges: vec![(it.value, it.value)], ..Set::default() })?;
            }
            ast::Term::Dot(_) => {
                let ranges = if self.dot_all { Vec::new() } else { LINE_ENDS.to_vec() };
                self.one(Set { ranges, negated: true, ignore_case: false })?;
            }
            ast::Term::CharacterClassEscape(it) => {
                let ranges = escape_ranges(it.kind);
                self.one(Set { ranges, ..Set::default() })?;
            }
            ast::Term::UnicodePropertyEscape(it) => {
                let ranges = property_ranges(it)?;
                self.one(Set { ranges, ..Set::default() })?;
            }
            ast::Term::CharacterClass(it) => {
                let set = class_set(it)?;
                self.one(set)?;
            }
            ast::Term::CapturingGroup(it) => {
                let group = self.groups;
                self.groups += 1;
                let (open, close) = if self.back { (1, 0) } else { (0, 1) };
                self.push(Instruction::Save(group * 2 + open))?;
                self.disjunction(&it.body)?;
                self.push(Instruction::Save(group * 2 + close))?;
            }
            ast::Term::IgnoreGroup(it) => self.ignore_group(it)?,
            ast::Term::IndexedReference(it) => self.reference(vec![it.index as usize])?,
            ast::Term::NamedReference(it) => {
                let named = |(name, _): &&(Arc<str>, usize)| **name == *it.name.as_str();
                let groups = self.names.iter().filter(named).map(|(_, group)| *group).collect();
                self.reference(groups)?;
            }
        }
        Ok(())
    }

    fn one(&mut self, mut set: Set) -> Result<(), Problem> {
        set.ignore_case = self.ignore_case && !set.ranges.is_empty();
        let back = self.back;
        self.push(Instruction::One { set, back }).map(|_| ())
    }

    fn reference(&mut self, groups: Vec<usize>) -> Result<(), Problem> {
        let (ignore_case, back) = (self.ignore_case, self.back);
        self.push(Instruction::Same { groups, ignore_case, back }).map(|_| ())
    }

    fn ignore_group(&mut self, group: &ast::IgnoreGroup<'_>) -> Result<(), Problem> {
        let before = (self.ignore_case, self.multiline, self.dot_all);
        if let Some(modifiers) = &group.modifiers {
            let set = |flag: &mut bool, which| {
                *flag = (*flag || modifiers.enabling.contains(which)) && !modifiers.disabling.contains(which);
            };
            set(&mut self.ignore_case, ast::Modifier::I);
            set(&mut self.multiline, ast::Modifier::M);
            set(&mut self.dot_all, ast::Modifier::S);
        }
        self.disjunction(&group.body)?;
        (self.ignore_case, self.multiline, self.dot_all) = before;
        Ok(())
    }

    fn look_around(&mut self, look: &ast::LookAroundAssertion<'_>) -> Result<(), Problem> {
        use ast::LookAroundAssertionKind::{Lookbehind, NegativeLookahead, NegativeLookbehind};
        let negated = matches!(look.kind, NegativeLookahead | NegativeLookbehind);
        let before = self.back;
        self.back = matches!(look.kind, Lookbehind | NegativeLookbehind);
        let at = self.push(Instruction::Match)?;
        self.disjunction(&look.body)?;
        self.push(Instruction::Match)?;
        let end = self.here();
        self.patch(at, Instruction::Look { negated, end });
        self.back = before;
        Ok(())
    }

    fn quantifier(&mut self, quantifier: &ast::Quantifier<'_>) -> Result<(), Problem> {
        let first = self.groups;
        let count = groups_in(&quantifier.body);
        for _ in 0..quantifier.min {
            self.turn(&quantifier.body, first, count)?;
        }
        match quantifier.max {
            None => {
                let register = self.registers;
                self.registers += 1;
                let split = self.push(Instruction::Jump(0))?;
                self.push(Instruction::Mark(register))?;
                self.turn(&quantifier.body, first, count)?;
                self.push(Instruction::Advanced(register))?;
                self.push(Instruction::Jump(split))?;
                let end = self.here();
                self.patch(split, split_of(split + 1, end, quantifier.greedy));
            }
            Some(max) => {
                let mut splits = Vec::new();
                for _ in quantifier.min..max {
                    let register = self.registers;
                    self.registers += 1;
                    splits.push(self.push(Instruction::Jump(0))?);
                    self.push(Instruction::Mark(register))?;
                    self.turn(&quantifier.body, first, count)?;
                    self.push(Instruction::Advanced(register))?;
                }
                let end = self.here();
                for split in splits {
                    self.patch(split, split_of(split + 1, end, quantifier.greedy));
                }
            }
        }
        self.groups = first + count;
        Ok(())
    }

    fn turn(&mut self, body: &ast::Term<'_>, first: usize, count: usize) -> Result<(), Problem> {
        self.groups = first;
        if count > 0 {
            self.push(Instruction::Clear(first, first + count))?;
        }
        self.term(body)
    }
}

fn split_of(inside: usize, behind: usize, greedy: bool) -> Instruction {
    if greedy { Instruction::Split(inside, behind) } else { Instruction::Split(behind, inside) }
}

fn groups_in(term: &ast::Term<'_>) -> usize {
    let within = |body: &ast::Disjunction<'_>| {
        body.body.iter().flat_map(|it| it.body.iter()).map(groups_in).sum::<usize>()
    };
    match term {
        ast::Term::CapturingGroup(it) => 1 + within(&it.body),
        ast::Term::IgnoreGroup(it) => within(&it.body),
        ast::Term::LookAroundAssertion(it) => within(&it.body),
        ast::Term::Quantifier(it) => groups_in(&it.body),
        _ => 0,
    }
}

/// What `.` does not match and `^` and `$` match beside with `m`.
pub(super) const LINE_ENDS: [(u32, u32); 3] = [(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)];

const DIGITS: [(u32, u32); 1] = [(0x30, 0x39)];
const WORDS: [(u32, u32); 4] = [(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];
const SPACES: [(u32, u32); 10] = [
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];

fn escape_ranges(kind: ast::CharacterClassEscapeKind) -> Vec<(u32, u32)> {
    use ast::CharacterClassEscapeKind as Kind;
    match kind {
        Kind::D => DIGITS.to_vec(),
        Kind::NegativeD => complement(&DIGITS),
        Kind::S => SPACES.to_vec(),
        Kind::NegativeS => complement(&SPACES),
        Kind::W => WORDS.to_vec(),
        Kind::NegativeW => complement(&WORDS),
    }
}

fn complement(ranges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut result = Vec::with_capacity(ranges.len() + 1);
    let mut next = 0;
    for &(from, to) in ranges {
        if from > next {
            result.push((next, from - 1));
        }
        next = to + 1;
    }
    result.push((next, 0x10_FFFF));
    result
}

fn property_ranges(escape: &ast::UnicodePropertyEscape<'_>) -> Result<Vec<(u32, u32)>, Problem> {
    let ranges = match escape.name.as_str() {
        "Any" => vec![(0, 0x10_FFFF)],
        name => unicode_ranges(name, escape.value.as_deref())
            .ok_or(Problem::NotModelled("a Unicode property in a regular expression"))?,
    };
    Ok(if escape.negative { complement(&ranges) } else { ranges })
}

/// The characters that have a property: a general category, a script, or one that is there or not.
fn unicode_ranges(name: &str, value: Option<&str>) -> Option<Vec<(u32, u32)>> {
    let class = match value {
        Some(value) => format!(r"\p{{{name}={value}}}"),
        None => format!(r"\p{{{name}}}"),
    };
    match regex_syntax::parse(&class).ok()?.into_kind() {
        HirKind::Class(Class::Unicode(class)) => {
            Some(class.iter().map(|it| (u32::from(it.start()), u32::from(it.end()))).collect())
        }
        _ => None,
    }
}

fn class_set(class: &ast::CharacterClass<'_>) -> Result<Set, Problem> {
    use ast::CharacterClassContents as Contents;
    if class.kind != ast::CharacterClassContentsKind::Union {
        return Err(Problem::NotModelled("a set operation in a regular expression"));
    }
    let mut ranges = Vec::with_capacity(class.body.len());
    for part in &class.body {
        match part {
            Contents::CharacterClassRange(it) => ranges.push((it.min.value, it.max.value)),
            Contents::CharacterClassEscape(it) => ranges.extend(escape_ranges(it.kind)),
            Contents::UnicodePropertyEscape(it) => ranges.extend(property_ranges(it)?),
            Contents::Character(it) => ranges.push((it.value, it.value)),
            Contents::NestedCharacterClass(_) | Contents::ClassStringDisjunction(_) => {
                return Err(Problem::NotModelled("a nested class in a regular expression"));
            }
        }
    }
    Ok(Set { ranges, negated: class.negative, ignore_case: false })
}
