//! Lists of conditions that all hold.

use super::value::{Guard, Literal};

/// Which literals a list has, for lists that are searched for each of their own literals.
#[derive(Debug, Default)]
pub struct Marks {
    /// By [`Literal::index`].
    of: Vec<bool>,
}

impl Marks {
    /// Whether a literal is marked.
    pub fn has(&self, literal: Literal) -> bool {
        self.of.get(literal.index()).is_some_and(|it| *it)
    }

    /// Marks a literal.
    pub fn add(&mut self, literal: Literal) {
        let at = literal.index();
        if at >= self.of.len() {
            self.of.resize(at + 1, false);
        }
        if let Some(mark) = self.of.get_mut(at) {
            *mark = true;
        }
    }

    /// Takes the marks of literals away.
    pub fn wipe(&mut self, literals: &[Literal]) {
        for literal in literals {
            if let Some(mark) = self.of.get_mut(literal.index()) {
                *mark = false;
            }
        }
    }
}

/// The guard of "one of these two holds" as a conjunction, and whether it says exactly that.
pub fn either_guard(a: &[Literal], b: &[Literal]) -> (Guard, bool) {
    let shared = shared_prefix(a, b);
    let (same, rest) = a.split_at(shared);
    let other = b.get(shared..).unwrap_or_default();
    let common = same.iter().chain(rest.iter().filter(|it| other.contains(it))).copied().collect();
    (common, is_either_exact(a, b))
}

/// Whether "one of these two holds" is a conjunction.
pub fn is_either_exact(a: &[Literal], b: &[Literal]) -> bool {
    // Guards of one frame mostly begin alike, and no literal is twice in one.
    let shared = shared_prefix(a, b);
    let (a, b) = (a.get(shared..).unwrap_or_default(), b.get(shared..).unwrap_or_default());
    let mut only_a = a.iter().filter(|it| !b.contains(it));
    let mut only_b = b.iter().filter(|it| !a.contains(it));
    let (Some(x), Some(y)) = (only_a.next(), only_b.next()) else { return true };
    *x == y.negated() && only_a.next().is_none() && only_b.next().is_none()
}

fn shared_prefix(a: &[Literal], b: &[Literal]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
