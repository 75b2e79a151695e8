//! Matches as the API tells of them.

use diesel_async::AsyncPgConnection;
use engine::{Audience, Json, Seat, Viewer};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::feed::Frame;
use super::past::Eyes;
use super::{MatchRow, Mode, SeatRow, Status, seats_in, store, view};
use crate::error::{ApiResult, not_found};
use crate::ids::{MatchId, PlayerId, TableId, VariantId, hex};
use crate::sessions::PlayerCard;

/// A match as everybody may see it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Match)]
pub struct MatchAnswer {
    pub id: MatchId,
    /// To find it by.
    #[schema(example = "K7X2QD")]
    pub code: String,
    #[schema(example = "perudo")]
    pub game: String,
    pub name: Option<String>,
    pub mode: Mode,
    /// All of them, defaults filled in.
    #[schema(value_type = Object)]
    pub options: Value,
    /// The variant that was chosen, if one was, and its version.
    pub variant_id: Option<VariantId>,
    pub variant_version: Option<i32>,
    /// The same for all matches by the same rules: a SHA-256 of game, revision and options, in hexadecimal digits.
    pub variant_hash: String,
    pub status: Status,
    /// How many moves were made.
    pub version: i32,
    pub seats: Vec<SeatAnswer>,
    /// The caller's own.
    #[schema(value_type = Option<u8>)]
    pub seat: Option<Seat>,
    /// The SHA-256 of the seed of its chance, in hexadecimal digits; the seed is in the record.
    pub commitment: String,
    pub created_by: PlayerId,
    pub table_id: Option<TableId>,
    pub turn_seconds: Option<i32>,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
    /// While it runs.
    pub clock: Option<Clock>,
    /// Places, points and the reason, once it is finished.
    #[schema(value_type = Option<Object>)]
    pub outcome: Option<Value>,
    /// What everybody sees of it, once it has started. Not in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub view: Option<Json>,
}

/// A chair in a match.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MatchSeat)]
pub struct SeatAnswer {
    pub seat: i16,
    /// None while it is free.
    pub player: Option<PlayerCard>,
    /// To show beside the name where another player here has one that looks the same; otherwise none.
    #[schema(example = "3F0A")]
    pub tag: Option<String>,
    pub joined_at: Option<Timestamp>,
    /// When the player gave up; the house moves for the seat since.
    pub left_at: Option<Timestamp>,
}

/// Whom a match waits for, and since when.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MatchClock)]
pub struct Clock {
    #[schema(value_type = Vec<u8>)]
    pub to_move: Vec<Seat>,
    pub moved_at: Option<Timestamp>,
    /// When the house will move for them, if there is a limit.
    pub deadline: Option<Timestamp>,
}

/// What one version told, as one viewer may know it: perhaps nothing.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventFrame {
    pub version: i32,
    pub at: Timestamp,
    #[schema(value_type = Vec<Object>)]
    pub events: Vec<Json>,
    /// With `omniscient`, who was told of each: `everyone`, `{"only":SEAT}` or `{"except":[SEAT, …]}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Object>>)]
    pub told_to: Option<Vec<Audience>>,
}

impl Frame {
    pub fn for_viewer(&self, viewer: Viewer) -> EventFrame {
        self.through(Eyes::Of(viewer))
    }

    pub(super) fn through(&self, eyes: Eyes) -> EventFrame {
        let (told, told_to): (Vec<_>, _) = match eyes {
            Eyes::Of(viewer) => (self.told.iter().filter(|told| told.to.includes(viewer)).collect(), None),
            Eyes::Omniscient => (self.told.iter().collect(), Some(self.told.iter().map(|told| told.to).collect())),
        };
        let events = told.into_iter().map(|told| told.event.clone()).collect();
        EventFrame { version: self.version, at: self.at, events, told_to }
    }
}

impl MatchAnswer {
    /// Without the view.
    pub fn of(row: MatchRow, seats: &[SeatRow], caller: PlayerId) -> Self {
        let clock = (row.status == Status::Running).then(|| Clock {
            to_move: seats_in(row.to_move).iter().collect(),
            moved_at: row.moved_at,
            deadline: row.deadline(),
        });
        Self {
            seats: seat_answers(&row, seats),
            seat: seats.iter().find(|it| it.player_id == caller).and_then(|it| u8::try_from(it.seat).ok()).map(Seat),
            clock,
            commitment: hex(&row.commitment),
            id: row.id,
            code: row.code,
            game: row.game,
            name: row.name,
            mode: row.mode,
            options: row.options,
            variant_id: row.variant_id,
            variant_version: row.variant_version,
            variant_hash: hex(&row.variant_hash),
            status: row.status,
            version: row.version,
            created_by: row.created_by,
            table_id: row.table_id,
            turn_seconds: row.turn_seconds,
            created_at: row.created_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
            outcome: row.outcome,
            view: None,
        }
    }
}

pub(super) fn seat_answers(row: &MatchRow, seats: &[SeatRow]) -> Vec<SeatAnswer> {
    let answer = |number| {
        let taken = seats.iter().find(|it| it.seat == number);
        let player =
            |it: &SeatRow| PlayerCard { id: it.player_id, display_name: it.display_name.clone(), deleted: it.deleted };
        SeatAnswer {
            seat: number,
            player: taken.map(player),
            tag: taken.and_then(|it| it.tag.clone()),
            joined_at: taken.map(|it| it.joined_at),
            left_at: taken.and_then(|it| it.left_at),
        }
    };
    (0..row.seat_count).map(answer).collect()
}

/// The match with its public view.
pub(super) async fn show(conn: &mut AsyncPgConnection, id: MatchId, caller: PlayerId) -> ApiResult<MatchAnswer> {
    let found = store::find_with_state(conn, id).await?;
    let (row, state) = found.ok_or_else(|| not_found("match_not_found"))?;
    let seats = store::list_seats(conn, &[id]).await?;
    let view = match state.map(|state| view(&row, &state, Viewer::Public)).transpose() {
        // Played by earlier rules: its record tells of it still.
        Err(err) if err.code() == "other_revision" => None,
        view => view?,
    };
    Ok(MatchAnswer { view, ..MatchAnswer::of(row, &seats, caller) })
}

/// Matches in a list.
pub(super) async fn show_all(
    conn: &mut AsyncPgConnection,
    rows: Vec<MatchRow>,
    caller: PlayerId,
) -> ApiResult<Vec<MatchAnswer>> {
    let ids: Vec<MatchId> = rows.iter().map(|row| row.id).collect();
    let seats = store::list_seats(conn, &ids).await?;
    let of = |id| {
        let from = seats.partition_point(|it| it.match_id < id);
        let to = seats.partition_point(|it| it.match_id <= id);
        &seats[from..to]
    };
    Ok(rows.into_iter().map(|row| MatchAnswer::of(row.clone(), of(row.id), caller)).collect())
}
