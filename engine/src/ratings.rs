//! Ratings: the strength of players, estimated from the places in their matches. Plackett–Luce by Weng and Lin (A
//! Bayesian Approximation Method for Online Ranking, JMLR 12, 2011, algorithm 4), for any number of seats, ties
//! included.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// The estimated strength of a player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The likeliest strength, μ.
    pub mean: f64,
    /// The uncertainty, σ.
    pub deviation: f64,
}

const BETA: f64 = 25.0 / 6.0;
/// A deviation never shrinks by more than this factor's root in one match.
const KAPPA: f64 = 1e-4;
/// Above this a rating is provisional.
const SURE: f64 = 6.0;

/// What people read for an ordinal of 0, and by how much more for each 1 above it.
const NEWCOMER: f64 = 1000.0;
const STEP: f64 = 40.0;

impl Default for Rating {
    fn default() -> Self {
        Rating { mean: 25.0, deviation: 25.0 / 3.0 }
    }
}

impl Rating {
    /// The strength that the player has almost surely, μ − 3σ: what leaderboards are ordered by. 0 for a newcomer.
    pub fn ordinal(self) -> f64 {
        self.mean - 3.0 * self.deviation
    }

    /// The same as people read it: 1000 for a newcomer, about 2000 for a master, and never below 0.
    pub fn shown(self) -> i32 {
        (NEWCOMER + STEP * self.ordinal()).max(0.0).round() as i32
    }

    /// Is the rating still provisional?
    pub fn is_provisional(self) -> bool {
        self.deviation > SURE
    }
}

/// The ratings after a match, given those before it and everybody's place (1 the best, equals share one).
/// The two lists are as long as each other; with fewer than two players nothing changes.
pub fn after_match(before: &[Rating], places: &[u8]) -> Vec<Rating> {
    if before.len() < 2 || before.len() != places.len() {
        return before.to_vec();
    }
    let spread = spread(before);
    // Taking the greatest mean away keeps the exponentials finite and cancels out of every quotient.
    let greatest = before.iter().map(|it| it.mean).fold(f64::MIN, f64::max);
    let weights: Vec<f64> = before.iter().map(|it| ((it.mean - greatest) / spread).exp()).collect();
    let against = |place: u8| -> f64 {
        weights.iter().zip(places).filter(|(_, other)| **other >= place).map(|(weight, _)| weight).sum()
    };
    let rounds: Vec<(f64, f64)> = places
        .iter()
        .map(|place| (against(*place), places.iter().filter(|other| *other == place).count() as f64))
        .collect();
    let rate = |player: usize| {
        let (mut shift, mut shrink) = (0.0, 0.0);
        for (other, (total, tied)) in rounds.iter().enumerate().filter(|(other, _)| places[*other] <= places[player]) {
            let chance = weights[player] / total;
            shift += (if other == player { 1.0 - chance } else { -chance }) / tied;
            shrink += chance * (1.0 - chance) / tied;
        }
        let Rating { mean, deviation } = before[player];
        let share = deviation / spread;
        Rating {
            mean: mean + deviation * share * shift,
            deviation: deviation * (1.0 - share.powi(3) * shrink).max(KAPPA).sqrt(),
        }
    };
    (0..before.len()).map(rate).collect()
}

/// A player in a finished match.
#[derive(Clone, Copy, Debug)]
pub struct Entrant {
    /// The rating before the match.
    pub before: Rating,
    /// 1 the best, equals share one.
    pub place: u8,
    /// Did the player leave while the match still needed them?
    pub left_early: bool,
}

/// How a match changed a player's rating, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The rating after the match.
    pub after: Rating,
    /// How many opponents the player was rated against; 0 if the rating did not change.
    pub opponents: u8,
    /// How many opponents finished behind the player. An equal place counts half.
    pub beaten: f64,
    /// How many opponents were expected to finish behind the player.
    pub expected: f64,
}

/// Rates a match. Players who stayed are rated among themselves, as if no other player had taken part: nobody gains
/// because another player left. Each player who left early is rated as the last of a match against all who stayed.
pub fn changes(entrants: &[Entrant]) -> Vec<Change> {
    let stayed: Vec<Entrant> = entrants.iter().filter(|it| !it.left_early).copied().collect();
    let mut among_themselves = rate(&stayed).into_iter();
    let as_the_last = |leaver: &Entrant| {
        let last = Entrant { place: u8::MAX, ..*leaver };
        rate(&[stayed.as_slice(), &[last]].concat()).pop()
    };
    let change = |it: &Entrant| if it.left_early { as_the_last(it) } else { among_themselves.next() };
    entrants.iter().filter_map(change).collect()
}

fn rate(entrants: &[Entrant]) -> Vec<Change> {
    let before: Vec<Rating> = entrants.iter().map(|it| it.before).collect();
    let places: Vec<u8> = entrants.iter().map(|it| it.place).collect();
    let spread = spread(&before);
    let others = |player: usize| (0..entrants.len()).filter(move |other| *other != player);
    let beats = |player: usize, other: usize| match places[player].cmp(&places[other]) {
        Ordering::Less => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Greater => 0.0,
    };
    let should_beat = |player: usize, other: usize| {
        let (player, other): (Rating, Rating) = (before[player], before[other]);
        1.0 / (1.0 + ((other.mean - player.mean) / spread).exp())
    };
    let change = |(player, after): (usize, Rating)| Change {
        after,
        opponents: others(player).count() as u8,
        beaten: others(player).map(|other| beats(player, other)).sum(),
        expected: others(player).map(|other| should_beat(player, other)).sum(),
    };
    after_match(&before, &places).into_iter().enumerate().map(change).collect()
}

/// How far apart the players of a match are expected to play, with all that is uncertain about them.
fn spread(players: &[Rating]) -> f64 {
    players.iter().map(|it| it.deviation.powi(2) + BETA.powi(2)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn newcomers(places: &[u8]) -> Vec<Rating> {
        after_match(&vec![Rating::default(); places.len()], places)
    }

    fn close(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-6, "{one} is not {other}");
    }

    /// Values that the openskill libraries give for newcomers without drift.
    #[test]
    fn newcomers_get_the_published_ratings() {
        let published: [(u8, f64, f64, f64); 6] = [
            (2, 27.635231, 8.065506, 22.364769),
            (3, 27.868877, 8.204837, 21.413904),
            (4, 27.795085, 8.263161, 20.962655),
            (5, 27.666667, 8.290557, 20.722222),
            (6, 27.535753, 8.305111, 20.587791),
            (10, 27.121320, 8.324844, 20.453378),
        ];
        for (seats, winner, deviation, last) in published {
            let after = newcomers(&(1..=seats).collect::<Vec<_>>());
            close(after[0].mean, winner);
            close(after[0].deviation, deviation);
            close(after[usize::from(seats) - 1].mean, last);
        }
    }

    #[test]
    fn equals_that_tie_stay_where_they_are_and_are_surer() {
        for it in newcomers(&[1, 1, 1, 1]) {
            close(it.mean, 25.0);
            assert!(it.deviation < Rating::default().deviation);
        }
    }

    #[test]
    fn the_order_of_the_seats_does_not_matter() {
        let before = [(25.0, 8.0), (31.0, 2.0), (18.0, 4.0)].map(|(mean, deviation)| Rating { mean, deviation });
        let one = after_match(&before, &[2, 1, 3]);
        let other = after_match(&[before[2], before[0], before[1]], &[3, 2, 1]);
        for (left, right) in [(0, 1), (1, 2), (2, 0)] {
            close(one[left].mean, other[right].mean);
            close(one[left].deviation, other[right].deviation);
        }
    }

    #[test]
    fn a_better_place_is_never_worth_less() {
        let after = newcomers(&[1, 2, 2, 4, 5]);
        assert!(after.windows(2).all(|pair| pair[0].mean >= pair[1].mean));
    }

    #[test]
    fn extreme_gaps_stay_finite_and_deviations_only_shrink() {
        let mut before = vec![Rating { mean: 5000.0, deviation: 0.1 }, Rating { mean: -5000.0, deviation: 8.0 }];
        for _ in 0..100 {
            let after = after_match(&before, &[2, 1]);
            for (old, new) in before.iter().zip(&after) {
                assert!(new.mean.is_finite() && new.deviation > 0.0 && new.deviation <= old.deviation);
            }
            before = after;
        }
    }

    #[test]
    fn a_newcomer_starts_at_nothing_and_is_provisional() {
        close(Rating::default().ordinal(), 0.0);
        assert!(Rating::default().is_provisional());
        assert_eq!(after_match(&[Rating::default()], &[1]), [Rating::default()]);
    }

    fn entrants(places: &[u8], left: &[u8]) -> Vec<Entrant> {
        let entrant = |(player, place): (usize, &u8)| Entrant {
            before: Rating::default(),
            place: *place,
            left_early: left.contains(&(player as u8)),
        };
        places.iter().enumerate().map(entrant).collect()
    }

    fn after(entrants: &[Entrant]) -> Vec<Rating> {
        changes(entrants).iter().map(|it| it.after).collect()
    }

    #[test]
    fn without_leavers_a_match_is_rated_as_it_was_played() {
        assert_eq!(after(&entrants(&[2, 1, 3], &[])), newcomers(&[2, 1, 3]));
    }

    #[test]
    fn nobody_gains_by_an_early_leaving_whatever_place_it_had() {
        for place in 1..=3 {
            let rated = after(&entrants(&[1, 2, place], &[2]));
            assert_eq!(rated[..2], newcomers(&[1, 2]));
            assert_eq!(rated[2], newcomers(&[1, 2, 3])[2]);
        }
    }

    #[test]
    fn who_is_left_alone_neither_gains_nor_loses() {
        let rated = changes(&entrants(&[1, 2, 3], &[1, 2]));
        assert_eq!((rated[0].after, rated[0].opponents), (Rating::default(), 0));
        assert_eq!(rated[1].after, newcomers(&[1, 2])[1]);
        assert_eq!(rated[1], rated[2]);
    }

    #[test]
    fn where_all_have_left_nothing_changes() {
        assert_eq!(after(&entrants(&[1, 2], &[0, 1])), [Rating::default(); 2]);
    }

    #[test]
    fn a_weak_leaver_does_not_gain_by_leaving_with_a_strong_one() {
        let mut all = entrants(&[1, 2, 3], &[1, 2]);
        all[1].before.mean = 40.0;
        assert!(changes(&all)[2].after.mean < all[2].before.mean);
    }

    #[test]
    fn a_change_says_whom_the_player_beat_and_should_have() {
        let rated = changes(&entrants(&[1, 2, 2, 4], &[]));
        assert_eq!(rated.iter().map(|it| it.beaten).collect::<Vec<_>>(), [3.0, 1.5, 1.5, 0.0]);
        for it in rated {
            assert_eq!((it.opponents, it.expected), (3, 1.5));
        }
        let mut favourite = entrants(&[1, 2], &[]);
        favourite[0].before.mean = 35.0;
        let rated = changes(&favourite);
        assert!(rated[0].expected > 0.6);
        close(rated[0].expected + rated[1].expected, 1.0);
    }

    #[test]
    fn people_read_a_number_that_starts_at_a_thousand_and_is_never_below_nothing() {
        assert_eq!(Rating::default().shown(), 1000);
        assert_eq!(Rating { mean: 27.635_231, deviation: 8.065_506 }.shown(), 1138);
        assert_eq!(Rating { mean: 20.0, deviation: 8.0 }.shown(), 840);
        assert_eq!(Rating { mean: -20.0, deviation: 4.0 }.shown(), 0);
    }
}
