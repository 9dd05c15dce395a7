//! Strings as JavaScript counts them: in UTF-16 units.

use std::borrow::Cow;

/// A string whose positions are UTF-16 units. ASCII, which is nearly all there is, is not copied.
pub(super) struct Units<'t> {
    text: &'t str,
    wide: Option<Vec<u16>>,
}

impl<'t> Units<'t> {
    /// The units of a string.
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, wide: (!text.is_ascii()).then(|| text.encode_utf16().collect()) }
    }

    /// How many.
    pub(super) fn len(&self) -> usize {
        self.wide.as_ref().map_or(self.text.len(), Vec::len)
    }

    /// One of them.
    pub(super) fn get(&self, at: usize) -> Option<u16> {
        match &self.wide {
            Some(wide) => wide.get(at).copied(),
            None => self.text.as_bytes().get(at).map(|&it| u16::from(it)),
        }
    }

    /// Those of a range; halves of surrogate pairs come out as replacement characters.
    pub(super) fn slice(&self, from: usize, to: usize) -> Cow<'t, str> {
        let to = to.min(self.len());
        if from >= to {
            return Cow::Borrowed("");
        }
        match &self.wide {
            Some(wide) => Cow::Owned(String::from_utf16_lossy(wide.get(from..to).unwrap_or_default())),
            None => Cow::Borrowed(self.text.get(from..to).unwrap_or_default()),
        }
    }

    /// The unit at which a byte of the text begins.
    pub(super) fn of_byte(&self, byte: usize) -> usize {
        match &self.wide {
            Some(_) => self.text.get(..byte).map_or(byte, |it| it.encode_utf16().count()),
            None => byte,
        }
    }

    /// The byte at which a unit begins.
    pub(super) fn to_byte(&self, unit: usize) -> usize {
        if self.wide.is_none() {
            return unit.min(self.text.len());
        }
        let mut units = 0;
        for (byte, character) in self.text.char_indices() {
            if units >= unit {
                return byte;
            }
            units += character.len_utf16();
        }
        self.text.len()
    }
}

/// What ECMAScript calls white space or a line terminator.
pub(super) fn is_space(it: char) -> bool {
    it == '\u{feff}' || (it.is_whitespace() && it != '\u{85}')
}

/// A position as `slice` takes it: negative ones count from the end.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the length")]
#[allow(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
pub(super) fn relative(position: f64, length: usize) -> usize {
    let position = if position.is_nan() { 0.0 } else { position.trunc() };
    let length_number = length as f64;
    if position < 0.0 {
        (length_number + position).max(0.0) as usize
    } else {
        position.min(length_number) as usize
    }
}

/// A position as `substring` takes it: negative ones are zero.
pub(super) fn clamped(position: f64, length: usize) -> usize {
    relative(position.max(0.0), length)
}

/// A length or position as a number.
#[allow(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
pub(super) fn number(it: usize) -> f64 {
    it as f64
}
