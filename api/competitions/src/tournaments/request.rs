//! Requests that make or change a tournament.

use engine::tournaments::{Format, Scoring, TieBreak};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{EntryMode, Seeding, TournamentRow};
use base::error::FieldError;
use base::games::shapes::{GameOptions, StageFormat, StageScoring, StageTieBreak};
use base::ids::{TableId, VariantId};
use base::inputs::given;
use base::inputs::tidy_text;
use play::matches::Mode;

/// One format from its first round to its last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StagePlan {
    /// Who meets whom: `{"kind": "single_elimination", "third_place": true, "consolation": "none" | "eight" | "all"}` (who loses plays on
    /// for the places up to the eighth, or for all), `{"kind": "double_elimination"}`,
    /// `{"kind": "round_robin", "legs": 1}`, `{"kind": "swiss", "rounds": 4}`, `{"kind": "groups", "groups": 4, "play": {"kind":
    /// "round_robin", "legs": 1}}` (or `{"kind": "swiss", "rounds": 3}`), `{"kind": "pods", "rounds": 3, "least": 3,
    /// "most": 5, "pairing": "random" | "by_standing" | "spread"}`, `{"kind": "pod_knockout", "least": 3, "most": 5, "advance": 2}` or `{"kind":
    /// "arena", "minutes": 60, "least": 2, "most": 2, "patience": 60, "streaks": false}`: for so many minutes everybody who is free is
    /// paired at once, in bouts of `least` to `most`; those who met in their last bout meet again only if nobody else was free for
    /// `patience` seconds; with `streaks` a win counts double after two in a row.
    #[schema(value_type = StageFormat, example = json!({ "kind": "swiss", "rounds": 4 }))]
    pub format: Format,
    /// What a result is worth, in hundredths of a point: `{"points": {"kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100}}`,
    /// `{"points": {"kind": "places", "scale": [500, 300, 200, 100], "bye": 300}}` or `{"points": {"kind": "scores"}}`. `missed` is what each
    /// round before a late entry is worth (usually 0), `edition` the FIDE rules for tie-breaks of rounds that were not played: `fide_2024` or
    /// `fide_2026` (the usual one).
    #[schema(value_type = StageScoring, example = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } }))]
    pub scoring: Scoring,
    /// The tie-breaks, the most important first: `wins`, `games_won`, `second_seats`, `won_in_second_seat`, `rounds_elected`,
    /// `head_to_head`, `buchholz`, `buchholz_cut_one`, `median_buchholz`, `fore_buchholz`, `average_buchholz`, `sonneborn_berger`,
    /// `sonneborn_berger_cut_one`, `koya`, `opponents_win_rate`, `progressive`, `progressive_cut_one`, `standard_points`, `kashdan`,
    /// `scores`, `score_share`, `best_places`, `average_points`, `seed`, `lot`; of teams: `sonneborn_berger_boards`, `berlin`,
    /// `first_board`, `without_last_board` (and `scores` for their board points); by the ratings of entrants: `opponents_rating`,
    /// `opponents_rating_cut_one`, `performance`, `perfect_performance`, `opponents_performance`, `opponents_perfect_performance`,
    /// `rating`.
    #[serde(default)]
    #[schema(value_type = Vec<StageTieBreak>, max_items = 24, example = json!(["buchholz", "wins"]))]
    pub tie_breaks: Vec<TieBreak>,
    /// How many of the best go on into the next stage, of teams where teams play; none for the last stage.
    #[schema(minimum = 2, maximum = 128)]
    pub advance: Option<u16>,
    /// Whether the server publishes and starts each bout of a single or double elimination as soon as both its entrants are known. Can
    /// be changed while the stage is played.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub runs_by_itself: bool,
}

/// One line of text in any script.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 60)]
pub struct TournamentName(pub String);

base::deserialize_checked!(TournamentName);

impl TournamentName {
    pub fn parse(text: &str) -> Result<Self, FieldError> {
        tidy_text(text, 60).map(Self)
    }
}

/// A new tournament: a draft.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TournamentRequest {
    #[schema(example = "금요일 페루도 대회")]
    pub name: TournamentName,
    /// One of the catalogue, or `other` for any other game at all, which is then written down (`scored`).
    #[schema(example = "perudo")]
    pub game: String,
    /// What is played, if it is an `other` game.
    pub title: Option<TournamentName>,
    /// How its bouts are played: on phones (`played`, the default) or with real dice and cards.
    pub mode: Option<Mode>,
    /// The game's rule switches; those left out keep their defaults.
    #[schema(value_type = Option<GameOptions>)]
    pub options: Option<Value>,
    /// Or else a variant of the game that was published …
    pub variant_id: Option<VariantId>,
    /// … in this version; the latest that was published if left out.
    #[schema(minimum = 1)]
    pub variant_version: Option<i64>,
    /// How long a seat may think before the autopilot moves for it.
    #[schema(minimum = 10, maximum = 86_400)]
    pub turn_seconds: Option<i64>,
    /// What is played in which form, one after the other.
    #[schema(min_items = 1, max_items = 3)]
    pub stages: Vec<StagePlan>,
    /// By rating if left out; by lot in an `other` game.
    pub seeding: Option<Seeding>,
    /// Later entrants are put on the waiting list.
    #[schema(minimum = 2, maximum = 512)]
    pub most_entrants: Option<i64>,
    /// The last round of the first stage for which staff may add an entrant once a round was published: in Swiss rounds and pods, and in
    /// brackets into a bye of the first round. Before that they may in any format.
    #[schema(minimum = 2, maximum = 99)]
    pub late_until_round: Option<i64>,
    #[schema(minimum = 1, maximum = 600)]
    pub round_minutes: Option<i64>,
    /// Teams play, so many members of each at a time: on boards where two meet, and by the sum of their points in pods. Everybody for
    /// themselves if left out.
    #[schema(minimum = 2, maximum = 6)]
    pub team_size: Option<i64>,
    /// Who may enter by themselves: everybody (`open`, the usual), who has the tournament's `entry_code` (`code`, a new one whenever this
    /// becomes `code`), or nobody (`staff`).
    pub entry: Option<EntryMode>,
    /// The tables that it keeps for itself; any that is free if left out.
    #[schema(min_items = 1, max_items = 200)]
    pub table_ids: Option<Vec<TableId>>,
    pub starts_at: Option<Timestamp>,
    /// Entrants who have not checked in by then may be marked as no-shows.
    pub check_in_until: Option<Timestamp>,
}

/// Changes of a tournament; what is left out stays as it is. After the start, the game and the form
/// cannot change.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TournamentChange {
    /// The `revision` that the caller has seen; refused if there is a later one.
    pub revision: Option<i64>,
    pub name: Option<TournamentName>,
    pub game: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<TournamentName>)]
    pub title: Option<Option<TournamentName>>,
    pub mode: Option<Mode>,
    #[schema(value_type = Option<GameOptions>)]
    pub options: Option<Value>,
    /// `null` for none.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<VariantId>)]
    pub variant_id: Option<Option<VariantId>>,
    #[schema(minimum = 1)]
    pub variant_version: Option<i64>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i64>, minimum = 10, maximum = 86_400)]
    pub turn_seconds: Option<Option<i64>>,
    #[schema(min_items = 1, max_items = 3)]
    pub stages: Option<Vec<StagePlan>>,
    pub seeding: Option<Seeding>,
    pub entry: Option<EntryMode>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i64>, minimum = 2, maximum = 512)]
    pub most_entrants: Option<Option<i64>>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i64>, minimum = 2, maximum = 99)]
    pub late_until_round: Option<Option<i64>>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 600)]
    pub round_minutes: Option<Option<i64>>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i64>, minimum = 2, maximum = 6)]
    pub team_size: Option<Option<i64>>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Vec<TableId>>, min_items = 1, max_items = 200)]
    pub table_ids: Option<Option<Vec<TableId>>>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Timestamp>)]
    pub starts_at: Option<Option<Timestamp>>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Timestamp>)]
    pub check_in_until: Option<Option<Timestamp>>,
}

impl TournamentChange {
    /// Whether it changes what is played, in which form, or how seeds are given.
    pub fn is_of_what_is_played(&self) -> bool {
        self.game.is_some()
            || self.title.is_some()
            || self.mode.is_some()
            || self.options.is_some()
            || self.variant_id.is_some()
            || self.variant_version.is_some()
            || self.stages.is_some()
            || self.seeding.is_some()
            || self.team_size.is_some()
    }

    /// Whether nothing that it changes has been played: stages to come, how many go on to them, and whether the stage that is played runs
    /// by itself.
    pub fn is_of_stages_to_come(&self, row: &TournamentRow) -> bool {
        let rest = Self { stages: None, ..self.clone() };
        let (Some(stages), false) = (&self.stages, rest.is_of_what_is_played()) else { return false };
        let begun = usize::try_from(row.stage).unwrap_or(0);
        let is_kept = |(at, (plan, before)): (usize, (&StagePlan, &StagePlan))| match at + 1 == begun {
            true => {
                let StagePlan { advance, runs_by_itself, .. } = *plan;
                *plan == StagePlan { advance, runs_by_itself, ..before.clone() }
            }
            false => plan == before,
        };
        stages.len() >= begun && stages.iter().zip(row.stages.iter()).take(begun).enumerate().all(is_kept)
    }

    /// The tournament as it was asked for, with this different.
    pub fn to(&self, row: &TournamentRow) -> TournamentRequest {
        let change = self.clone();
        let wide = |it: Option<i16>| it.map(i64::from);
        let keeps_variant = change.variant_id.is_none() && change.options.is_none() && change.game.is_none();
        let variant_id = change.variant_id.unwrap_or(row.variant_id.filter(|_| keeps_variant));
        let keeps_version = keeps_variant && variant_id.is_some();
        // The options of a variant come with it; those of another game mean nothing.
        let old = Some(row.options.clone()).filter(|_| row.variant_id.is_none() && change.game.is_none());
        TournamentRequest {
            name: change.name.unwrap_or_else(|| TournamentName(row.name.clone())),
            game: change.game.unwrap_or_else(|| row.game.clone()),
            title: change.title.unwrap_or_else(|| row.title.clone().map(TournamentName)),
            mode: Some(change.mode.unwrap_or(row.mode)),
            options: change.options.or(old.filter(|_| variant_id.is_none())),
            variant_id,
            variant_version: change.variant_version.or(row.variant_version.filter(|_| keeps_version).map(i64::from)),
            turn_seconds: change.turn_seconds.unwrap_or(row.turn_seconds.map(i64::from)),
            stages: change.stages.unwrap_or_else(|| row.stages.0.clone()),
            seeding: Some(change.seeding.unwrap_or(row.seeding)),
            entry: Some(change.entry.unwrap_or(row.entry)),
            most_entrants: change.most_entrants.unwrap_or(wide(row.most_entrants)),
            late_until_round: change.late_until_round.unwrap_or(wide(row.late_until_round)),
            round_minutes: change.round_minutes.unwrap_or(wide(row.round_minutes)),
            team_size: change.team_size.unwrap_or(wide(row.team_size)),
            table_ids: change.table_ids.unwrap_or_else(|| row.table_ids.clone()),
            starts_at: change.starts_at.unwrap_or(row.starts_at),
            check_in_until: change.check_in_until.unwrap_or(row.check_in_until),
        }
    }
}
