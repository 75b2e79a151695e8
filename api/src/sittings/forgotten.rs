//! Parties that left without anybody closing their sitting.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::SignedDuration;

use super::store;
use crate::calls;
use crate::error::ApiResult;
use crate::live::Live;
use crate::world::World;

/// A party of which nothing was heard for so long has left.
const FORGOTTEN: SignedDuration = SignedDuration::from_hours(6);

/// Ends them. Gives how many there were; of several processes one ends each.
pub async fn close_forgotten(conn: &mut AsyncPgConnection, world: &World, live: &Live) -> ApiResult<usize> {
    let now = world.now();
    let closed = conn
        .transaction(async |conn| -> ApiResult<usize> {
            let closed = store::close_forgotten(conn, now - FORGOTTEN, now).await?;
            calls::store::settle_all(conn, &closed, now).await?;
            Ok(closed.len())
        })
        .await?;
    if closed > 0 {
        live.tell_floor();
    }
    Ok(closed)
}
