//! How a party calls staff, and withdraws its call.

use diesel_async::{AsyncConnection, AsyncPgConnection};

use super::SittingId;
use super::party::expect_member;
use crate::calls::store::NewCall;
use crate::calls::{self, CallReason, CallRow, CallState, CallStatus, Note};
use base::error::{Error, Result, conflict, not_found};
use base::ids::{CallId, PlayerId};
use base::live::Live;
use base::world::World;

/// A member of the party calls staff. A second call for the same reason, before it is settled, is the same call.
pub async fn call(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    sitting: SittingId,
    reason: CallReason,
    note: Option<&Note>,
) -> Result<CallRow> {
    let row = conn
        .transaction(async |conn| {
            let sitting = expect_member(conn, sitting, player).await?;
            if let Some(same) = calls::store::find_open(conn, sitting.id, reason).await? {
                return Ok(same);
            }
            let new = NewCall {
                id: CallId(world.uuid()),
                sitting_id: sitting.id,
                table_id: sitting.table_id,
                reason,
                note: note.map(|note| note.0.as_str()),
                status: CallStatus::Open,
                called_by: player,
                called_at: world.now().into(),
            };
            Ok::<_, Error>(calls::store::insert(conn, &new).await?)
        })
        .await?;
    live.tell_floor();
    Ok(row)
}

/// The party withdraws its call. Asking again changes nothing.
pub async fn withdraw_call(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    id: CallId,
) -> Result<CallRow> {
    let row = conn
        .transaction(async |conn| {
            let sitting = calls::store::find_sitting(conn, id).await?.ok_or_else(|| not_found("call_not_found"))?;
            expect_member(conn, sitting, player).await?;
            let row = calls::lock(conn, id).await?;
            match row.status {
                CallStatus::TakenBack => Ok(row),
                CallStatus::Settled => Err(conflict("call_over")),
                CallStatus::Open | CallStatus::Heard => {
                    let over = CallState { status: CallStatus::TakenBack, over_at: Some(world.now()), ..row.state() };
                    Ok::<_, Error>(calls::store::write(conn, id, &over).await?)
                }
            }
        })
        .await?;
    live.tell_floor();
    Ok(row)
}
