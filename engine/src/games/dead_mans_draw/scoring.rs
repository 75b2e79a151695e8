//! Points and places (DMD-73 to DMD-81).

use serde::{Deserialize, Serialize};

use super::{DeadMansDraw, Pirate, Suit, Trait, Variant};
use crate::bots::likelihood;
use crate::game::{Outcome, Points};
use crate::seats::{PerSeat, Seat};

const SCALES: i32 = 5;
const MISSING_SUIT: i32 = 5;
const SUDDEN_DEATH: i32 = 50;
const UNDER_WATER: i32 = 60;

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the meaning")]
pub enum Reason {
    DrawPileEmpty,
    SuddenDeath,
}

impl DeadMansDraw {
    /// Per seat, what it would score if the match ended now.
    pub(super) fn scores(&self) -> PerSeat<i32> {
        self.pirates.map(|pirate| self.score(pirate))
    }

    pub(super) fn score(&self, pirate: &Pirate) -> i32 {
        let counts = if self.plays(Variant::PileOTreasure) { pirate.bank } else { pirate.bank.tops() };
        let points: i32 = counts.iter().map(|card| i32::from(card.value())).sum();
        // While traits are secret there is no bank to count.
        let scales = pirate.kept == Some(Trait::GoldenScales) && pirate.bank.top(Suit::Mermaid).is_some();
        let missing = match self.plays(Variant::AllHandsOnDeck) {
            true => Suit::ALL.len() - pirate.bank.tops().len(),
            false => 0,
        };
        points + if scales { SCALES } else { 0 } - MISSING_SUIT * missing as i32
    }

    /// About how likely the seat is to win, as a turn begins: by how far it is ahead of each other seat, and by how many
    /// cards can still change that.
    pub(super) fn likely_to_win(&self, seat: Seat) -> f64 {
        const SURE: f64 = 1.0;
        const UNSURE: f64 = 1.2;
        let spread = SURE + UNSURE * (self.draw_pile.len() as f64).sqrt();
        let points = if self.plays(Variant::BeneathTheWaves) { self.under_water() } else { self.scores() };
        let ahead = |other: Seat| likelihood(f64::from(points[seat] - points[other]) / spread);
        self.pirates.seats().filter(|other| *other != seat).map(ahead).product()
    }

    /// Points, but none for those who would drown now.
    fn under_water(&self) -> PerSeat<i32> {
        self.scores().map(|score| if *score >= UNDER_WATER { UNDER_WATER - *score } else { *score })
    }

    /// DMD-74.
    pub(super) fn is_sudden_death(&self) -> bool {
        self.plays(Variant::SuddenDeath) && self.pirates.iter().any(|pirate| self.score(pirate) >= SUDDEN_DEATH)
    }

    /// DMD-77, DMD-80 and DMD-81.
    pub(super) fn outcome(&self, reason: Reason) -> Outcome {
        let drowns = self.plays(Variant::BeneathTheWaves);
        let achieved = self.pirates.map(|pirate| {
            let (score, cards) = (self.score(pirate), pirate.bank.len());
            match drowns && score >= UNDER_WATER {
                true => (false, -score, cards),
                false => (true, score, cards),
            }
        });
        let reason = match reason {
            Reason::DrawPileEmpty => "draw_pile_empty",
            Reason::SuddenDeath => "sudden_death",
        };
        Outcome {
            ranks: Outcome::ranks_by(&achieved),
            scores: Some(self.scores().map(|score| Points::whole(*score))),
            reason: reason.into(),
        }
    }
}
