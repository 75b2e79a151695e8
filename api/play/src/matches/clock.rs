//! The clock of a match, which the database runs (the trigger `matches_run_clock`): read it, keep it going, and find whose
//! time is up. `docs/clocks.md` has the rule.

use std::time::Duration;

use diesel::dsl::{self, sql};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Bool, Timestamptz};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use engine::Seat;
use jiff::{SignedDuration, Timestamp};
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde::Serialize;
use tokio::time::{MissedTickBehavior, interval};
use utoipa::ToSchema;

use super::seats_in;
use super::store::stuck;
use base::db::{Db, fixed, statement};
use base::error::Result;
use base::ids::MatchId;
use base::live::Live;
use base::schema::{clock_heartbeat, match_clocks, matches};
use base::stop::Stop;

const BETWEEN_HEARTBEATS: Duration = Duration::from_secs(1);
/// Time that nobody has kept for so long is given back. Every process keeps it once a second, so a heartbeat that is yet to come
/// is one from before the database's clock was set back. Until then turns begin by `kept_time()`, which says the same.
const IS_KEPT: &str = "clock_heartbeat.at BETWEEN now() - interval '2 seconds' AND now() + interval '2 seconds'";

/// Of a match that runs by one, by the database's time.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = match_clocks, check_for_backend(Pg))]
pub struct ClockRow {
    pub match_id: MatchId,
    pub turn_seconds: i32,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub turn_since: Timestamp,
    /// By seat, in milliseconds.
    pub reserves_ms: Option<Vec<Option<i32>>>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub deadline: Option<Timestamp>,
}

/// Whom a match waits for, since when, and how long.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MatchClock)]
pub struct Clock {
    #[schema(value_type = Vec<u8>)]
    pub to_move: Vec<Seat>,
    pub moved_at: Option<Timestamp>,
    /// Since when those on turn have been thinking, if there is a limit to it.
    pub turn_since: Option<Timestamp>,
    /// When the autopilot will move for the first of them.
    pub deadline: Option<Timestamp>,
    /// By seat, what was left of its reserve when its turn began, in milliseconds.
    pub reserves_ms: Option<Vec<i32>>,
    /// The server's time when it answered, to compare the other times with. Only where there is a limit.
    pub now: Option<Timestamp>,
}

impl Clock {
    pub fn of(to_move: Vec<Seat>, moved_at: Option<Timestamp>, row: Option<&ClockRow>, now: Timestamp) -> Self {
        Self {
            to_move,
            moved_at,
            turn_since: row.map(|row| row.turn_since),
            deadline: row.and_then(|row| row.deadline),
            reserves_ms: row.and_then(|row| Some(row.reserves_ms.as_ref()?.iter().map(|it| it.unwrap_or(0)).collect())),
            now: row.map(|_| now),
        }
    }
}

impl ClockRow {
    /// The first of these seats whose time is up.
    pub fn late(&self, to_move: i32, now: Timestamp) -> Option<Seat> {
        let turn = SignedDuration::from_secs(i64::from(self.turn_seconds));
        let reserve = |seat: Seat| self.reserves_ms.as_ref()?.get(usize::from(seat.0)).copied().flatten();
        let end = |seat| self.turn_since + turn + SignedDuration::from_millis(reserve(seat).unwrap_or(0).into());
        seats_in(to_move).iter().find(|seat| end(*seat) <= now)
    }
}

/// Of these matches, with the time that it is.
pub async fn list(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<(Vec<ClockRow>, Timestamp)> {
    let of_these = match_clocks::table.filter(match_clocks::match_id.eq_any(ids));
    let found: Vec<(ClockRow, SqlTimestamp)> =
        of_these.select((ClockRow::as_select(), dsl::now.into_sql::<Timestamptz>())).load(conn).await?;
    let time = found.as_slice().first().map_or(Timestamp::UNIX_EPOCH, |(_, now)| now.to_jiff());
    Ok((found.into_iter().map(|(clock, _)| clock).collect(), time))
}

/// With the time by which it runs.
pub async fn find(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Option<(ClockRow, Timestamp)>> {
    let found = match_clocks::table.find(id).select((ClockRow::as_select(), fixed::<Timestamptz>("kept_time()")));
    let found = found.first::<(ClockRow, SqlTimestamp)>(conn).await.optional()?;
    Ok(found.map(|(clock, now)| (clock, now.to_jiff())))
}

/// The matches in which somebody's time is up, the longest first; none while the time is not kept.
pub async fn list_late(conn: &mut AsyncPgConnection, limit: i64) -> QueryResult<Vec<MatchId>> {
    let kept = clock_heartbeat::table.filter(fixed::<Bool>(IS_KEPT));
    match_clocks::table
        .filter(match_clocks::deadline.assume_not_null().le(dsl::now))
        .filter(dsl::exists(kept))
        .filter(match_clocks::match_id.ne_all(stuck::waiting()))
        .order(match_clocks::deadline)
        .limit(limit)
        .select(match_clocks::match_id)
        .load(conn)
        .await
}

/// Keeps the time until the process stops, beside the autopilot's moves: however many there are to make, time goes on.
pub async fn keep_running(db: Db, live: Live, stop: Stop) {
    let mut heartbeats = interval(BETWEEN_HEARTBEATS);
    heartbeats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = heartbeats.tick() => {}
            () = stop.requested() => return,
        }
        let kept = async { keep_time(&mut *db.conn().await?, &live).await };
        match kept.await {
            Ok(()) => {}
            // The autopilot's rounds tell of it, too.
            Err(err) if err.code() == "unavailable" => {}
            Err(err) => tracing::warn!(error = format!("{err:#}"), "keeping the time of matches failed"),
        }
    }
}

/// Notes that time is being kept. If nobody has for a while, or the database's clock jumped, first moves every clock by as much,
/// once among all processes: what is left of each turn stays the same.
pub async fn keep_time(conn: &mut AsyncPgConnection, live: &Live) -> Result<()> {
    // Diesel would prepare an update again each time.
    const KEEP: &str = "UPDATE clock_heartbeat SET at = now() \
                        WHERE at BETWEEN now() - interval '2 seconds' AND now() + interval '2 seconds'";
    if statement(KEEP).execute(conn).await? > 0 {
        return Ok(());
    }
    let told = conn.transaction(async |conn| give_back(conn).await).await?;
    if !told.is_empty() {
        tracing::info!(matches = told.len(), "moved match clocks past an outage or a jump of the clock");
    }
    for (id, news) in told {
        live.tell(id, news);
    }
    Ok(())
}

async fn give_back(conn: &mut AsyncPgConnection) -> QueryResult<Vec<(MatchId, i64)>> {
    const LOST: &str = "(SELECT now() - CASE WHEN at <= now() THEN greatest(at, match_clocks.turn_since) ELSE at END \
                        FROM clock_heartbeat)";
    let heartbeat = clock_heartbeat::table.select(fixed::<Bool>(IS_KEPT)).for_update();
    // Another process was quicker: what it gave back is not given twice.
    if heartbeat.first::<bool>(conn).await? {
        return Ok(Vec::new());
    }
    // Matches before their clocks, in the order in which moves lock them.
    let timed = matches::table.filter(matches::id.eq_any(match_clocks::table.select(match_clocks::match_id)));
    let told = diesel::update(timed)
        .set(matches::change_seq.eq(matches::change_seq + 1))
        .returning((matches::id, matches::change_seq))
        .get_results(conn)
        .await?;
    diesel::update(match_clocks::table)
        .set((
            match_clocks::turn_since.eq(sql::<Timestamptz>(&format!("match_clocks.turn_since + {LOST}"))),
            match_clocks::deadline
                .eq(sql::<diesel::sql_types::Nullable<Timestamptz>>(&format!("match_clocks.deadline + {LOST}"))),
        ))
        .execute(conn)
        .await?;
    diesel::update(clock_heartbeat::table).set(clock_heartbeat::at.eq(dsl::now)).execute(conn).await?;
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_late_when_its_move_and_its_reserve_are_used_up() {
        let at = |seconds: i64| Timestamp::from_second(1_000 + seconds).unwrap();
        let clock = ClockRow {
            match_id: MatchId(uuid::Uuid::nil()),
            turn_seconds: 10,
            turn_since: at(0),
            reserves_ms: Some(vec![Some(5_000), Some(0), None]),
            deadline: None,
        };
        assert_eq!(clock.late(0b111, at(9)), None);
        assert_eq!(clock.late(0b111, at(10)), Some(Seat(1)));
        assert_eq!(clock.late(0b001, at(14)), None);
        assert_eq!(clock.late(0b001, at(15)), Some(Seat(0)));
        assert_eq!(clock.late(0b100, at(10)), Some(Seat(2)));
        assert_eq!(ClockRow { reserves_ms: None, ..clock }.late(0b001, at(10)), Some(Seat(0)));
    }
}
