//! Criteria packed into the numbers of a cost, the most important first.

/// The bits of a number that are used: the matching needs the others for its sums.
const BITS: u32 = 50;

/// Writes one criterion after another. Each of them takes up as many bits as its total over all pairs needs.
pub(super) struct Digits<'a> {
    numbers: &'a mut [i64],
    at: usize,
    room: u32,
}

impl<'a> Digits<'a> {
    /// Writes into these numbers, and only counts once they are full.
    pub(super) fn into(numbers: &'a mut [i64]) -> Self {
        // The first number is the matching's own.
        Digits { numbers, at: 0, room: 0 }
    }

    pub(super) fn push(&mut self, value: impl Into<i64>, bits: u32) {
        if bits > self.room {
            self.at += 1;
            self.room = BITS;
        }
        self.room -= bits;
        if let Some(number) = self.numbers.get_mut(self.at) {
            *number += value.into() << self.room;
        }
    }

    /// How many numbers everything that was pushed needs.
    pub(super) fn needed(&self) -> usize {
        self.at + 1
    }
}

/// The bits that a count of up to `most` needs.
pub(super) fn bits(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}
