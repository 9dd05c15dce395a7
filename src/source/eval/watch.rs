//! Noting whether anything older than a moment is changed.

/// The oldest of things that are numbered as they are made, among those that have been changed.
#[derive(Debug)]
pub struct Watch {
    oldest: usize,
}

impl Watch {
    /// Nothing has been changed.
    pub fn new() -> Self {
        Self { oldest: usize::MAX }
    }

    /// Notes a change of the thing of this number.
    #[inline]
    pub fn note(&mut self, changed: usize) {
        self.oldest = self.oldest.min(changed);
    }

    /// Looks afresh from here on. Returns what was noted before, for [`Watch::end`].
    pub fn begin(&mut self) -> Self {
        std::mem::replace(self, Self::new())
    }

    /// Whether one of so many that were made first has been changed since [`Watch::begin`].
    pub fn end(&mut self, before: &Self, made: usize) -> bool {
        let is_changed = self.oldest < made;
        self.note(before.oldest);
        is_changed
    }
}
