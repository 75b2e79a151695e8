//! How to bid well on dice that nobody sees all of: what the autopilots of the bidding games share.

use crate::chance::Source;
use crate::pieces::bids::{self, Claim};
use crate::pieces::dice::{Dice, Face};
use crate::seats::{PerSeat, Seat};

/// What a bidder knows.
#[derive(Clone, Copy, Debug)]
pub struct Hand {
    /// The dice that it sees: its own, and those that lie open.
    pub seen: Dice,
    /// How many dice it does not see.
    pub unseen: u8,
    /// Does the wild face count for the others?
    pub wild: bool,
}

/// What a bidder does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// It bids this.
    Bid(Claim),
    /// It says that the standing bid is too high.
    Doubt,
}

/// One bid in so many is a bluff.
const BLUFFS: u32 = 8;
/// How often a bid that is not true goes through, as a rule of thumb.
const BELIEVED: f64 = 0.3;
/// Two bids whose chances differ by less are as good as each other.
const CLOSE: f64 = 0.04;

impl Hand {
    /// How likely it is that at least so many dice show the face.
    pub fn chance(&self, claim: Claim) -> f64 {
        tail(self.needed(claim), self.unseen, self.per_die(claim.face))
    }

    /// The same of each of these: the chances of all numbers of dice are reckoned once.
    fn chances(&self, claims: &[Claim]) -> Vec<f64> {
        let [wild, other] = [Face::ONE, Face::TWO].map(|face| tails(self.unseen, self.per_die(face)));
        let chance = |claim: &Claim| {
            let tails = if claim.face == Face::ONE { &wild } else { &other };
            tails.get(usize::from(self.needed(*claim))).copied().unwrap_or(0.0)
        };
        claims.iter().map(chance).collect()
    }

    /// How many of the dice that it does not see have to show the face.
    fn needed(&self, claim: Claim) -> u8 {
        claim.count.saturating_sub(bids::actual([&self.seen], claim.face, self.wild))
    }

    /// How likely it is that exactly so many do.
    pub fn chance_of_exactly(&self, claim: Claim) -> f64 {
        self.chance(claim) - self.chance(Claim { count: claim.count.saturating_add(1), ..claim })
    }

    fn per_die(&self, face: Face) -> f64 {
        if self.wild && face != Face::ONE { 1.0 / 3.0 } else { 1.0 / 6.0 }
    }

    /// Doubts a bid that is less likely than what it could bid itself, else makes the likeliest bid, or now and then a bluff.
    pub fn choose(&self, standing: Option<Claim>, raises: &[Claim], source: &mut dyn Source) -> Option<Choice> {
        let chances = self.chances(raises);
        let best = chances.iter().copied().fold(0.0, f64::max);
        let Some(standing) = standing else { return self.open(raises, &chances, source).map(Choice::Bid) };
        let doubt = 1.0 - self.chance(standing);
        let goes_well = best + BELIEVED * (1.0 - best);
        if doubt > goes_well || raises.is_empty() {
            return Some(Choice::Doubt);
        }
        self.bid(raises, &chances, best, source).map(Choice::Bid)
    }

    fn open(&self, raises: &[Claim], chances: &[f64], source: &mut dyn Source) -> Option<Claim> {
        // The highest bid of a face that is likely all the same leaves the others the least room.
        const LIKELY: f64 = 0.72;
        let likely: Vec<Claim> = among(raises, chances, |chance| chance >= LIKELY);
        let highest = likely.iter().map(|claim| claim.count).max()?;
        let highest: Vec<Claim> = likely.into_iter().filter(|claim| claim.count == highest).collect();
        pick(&highest, source)
    }

    fn bid(&self, raises: &[Claim], chances: &[f64], best: f64, source: &mut dyn Source) -> Option<Claim> {
        // No bluff is worth much that nobody can believe.
        const BELIEVABLE: f64 = 0.25;
        let bluffs = source.below(BLUFFS) == 0;
        let least = if bluffs { BELIEVABLE.min(best) } else { best - CLOSE };
        pick(&among(raises, chances, |chance| chance >= least), source)
    }
}

fn among(raises: &[Claim], chances: &[f64], is_wanted: impl Fn(f64) -> bool) -> Vec<Claim> {
    raises.iter().zip(chances).filter(|(_, chance)| is_wanted(**chance)).map(|(claim, _)| *claim).collect()
}

fn pick(claims: &[Claim], source: &mut dyn Source) -> Option<Claim> {
    (!claims.is_empty()).then(|| claims[source.below(claims.len() as u32) as usize])
}

/// How many rolls are weighed against each other in [`roll_behind`].
const ROLLS: usize = 16;

/// Rolls so many dice of a player who has made these bids: of some rolls, one to whose owner the bids looked likely is
/// likelier. People bid on what they have, but bluff as well, so every roll is possible. (Sampling and importance
/// resampling, Rubin 1987.) `knowing` says what that player knows with such a roll.
pub fn roll_behind(
    many: u8,
    knowing: impl Fn(Dice) -> Hand,
    claims: impl Iterator<Item = Claim> + Clone,
    source: &mut dyn Source,
) -> Dice {
    if claims.clone().next().is_none() {
        return Dice::roll(many, source);
    }
    // Weights are whole numbers, so that they add up the same on every machine.
    const CERTAIN: f64 = 100_000.0;
    const BLUFF: f64 = 0.02;
    let rolls: [Dice; ROLLS] = std::array::from_fn(|_| Dice::roll(many, source));
    let weights = rolls.map(|roll| {
        let hand = knowing(roll);
        let likely: f64 = claims.clone().map(|claim| hand.chance(claim).powi(2)).product();
        (CERTAIN * (likely + BLUFF)) as u32
    });
    let mut left = source.below(weights.iter().sum());
    for (roll, weight) in rolls.iter().zip(weights) {
        if left < weight {
            return *roll;
        }
        left -= weight;
    }
    rolls[0]
}

/// The chance that of so many dice at least `needed` succeed, each with this chance: the tail of the binomial distribution.
fn tail(needed: u8, dice: u8, chance: f64) -> f64 {
    if needed > dice { 0.0 } else { tails_in_turn(dice, chance).nth(needed.into()).unwrap_or(0.0) }
}

/// The same for each number of them, from none to all.
fn tails(dice: u8, chance: f64) -> Vec<f64> {
    tails_in_turn(dice, chance).collect()
}

fn tails_in_turn(dice: u8, chance: f64) -> impl Iterator<Item = f64> {
    let odds = chance / (1.0 - chance);
    // The term for none, then each from the one before.
    let mut term = (1.0 - chance).powi(dice.into());
    let mut below = 0.0;
    let next = move |needed: u8| {
        if needed > 0 {
            below += term;
            term *= odds * f64::from(dice - needed + 1) / f64::from(needed);
        }
        (1.0 - below).clamp(0.0, 1.0)
    };
    (0..=dice).map(next)
}

/// About how likely a seat is to be the last one left, by how many dice each has.
pub fn estimate(dice: &PerSeat<u8>, seat: Seat) -> f64 {
    // A player with few dice loses more of what is left than one with many: they know less of all dice.
    const ADVANTAGE: f64 = 1.4;
    let strength = |dice: u8| f64::from(dice).powf(ADVANTAGE);
    let all: f64 = dice.iter().map(|dice| strength(*dice)).sum();
    if all > 0.0 { strength(dice[seat]) / all } else { 0.0 }
}

/// The bids that a search should try: for each face the two lowest that may be true at all.
pub fn worth_trying(hand: Hand, raises: impl Iterator<Item = Claim>) -> Vec<Claim> {
    const PER_FACE: usize = 2;
    const POSSIBLE: f64 = 0.08;
    let mut tried = [0; 6];
    let mut is_wanted = |claim: &Claim| {
        let many = &mut tried[usize::from(claim.face.pips()) - 1];
        *many += 1;
        *many <= PER_FACE && hand.chance(*claim) >= POSSIBLE
    };
    raises.filter(|claim| is_wanted(claim)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::random;

    fn dice(faces: &[u8]) -> Dice {
        faces.iter().filter_map(|pips| Face::new(*pips)).collect()
    }

    fn claim(count: u8, pips: u8) -> Claim {
        Claim { count, face: Face::new(pips).expect("a face") }
    }

    #[test]
    fn the_tail_is_that_of_the_binomial_distribution() {
        for (needed, dice, chance, expected) in [
            (0, 5, 0.2, 1.0),
            (6, 5, 0.2, 0.0),
            (1, 2, 0.5, 0.75),
            (2, 3, 1.0 / 3.0, 7.0 / 27.0),
            (3, 3, 1.0 / 6.0, 1.0 / 216.0),
        ] {
            assert!((tail(needed, dice, chance) - expected).abs() < 1e-12, "{needed} of {dice}");
            assert_eq!(
                tails(dice, chance).get(usize::from(needed)).copied().unwrap_or(0.0),
                tail(needed, dice, chance)
            );
        }
    }

    #[test]
    fn what_its_own_dice_prove_is_never_doubted_and_what_cannot_be_always_is() {
        let hand = Hand { seen: dice(&[1, 4, 4, 4, 2]), unseen: 5, wild: true };
        let raises = [claim(6, 4), claim(9, 5)];
        for seed in 0..200 {
            let random = &mut random(seed);
            assert_ne!(hand.choose(Some(claim(4, 4)), &raises, random), Some(Choice::Doubt));
            assert_eq!(hand.choose(Some(claim(10, 5)), &[claim(10, 6)], random), Some(Choice::Doubt));
            assert_eq!(hand.choose(Some(claim(10, 6)), &[], random), Some(Choice::Doubt));
        }
    }

    #[test]
    fn the_same_dice_do_not_always_bid_the_same() {
        let hand = Hand { seen: dice(&[2, 3, 4, 5, 6]), unseen: 10, wild: true };
        let raises: Vec<Claim> = (2..=6).map(|pips| claim(3, pips)).collect();
        let choices: Vec<_> = (0..40).map(|seed| hand.choose(None, &raises, &mut random(seed))).collect();
        assert!(choices.iter().any(|choice| choice != &choices[0]));
    }
}
