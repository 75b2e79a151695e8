//! The state of a tournament as values by key: what the log compares before and after each step, what a way back restores, and
//! what a replay starts from. What follows from the rest is left out: whether a round is closed, and how matches are.

use std::collections::BTreeMap;

use engine::tournaments::{Finish, Reason};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::store::{BoutKey, BoutRow, Doc, EntrantRow, ParticipantRow, RoundRow, TournamentRow};
use super::{EntrantStatus, EntryMode, Game, Rulings, Seeding, StagePlan, Tournament, TournamentStatus};
use base::error::{Result, internal};
use base::ids::{MatchId, PlayerId, TableId, VariantId};
use play::matches::Mode;

/// By key, as in `bout 1 main-1-2`.
pub type State = BTreeMap<String, Value>;

/// One value that changed; none where it was not there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = TournamentStateChange)]
pub struct StateChange {
    #[schema(example = "bout 1 main-1-2")]
    pub key: String,
    #[schema(value_type = Option<Object>, required = true)]
    pub before: Option<Value>,
    #[schema(value_type = Option<Object>, required = true)]
    pub after: Option<Value>,
}

/// What a key names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Tournament,
    Entrant(i32),
    Participant(i16, i32),
    Round(i16, i16),
    Bout(i16, BoutKey),
}

/// The tournament itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Own {
    pub name: String,
    pub game: String,
    pub title: Option<String>,
    pub mode: Mode,
    pub options: Value,
    pub variant_id: Option<VariantId>,
    pub variant_version: Option<i32>,
    pub turn_seconds: Option<i32>,
    pub status: TournamentStatus,
    pub stages: Vec<StagePlan>,
    pub stage: i16,
    pub seeding: Seeding,
    pub most_entrants: Option<i16>,
    pub late_until_round: Option<i16>,
    pub round_minutes: Option<i16>,
    /// Left out where everybody plays for themselves, as in logs that are older than it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team_size: Option<i16>,
    #[serde(default, skip_serializing_if = "Rulings::is_empty")]
    pub rulings: Rulings,
    #[serde(default, skip_serializing_if = "EntryMode::is_open")]
    pub entry: EntryMode,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry_code: Option<String>,
    pub table_ids: Option<Vec<TableId>>,
    pub draw_seed: i64,
    pub starts_at: Option<Timestamp>,
    pub check_in_until: Option<Timestamp>,
    pub started_at: Option<Timestamp>,
    pub over_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    pub player: PlayerId,
    pub status: EntrantStatus,
    pub seed: Option<i16>,
    pub entered_at: Timestamp,
    pub checked_in_at: Option<Timestamp>,
    pub dropped_at: Option<Timestamp>,
    /// Left out where there is none, as in logs that are older than it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<i16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs_table: Option<TableId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs_area: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Participant {
    pub seed: i16,
    pub from_round: i16,
    pub until_round: Option<i16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_since: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_since: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    pub drafted_at: Timestamp,
    pub published_at: Option<Timestamp>,
    pub started_at: Option<Timestamp>,
    pub ends_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_arena: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_round_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bout {
    pub round: i16,
    pub entrants: Vec<i32>,
    pub reasons: Vec<Reason>,
    pub arranged_by: Option<PlayerId>,
    pub table_id: Option<TableId>,
    pub match_id: Option<MatchId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<Game>,
    pub result: Option<Vec<Finish>>,
    pub settled_by: Option<PlayerId>,
    pub settled_at: Option<Timestamp>,
    pub claim: Option<Vec<Finish>>,
    pub claimed_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_locked: bool,
}

/// The state of a tournament as it was read.
pub fn of(tournament: &Tournament) -> Result<State> {
    let mut state = State::new();
    let mut put = |part: Part, value: serde_json::Result<Value>| {
        state.insert(part.to_string(), value.map_err(internal)?);
        Ok::<_, base::error::Error>(())
    };
    put(Part::Tournament, serde_json::to_value(Own::of(&tournament.row)))?;
    for it in &tournament.entrants {
        put(Part::Entrant(it.number), serde_json::to_value(Entrant::of(it)))?;
    }
    for it in &tournament.participants {
        put(Part::Participant(it.stage, it.entrant), serde_json::to_value(Participant::of(it)))?;
    }
    for it in &tournament.rounds {
        put(Part::Round(it.stage, it.round), serde_json::to_value(Round::of(it)))?;
    }
    for it in &tournament.bouts {
        put(Part::Bout(it.stage, it.key), serde_json::to_value(Bout::of(it)))?;
    }
    Ok(state)
}

/// What differs, by key.
pub fn diff(before: &State, after: &State) -> Vec<StateChange> {
    let keys: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let differs = |key: &&String| before.get(*key) != after.get(*key);
    let change = |key: &String| StateChange {
        key: key.clone(),
        before: before.get(key).cloned(),
        after: after.get(key).cloned(),
    };
    keys.into_iter().filter(differs).map(change).collect()
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tournament => write!(f, "tournament"),
            Self::Entrant(number) => write!(f, "entrant {number}"),
            Self::Participant(stage, entrant) => write!(f, "participant {stage} {entrant}"),
            Self::Round(stage, round) => write!(f, "round {stage} {round}"),
            Self::Bout(stage, key) => write!(f, "bout {stage} {key}"),
        }
    }
}

impl std::str::FromStr for Part {
    type Err = ();

    fn from_str(key: &str) -> Result<Self, ()> {
        let words: Vec<&str> = key.split(' ').collect();
        fn read<T: std::str::FromStr>(word: &str) -> Result<T, ()> {
            word.parse().map_err(|_| ())
        }
        match words[..] {
            ["tournament"] => Ok(Self::Tournament),
            ["entrant", number] => Ok(Self::Entrant(read(number)?)),
            ["participant", stage, entrant] => Ok(Self::Participant(read(stage)?, read(entrant)?)),
            ["round", stage, round] => Ok(Self::Round(read(stage)?, read(round)?)),
            ["bout", stage, key] => Ok(Self::Bout(read(stage)?, read(key)?)),
            _ => Err(()),
        }
    }
}

impl StateChange {
    pub fn part(&self) -> Result<Part> {
        self.key.parse().map_err(|()| internal(anyhow::anyhow!("the log names no part of a tournament: {}", self.key)))
    }
}

/// A value of the log as it is typed.
pub fn read<T: serde::de::DeserializeOwned>(value: Option<&Value>) -> Result<Option<T>> {
    value.map(|value| T::deserialize(value).map_err(internal)).transpose()
}

impl Own {
    fn of(row: &TournamentRow) -> Self {
        Self {
            name: row.name.clone(),
            game: row.game.clone(),
            title: row.title.clone(),
            mode: row.mode,
            options: row.options.clone(),
            variant_id: row.variant_id,
            variant_version: row.variant_version,
            turn_seconds: row.turn_seconds,
            status: row.status,
            stages: row.stages.0.clone(),
            stage: row.stage,
            seeding: row.seeding,
            most_entrants: row.most_entrants,
            late_until_round: row.late_until_round,
            round_minutes: row.round_minutes,
            team_size: row.team_size,
            rulings: row.rulings.0.clone(),
            entry: row.entry,
            entry_code: row.entry_code.clone(),
            table_ids: row.table_ids.clone(),
            draw_seed: row.draw_seed,
            starts_at: row.starts_at,
            check_in_until: row.check_in_until,
            started_at: row.started_at,
            over_at: row.over_at,
        }
    }

    pub fn write_to(self, row: &mut TournamentRow) {
        row.name = self.name;
        row.game = self.game;
        row.title = self.title;
        row.mode = self.mode;
        row.options = self.options;
        row.variant_id = self.variant_id;
        row.variant_version = self.variant_version;
        row.turn_seconds = self.turn_seconds;
        row.status = self.status;
        row.stages = Doc(self.stages);
        row.stage = self.stage;
        row.seeding = self.seeding;
        row.most_entrants = self.most_entrants;
        row.late_until_round = self.late_until_round;
        row.round_minutes = self.round_minutes;
        row.team_size = self.team_size;
        row.rulings = Doc(self.rulings);
        (row.entry, row.entry_code) = (self.entry, self.entry_code);
        row.table_ids = self.table_ids;
        row.starts_at = self.starts_at;
        row.check_in_until = self.check_in_until;
        row.started_at = self.started_at;
        row.over_at = self.over_at;
    }
}

impl Entrant {
    fn of(row: &EntrantRow) -> Self {
        let EntrantRow { player_id: player, status, seed, entered_at, checked_in_at, dropped_at, rating, .. } = *row;
        let EntrantRow { team, board, needs_table, needs_area, .. } = row.clone();
        Self {
            player,
            status,
            seed,
            entered_at,
            checked_in_at,
            dropped_at,
            rating,
            team,
            board,
            needs_table,
            needs_area,
        }
    }

    pub fn write_to(self, row: &mut EntrantRow) {
        (row.status, row.seed, row.entered_at) = (self.status, self.seed, self.entered_at);
        (row.checked_in_at, row.dropped_at, row.rating) = (self.checked_in_at, self.dropped_at, self.rating);
        (row.team, row.board) = (self.team, self.board);
        (row.needs_table, row.needs_area) = (self.needs_table, self.needs_area);
    }
}

impl Participant {
    fn of(row: &ParticipantRow) -> Self {
        let ParticipantRow { seed, from_round, until_round, ready_since, paused_since, .. } = *row;
        Self { seed, from_round, until_round, ready_since, paused_since }
    }

    pub fn row(self, stage: i16, entrant: i32) -> ParticipantRow {
        let Self { seed, from_round, until_round, ready_since, paused_since } = self;
        ParticipantRow { stage, entrant, seed, from_round, until_round, ready_since, paused_since }
    }
}

impl Round {
    fn of(row: &RoundRow) -> Self {
        let RoundRow { drafted_at, published_at, started_at, ends_at, is_arena, paused_at, .. } = *row;
        let RoundRow { resumed_at, next_round_at, .. } = *row;
        Self { drafted_at, published_at, started_at, ends_at, is_arena, paused_at, resumed_at, next_round_at }
    }
}

impl Bout {
    fn of(row: &BoutRow) -> Self {
        let finishes = |doc: &Option<Doc<Vec<Finish>>>| doc.as_ref().map(|it| it.0.clone());
        Self {
            round: row.round,
            entrants: row.entrants.clone(),
            reasons: row.reasons.0.clone(),
            arranged_by: row.arranged_by,
            table_id: row.table_id,
            match_id: row.match_id,
            games: row.games.0.clone(),
            result: finishes(&row.result),
            settled_by: row.settled_by,
            settled_at: row.settled_at,
            claim: finishes(&row.claim),
            claimed_at: row.claimed_at,
            is_locked: row.is_locked,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_as_it_is_written() {
        let key = BoutKey(engine::tournaments::BoutKey::main(2, 3));
        for part in [Part::Tournament, Part::Entrant(7), Part::Participant(1, 7), Part::Round(2, 3), Part::Bout(1, key)]
        {
            assert_eq!(part.to_string().parse(), Ok(part));
        }
        for wrong in ["", "entrant", "entrant x", "bout 1 main", "tournament 1"] {
            assert_eq!(wrong.parse::<Part>(), Err(()), "{wrong}");
        }
    }

    #[test]
    fn what_differs_is_told_with_before_and_after() {
        let state = |pairs: &[(&str, i32)]| -> State {
            pairs.iter().map(|(key, it)| ((*key).to_owned(), (*it).into())).collect()
        };
        let changes = diff(&state(&[("a", 1), ("b", 2), ("c", 3)]), &state(&[("a", 1), ("b", 4), ("d", 5)]));
        let told: Vec<_> =
            changes.iter().map(|it| (it.key.as_str(), it.before.is_some(), it.after.is_some())).collect();
        assert_eq!(told, [("b", true, true), ("c", true, false), ("d", false, true)]);
    }
}
