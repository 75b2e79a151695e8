//! The sums that the café's figures are made of. Never in the path of a move: the database notes which matches and sittings
//! have ended or were corrected, and any process sums the days that they belong to up again, whole. Doing it twice changes nothing.

use std::collections::BTreeSet;
use std::time::Duration;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::analysis;
use super::store::sums as store;
use base::db::{self, Db};
use base::error::Result;
use base::settings::Cafe;
use base::stop::Stop;
use base::world::World;

const BETWEEN_ROUNDS: Duration = Duration::from_secs(2);
/// However busy the day, summing up takes one part of the time in so many.
const REST: u32 = 10;
const LONGEST_REST: Duration = Duration::from_secs(600);

/// Sums up whatever there is, from now on.
pub fn start(db: Db, world: World, cafe: Cafe, servers: TimeZone, stop: Stop) {
    let runtime = db.runtime().clone();
    runtime.spawn(async move {
        // Kept by this process: another one that was started with another zone is not argued with.
        let mut kept: Option<TimeZone> = None;
        let mut rests_until = world.now();
        while stop.sleep(BETWEEN_ROUNDS).await {
            let (started, zone) = (world.now(), cafe.zone(&servers));
            let is_new = kept.as_ref() != Some(&zone);
            // Another time zone waits for nothing: until then the figures are of days that begin at other times.
            if !is_new && started < rests_until {
                continue;
            }
            match make_round(&db, &zone, is_new).await {
                Ok(()) => kept = Some(zone),
                Err(err) => tracing::warn!(error = format!("{err:#}"), "updating statistics failed"),
            }
            let ended = world.now();
            rests_until = ended + ended.duration_since(started).unsigned_abs().min(LONGEST_REST / REST) * REST;
        }
    });
}

async fn make_round(db: &Db, zone: &TimeZone, is_new: bool) -> Result<()> {
    let mut conn = db.conn().await?;
    if is_new { bring_up_to_date(&mut conn, zone).await } else { sum_up(&mut conn).await.map(drop) }
}

/// Sums up whatever there is, by the days of this zone.
pub async fn bring_up_to_date(conn: &mut AsyncPgConnection, zone: &TimeZone) -> Result<()> {
    keep_zone(conn, zone).await?;
    sum_up(conn).await.map(drop)
}

/// The time zone of the days that are summed up, if it is not this one yet.
pub async fn other_zone(conn: &mut AsyncPgConnection, zone: &TimeZone) -> Result<Option<String>> {
    Ok(store::zone(conn).await?.filter(|kept| kept != name(zone)))
}

/// Recomputes all sums if days begin at other times than before.
async fn keep_zone(conn: &mut AsyncPgConnection, zone: &TimeZone) -> Result<()> {
    if store::zone(conn).await?.as_deref() != Some(name(zone)) {
        let Recomputed { days, .. } = recompute(conn, zone).await?;
        tracing::info!(days, zone = name(zone), "recomputed statistics for a new time zone");
    }
    Ok(())
}

fn name(zone: &TimeZone) -> &str {
    zone.iana_name().unwrap_or("UTC")
}

/// Sums the days up of which something became known: how many. None if there are none, or another process is at it.
pub async fn sum_up(conn: &mut AsyncPgConnection) -> Result<usize> {
    if !store::has_dirty_ranges(conn).await? {
        return Ok(0);
    }
    db::unhurried(conn.transaction(async |conn| {
        if !store::try_lock(conn).await? {
            return Ok(0);
        }
        let Some(zone) = store::zone(conn).await? else { return Ok(0) };
        let days = store::take(conn, &zone).await?;
        sum_days(conn, &days, &zone).await?;
        Ok(days.len())
    }))
    .await
}

async fn sum_days(conn: &mut AsyncPgConnection, days: &[Date], zone: &str) -> Result<()> {
    let mut visits = BTreeSet::new();
    for day in days {
        analysis::note(conn, *day, zone).await?;
        visits.extend(store::sum_day(conn, *day, zone).await?);
    }
    for day in visits {
        store::sum_visits(conn, day).await?;
    }
    let months: BTreeSet<Date> = days.iter().map(|day| day.first_of_month()).collect();
    for month in months {
        store::sum_month(conn, month).await?;
    }
    Ok(())
}

/// What a full recomputation found.
#[derive(Debug, PartialEq, Eq)]
pub struct Recomputed {
    pub days: usize,
    /// Rows that were there before and are no longer, or the other way round.
    pub differing: i64,
}

/// Recomputes all sums from the matches alone. Until it is done, everybody sees the old sums.
pub async fn recompute(conn: &mut AsyncPgConnection, zone: &TimeZone) -> Result<Recomputed> {
    let zone = name(zone);
    db::unhurried(conn.transaction(async |conn| {
        store::lock(conn).await?;
        // What is not summed up yet would differ for that reason alone.
        if let Some(kept) = store::zone(conn).await? {
            let days = store::take(conn, &kept).await?;
            sum_days(conn, &days, &kept).await?;
        }
        db::set_aside(conn, &store::TABLES).await?;
        store::keep_zone(conn, zone).await?;
        let days = store::list_days(conn, zone).await?;
        sum_days(conn, &days, zone).await?;
        Ok(Recomputed { days: days.len(), differing: db::count_differing(conn, &store::TABLES).await? })
    }))
    .await
}
