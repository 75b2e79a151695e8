//! What the targets share: decisions out of the fuzzer's bytes, and matches to try things in.

use engine::{Kind, Match, Source, catalogue, conformance, playout};
use serde_json::{Value, json};

/// Decisions that the fuzzer takes: two bytes each, and the first possibility once they are used up.
pub struct Bytes<'a>(pub &'a [u8]);

impl Source for Bytes<'_> {
    fn below(&mut self, n: u32) -> u32 {
        match self.0 {
            [high, low, rest @ ..] => {
                self.0 = rest;
                u32::from(u16::from_be_bytes([*high, *low])) % n
            }
            _ => 0,
        }
    }
}

impl Bytes<'_> {
    /// Some game, at some number of seats.
    pub fn game(&mut self) -> (&'static dyn Kind, u8) {
        let kind = catalogue::GAMES[self.below(catalogue::GAMES.len() as u32) as usize];
        let (fewest, most) = (*kind.info().seats.start(), *kind.info().seats.end());
        (kind, fewest + self.below(u32::from(most - fewest) + 1) as u8)
    }

    /// A match of it with options of its own that has come some way, and the options.
    pub fn play(&mut self, kind: &dyn Kind, seats: u8) -> (Box<dyn Match>, Value) {
        let seed = u64::from(self.below(1 << 16));
        let mut random = playout::random(seed);
        let options = conformance::some_options(kind, seats, &mut random, seed);
        let (mut play, _) = kind.start(&options, seats, &mut random).expect("the options are allowed");
        for _ in 0..self.below(200) {
            let Some((seat, chosen)) = playout::random_move(play.as_ref(), &mut random) else { break };
            let chosen = serde_json::from_str(chosen.get()).expect("a move is JSON");
            play.play(seat, &chosen, &mut random).expect("a listed move is accepted");
        }
        (play, options)
    }

    /// What is left of the bytes as JSON, where it is any; else something that looks like `like`.
    pub fn json(&mut self, like: Value) -> Value {
        serde_json::from_slice(self.0).unwrap_or_else(|_| {
            let mut tampered = like.clone();
            engine::tampering::tamper(&mut tampered, &json!([like]), self);
            tampered
        })
    }
}
