//! Facts of this machine that values and decisions rest on, as interned sets.

use rustc_hash::FxHashMap;

use crate::source::registration::Fact;

/// A set of facts. Cheap to carry in every value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FactSet(u32);

impl FactSet {
    /// No facts.
    pub const NONE: Self = Self(0);
}

/// All facts and all sets of them that occurred.
#[derive(Debug)]
pub struct Facts {
    known: Vec<Fact>,
    by_fact: FxHashMap<Fact, FactSet>,
    sets: Vec<Box<[u32]>>,
    by_set: FxHashMap<Box<[u32]>, FactSet>,
    unions: FxHashMap<(FactSet, FactSet), FactSet>,
}

impl Default for Facts {
    fn default() -> Self {
        Self {
            known: Vec::new(),
            by_fact: FxHashMap::default(),
            sets: vec![Box::default()],
            by_set: FxHashMap::default(),
            unions: FxHashMap::default(),
        }
    }
}

/// More facts than these are not told apart: the set stays as it is.
const MAX_FACTS: usize = 32;

impl Facts {
    /// The set of one fact.
    pub fn single(&mut self, text: &str) -> FactSet {
        let fact = Fact(text.into());
        if let Some(&set) = self.by_fact.get(&fact) {
            return set;
        }
        let number = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        self.known.push(fact.clone());
        let set = self.intern(Box::new([number]));
        self.by_fact.insert(fact, set);
        set
    }

    /// All facts of both.
    pub fn union(&mut self, a: FactSet, b: FactSet) -> FactSet {
        if a == b || b == FactSet::NONE {
            return a;
        }
        if a == FactSet::NONE {
            return b;
        }
        if let Some(&set) = self.unions.get(&(a, b)) {
            return set;
        }
        let mut numbers = self.numbers(a).to_vec();
        numbers.extend_from_slice(self.numbers(b));
        numbers.sort_unstable();
        numbers.dedup();
        numbers.truncate(MAX_FACTS);
        let set = self.intern(numbers.into());
        self.unions.insert((a, b), set);
        set
    }

    /// The facts of a set, in the order in which they came up.
    pub fn list(&self, set: FactSet) -> Vec<Fact> {
        self.numbers(set).iter().filter_map(|&it| self.known.get(it as usize).cloned()).collect()
    }

    fn numbers(&self, set: FactSet) -> &[u32] {
        self.sets.get(set.0 as usize).map_or(&[], |it| it)
    }

    fn intern(&mut self, numbers: Box<[u32]>) -> FactSet {
        if let Some(&set) = self.by_set.get(&numbers) {
            return set;
        }
        let set = FactSet(u32::try_from(self.sets.len()).unwrap_or(0));
        self.sets.push(numbers.clone());
        self.by_set.insert(numbers, set);
        set
    }
}
