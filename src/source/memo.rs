//! Answers remembered by question, across threads: each question is worked on once, others wait for the answer.

use std::hash::Hash;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

/// Questions and answers.
#[derive(Debug)]
pub(super) struct Memo<Q, A> {
    known: RwLock<FxHashMap<Q, Arc<OnceLock<A>>>>,
}

impl<Q, A> Default for Memo<Q, A> {
    fn default() -> Self {
        Self { known: RwLock::default() }
    }
}

impl<Q: Eq + Hash + Clone, A: Clone> Memo<Q, A> {
    /// The answer, if it is known already.
    pub(super) fn known(&self, question: &Q) -> Option<A> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(question)?.get().cloned()
    }

    /// The answer, found by `answer` the first time. `answer` must not ask the same question.
    pub(super) fn get(&self, question: &Q, answer: impl FnOnce() -> A) -> A {
        if let Some(known) = self.known(question) {
            return known;
        }
        let cell = {
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(known.entry(question.clone()).or_default())
        };
        cell.get_or_init(answer).clone()
    }
}
