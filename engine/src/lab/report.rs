//! What a lab run found. Shares are of a whole; a win that several share counts for each in part.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// 95 % of a normal distribution lie within so many standard deviations.
pub(super) const Z: f64 = 1.96;
/// How [`Findings::endings`] counts matches that did not end in time.
pub(super) const TOO_LONG: &str = "too_long";

/// What the rules do, by how those who play choose their moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The game.
    pub game: String,
    /// How many play.
    pub seats: u8,
    /// The rules: all options.
    pub options: Value,
    /// What happens, for each policy.
    pub policies: Vec<Findings>,
    /// How long a move takes if the basic rules take as long as the game's document says.
    pub seconds_per_move: f64,
    /// What it is worth to play by a better policy than all others.
    pub skill: Vec<Skill>,
    /// What it is worth to have each type of move: how often a seat wins that may not make it, if all play like the
    /// autopilot.
    pub worth: Vec<Without>,
    /// What each role is worth, where seats play something of their own, if all play like the autopilot.
    #[serde(default)]
    pub roles: Vec<RoleWorth>,
    /// How many matches go otherwise if one option is set otherwise and the luck stays the same.
    pub effects: Vec<Effect>,
    /// The same matches by other rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<Against>,
}

/// What happens if all play by one policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Findings {
    /// `random`, `house` (like the autopilot) or `search`.
    pub policy: String,
    /// How many matches were played.
    pub matches: u64,
    /// How many moves all seats together make in a match.
    pub moves: Spread,
    /// How many matches ended for which reason; `too_long` are those that did not end in time.
    pub endings: BTreeMap<String, u64>,
    /// The share of the matches that several seats win.
    pub ties: f64,
    /// How often each seat wins.
    pub wins_by_seat: Vec<Share>,
    /// How often each place in the order of play wins, the first to play first. Empty where all choose at once.
    pub wins_by_order: Vec<Share>,
    /// How often those who play each role win.
    pub wins_by_role: BTreeMap<String, Share>,
    /// Decisions per match, of all seats together.
    pub decisions: f64,
    /// The share of the decisions with a single legal move.
    pub forced: f64,
    /// Legal moves per decision.
    pub choices: f64,
    /// The share of the match in which a seat waits for others.
    pub waiting: f64,
    /// The share of the match in which a seat is out.
    pub out: f64,
    /// How often another seat comes to lead, per match; none in games that cannot tell.
    pub lead_changes: Option<f64>,
    /// The share of the matches won by a seat that was last half-way; none in games that cannot tell.
    pub comebacks: Option<f64>,
    /// The types of moves that exist by these rules and that nobody made.
    pub never_used: Vec<String>,
    /// What could often be chosen in a move and never was, such as a card or a field.
    #[serde(default)]
    pub never_picked: Vec<Pick>,
}

/// A value of a move's field that nobody chose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pick {
    /// The type of the move.
    #[serde(rename = "move")]
    pub chosen: String,
    /// Its field.
    pub field: String,
    /// The field's value: a word or a number.
    pub value: Value,
    /// At how many decisions it could have been chosen.
    pub offered: u64,
}

impl Findings {
    /// The widest half of an interval among the shares of wins of the seats and of the places in the order of play.
    pub fn precision(&self) -> f64 {
        let all = self.wins_by_seat.iter().chain(&self.wins_by_order);
        all.map(|it| (it.high - it.low) / 2.0).fold(0.0, f64::max)
    }

    /// The share of the matches that did not end in time.
    pub fn too_long(&self) -> f64 {
        self.endings.get(TOO_LONG).map_or(0.0, |it| *it as f64 / self.matches.max(1) as f64)
    }
}

/// Percentiles of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// One match in ten has at most so many.
    pub p10: u32,
    /// Half of the matches have at most so many.
    pub median: u32,
    /// Nine matches in ten have at most so many.
    pub p90: u32,
    /// The most of all.
    pub max: u32,
}

/// A share of a whole, and where it lies with a certainty of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[expect(missing_docs, reason = "the type says it")]
pub struct Share {
    pub share: f64,
    pub low: f64,
    pub high: f64,
}

impl Share {
    /// So many wins of so many matches, with Wilson's score interval. Shared wins make the true interval narrower than
    /// this one.
    pub fn of(wins: f64, matches: u64) -> Self {
        if matches == 0 {
            return Share { share: 0.0, low: 0.0, high: 1.0 };
        }
        let of = matches as f64;
        let share = wins / of;
        let middle = share + Z * Z / (2.0 * of);
        let half = Z * (share * (1.0 - share) / of + Z * Z / (4.0 * of * of)).max(0.0).sqrt();
        let [low, high] = [middle - half, middle + half].map(|it| rounded((it / (1.0 + Z * Z / of)).clamp(0.0, 1.0)));
        Share { share: rounded(share), low, high }
    }

    /// May this share be the true one?
    pub fn holds(&self, share: f64) -> bool {
        self.low <= share && share <= self.high
    }
}

/// A seat by a better policy among others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Skill {
    /// Its policy.
    pub policy: String,
    /// The policy of all others.
    pub among: String,
    /// How many matches were played.
    pub matches: u64,
    /// How often it wins.
    pub wins: Share,
}

/// A seat that may not make a type of move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Without {
    /// The type of move.
    #[serde(rename = "move")]
    pub chosen: String,
    /// How often it wins.
    pub wins: Share,
}

/// What a role is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoleWorth {
    /// The animal, character or trait.
    pub role: String,
    /// How often who plays it wins.
    pub wins: Share,
    /// Where it is dealt: how often who plays it wins without the moves that some other role never makes, or, where it has
    /// to make one, with any of them. None if it has no such moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unused: Option<Share>,
    /// Where it is chosen: how often a seat wins that may not choose it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untaken: Option<Share>,
}

/// One option set otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Effect {
    /// The option.
    pub option: String,
    /// Its other value.
    pub value: Value,
    /// The share of the matches that go otherwise.
    pub changed: Share,
}

/// The same matches by other rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Against {
    /// The other rules: all options.
    pub options: Value,
    /// What happens by them.
    pub policies: Vec<Findings>,
    /// What these rules have more than the others, with the same luck.
    pub differences: Vec<Differences>,
}

/// What the rules have more than others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Differences {
    /// The policy of all seats.
    pub policy: String,
    /// How many pairs of matches were played.
    pub matches: u64,
    /// The share of the matches that went otherwise.
    pub changed: Share,
    /// Moves per match.
    pub moves: Change,
    /// The share of shared wins.
    pub ties: Change,
    /// The share of matches that the first to play wins.
    pub starts: Change,
    /// The share of forced decisions.
    pub forced: Change,
    /// The share of waiting.
    pub waiting: Change,
    /// The share of being out.
    pub out: Change,
}

/// A difference, and where it lies with a certainty of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[expect(missing_docs, reason = "the type says it")]
pub struct Change {
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

impl Change {
    /// Is there surely a difference?
    pub fn is_shown(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// To six places: more are noise.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
