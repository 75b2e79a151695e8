//! Provably fair chance, version 1. `docs/fairness.md` describes it for other languages; every number here is part of
//! it.
//!
//! A match has a secret seed of 32 bytes whose SHA-256 is published when the match is made. Outcome *i* (from 0, set-up
//! included) is drawn from a stream of its own: blocks *b* = 0, 1, 2 … of HMAC-SHA256 under the seed of
//!
//! `"house-rules/chance/1" ‖ SHA-256(nonces) ‖ i as 8 bytes ‖ b as 4 bytes`
//!
//! where `nonces` is, for each seat in turn, the length of its nonce in 4 bytes and the nonce in UTF-8 (a seat without
//! one has length 0), and all integers are big-endian. A number below *n* is the next 4 bytes of the stream as an
//! integer *w*, skipped and replaced by the next 4 while *w* ≥ ⌊2³² / n⌋ · n, modulo *n*.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use super::{Dealer, Dealt, Drawing, Source};
use crate::hex::as_hex;

const DOMAIN: &[u8] = b"house-rules/chance/1";
const WORD: usize = 4;

/// The secret of a match's chance. Nobody sees it before the match has ended; `Debug` hides it.
///
/// ```
/// use engine::Seed;
///
/// let seed = Seed([0; 32]);
/// assert!(seed.commitment().to_hex().starts_with("66687aad"));
/// assert_eq!(format!("{seed:?}"), "Seed(secret)");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Seed(pub [u8; 32]);

impl Seed {
    /// The SHA-256 of the seed, which is published before the match.
    pub fn commitment(&self) -> Commitment {
        Commitment(Sha256::digest(self.0).into())
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Seed(secret)")
    }
}

/// The SHA-256 of a match's seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment(pub [u8; 32]);

as_hex!(Seed);
as_hex!(Commitment);

/// Deals the outcomes of a match from its seed and its players' nonces.
pub struct FairDealer {
    seed: Seed,
    nonces: [u8; 32],
    next: u64,
    stream: Stream,
    /// How each outcome was drawn, for who keeps a record.
    drawn: Vec<Vec<Drawing>>,
}

impl FairDealer {
    /// Creates a dealer that starts with outcome number `next`. `nonces` are by seat, `None` for a player who gave
    /// none.
    pub fn new<'a>(seed: Seed, nonces: impl IntoIterator<Item = Option<&'a str>>, next: u64) -> Self {
        let mut hash = Sha256::new();
        for nonce in nonces {
            let nonce = nonce.unwrap_or_default().as_bytes();
            hash.update((nonce.len() as u32).to_be_bytes());
            hash.update(nonce);
        }
        let nonces = hash.finalize().into();
        let stream = Stream::new(&seed, &nonces, next);
        FairDealer { seed, nonces, next, stream, drawn: Vec::new() }
    }

    /// Deals as before, and notes how each outcome is drawn.
    #[must_use]
    pub fn noting(mut self) -> Self {
        self.stream.notes = Some(Notes::default());
        self
    }

    /// How each outcome was drawn, in order, if it was noted.
    pub fn into_drawn(mut self) -> Vec<Vec<Drawing>> {
        self.note();
        self.drawn
    }

    /// Keeps the notes of the outcome drawn last.
    fn note(&mut self) {
        if let Some(notes) = self.stream.notes.take() {
            self.drawn.extend((!notes.drawings.is_empty()).then_some(notes.drawings));
        }
    }

    /// The number of the next outcome.
    pub fn index(&self) -> u64 {
        self.next
    }
}

impl Dealer for FairDealer {
    fn next(&mut self) -> Dealt<'_> {
        let notes = self.stream.notes.is_some();
        self.note();
        self.stream = Stream::new(&self.seed, &self.nonces, self.next);
        self.stream.notes = notes.then(Notes::default);
        self.next += 1;
        Dealt::From(&mut self.stream)
    }
}

/// The bytes of one outcome.
struct Stream {
    keyed: Hmac<Sha256>,
    blocks: u32,
    block: [u8; 32],
    used: usize,
    notes: Option<Notes>,
}

/// How the outcome is drawn.
#[derive(Default)]
struct Notes {
    drawings: Vec<Drawing>,
    /// So many of the next numbers belong to the last one.
    numbers: usize,
}

impl Stream {
    fn new(seed: &Seed, nonces: &[u8; 32], index: u64) -> Self {
        // HMAC pads a key shorter than its block of 64 bytes with zeros. Padding here avoids an error that cannot
        // occur.
        let mut key = [0; 64];
        key[..32].copy_from_slice(&seed.0);
        let mut keyed = Hmac::<Sha256>::new(&key.into());
        keyed.update(DOMAIN);
        keyed.update(nonces);
        keyed.update(&index.to_be_bytes());
        Stream { keyed, blocks: 0, block: [0; 32], used: 32, notes: None }
    }

    fn word(&mut self) -> u32 {
        if self.used == self.block.len() {
            let mut keyed = self.keyed.clone();
            keyed.update(&self.blocks.to_be_bytes());
            self.block = keyed.finalize().into_bytes().into();
            self.blocks += 1;
            self.used = 0;
        }
        let mut word = [0; WORD];
        word.copy_from_slice(&self.block[self.used..self.used + WORD]);
        self.used += WORD;
        u32::from_be_bytes(word)
    }
}

impl Source for Stream {
    fn below(&mut self, n: u32) -> u32 {
        if let Some(notes) = &mut self.notes {
            match notes.numbers {
                0 => notes.drawings.push(Drawing::Below(n)),
                _ => notes.numbers -= 1,
            }
        }
        let unbiased = (1 << 32) / u64::from(n) * u64::from(n);
        loop {
            let word = self.word();
            if u64::from(word) < unbiased {
                return word % n;
            }
        }
    }

    fn tell(&mut self, drawing: &dyn Fn() -> Drawing) {
        if let Some(notes) = &mut self.notes {
            let drawing = drawing();
            notes.numbers = drawing.numbers();
            notes.drawings.push(drawing);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commitment_is_the_sha256_of_the_seed() {
        let commitment = Seed([0; 32]).commitment();
        assert_eq!(commitment.to_hex(), "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925");
    }

    #[test]
    fn an_outcome_depends_on_seed_nonces_and_index_alone() {
        let five = |seed: u8, nonces: &[Option<&str>], index| {
            let mut dealer = FairDealer::new(Seed([seed; 32]), nonces.iter().copied(), index);
            match dealer.next() {
                Dealt::From(source) => [(); 5].map(|()| source.below(6)),
                Dealt::Is(_) | Dealt::Nothing => unreachable!("a fair dealer draws"),
            }
        };
        let base = five(7, &[Some("a"), None], 3);
        assert_eq!(base, five(7, &[Some("a"), None], 3));
        assert_ne!(base, five(8, &[Some("a"), None], 3));
        assert_ne!(base, five(7, &[None, Some("a")], 3));
        assert_ne!(base, five(7, &[Some("a"), None], 4));
    }

    #[test]
    fn words_past_the_last_whole_multiple_are_skipped() {
        let seed = Seed([1; 32]);
        let mut plain = Stream::new(&seed, &[0; 32], 0);
        let words: Vec<u32> = (0..64).map(|_| plain.word()).collect();
        let n = (1 << 31) + 1;
        let mut stream = Stream::new(&seed, &[0; 32], 0);
        let kept: Vec<u32> = words.iter().copied().filter(|word| *word < n).collect();
        assert!(kept.len() < words.len());
        assert_eq!(kept, kept.iter().map(|_| stream.below(n)).collect::<Vec<_>>());
    }

    #[test]
    fn all_faces_come_about_equally_often() {
        let mut dealer = FairDealer::new(Seed([9; 32]), [None, None], 0);
        let mut faces = [0_u32; 6];
        for _ in 0..6000 {
            if let Dealt::From(source) = dealer.next() {
                faces[source.below(6) as usize] += 1;
            }
        }
        assert!(faces.iter().all(|times| (850..1150).contains(times)), "{faces:?}");
    }

    #[test]
    fn a_seed_never_shows_in_a_log() {
        assert_eq!(format!("{:?}", Seed([5; 32])), "Seed(secret)");
    }
}
