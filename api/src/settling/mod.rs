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

use crate::cafe::Cafe;
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
pub fn start(db: Db, cafe: Cafe, servers: TimeZone, stop: Stop) {
    let runtime = db.runtime().clone();
    runtime.spawn(async move {
        // Kept by this process: another one that was started with another zone is not argued with.
        let mut kept: Option<TimeZone> = None;
        while stop.sleep(BETWEEN_ROUNDS).await {
            let zone = cafe.zone(&servers);
            match make_round(&db, &zone, kept.as_ref() != Some(&zone), &stop).await {
                Ok(()) => kept = Some(zone),
                Err(err) => tracing::warn!(reason = %err, "finished matches are not settled for the moment"),
            }
        }
    });
}

async fn make_round(db: &Db, zone: &TimeZone, is_new: bool, stop: &Stop) -> ApiResult<()> {
    if is_new {
        keep_zone(&mut *db.conn().await?, zone).await?;
    }
    while !stop.is_requested() {
        // The connection goes back in between: other work in the background waits for one, too.
        if settle(&mut *db.conn().await?).await? == 0 {
            break;
        }
    }
    Ok(())
}

/// Where months begin at other times than before, everything is reckoned anew.
pub async fn keep_zone(conn: &mut AsyncPgConnection, zone: &TimeZone) -> ApiResult<()> {
    let reckoned = conn
        .transaction(async |conn| {
            store::lock(conn).await?;
            if store::zone(conn).await?.as_ref() == Some(zone) {
                return Ok(None);
            }
            reckon_anew(conn, zone).await.map(Some)
        })
        .await?;
    if let Some(Recomputed { matches, .. }) = reckoned {
        tracing::info!(matches, zone = zone.iana_name(), "ratings were reckoned for this time zone");
    }
    Ok(())
}

/// Settles the next matches of one game: how many. None if there are none, or another process is at it.
pub async fn settle(conn: &mut AsyncPgConnection) -> ApiResult<usize> {
    if !store::has_unsettled(conn).await? {
        return Ok(0);
    }
    conn.transaction(async |conn| {
        if !store::try_lock(conn).await? {
            return Ok(0);
        }
        let Some(zone) = store::zone(conn).await? else { return Ok(0) };
        settle_next(conn, &zone).await
    })
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
        reckon_anew(conn, zone).await
    })
    .await
}

/// While nobody else settles.
async fn reckon_anew(conn: &mut AsyncPgConnection, zone: &TimeZone) -> ApiResult<Recomputed> {
    store::be_patient(conn).await?;
    // What is not settled yet would differ for that reason alone.
    let kept = store::zone(conn).await?.unwrap_or_else(|| zone.clone());
    while settle_next(conn, &kept).await? > 0 {}
    store::set_aside(conn).await?;
    store::keep_zone(conn, zone).await?;
    let mut matches = 0;
    loop {
        match settle_next(conn, zone).await? {
            0 => break,
            settled => matches += settled,
        }
    }
    Ok(Recomputed { matches, differing: store::count_differing(conn).await? })
}
