//! Rows and queries of tournaments, of who plays in them and of what is played.

pub mod attention;
pub mod bouts;
pub mod doc;
pub mod entrants;
pub mod log;
pub mod places;
pub mod regulars;
pub mod rows;
pub mod sandbox;

use diesel::pg::Pg;
use diesel::prelude::*;
use engine::tournaments::{Finish, Reason};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde_json::Value;

use super::{EntrantStatus, EntryMode, Game, RoundStatus, Rulings, Seeding, StagePlan, TournamentStatus};
use base::ids::{MatchId, PlayerId, TableId, TournamentId, VariantId};
use base::schema::{tournament_bouts, tournament_entrants, tournament_participants, tournament_rounds, tournaments};
use play::matches::{Mode, Status};

pub use attention::*;
pub use bouts::*;
pub use doc::{BoutKey, Doc};
pub use entrants::*;
pub use log::*;
pub use places::*;
pub use regulars::*;
pub use rows::*;
pub use sandbox::*;

#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = tournaments, check_for_backend(Pg))]
pub struct TournamentRow {
    pub id: TournamentId,
    pub code: String,
    pub name: String,
    pub game: String,
    pub title: Option<String>,
    pub mode: Mode,
    /// As they were given; a variant's are all of its.
    pub options: Value,
    pub variant_id: Option<VariantId>,
    pub variant_version: Option<i32>,
    pub turn_seconds: Option<i32>,
    pub status: TournamentStatus,
    pub stages: Doc<Vec<StagePlan>>,
    /// Which of them it is now, from 1.
    pub stage: i16,
    pub seeding: Seeding,
    pub most_entrants: Option<i16>,
    pub late_until_round: Option<i16>,
    pub round_minutes: Option<i16>,
    pub table_ids: Option<Vec<TableId>>,
    pub draw_seed: i64,
    pub created_by: PlayerId,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub starts_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub check_in_until: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub started_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub over_at: Option<Timestamp>,
    /// Rises by one with everything that happens.
    pub revision: i64,
    /// Made by a sandbox key: apart from all else, and gone after a day.
    pub sandbox: bool,
    /// How many members of a team play at a time, where teams play.
    pub team_size: Option<i16>,
    pub rulings: Doc<Rulings>,
    pub entry: EntryMode,
    /// What people type to enter, where they have to. Only staff are told.
    pub entry_code: Option<String>,
}

/// A player in a tournament, with their name.
#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct EntrantRow {
    pub number: i32,
    pub player_id: PlayerId,
    pub display_name: String,
    /// Whether the account is gone.
    pub deleted: bool,
    pub status: EntrantStatus,
    pub seed: Option<i16>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub entered_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub checked_in_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub dropped_at: Option<Timestamp>,
    /// As staff typed it, or as the house had it when the entrant began to play.
    pub rating: Option<i32>,
    /// The team that they play for, and their place in its order of boards.
    pub team: Option<String>,
    pub board: Option<i16>,
    /// The table, or the area of tables, at which they have to play. Only staff are told.
    pub needs_table: Option<TableId>,
    pub needs_area: Option<String>,
}

/// An entrant in a stage.
#[derive(Clone, Debug, Default, PartialEq, Queryable, Selectable)]
#[diesel(table_name = tournament_participants, check_for_backend(Pg))]
pub struct ParticipantRow {
    pub stage: i16,
    pub entrant: i32,
    pub seed: i16,
    pub from_round: i16,
    /// The last round that they are paired in.
    pub until_round: Option<i16>,
    /// In an arena: since when they want to play, and since when they pause.
    #[diesel(deserialize_as = NullableTimestamp)]
    pub ready_since: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub paused_since: Option<Timestamp>,
}

/// What was paired together.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = tournament_rounds, check_for_backend(Pg))]
pub struct RoundRow {
    pub stage: i16,
    pub round: i16,
    pub status: RoundStatus,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub drafted_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub published_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub started_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub ends_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub closed_at: Option<Timestamp>,
    /// Whether it is the window of an arena.
    pub is_arena: bool,
    /// Since when its clock stands, and since when it goes again.
    #[diesel(deserialize_as = NullableTimestamp)]
    pub paused_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub resumed_at: Option<Timestamp>,
    /// When something in it may be due by the clock alone.
    #[diesel(deserialize_as = NullableTimestamp)]
    pub due_at: Option<Timestamp>,
    /// Once it is over: when the next round begins, if staff have said so.
    #[diesel(deserialize_as = NullableTimestamp)]
    pub next_round_at: Option<Timestamp>,
}

impl RoundRow {
    pub fn drafted(stage: i16, round: i16, at: Timestamp) -> Self {
        Self {
            stage,
            round,
            status: RoundStatus::Draft,
            drafted_at: at,
            published_at: None,
            started_at: None,
            ends_at: None,
            closed_at: None,
            is_arena: false,
            paused_at: None,
            resumed_at: None,
            due_at: None,
            next_round_at: None,
        }
    }
}

/// A pairing, with its table and its match.
#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct BoutRow {
    pub stage: i16,
    /// Within its stage, as in `main-1-3`.
    pub key: BoutKey,
    /// With which it was paired.
    pub round: i16,
    /// In the order of their seats.
    pub entrants: Vec<i32>,
    pub reasons: Doc<Vec<Reason>>,
    /// Who put these together by hand, and their name unless the account is gone.
    pub arranged_by: Option<PlayerId>,
    pub arranger: Option<String>,
    pub table_id: Option<TableId>,
    pub table_name: Option<String>,
    pub match_id: Option<MatchId>,
    pub match_code: Option<String>,
    pub match_status: Option<Status>,
    /// Those that are over, where it has several.
    pub games: Doc<Vec<Game>>,
    pub result: Option<Doc<Vec<Finish>>>,
    /// None where its match says so.
    pub settled_by: Option<PlayerId>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub settled_at: Option<Timestamp>,
    /// What its match says, if that does not count before staff have checked it.
    pub claim: Option<Doc<Vec<Finish>>>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub claimed_at: Option<Timestamp>,
    /// Of a draft: nobody in it is exchanged.
    pub is_locked: bool,
}

#[derive(Insertable)]
#[diesel(table_name = tournament_bouts)]
pub struct NewBout {
    pub tournament_id: TournamentId,
    pub stage: i16,
    pub key: BoutKey,
    pub round: i16,
    pub entrants: Vec<i32>,
    pub reasons: Doc<Vec<Reason>>,
}

#[derive(Insertable)]
#[diesel(table_name = tournament_entrants)]
pub struct NewEntrant {
    pub tournament_id: TournamentId,
    pub number: i32,
    pub player_id: PlayerId,
    pub status: EntrantStatus,
    pub entered_at: SqlTimestamp,
    pub checked_in_at: Option<SqlTimestamp>,
}

#[derive(Insertable)]
#[diesel(table_name = tournaments)]
pub struct NewTournament<'a> {
    pub id: TournamentId,
    pub code: String,
    pub name: &'a str,
    pub game: &'a str,
    pub title: Option<&'a str>,
    pub mode: Mode,
    pub options: &'a Value,
    pub variant_id: Option<VariantId>,
    pub variant_version: Option<i32>,
    pub turn_seconds: Option<i32>,
    pub status: TournamentStatus,
    pub stages: &'a Doc<Vec<StagePlan>>,
    pub stage: i16,
    pub seeding: Seeding,
    pub most_entrants: Option<i16>,
    pub late_until_round: Option<i16>,
    pub round_minutes: Option<i16>,
    pub table_ids: Option<&'a [TableId]>,
    pub draw_seed: i64,
    pub created_by: PlayerId,
    pub created_at: SqlTimestamp,
    pub starts_at: Option<SqlTimestamp>,
    pub check_in_until: Option<SqlTimestamp>,
    pub revision: i64,
    pub sandbox: bool,
    pub team_size: Option<i16>,
    pub entry: EntryMode,
    pub entry_code: Option<String>,
}
