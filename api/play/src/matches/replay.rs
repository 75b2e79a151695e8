//! A match out of its log: at an earlier version, or as the record that anybody may check.

use std::collections::VecDeque;

use diesel_async::AsyncPgConnection;
use engine::record::{Entry, Record};
use engine::{Addressed, Commitment, Json, Match, Seat, VariantHash, Viewer};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::store::{self, LogRow, StandInRow};
use super::{BotLevel, Leaving, MatchRow, Move, Played, Snapshot, Status, seat_of, start};
use base::auth::Identity;
use base::error::{Result, conflict, internal, not_found, unprocessable};
use base::games::shapes::EngineRecord;
use base::games::{guarded, kind_as_played};
use base::ids::{MatchId, PlayerId, VariantId};

/// So many rows of a log are read at a time.
const PAGE: i64 = 1000;

/// The answer to a move that was made before and brought this version, as it was then. Another move under the same key is refused.
pub async fn play_again(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    seat: Seat,
    version: i32,
    sent: Move<'_>,
) -> Result<Played> {
    let row = store::find(conn, id).await?.ok_or_else(|| not_found("match_not_found"))?;
    let log = read_log(conn, id, version).await?;
    let last = log.last().ok_or_else(broken)?;
    // No move is made with a version as late as the one that it brings.
    let is_later = sent.version.is_some_and(|seen| seen >= i64::from(version));
    if is_later || value(&last.chosen.as_ref().ok_or_else(broken)?.0)? != *sent.chosen {
        return Err(unprocessable("idempotency_key_reused"));
    }
    let play = replay(&row, &log)?;
    let viewer = Viewer::Seat(seat);
    let events = events_of(last)?.into_iter().filter(|it| it.to.includes(viewer)).map(|it| it.event).collect();
    let (view, legal_moves) = guarded(|| (play.view(viewer), play.legal_moves(seat)))?;
    Ok(Played { version, events, view, legal_moves })
}

/// Plays the log again, chance and all.
pub fn replay(row: &MatchRow, log: &[LogRow]) -> Result<Box<dyn Match>> {
    let kind = kind_as_played(&row.game, row.revision)?;
    let seats = u8::try_from(row.seat_count).map_err(internal)?;
    let mut rows = log.iter();
    let mut chance = chance(rows.next().ok_or_else(broken)?)?;
    let (mut play, _) = guarded(|| kind.start(&row.options, seats, &mut chance))?.map_err(internal)?;
    for row in rows {
        let (seat, chosen) = row.seat.zip(row.chosen.as_ref()).ok_or_else(broken)?;
        let (seat, chosen) = (seat_of(seat)?, value(&chosen.0)?);
        let mut chance = self::chance(row)?;
        guarded(|| play.play(seat, &chosen, &mut chance))?.map_err(internal)?;
    }
    Ok(play)
}

/// A finished match as `rules verify` reads it, and who played it when.
#[derive(Debug, Serialize, ToSchema)]
pub struct MatchRecord {
    #[serde(flatten)]
    #[schema(value_type = EngineRecord)]
    record: Record,
    code: String,
    name: Option<String>,
    /// The variant that was chosen, if one was, and its version.
    variant_id: Option<VariantId>,
    variant_version: Option<i32>,
    status: Status,
    /// Per seat who sat there.
    players: Vec<RecordPlayer>,
    /// Where bots sat, or played on for those who left.
    bots: Vec<RecordBot>,
    created_at: Timestamp,
    started_at: Option<Timestamp>,
    finished_at: Option<Timestamp>,
}

#[derive(Debug, Serialize, ToSchema)]
struct RecordPlayer {
    seat: i16,
    id: PlayerId,
    display_name: String,
    /// When they left, if they did, and why; the autopilot or a stand-in moved for them from then on.
    left_at: Option<Timestamp>,
    left_why: Option<Leaving>,
    stand_ins: Vec<RecordStandIn>,
}

#[derive(Debug, Serialize, ToSchema)]
struct RecordBot {
    seat: i16,
    level: BotLevel,
}

/// Somebody who played on for who had left.
#[derive(Debug, Serialize, ToSchema)]
struct RecordStandIn {
    id: PlayerId,
    display_name: String,
    /// The moves after this version were theirs.
    from_version: Option<i32>,
    left_at: Option<Timestamp>,
}

/// Everything, secrets included: only once the match is over.
pub async fn record(conn: &mut AsyncPgConnection, player: &Identity, id: MatchId) -> Result<MatchRecord> {
    let snapshot = Snapshot::read(conn, id).await?;
    snapshot.access(conn, player).await?;
    let Snapshot { row, seats, .. } = snapshot;
    row.refuse_scored()?;
    if !row.status.is_over() {
        return Err(conflict("match_not_over"));
    }
    if row.started_at.is_none() {
        return Err(conflict("match_never_started"));
    }
    let mut log = Vec::new();
    for row in read_log(conn, id, i32::MAX).await? {
        if let Some((seat, chosen)) = row.seat.zip(row.chosen.as_ref()) {
            log.push(Entry::Move { seat: seat_of(seat)?, chosen: value(&chosen.0)? });
        }
        log.extend(chance(&row)?.into_iter().map(|chance| Entry::Chance { chance, drawn: Vec::new() }));
    }
    let commitment = row.commitment.clone().try_into().map_err(|_| broken())?;
    let record = Record {
        match_id: row.id.to_string(),
        game: row.game.clone(),
        revision: u32::try_from(row.revision).map_err(internal)?,
        options: row.options.clone(),
        variant_hash: Some(VariantHash(row.variant_hash.clone().try_into().map_err(|_| broken())?)),
        seats: u8::try_from(row.seat_count).map_err(internal)?,
        commitment: Commitment(commitment),
        seed: start::seed(store::find_seed(conn, id).await?)?,
        nonces: seats.nonces(&row).map(|it| it.map(str::to_owned)).collect(),
        log,
        outcome: row.outcome.clone().map(serde_json::from_value).transpose().map_err(internal)?,
    };
    let record = guarded(|| record.with_drawings())?;
    let stand_ins = store::list_stand_ins(conn, id).await?;
    let bots = seats.bots.iter().map(|it| RecordBot { seat: it.seat, level: it.level }).collect();
    let players = seats.players.into_iter().map(|it| RecordPlayer {
        stand_ins: stand_ins.iter().filter(|other| other.seat == it.seat).map(RecordStandIn::from).collect(),
        seat: it.seat,
        id: it.player_id,
        display_name: it.display_name,
        left_at: it.left_at,
        left_why: it.left_why,
    });
    Ok(MatchRecord {
        record,
        code: row.code,
        name: row.name,
        variant_id: row.variant_id,
        variant_version: row.variant_version,
        status: row.status,
        players: players.collect(),
        bots,
        created_at: row.created_at,
        started_at: row.started_at,
        finished_at: row.finished_at,
    })
}

impl From<&StandInRow> for RecordStandIn {
    fn from(row: &StandInRow) -> Self {
        let StandInRow { player_id, display_name, from_version, left_at, .. } = row.clone();
        Self { id: player_id, display_name, from_version, left_at }
    }
}

/// The log up to this version.
pub async fn read_log(conn: &mut AsyncPgConnection, id: MatchId, last: i32) -> Result<Vec<LogRow>> {
    let mut log: Vec<LogRow> = Vec::new();
    loop {
        let read_to = log.last().map_or(-1, |row| row.version);
        let wanted = (i64::from(last) - i64::from(read_to)).min(PAGE);
        if wanted <= 0 {
            return Ok(log);
        }
        let page = store::list_log(conn, id, read_to, wanted).await?;
        let is_last = (page.len() as i64) < wanted;
        log.extend(page);
        if is_last {
            return Ok(log);
        }
    }
}

/// All that this viewer was told in this log.
pub fn told_of(log: &[LogRow], viewer: Viewer) -> Result<Vec<Json>> {
    let mut told = Vec::new();
    for row in log {
        told.extend(events_of(row)?.into_iter().filter(|it| it.to.includes(viewer)).map(|it| it.event));
    }
    Ok(told)
}

/// What was told of a version, and to whom.
pub fn events_of(row: &LogRow) -> Result<Vec<Addressed<Json>>> {
    serde_json::from_str(row.events.0.get()).map_err(internal)
}

fn chance(row: &LogRow) -> Result<VecDeque<Value>> {
    serde_json::from_str(row.chance.0.get()).map_err(internal)
}

fn value(json: &Json) -> Result<Value> {
    serde_json::from_str(json.get()).map_err(internal)
}

pub fn broken() -> base::error::Error {
    internal(anyhow::anyhow!("the log of a match has a gap"))
}
