//! Bouts of several games between two: how many there are, and what the games so far come to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bouts::{Bout, BoutKey, Finish, Side};
use super::refusals::{BadResult, InvalidStage};
use super::stage::{Format, Stage};

/// The most games that a bout may ask for.
const MOST_GAMES: u8 = 15;
/// So many of the last rounds may have numbers of their own.
const MOST_LAST: usize = 5;
/// A game that was won, in hundredths.
const ONE: i64 = 100;

/// How many games a bout has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Games {
    /// One.
    One {},
    /// So many, until the rest can change nothing. In a knock-out the number is odd, and games go on after them while nobody leads.
    BestOf {
        /// How many.
        #[schemars(range(min = 1, max = 15))]
        games: u8,
        /// How many in the last rounds, the final first.
        #[serde(default)]
        #[schemars(length(max = 5), inner(range(min = 1, max = 15)))]
        last: Vec<u8>,
    },
    /// Until somebody has won so many. Draws do not count.
    RaceTo {
        /// How many.
        #[schemars(range(min = 1, max = 15))]
        wins: u8,
        /// How many in the last rounds, the final first.
        #[serde(default)]
        #[schemars(length(max = 5), inner(range(min = 1, max = 15)))]
        last: Vec<u8>,
    },
}

impl Default for Games {
    fn default() -> Self {
        Games::One {}
    }
}

impl Games {
    /// Has every bout one game?
    pub fn is_one(&self) -> bool {
        *self == Games::One {}
    }
}

/// How many games one bout has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many, until the rest can change nothing.
    BestOf(u8),
    /// Until somebody has won so many.
    RaceTo(u8),
}

impl Limit {
    /// Is it one game?
    pub fn is_one(self) -> bool {
        matches!(self, Limit::BestOf(1) | Limit::RaceTo(1))
    }

    /// The most games that one of the two can win.
    pub fn most_wins(self) -> u8 {
        match self {
            Limit::BestOf(games) => games / 2 + 1,
            Limit::RaceTo(wins) => wins,
        }
    }
}

/// Checks that so many games fit the format.
pub(super) fn check(stage: &Stage) -> Result<(), InvalidStage> {
    let (games, last) = match &stage.scoring.games {
        Games::One {} => return Ok(()),
        Games::BestOf { games, last } => (games, last),
        Games::RaceTo { wins, last } => (wins, last),
    };
    let is_best_of = matches!(stage.scoring.games, Games::BestOf { .. });
    let is_good =
        |it: &u8| (1..=MOST_GAMES).contains(it) && !(is_best_of && stage.format.is_knockout() && it.is_multiple_of(2));
    let is_valid = stage.format.is_duel() && last.len() <= MOST_LAST && last.iter().chain([games]).all(is_good);
    if is_valid { Ok(()) } else { Err(InvalidStage::BadGames) }
}

impl Games {
    /// How many games a bout has in a stage of this format with so many rounds, as far as that is known.
    pub fn limit(&self, format: &Format, rounds: Option<u16>, key: BoutKey) -> Limit {
        let of = |usual: u8, last: &[u8]| last.get(rounds_to_go(format, rounds, key)).copied().unwrap_or(usual);
        match self {
            Games::One {} => Limit::BestOf(1),
            Games::BestOf { games, last } => Limit::BestOf(of(*games, last)),
            Games::RaceTo { wins, last } => Limit::RaceTo(of(*wins, last)),
        }
    }
}

/// How many rounds come after this bout, as far as its number of games goes by that: in a double elimination only the final is
/// special, and a bout of those who lost never is.
fn rounds_to_go(format: &Format, rounds: Option<u16>, key: BoutKey) -> usize {
    let to_go = match (format, key.side) {
        (_, Side::ThirdPlace | Side::Places) => None,
        (Format::DoubleElimination {}, Side::Final) => Some(0),
        (Format::DoubleElimination {}, _) => None,
        _ => rounds.map(|rounds| rounds.saturating_sub(key.round)),
    };
    to_go.map_or(usize::MAX, usize::from)
}

impl Stage {
    /// How many games this bout has.
    pub fn games_of(&self, key: BoutKey) -> Limit {
        let rounds = if self.scoring.games.is_one() { None } else { self.rounds() };
        self.scoring.games.limit(&self.format, rounds, key)
    }

    /// What the games of a bout come to, each by who won it, none for a draw; nothing while another game is to be played. The
    /// result says as scores how many games each has won.
    pub fn result_of_games(&self, key: BoutKey, games: &[Option<u32>]) -> Option<Vec<Finish>> {
        let bout = self.bouts.iter().filter(|it| it.key == key).min()?;
        let &[one, other] = bout.entrants.as_slice() else { return None };
        let won = [one, other].map(|entrant| games.iter().filter(|it| **it == Some(entrant)).count());
        let is_over = match self.games_of(key) {
            Limit::RaceTo(wins) => won.iter().any(|it| *it >= usize::from(wins)),
            Limit::BestOf(most) => {
                let left = usize::from(most).saturating_sub(games.len());
                let lead = won[0].abs_diff(won[1]);
                lead > left || left == 0 && !self.format.is_knockout()
            }
        };
        is_over.then(|| won_so_far(bout, won))
    }

    /// How a bout stands between its games.
    pub fn standing_of_games(&self, key: BoutKey, games: &[Option<u32>]) -> Option<Vec<Finish>> {
        let bout = self.bouts.iter().filter(|it| it.key == key).min()?;
        let &[one, other] = bout.entrants.as_slice() else { return None };
        let won = [one, other].map(|entrant| games.iter().filter(|it| **it == Some(entrant)).count());
        Some(won_so_far(bout, won))
    }
}

fn won_so_far(bout: &Bout, won: [usize; 2]) -> Vec<Finish> {
    let best = won[0].max(won[1]);
    let finish = |(entrant, won): (&u32, usize)| Finish {
        entrant: *entrant,
        place: if won == best { 1 } else { 2 },
        score: Some(ONE * won as i64),
        absent: false,
    };
    bout.entrants.iter().zip(won).map(finish).collect()
}

/// Checks the numbers of games won, where a result says them.
pub(super) fn check_result(stage: &Stage, key: BoutKey, result: &[Finish]) -> Result<(), BadResult> {
    let limit = stage.games_of(key);
    let scores: Vec<i64> = result.iter().filter(|it| !it.absent).filter_map(|it| it.score).collect();
    if stage.scoring.games.is_one() || limit.is_one() || scores.is_empty() {
        return Ok(());
    }
    let most = i64::from(limit.most_wins()) * ONE;
    let are_counts = scores.iter().all(|it| it % ONE == 0 && (0..=most).contains(it));
    let are_few = match limit {
        Limit::BestOf(games) => scores.iter().sum::<i64>() <= i64::from(games) * ONE,
        Limit::RaceTo(_) => scores.iter().filter(|it| **it == most).count() <= 1,
    };
    let contradicts = |one: &Finish| result.iter().any(|other| one.score > other.score && one.place > other.place);
    let is_in_order = !result.iter().filter(|it| !it.absent).any(contradicts);
    match (are_counts && are_few, is_in_order) {
        (true, true) => Ok(()),
        (false, _) => Err(BadResult::BadGames),
        (true, false) => Err(BadResult::ScoreOrder),
    }
}

/// Who won a game, by its result; nobody if it was drawn or nobody came.
pub fn winner_of(result: &[Finish]) -> Option<u32> {
    let here = || result.iter().filter(|it| !it.absent);
    let best = here().map(|it| it.place).min()?;
    let mut first = here().filter(|it| it.place == best);
    let winner = first.next().map(|it| it.entrant);
    if first.next().is_some() { None } else { winner }
}
