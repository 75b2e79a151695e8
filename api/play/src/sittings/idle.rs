//! Sittings that nobody closed although the party has left.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::SignedDuration;

use super::store;
use crate::calls;
use base::error::Result;
use base::live::Live;
use base::world::World;

/// A party has left if nothing happened at its table for this long.
const IDLE_FOR: SignedDuration = SignedDuration::from_hours(6);

/// Closes them and returns their number. With several processes, one closes each.
pub async fn close_idle(conn: &mut AsyncPgConnection, world: &World, live: &Live) -> Result<usize> {
    let now = world.now();
    let (closed, news) = conn
        .transaction(async |conn| -> Result<_> {
            let closed = store::close_idle(conn, now - IDLE_FOR, now).await?;
            calls::store::settle_all(conn, &closed, now).await?;
            let news = store::abort_waiting(conn, &closed, now).await?;
            Ok((closed.len(), news))
        })
        .await?;
    for (id, count) in news {
        live.tell(id, count);
    }
    if closed > 0 {
        live.tell_floor();
    }
    Ok(closed)
}
