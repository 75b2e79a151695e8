//! Calls: a party at a table asks for somebody, sees that it was heard, and staff settle it.

pub mod admin;
pub mod rest;
pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiResult, conflict, not_found};
use crate::extract::{refuse_field, tidy_text};
pub use crate::ids::CallId;
use crate::ids::{PlayerId, SittingId, UndoId};
use crate::live::Live;
use crate::sittings;
use crate::undo::{Doer, Named, Undo, moved_on, put_back};
use crate::world::World;
pub use store::CallRow;

crate::text_enum! {
    /// What a party wants.
    pub enum CallReason {
        /// Somebody who explains.
        Rules = "rules",
        Order = "order",
        /// Another game from the shelf.
        Game = "game",
        /// Something is broken or missing.
        Broken = "broken",
        Bill = "bill",
        Other = "other",
    }
}

crate::text_enum! {
    /// What became of a call.
    pub enum CallStatus {
        Open = "open",
        /// Somebody is on the way.
        Heard = "heard",
        Settled = "settled",
        /// By the party itself.
        TakenBack = "taken_back",
    }
}

/// What staff may change of a call, as it is at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    pub status: CallStatus,
    pub heard_at: Option<Timestamp>,
    pub heard_by: Option<PlayerId>,
    pub over_at: Option<Timestamp>,
}

/// One line of text in any script.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 200)]
pub struct Note(pub String);

impl<'de> Deserialize<'de> for Note {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        tidy_text(&text, Note::MAX).map(Self).map_err(|refusal| refuse_field(&refusal))
    }
}

impl Note {
    pub const MAX: usize = 200;
}

/// One of the party calls. Calling again for the same before it is settled is the same call.
pub async fn call(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    (player, sitting): (PlayerId, SittingId),
    (reason, note): (CallReason, Option<&Note>),
) -> ApiResult<CallRow> {
    let row = conn
        .transaction(async |conn| {
            let sitting = sittings::expect_member(conn, sitting, player).await?;
            if let Some(same) = store::find_open(conn, sitting.id, reason).await? {
                return Ok(same);
            }
            let place = (sitting.id, sitting.table_id);
            let what = (reason, note.map(|note| note.0.as_str()));
            ApiResult::Ok(store::insert(conn, CallId(world.uuid()), place, what, (player, world.now())).await?)
        })
        .await?;
    live.tell_floor();
    Ok(row)
}

/// The party no longer needs anybody. Asking again changes nothing.
pub async fn take_back_own(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    id: CallId,
) -> ApiResult<CallRow> {
    let row = conn
        .transaction(async |conn| {
            let sitting = store::find_sitting(conn, id).await?.ok_or_else(|| not_found("call_not_found"))?;
            sittings::expect_member(conn, sitting, player).await?;
            let row = lock(conn, id).await?;
            match row.status {
                CallStatus::TakenBack => Ok(row),
                CallStatus::Settled => Err(conflict("call_over")),
                CallStatus::Open | CallStatus::Heard => {
                    let over = Facts { status: CallStatus::TakenBack, over_at: Some(world.now()), ..row.facts() };
                    ApiResult::Ok(store::write(conn, id, &over).await?)
                }
            }
        })
        .await?;
    live.tell_floor();
    Ok(row)
}

/// Staff are on their way, or have been there. None for the deed if it was so already.
pub async fn answer(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: CallId,
    status: CallStatus,
) -> ApiResult<(CallRow, Option<UndoId>)> {
    let (now, by) = (doer.world.now(), doer.staff.id);
    let answered = conn
        .transaction(async |conn| {
            let row = lock(conn, id).await?;
            let before = row.facts();
            let (action, after) = match (before.status, status) {
                (CallStatus::Open, CallStatus::Heard) => {
                    let heard = Facts { status, heard_at: Some(now), heard_by: Some(by), ..before.clone() };
                    ("call.hear", heard)
                }
                (CallStatus::Open | CallStatus::Heard, CallStatus::Settled) => {
                    ("call.settle", Facts { status, over_at: Some(now), ..before.clone() })
                }
                (was, wanted) if was == wanted => return Ok((row, None)),
                _ => return Err(conflict("call_over")),
            };
            let row = store::write(conn, id, &after).await?;
            let named = Named { action, table: Some(row.table_id), other_table: None };
            let undo = doer.record(conn, named, &Undo::Call { call: id, before, after }).await?;
            Ok((row, Some(undo)))
        })
        .await?;
    doer.live.tell_floor();
    Ok(answered)
}

pub async fn take_back(conn: &mut AsyncPgConnection, id: CallId, before: &Facts, after: &Facts) -> ApiResult<()> {
    let row = lock(conn, id).await?;
    let now = row.facts();
    let back = Facts {
        status: put_back(&now.status, &before.status, &after.status)?,
        heard_at: put_back(&now.heard_at, &before.heard_at, &after.heard_at)?,
        heard_by: put_back(&now.heard_by, &before.heard_by, &after.heard_by)?,
        over_at: put_back(&now.over_at, &before.over_at, &after.over_at)?,
    };
    // They may have called for the same again.
    let is_doubled = now.over_at.is_some() && store::find_open(conn, row.sitting_id, row.reason).await?.is_some();
    let is_gone = sittings::store::find(conn, row.sitting_id).await?.is_none_or(|it| it.closed_at.is_some());
    if is_doubled || is_gone {
        return Err(moved_on());
    }
    store::write(conn, id, &back).await?;
    Ok(())
}

async fn lock(conn: &mut AsyncPgConnection, id: CallId) -> ApiResult<CallRow> {
    store::lock(conn, id).await?.ok_or_else(|| not_found("call_not_found"))
}
