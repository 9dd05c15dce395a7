//! Runs the instructions of a regular expression by backtracking, as ECMAScript says, with a bound on the steps.

use super::program::{Instruction, LINE_ENDS, Program, Set};

/// What a match comes to.
#[derive(Debug)]
pub(in crate::source::eval) enum Outcome {
    /// The groups: where each begins and ends, in UTF-16 units. The first is the whole match.
    Match(Vec<Option<(usize, usize)>>),
    /// None.
    NoMatch,
    /// It takes too many steps.
    TooLong,
}

/// A text to search, as the positions of a program count it.
pub(in crate::source::eval) struct Input {
    symbols: Vec<u32>,
    /// The UTF-16 unit at which each symbol begins, where these differ.
    units: Option<Vec<usize>>,
}

impl Input {
    /// The symbols of a text.
    pub(in crate::source::eval) fn new(text: &str, program: &Program) -> Self {
        if text.is_ascii() {
            return Self { symbols: text.bytes().map(u32::from).collect(), units: None };
        }
        if !program.unicode {
            return Self { symbols: text.encode_utf16().map(u32::from).collect(), units: None };
        }
        let mut units = Vec::new();
        let mut at = 0;
        for character in text.chars() {
            units.push(at);
            at += character.len_utf16();
        }
        units.push(at);
        Self { symbols: text.chars().map(u32::from).collect(), units: Some(units) }
    }

    fn unit_of(&self, at: usize) -> usize {
        self.units.as_ref().map_or(at, |it| it.get(at).copied().unwrap_or(at))
    }

    fn at_unit(&self, unit: usize) -> usize {
        self.units.as_ref().map_or(unit, |it| it.partition_point(|&at| at < unit))
    }
}

/// A way that has not been tried.
struct Way {
    pc: usize,
    at: usize,
    /// How many changes had been made.
    changes: usize,
}

/// A slot and what it held before.
struct Change {
    slot: usize,
    before: Option<usize>,
}

struct Matcher<'m> {
    program: &'m Program,
    input: &'m Input,
    /// Ends of groups, then the registers.
    slots: Vec<Option<usize>>,
    changes: Vec<Change>,
    fuel: &'m mut usize,
}

/// How deep lookarounds may nest.
const MAX_NESTING: u32 = 64;

impl Program {
    /// The first match at or after a UTF-16 unit; only there if `sticky`. Takes steps from `fuel`.
    pub(in crate::source::eval) fn find(
        &self,
        input: &Input,
        from: usize,
        sticky: bool,
        fuel: &mut usize,
    ) -> Outcome {
        let first = input.at_unit(from);
        let last = if sticky { first } else { input.symbols.len() };
        for start in first..=last {
            if start > input.symbols.len() {
                break;
            }
            let slots = vec![None; self.groups * 2 + self.registers];
            let mut matcher = Matcher { program: self, input, slots, changes: Vec::new(), fuel };
            match matcher.run(0, start, 0) {
                Some(true) => return Outcome::Match(matcher.groups()),
                Some(false) => {}
                None => return Outcome::TooLong,
            }
        }
        Outcome::NoMatch
    }
}

impl Matcher<'_> {
    fn groups(&self) -> Vec<Option<(usize, usize)>> {
        let slot = |at: usize| self.slots.get(at).copied().flatten().map(|it| self.input.unit_of(it));
        (0..self.program.groups).map(|group| Some((slot(group * 2)?, slot(group * 2 + 1)?))).collect()
    }

    fn set(&mut self, slot: usize, value: Option<usize>) {
        if let Some(place) = self.slots.get_mut(slot) {
            self.changes.push(Change { slot, before: *place });
            *place = value;
        }
    }

    fn undo(&mut self, to: usize) {
        while self.changes.len() > to {
            if let Some(change) = self.changes.pop()
                && let Some(place) = self.slots.get_mut(change.slot)
            {
                *place = change.before;
            }
        }
    }

    /// Whether the instructions match here; `None` when there is no fuel left.
    fn run(&mut self, pc: usize, at: usize, nesting: u32) -> Option<bool> {
        let begin = self.changes.len();
        let mut ways = vec![Way { pc, at, changes: begin }];
        while let Some(way) = ways.pop() {
            self.undo(way.changes);
            if self.follow(way, &mut ways, nesting)? {
                return Some(true);
            }
        }
        self.undo(begin);
        Some(false)
    }

    /// Follows one way to its end; those that branch off are put on the stack.
    fn follow(&mut self, way: Way, ways: &mut Vec<Way>, nesting: u32) -> Option<bool> {
        let (mut pc, mut at) = (way.pc, way.at);
        let program = self.program;
        loop {
            *self.fuel = self.fuel.checked_sub(1)?;
            let Some(instruction) = program.code.get(pc) else { return Some(false) };
            pc += 1;
            let goes_on = match instruction {
                Instruction::Match => return Some(true),
                Instruction::Jump(to) => {
                    pc = *to;
                    true
                }
                Instruction::Split(first, second) => {
                    ways.push(Way { pc: *second, at, changes: self.changes.len() });
                    pc = *first;
                    true
                }
                Instruction::One { set, back } => match self.take(at, *back) {
                    Some((symbol, next)) if set.contains(symbol, program.unicode) => {
                        at = next;
                        true
                    }
                    _ => false,
                },
                Instruction::Save(slot) => {
                    self.set(*slot, Some(at));
                    true
                }
                Instruction::Mark(register) => {
                    self.set(program.groups * 2 + register, Some(at));
                    true
                }
                Instruction::Advanced(register) => {
                    self.slots.get(program.groups * 2 + register).copied().flatten() != Some(at)
                }
                Instruction::Clear(from, to) => {
                    for slot in from * 2..to * 2 {
                        self.set(slot, None);
                    }
                    true
                }
                Instruction::Start { multiline } => {
                    at == 0 || (*multiline && self.symbol(at.wrapping_sub(1)).is_some_and(is_line_end))
                }
                Instruction::End { multiline } => match self.symbol(at) {
                    None => true,
                    Some(symbol) => *multiline && is_line_end(symbol),
                },
                Instruction::Boundary { negated } => {
                    let word = |at: usize| self.symbol(at).is_some_and(is_word);
                    (word(at.wrapping_sub(1)) != word(at)) != *negated
                }
                Instruction::Same { groups, ignore_case, back } => {
                    match self.same(groups, at, *ignore_case, *back) {
                        Some(next) => {
                            at = next;
                            true
                        }
                        None => false,
                    }
                }
                Instruction::Look { negated, end } => {
                    if nesting >= MAX_NESTING {
                        return None;
                    }
                    let before = self.changes.len();
                    let matches = self.run(pc, at, nesting + 1)?;
                    if *negated {
                        self.undo(before);
                    }
                    pc = *end;
                    matches != *negated
                }
            };
            if !goes_on {
                return Some(false);
            }
        }
    }

    fn symbol(&self, at: usize) -> Option<u32> {
        self.input.symbols.get(at).copied()
    }

    fn take(&self, at: usize, back: bool) -> Option<(u32, usize)> {
        if back {
            let next = at.checked_sub(1)?;
            Some((self.symbol(next)?, next))
        } else {
            Some((self.symbol(at)?, at + 1))
        }
    }

    /// Behind the text of a group that comes again here.
    fn same(&self, groups: &[usize], at: usize, ignore_case: bool, back: bool) -> Option<usize> {
        let slot = |at: usize| self.slots.get(at).copied().flatten();
        let range = groups.iter().find_map(|group| Some((slot(group * 2)?, slot(group * 2 + 1)?)));
        let Some((from, to)) = range else { return Some(at) };
        let length = to.checked_sub(from)?;
        let start = if back { at.checked_sub(length)? } else { at };
        for offset in 0..length {
            let (a, b) = (self.symbol(from + offset)?, self.symbol(start + offset)?);
            let equal = a == b || (ignore_case && canonical(a) == canonical(b));
            if !equal {
                return None;
            }
        }
        Some(if back { start } else { start + length })
    }
}

impl Set {
    fn contains(&self, symbol: u32, unicode: bool) -> bool {
        let has = |it: u32| self.ranges.iter().any(|&(from, to)| (from..=to).contains(&it));
        let found =
            has(symbol) || (self.ignore_case && cases(symbol, unicode).into_iter().flatten().any(has));
        found != self.negated
    }
}

/// The other cases of a character.
fn cases(symbol: u32, unicode: bool) -> [Option<u32>; 2] {
    let Some(character) = char::from_u32(symbol) else { return [None, None] };
    let single = |mut it: Box<dyn Iterator<Item = char>>| match (it.next(), it.next()) {
        (Some(only), None) => Some(u32::from(only)),
        _ => None,
    };
    let upper = single(Box::new(character.to_uppercase()));
    let lower = single(Box::new(character.to_lowercase()));
    // Without `u`, nothing beyond ASCII is the other case of something in ASCII.
    let apart = |it: &u32| unicode || (*it < 0x80) == (symbol < 0x80);
    [upper.filter(apart), lower.filter(apart)]
}

fn canonical(symbol: u32) -> u32 {
    match cases(symbol, false) {
        [Some(upper), _] => upper,
        _ => symbol,
    }
}

fn is_line_end(symbol: u32) -> bool {
    LINE_ENDS.iter().any(|&(from, to)| (from..=to).contains(&symbol))
}

fn is_word(symbol: u32) -> bool {
    char::from_u32(symbol).is_some_and(|it| it.is_ascii_alphanumeric() || it == '_')
}
