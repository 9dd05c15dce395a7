//! What is assumed where the evaluation stands, and what values look like from there.
//!
//! Code under an unknown condition runs once for each way, with the condition on the [`Path`] as a
//! [`Literal`]. An early `return`, `throw`, `break` or `continue` under a condition leaves the negated condition on the path
//! until the construct that catches it ends. Values written under a condition become choices; [`Path::settle`]
//! narrows a choice to what the path leaves of it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::guard::{Marks, either_guard};
use super::heap::Birth;
use super::value::{
    Alternative, Choice, CondId, Data, Guard, Left, Literal, MAX_ALTERNATIVES, Moment, Nature, Unknown, Value,
};
use crate::location::Span;
use crate::source::known::{Reason, ReasonKind};

/// Why evaluation does not go on at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Every way through the code has left: returned, thrown, broken out. The exits are recorded.
    Dead,
    /// A budget is used up: the whole evaluation ends.
    Abort,
}

/// An expression that is tested.
#[derive(Debug, Clone, Copy)]
pub struct Tested {
    /// Where it stands.
    pub at: Span,
    /// What is asked of it.
    pub asks: Asks,
}

/// What is asked of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// Whether it is true.
    Truth,
    /// Whether it is `null` or `undefined`: `??`.
    Nullish,
    /// Whether it is what a `switch` looks for, which stands here.
    Case(Span),
}

impl From<Span> for Tested {
    fn from(at: Span) -> Self {
        Self { at, asks: Asks::Truth }
    }
}

/// What a condition means.
#[derive(Debug)]
pub enum Meaning {
    /// The answer to a question about an expression that cannot be known is yes.
    Expression {
        /// The expression.
        tested: Tested,
        /// Whether the expression as written is the negation of the condition.
        negated: bool,
        /// Why it cannot be known.
        reason: Reason,
    },
    /// A call throws.
    Throws {
        /// The call.
        at: Span,
        /// Why it cannot be known.
        reason: Reason,
    },
    /// A choice is one of the alternatives of the mask.
    OneOf {
        /// [`Choice::id`].
        choice: u32,
        /// Bits by [`Alternative::tag`].
        mask: u8,
        /// The expression.
        tested: Tested,
        /// What the answer is for these alternatives.
        answer: bool,
    },
    /// All of these hold.
    All(Box<[Literal]>),
}

/// The two ways of a test: what is assumed in each.
#[derive(Debug, Clone)]
pub struct Test {
    /// When it is true.
    pub yes: Guard,
    /// When it is false.
    pub no: Guard,
}

#[derive(Debug)]
struct Entry {
    literal: Literal,
    serial: u32,
    /// What follows from it and what was assumed before.
    implied: Vec<CondId>,
}

/// Conditions as bits, several to a bit: two sets without a common bit have no common condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kin(u64);

impl Kin {
    fn of(cond: CondId) -> Self {
        Self(1 << (cond.0 % u64::BITS))
    }

    fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// What is assumed of a conjunction, and when that was found out.
#[derive(Debug, Clone, Copy)]
struct Found {
    when: Option<Moment>,
    value: Option<bool>,
}

/// What was assumed before the path was suspended.
#[derive(Debug)]
pub struct Suspended {
    entries: Vec<Entry>,
    assumed: Vec<Option<bool>>,
    disjunctions: Vec<CondId>,
    state: u32,
}

/// The conditions under which the current code runs, and the table of all conditions.
#[derive(Debug, Default)]
pub struct Path {
    entries: Vec<Entry>,
    /// What is assumed of each condition, by number.
    assumed: Vec<Option<bool>>,
    /// The entries that say that not all of several hold.
    disjunctions: Vec<CondId>,
    /// Tells apart what has been assumed: the same only while the same holds.
    state: u32,
    /// Work that has been done and not been paid for in steps.
    effort: Cell<u32>,
    serial: u32,
    meanings: Vec<Meaning>,
    /// Which conditions a condition hangs on, itself among them: a bit for each, several of them to a bit.
    kin: Vec<Kin>,
    /// What was found out about conjunctions, by condition.
    found: RefCell<Vec<Found>>,
    of_unknown: FxHashMap<u32, CondId>,
    one_of: FxHashMap<(u32, u8), CondId>,
    /// The choices of which some alternatives have been asked for.
    masked: FxHashSet<u32>,
    all_of: FxHashMap<Box<[Literal]>, CondId>,
    /// Whether it has turned out that a condition holds, by number.
    settled: Vec<Option<bool>>,
    /// How often that has changed.
    settlements: u32,
    marks: Marks,
    choices: u32,
    unknowns: u32,
}

/// A guard longer than this is cut and no longer exact.
const MAX_GUARD: usize = 12;

/// Of longer guards only this much is looked at.
const MAX_SIMPLIFIED: usize = 64;

/// How many "not all of these" are looked through for what follows from them.
const MAX_IMPLICATIONS: usize = 64;

/// How deep conditions of conditions are looked through.
const MAX_NESTING: u32 = 3;

impl Path {
    /// Where the path stands, for [`Path::truncate`].
    pub fn mark(&self) -> usize {
        self.entries.len()
    }

    /// Forgets what was assumed since a mark.
    pub fn truncate(&mut self, mark: usize) {
        while self.entries.len() > mark {
            let Some(entry) = self.entries.pop() else { break };
            self.note(entry.literal.cond(), None);
            for cond in entry.implied {
                self.note(cond, None);
            }
            if self.is_disjunction(entry.literal) {
                self.disjunctions.pop();
            }
            // What holds now is what held when the last entry was made.
            self.state = self.entries.last().map_or(0, |it| it.serial);
        }
    }

    fn is_disjunction(&self, literal: Literal) -> bool {
        !literal.holds() && self.is_conjunction(literal.cond())
    }

    /// Assumes nothing until [`Path::restore`].
    pub fn suspend(&mut self) -> Suspended {
        Suspended {
            entries: std::mem::take(&mut self.entries),
            assumed: std::mem::take(&mut self.assumed),
            disjunctions: std::mem::take(&mut self.disjunctions),
            state: std::mem::take(&mut self.state),
        }
    }

    /// Assumes again what was assumed before [`Path::suspend`].
    pub fn restore(&mut self, suspended: Suspended) {
        self.entries = suspended.entries;
        self.assumed = suspended.assumed;
        self.disjunctions = suspended.disjunctions;
        self.state = suspended.state;
    }

    /// The moment, for things that are made now.
    pub fn birth(&self) -> Birth {
        Birth(self.entries.last().map_or(0, |it| it.serial))
    }

    /// What was assumed from a mark on.
    pub fn since_mark(&self, mark: usize) -> Guard {
        self.spend(self.entries.len().saturating_sub(mark) / 8);
        self.entries.get(mark..).unwrap_or_default().iter().map(|it| it.literal).collect()
    }

    /// What is assumed now and was not when something was made.
    pub fn since_birth(&self, birth: Birth) -> Guard {
        let from = self.entries.partition_point(|it| it.serial <= birth.0);
        self.since_mark(from)
    }

    /// Assumes something from here on. Conjunctions are taken apart and what is known already is left out.
    pub fn assume(&mut self, literal: Literal) {
        if self.value(literal.cond()) == Some(literal.holds()) {
            return;
        }
        let members = match self.meaning(literal.cond()) {
            Some(Meaning::All(members)) => members.clone(),
            _ => return self.push(literal),
        };
        if literal.holds() {
            for &member in &members {
                self.assume(member);
            }
            return;
        }
        let open: Guard = members.iter().copied().filter(|it| self.value(it.cond()).is_none()).collect();
        match open.as_slice() {
            [] => self.push(literal),
            [only] => self.assume(only.negated()),
            _ => {
                let cond = self.all_of(&open);
                self.push(Literal::new(cond, false));
            }
        }
    }

    fn push(&mut self, literal: Literal) {
        self.note(literal.cond(), Some(literal.holds()));
        if self.is_disjunction(literal) {
            self.disjunctions.push(literal.cond());
        }
        let implied = self.consequences(literal.cond());
        self.entries.push(Entry { literal, serial: self.serial, implied });
    }

    /// Whether a guard can hold here.
    pub fn allows(&self, guard: &[Literal]) -> bool {
        guard.iter().all(|it| self.value(it.cond()) != Some(!it.holds()))
            && (guard.len() < 2 || !self.is_ruled_out(guard))
    }

    /// Whether "not all of these" of the path rules out that a whole guard holds, of which each part could.
    fn is_ruled_out(&self, guard: &[Literal]) -> bool {
        let from = self.disjunctions.len().saturating_sub(MAX_IMPLICATIONS);
        let kin = guard.iter().fold(Kin(0), |kin, it| kin.with(Kin::of(it.cond())));
        let holds = |it: &Literal| guard.contains(it) || self.value(it.cond()) == Some(it.holds());
        let concerned = |cond: &&CondId| self.kin_of(**cond).meets(kin);
        let disjunctions = self.disjunctions.get(from..).unwrap_or_default();
        disjunctions.iter().filter(concerned).any(|cond| match self.meaning(*cond) {
            Some(Meaning::All(members)) if members.len() <= MAX_GUARD => {
                self.spend(1);
                members.iter().all(holds)
            }
            _ => false,
        })
    }

    fn kin_of(&self, cond: CondId) -> Kin {
        self.kin.get(cond.0 as usize).copied().unwrap_or(Kin(u64::MAX))
    }

    fn note(&mut self, cond: CondId, value: Option<bool>) {
        let at = cond.0 as usize;
        if at >= self.assumed.len() {
            self.assumed.resize(at + 1, None);
        }
        if let Some(slot) = self.assumed.get_mut(at) {
            *slot = value;
        }
        self.serial += 1;
        self.state = self.serial;
    }

    /// Notes work that grows with the number of conditions.
    pub fn spend(&self, work: usize) {
        self.effort.set(self.effort.get().saturating_add(u32::try_from(work).unwrap_or(u32::MAX)));
    }

    /// The work that has been noted since this was last asked.
    pub fn take_effort(&self) -> u32 {
        self.effort.take()
    }

    /// What follows from "not all of these" where all but one hold: the last does not. `known` is what has just been assumed.
    fn consequences(&mut self, known: CondId) -> Vec<CondId> {
        let mut implied = Vec::new();
        let mut changed = Kin::of(known);
        let mut at = self.disjunctions.len();
        let until = at.saturating_sub(MAX_IMPLICATIONS);
        while at > until {
            at -= 1;
            let Some(&cond) = self.disjunctions.get(at) else { continue };
            let Some(Meaning::All(members)) = self.meaning(cond) else { continue };
            if members.len() > MAX_GUARD || !self.kin_of(cond).meets(changed) {
                continue;
            }
            let mut open = members.iter().filter(|it| self.value(it.cond()) != Some(it.holds()));
            let (Some(&last), None) = (open.next(), open.next()) else { continue };
            if self.value(last.cond()).is_none() && !self.is_conjunction(last.cond()) {
                self.note(last.cond(), Some(!last.holds()));
                implied.push(last.cond());
                changed = changed.with(Kin::of(last.cond()));
                at = self.disjunctions.len();
            }
        }
        implied
    }

    /// Whether nothing is known of any condition.
    fn is_blank(&self) -> bool {
        self.entries.is_empty() && self.settled.is_empty()
    }

    /// It has turned out whether a condition holds, wherever it was assumed; or it is not known after all.
    pub fn settle_for_good(&mut self, cond: CondId, holds: Option<bool>) {
        let at = cond.0 as usize;
        let before = self.settled.get(at).copied().flatten();
        if holds.is_none() && before != Some(false) {
            return;
        }
        if at >= self.settled.len() {
            self.settled.resize(at + 1, None);
        }
        if let Some(slot) = self.settled.get_mut(at) {
            *slot = holds;
            self.settlements += 1;
        }
    }

    /// A guard without what has turned out to hold; `None` when something of it has turned out not to.
    pub fn left_of(&self, guard: &[Literal]) -> Option<Guard> {
        if self.settled.is_empty() {
            return Some(guard.to_vec());
        }
        let mut left = Vec::with_capacity(guard.len());
        for literal in guard {
            match self.settled.get(literal.cond().0 as usize).copied().flatten() {
                Some(holds) if holds == literal.holds() => {}
                Some(_) => return None,
                None => left.push(*literal),
            }
        }
        Some(left)
    }

    fn is_conjunction(&self, cond: CondId) -> bool {
        matches!(self.meaning(cond), Some(Meaning::All(_)))
    }

    /// What is assumed of a condition.
    pub fn value(&self, cond: CondId) -> Option<bool> {
        if self.is_blank() { None } else { self.value_nested(cond, 0) }
    }

    fn value_nested(&self, cond: CondId, depth: u32) -> Option<bool> {
        if let Some(&Some(holds)) = self.assumed.get(cond.0 as usize) {
            return Some(holds);
        }
        if let Some(&Some(holds)) = self.settled.get(cond.0 as usize) {
            return Some(holds);
        }
        let Some(Meaning::All(members)) = self.meaning(cond) else { return None };
        if depth > MAX_NESTING || members.len() > MAX_SIMPLIFIED {
            return None;
        }
        let when = Some(self.moment());
        let found = self.found.borrow().get(cond.0 as usize).copied();
        if let Some(found) = found.filter(|it| it.when == when) {
            return found.value;
        }
        self.spend(1);
        let mut value = Some(true);
        for member in members {
            match self.value_nested(member.cond(), depth + 1) {
                Some(it) if it == member.holds() => {}
                Some(_) => {
                    value = Some(false);
                    break;
                }
                None => value = None,
            }
        }
        // Found deeper down it may say less.
        if depth == 0
            && let Some(found) = self.found.borrow_mut().get_mut(cond.0 as usize)
        {
            *found = Found { when, value };
        }
        value
    }

    /// What a condition means.
    pub fn meaning(&self, cond: CondId) -> Option<&Meaning> {
        self.meanings.get(cond.0 as usize)
    }

    fn add(&mut self, meaning: Meaning) -> CondId {
        let id = CondId(u32::try_from(self.meanings.len()).unwrap_or(u32::MAX));
        let kin = match &meaning {
            Meaning::All(members) => {
                members.iter().fold(Kin::of(id), |kin, it| kin.with(self.kin_of(it.cond())))
            }
            _ => Kin::of(id),
        };
        self.kin.push(kin);
        self.found.get_mut().push(Found { when: None, value: None });
        self.meanings.push(meaning);
        id
    }

    /// The condition that all of these hold.
    pub fn all_of(&mut self, literals: &[Literal]) -> CondId {
        let mut members = literals.to_vec();
        members.sort_unstable();
        members.dedup();
        let members: Box<[Literal]> = members.into();
        if let Some(&cond) = self.all_of.get(&members) {
            return cond;
        }
        let cond = self.add(Meaning::All(members.clone()));
        self.all_of.insert(members, cond);
        cond
    }

    /// That not all of these hold.
    pub fn none_of(&mut self, literals: &[Literal]) -> Literal {
        match literals {
            [only] => only.negated(),
            _ => Literal::new(self.all_of(literals), false),
        }
    }

    /// A condition of its own, for something that is tested once.
    pub fn fresh(&mut self, tested: impl Into<Tested>, reason: Reason) -> CondId {
        self.add(Meaning::Expression { tested: tested.into(), negated: false, reason })
    }

    /// Whether it is assumed that some call of unknown code throws.
    pub fn assumes_a_throw(&self) -> bool {
        self.entries.iter().any(|it| self.means_a_throw(it.literal, 0))
    }

    fn means_a_throw(&self, literal: Literal, depth: u32) -> bool {
        let deeper = |it: Literal| self.means_a_throw(it, depth + 1);
        match self.meaning(literal.cond()) {
            Some(Meaning::Throws { .. }) => literal.holds(),
            Some(Meaning::All(members)) if depth <= MAX_NESTING && members.len() <= MAX_GUARD => {
                if literal.holds() {
                    members.iter().any(|it| deeper(*it))
                } else {
                    members.iter().all(|it| deeper(it.negated()))
                }
            }
            _ => false,
        }
    }

    /// That a call throws.
    pub fn throwing(&mut self, at: Span, reason: Reason) -> Literal {
        Literal::new(self.add(Meaning::Throws { at, reason }), true)
    }

    /// That an unknown is true. The same for every test of it.
    pub fn truth_of(&mut self, unknown: &Rc<Unknown>, tested: impl Into<Tested>) -> Literal {
        let mut base = unknown;
        let mut holds = true;
        while let Some(inner) = &base.negates {
            base = inner;
            holds = !holds;
        }
        let cond = if let Some(&cond) = self.of_unknown.get(&base.id) {
            cond
        } else {
            let (tested, reason) = (tested.into(), base.reason.clone());
            let cond = self.add(Meaning::Expression { tested, negated: !holds, reason });
            self.of_unknown.insert(base.id, cond);
            cond
        };
        Literal::new(cond, holds)
    }

    /// Whether it has been of interest whether an unknown is true.
    pub fn has_tested(&self, unknown: &Unknown) -> bool {
        self.of_unknown.contains_key(&unknown.id)
    }

    /// Whether an unknown is true, if that is known here.
    fn known_truth(&self, unknown: &Rc<Unknown>) -> Option<bool> {
        let mut base = unknown;
        let mut holds = true;
        while let Some(inner) = &base.negates {
            base = inner;
            holds = !holds;
        }
        let &cond = self.of_unknown.get(&base.id)?;
        self.value(cond).map(|it| it == holds)
    }

    /// That a choice is one of some of its alternatives.
    pub fn one_of(&mut self, choice: u32, mask: u8, tested: impl Into<Tested>) -> Literal {
        self.one_for(choice, mask, tested.into(), true)
    }

    /// The same, where that is the answer to a question about an expression.
    pub fn one_for(&mut self, choice: u32, mask: u8, tested: Tested, answer: bool) -> Literal {
        let cond = if let Some(&cond) = self.one_of.get(&(choice, mask)) {
            cond
        } else {
            let cond = self.add(Meaning::OneOf { choice, mask, tested, answer });
            self.one_of.insert((choice, mask), cond);
            self.masked.insert(choice);
            cond
        };
        Literal::new(cond, true)
    }

    /// A new unknown.
    pub fn unknown(&mut self, reason: Reason) -> Value {
        Value::new(Data::Unknown(self.unknown_rc(reason, None)))
    }

    /// A new unknown of which the type is known.
    pub fn unknown_of(&mut self, reason: Reason, nature: Nature) -> Value {
        self.unknowns += 1;
        let unknown = Unknown { id: self.unknowns, negates: None, property: None, nature, reason };
        Value::new(Data::Unknown(Rc::new(unknown)))
    }

    /// A new unknown that is a property of another.
    pub fn unknown_property(&mut self, reason: Reason, name: Arc<str>) -> Value {
        self.unknowns += 1;
        let unknown = Unknown {
            id: self.unknowns,
            negates: None,
            property: Some(name),
            nature: Nature::Anything,
            reason,
        };
        Value::new(Data::Unknown(Rc::new(unknown)))
    }

    /// A new unknown, perhaps the negation of another.
    pub fn unknown_rc(&mut self, reason: Reason, negates: Option<Rc<Unknown>>) -> Rc<Unknown> {
        self.unknowns += 1;
        Rc::new(Unknown { id: self.unknowns, negates, property: None, nature: Nature::Anything, reason })
    }

    /// The value as it can be here: alternatives that the path rules out are gone.
    pub fn settle(&self, value: &Value) -> Value {
        let choice = match &value.data {
            Data::Choice(choice) => choice,
            // A negation is a boolean: true or false where that is known.
            Data::Unknown(unknown) if unknown.negates.is_some() => {
                let truth = self.known_truth(unknown);
                return truth.map_or_else(|| value.clone(), |it| Value::from(it).resting_on(value.facts));
            }
            _ => return value.clone(),
        };
        if self.is_blank() {
            return value.clone();
        }
        let left = self.left_of_choice(choice);
        let mut possible = choice.alternatives.iter().filter(|it| left & (1 << it.tag) != 0);
        match (possible.next(), possible.next(), possible.count() + 2) {
            (None, ..) => return value.clone(),
            (Some(only), None, _) => return only.value.clone(),
            (_, _, count) if count == choice.alternatives.len() => return value.clone(),
            _ => {}
        }
        let possible = choice.alternatives.iter().filter(|it| left & (1 << it.tag) != 0);
        let alternatives = possible.cloned().collect();
        Value { data: Data::Choice(Rc::new(Choice::new(choice.id, alternatives))), facts: value.facts }
    }

    /// The alternatives that the path leaves of a choice, as bits by their tags.
    fn left_of_choice(&self, choice: &Choice) -> u8 {
        let when = Some(self.moment());
        let known = choice.left.get();
        if known.when == when {
            return known.mask;
        }
        let mut mask = self.mask_of(choice.id);
        for alternative in &choice.alternatives {
            if !self.allows(&alternative.guard) {
                mask &= !(1 << alternative.tag);
            }
        }
        choice.left.set(Left { when, mask });
        mask
    }

    fn moment(&self) -> Moment {
        Moment { state: self.state, settlements: self.settlements }
    }

    fn mask_of(&self, choice: u32) -> u8 {
        let mut left = u8::MAX;
        if !self.masked.contains(&choice) {
            return left;
        }
        for entry in &self.entries {
            if let Some(&Meaning::OneOf { choice: of, mask, .. }) = self.meaning(entry.literal.cond())
                && of == choice
            {
                left &= if entry.literal.holds() { mask } else { !mask };
            }
        }
        left
    }

    /// What a place holds after a write of `new` under `guard`, where it held `old`.
    pub fn written(&mut self, old: &Value, new: Value, guard: &[Literal]) -> Value {
        if guard.is_empty() || old.is_same(&new) {
            return new;
        }
        let kept = self.none_of(guard);
        self.choose(vec![
            Alternative { value: new, guard: guard.to_vec(), exact: true, tag: 0 },
            Alternative { value: old.clone(), guard: vec![kept], exact: true, tag: 0 },
        ])
    }

    /// One value out of several. Equal ones are merged, impossible ones dropped, too many become unknown.
    pub fn choose(&mut self, alternatives: Vec<Alternative>) -> Value {
        self.spend(alternatives.len() / 2);
        let mut flat: Vec<Alternative> = Vec::with_capacity(alternatives.len());
        for outer in alternatives {
            if flat.len() > MAX_ALTERNATIVES {
                break;
            }
            if let Data::Choice(choice) = &outer.value.data {
                for inner in &choice.alternatives {
                    if let Some(both) = self.combined(&outer, inner) {
                        Self::merge_in(&mut flat, both);
                    }
                }
                continue;
            }
            let exact = outer.exact && outer.guard.len() <= MAX_SIMPLIFIED;
            if let Some(guard) = self.simplified(outer.guard.iter()) {
                Self::merge_in(&mut flat, Alternative { guard, exact, ..outer });
            }
        }
        match flat.len() {
            0 => Value::UNDEFINED,
            1 => flat.swap_remove(0).value,
            2..=MAX_ALTERNATIVES => self.choice_of(flat),
            _ => self.unknown(Reason {
                kind: ReasonKind::TooManyValues,
                text: Arc::from("one of too many values"),
                at: None,
            }),
        }
    }

    fn choice_of(&mut self, mut alternatives: Vec<Alternative>) -> Value {
        for (alternative, tag) in alternatives.iter_mut().zip(0..) {
            alternative.tag = tag;
        }
        self.choices += 1;
        Value::new(Data::Choice(Rc::new(Choice::new(self.choices, alternatives))))
    }

    fn combined(&mut self, outer: &Alternative, inner: &Alternative) -> Option<Alternative> {
        let guard = self.simplified(outer.guard.iter().chain(&inner.guard))?;
        Some(Alternative {
            value: inner.value.clone(),
            guard,
            exact: outer.exact && inner.exact,
            tag: inner.tag,
        })
    }

    /// A guard without repetitions; `None` when it contradicts itself.
    fn simplified<'g>(&mut self, guard: impl Iterator<Item = &'g Literal>) -> Option<Guard> {
        let mut flat: Guard = Vec::with_capacity(guard.size_hint().0.min(MAX_SIMPLIFIED));
        let mut has_conjunctions = false;
        for literal in guard.take(MAX_SIMPLIFIED) {
            match self.meaning(literal.cond()) {
                Some(Meaning::All(members)) => {
                    has_conjunctions = true;
                    if literal.holds() {
                        flat.extend_from_slice(members);
                    } else {
                        flat.push(*literal);
                    }
                }
                _ => flat.push(*literal),
            }
        }
        self.spend(flat.len() / 4);
        if flat.len() < 2 && !has_conjunctions {
            return Some(flat);
        }
        let mut marks = std::mem::take(&mut self.marks);
        let mut is_contradiction = false;
        flat.retain(|&literal| {
            let is_new = !marks.has(literal);
            is_contradiction |= marks.has(literal.negated());
            marks.add(literal);
            is_new
        });
        let simplified = if has_conjunctions && !is_contradiction {
            self.without_idle_conjunctions(&flat, &marks)
        } else {
            None
        };
        marks.wipe(&flat);
        self.marks = marks;
        if has_conjunctions || is_contradiction { simplified } else { Some(flat) }
    }

    /// A list of conditions, all of them marked, in which "not all of these" stands only where it says more than the others:
    /// it is left out when one of them fails, it is the negation of the last when all others hold. `None` when it is contradicted.
    fn without_idle_conjunctions(&self, flat: &[Literal], marks: &Marks) -> Option<Guard> {
        let mut result: Guard = Vec::with_capacity(flat.len());
        for &literal in flat {
            let members = match self.meaning(literal.cond()) {
                Some(Meaning::All(members)) if !literal.holds() => members,
                _ => {
                    result.push(literal);
                    continue;
                }
            };
            if members.iter().any(|it| marks.has(it.negated())) {
                continue;
            }
            let mut open = members.iter().filter(|it| !marks.has(**it));
            match (open.next(), open.next()) {
                (None, _) => return None,
                (Some(only), None) => {
                    let implied = only.negated();
                    if !result.contains(&implied) {
                        result.push(implied);
                    }
                }
                (Some(_), Some(_)) => result.push(literal),
            }
        }
        Some(result)
    }

    fn merge_in(list: &mut Vec<Alternative>, mut new: Alternative) {
        if list.len() > MAX_ALTERNATIVES {
            return;
        }
        if new.guard.len() > MAX_GUARD {
            new.guard.truncate(MAX_GUARD);
            new.exact = false;
        }
        let Some(at) = list.iter().position(|it| it.value.is_same(&new.value)) else {
            list.push(new);
            return;
        };
        let Some(old) = list.get_mut(at) else { return };
        let (guard, exact) = either_guard(&old.guard, &new.guard);
        old.guard = guard;
        old.exact = exact && old.exact && new.exact;
    }
}
