//! What follows once a match is over: its tallies, and the ratings of those who played it. Never in the path of a move.
//!
//! The database notes every match that finishes or whose result is corrected as unsettled. Any process settles, one at a
//! time, the matches of a game in the order in which they finished. Where one comes late, because it was corrected or its
//! players became others, the ratings of all that finished after it are taken back and reckoned again; so what is stored is
//! always what reckoning all matches in that order gives.

mod finished;
mod store;

use std::time::Duration;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::tz::TimeZone;

use crate::db::Db;
use crate::error::ApiResult;
use crate::ids::PlayerId;
use crate::stop::Stop;
use crate::{ratings, tallies};
pub use finished::{Finished, FinishedSeat};
pub use store::Moment;

const BETWEEN_ROUNDS: Duration = Duration::from_secs(1);
/// So many matches in one transaction.
const MATCHES_AT_ONCE: i64 = 500;

/// Settles whatever there is, from now on.
pub fn start(db: Db, zone: TimeZone, stop: Stop) {
    let runtime = db.runtime().clone();
    runtime.spawn(async move {
        while stop.sleep(BETWEEN_ROUNDS).await {
            if let Err(err) = settle_all(&db, &zone, &stop).await {
                tracing::warn!(reason = %err, "finished matches are not settled for the moment");
            }
        }
    });
}

async fn settle_all(db: &Db, zone: &TimeZone, stop: &Stop) -> ApiResult<()> {
    while !stop.is_requested() {
        // The connection goes back in between: other work in the background waits for one, too.
        if settle(&mut *db.conn().await?, zone).await? == 0 {
            break;
        }
    }
    Ok(())
}

/// Settles the next matches of one game: how many. None if there are none, or another process is at it.
pub async fn settle(conn: &mut AsyncPgConnection, zone: &TimeZone) -> ApiResult<usize> {
    if !store::has_unsettled(conn).await? {
        return Ok(0);
    }
    conn.transaction(async |conn| if store::try_lock(conn).await? { settle_next(conn, zone).await } else { Ok(0) })
        .await
}

/// While nobody else settles.
async fn settle_next(conn: &mut AsyncPgConnection, zone: &TimeZone) -> ApiResult<usize> {
    let Some((game, first)) = store::first(conn).await? else { return Ok(0) };
    if ratings::take_back(conn, zone, &game, first).await? {
        tracing::info!(game, "a match comes before others that were rated; they are rated again");
    }
    let ids = store::take(conn, &game, first, MATCHES_AT_ONCE).await?;
    let finished = finished::read(conn, &ids).await?;
    tallies::count(conn, &ids, &finished).await?;
    ratings::rate(conn, zone, &finished).await?;
    Ok(ids.len())
}

/// Every finished match of this player is to be settled again: the player has become another, or has registered.
pub async fn unsettle_all_of(conn: &mut AsyncPgConnection, player: PlayerId) -> ApiResult<usize> {
    Ok(store::unsettle_all_of(conn, player).await?)
}

/// What came of reckoning everything anew.
#[derive(Debug, PartialEq, Eq)]
pub struct Recomputed {
    pub matches: usize,
    /// Rows that were there before and are no longer, or the other way round.
    pub differing: i64,
}

/// Reckons all tallies and ratings anew from nothing but the matches. Until it is done everybody sees what was before.
pub async fn recompute(conn: &mut AsyncPgConnection, zone: &TimeZone) -> ApiResult<Recomputed> {
    conn.transaction(async |conn| {
        store::lock(conn).await?;
        store::be_patient(conn).await?;
        // What is not settled yet would differ for that reason alone.
        while settle_next(conn, zone).await? > 0 {}
        store::set_aside(conn).await?;
        let mut matches = 0;
        loop {
            match settle_next(conn, zone).await? {
                0 => break,
                settled => matches += settled,
            }
        }
        Ok(Recomputed { matches, differing: store::count_differing(conn).await? })
    })
    .await
}
