//! What follows once a match is over: its player statistics, and the ratings of those who played it. Never in the path of a move.
//!
//! The database notes every match that finishes or whose result is corrected as pending. Any process updates, one at a
//! time, the matches of a game in the order in which they finished. Where one comes late, because it was corrected or its
//! players became others, the ratings of all that finished after it are taken back and computed again; so what is stored is
//! always what computing all matches in that order gives.

pub mod store;

use std::time::Duration;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::tz::TimeZone;

use crate::finished;
use crate::player_stats;
use crate::ratings;
use base::db::{self, Db};
use base::error::Result;
use base::settings::Cafe;
use base::stop::Stop;

const BETWEEN_ROUNDS: Duration = Duration::from_secs(1);
/// So many matches in one transaction.
const MATCHES_AT_ONCE: i64 = 500;

/// Keeps them up to date from now on.
pub fn start(db: Db, cafe: Cafe, servers: TimeZone, stop: Stop) {
    let runtime = db.runtime().clone();
    runtime.spawn(async move {
        // Kept by this process: another one that was started with another zone is not argued with.
        let mut kept: Option<TimeZone> = None;
        while stop.sleep(BETWEEN_ROUNDS).await {
            let zone = cafe.zone(&servers);
            match make_round(&db, &zone, kept.as_ref() != Some(&zone), &stop).await {
                Ok(()) => kept = Some(zone),
                Err(err) => tracing::warn!(error = format!("{err:#}"), "updating player statistics and ratings failed"),
            }
        }
    });
}

async fn make_round(db: &Db, zone: &TimeZone, is_new: bool, stop: &Stop) -> Result<()> {
    if is_new {
        keep_zone(&mut *db.conn().await?, zone).await?;
    }
    while !stop.is_requested() {
        // The connection goes back in between: other work in the background waits for one, too.
        if update(&mut *db.conn().await?).await? == 0 {
            break;
        }
    }
    Ok(())
}

/// Recomputes everything if months begin at other times than before.
pub async fn keep_zone(conn: &mut AsyncPgConnection, zone: &TimeZone) -> Result<()> {
    let rebuilding = conn.transaction(async |conn| {
        store::lock(conn).await?;
        if store::zone(conn).await?.as_ref() == Some(zone) {
            return Ok(None);
        }
        rebuild(conn, zone).await.map(Some)
    });
    let reckoned = db::unhurried(rebuilding).await?;
    if let Some(Recomputed { matches, .. }) = reckoned {
        tracing::info!(matches, zone = zone.iana_name(), "recomputed ratings for a new time zone");
    }
    Ok(())
}

/// Updates those of the next matches of one game: how many. None if there are none, or another process is at it.
pub async fn update(conn: &mut AsyncPgConnection) -> Result<usize> {
    if !store::has_pending(conn).await? {
        return Ok(0);
    }
    conn.transaction(async |conn| {
        if !store::try_lock(conn).await? {
            return Ok(0);
        }
        let Some(zone) = store::zone(conn).await? else { return Ok(0) };
        update_next(conn, &zone).await
    })
    .await
}

/// While nobody else updates them.
async fn update_next(conn: &mut AsyncPgConnection, zone: &TimeZone) -> Result<usize> {
    let Some((game, first)) = store::first(conn).await? else { return Ok(0) };
    let is_late = ratings::mark_since(conn, &game, first).await?;
    let ids = store::take(conn, &game, first, MATCHES_AT_ONCE).await?;
    if is_late {
        ratings::take_back(conn, zone, &game, first).await?;
        tracing::info!(game, "rating matches again after an earlier result changed");
    }
    let finished = finished::read(conn, &ids).await?;
    player_stats::count(conn, &ids, &finished).await?;
    ratings::rate(conn, zone, &finished).await?;
    Ok(ids.len())
}

/// What a full recomputation found.
#[derive(Debug, PartialEq, Eq)]
pub struct Recomputed {
    pub matches: usize,
    /// Rows that were there before and are no longer, or the other way round.
    pub differing: i64,
}

/// Recomputes all player statistics and ratings from the matches alone. Until it is done, everybody sees the old ones.
pub async fn recompute(conn: &mut AsyncPgConnection, zone: &TimeZone) -> Result<Recomputed> {
    db::unhurried(conn.transaction(async |conn| {
        store::lock(conn).await?;
        rebuild(conn, zone).await
    }))
    .await
}

/// While nobody else updates them.
async fn rebuild(conn: &mut AsyncPgConnection, zone: &TimeZone) -> Result<Recomputed> {
    store::be_patient(conn).await?;
    // What is still pending would differ for that reason alone.
    let kept = store::zone(conn).await?.unwrap_or_else(|| zone.clone());
    while update_next(conn, &kept).await? > 0 {}
    db::set_aside(conn, &store::TABLES).await?;
    store::mark_all(conn).await?;
    store::keep_zone(conn, zone).await?;
    let mut matches = 0;
    loop {
        match update_next(conn, zone).await? {
            0 => break,
            updated => matches += updated,
        }
    }
    Ok(Recomputed { matches, differing: db::count_differing(conn, &store::TABLES).await? })
}
