//! The clock of a round: longer, standing still, and the break until the next round.

use std::ops::RangeInclusive;

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::locked::{Change, ExpectedRevision, LockedTournament};
use super::rounds::find;
use super::store::{self, RoundRow};
use super::{RoundKey, RoundStatus, Tournament, TournamentStatus};
use base::auth::{StaffContext, can};
use base::error::{Result, conflict, internal, invalid_field};
use base::world::World;

const MINUTES: RangeInclusive<i64> = 1..=600;

/// What the clock of a tournament says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The time of a round is up then.
    Until(Timestamp),
    /// It stands, with so much left.
    Stands(SignedDuration),
    /// The next round begins then.
    Break(Timestamp),
}

/// The round's clock goes so much longer; one without a clock has so much from now on. The window of an arena opens again.
pub async fn add_minutes(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    key: RoundKey,
    minutes: i64,
    expected: ExpectedRevision,
) -> Result<()> {
    let RoundKey { tournament: id, stage, round } = key;
    expect_minutes(minutes)?;
    LockedTournament::change(cx, id, expected, "tournament.add_minutes", async |conn, actor, locked| {
        let at = find(locked, stage, round)?;
        match locked.rounds[at].status {
            RoundStatus::Running => {}
            RoundStatus::Draft | RoundStatus::Published => return Err(conflict("round_not_running")),
            RoundStatus::Closed if locked.rounds[at].is_arena && stage == locked.row.stage => {}
            RoundStatus::Closed => return Err(conflict("round_over")),
        }
        locked.expect_running()?;
        locked.rounds[at].extend(minutes, actor.world)?;
        (locked.rounds[at].status, locked.rounds[at].closed_at) = (RoundStatus::Running, None);
        store::write_round(conn, id, &locked.rounds[at]).await?;
        let details = json!({ "stage": stage, "round": round, "minutes": minutes });
        Ok(Change::audited(details))
    })
    .await
}

/// The round's clock stands; of an arena nobody is paired either. Asking again changes nothing.
pub async fn pause_clock(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    key: RoundKey,
    expected: ExpectedRevision,
) -> Result<()> {
    let RoundKey { tournament: id, stage, round } = key;
    LockedTournament::change(cx, id, expected, "tournament.pause_clock", async |conn, actor, locked| {
        let at = find_with_clock(locked, key)?;
        if !locked.rounds[at].pause(actor.world.now()) {
            return Ok(Change::none());
        }
        store::write_round(conn, id, &locked.rounds[at]).await?;
        Ok(Change::audited(json!({ "stage": stage, "round": round })))
    })
    .await
}

/// The round's clock goes on, with as much time as was left. Asking again changes nothing.
pub async fn resume_clock(cx: &mut StaffContext<'_, can::RunTournaments>, key: RoundKey) -> Result<()> {
    let RoundKey { tournament: id, stage, round } = key;
    LockedTournament::change(cx, id, None, "tournament.resume_clock", async |conn, actor, locked| {
        let at = find_with_clock(locked, key)?;
        if !locked.rounds[at].resume(actor.world.now()) {
            return Ok(Change::none());
        }
        store::write_round(conn, id, &locked.rounds[at]).await?;
        Ok(Change::audited(json!({ "stage": stage, "round": round })))
    })
    .await
}

/// After this round, the last that was played, the next begins in so many minutes; without them nobody says when.
pub async fn set_break(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    key: RoundKey,
    minutes: Option<i64>,
    expected: ExpectedRevision,
) -> Result<()> {
    let RoundKey { tournament: id, stage, round } = key;
    minutes.map_or(Ok(()), expect_minutes)?;
    LockedTournament::change(cx, id, expected, "tournament.break", async |conn, actor, locked| {
        let at = find(locked, stage, round)?;
        match locked.rounds[at].status {
            RoundStatus::Draft => return Err(conflict("round_not_published")),
            RoundStatus::Published | RoundStatus::Running => return Err(conflict("bouts_open")),
            RoundStatus::Closed => {}
        }
        locked.expect_running()?;
        if locked.round_before_break().is_none_or(|it| (it.stage, it.round) != (stage, round)) {
            return Err(conflict("round_over"));
        }
        let until = minutes.map(|it| actor.world.now() + SignedDuration::from_mins(it));
        if until.is_none() && locked.rounds[at].next_round_at.is_none() {
            return Ok(Change::none());
        }
        locked.rounds[at].next_round_at = until;
        store::write_round(conn, id, &locked.rounds[at]).await?;
        Ok(Change::audited(json!({ "stage": stage, "round": round, "minutes": minutes })))
    })
    .await
}

fn expect_minutes(minutes: i64) -> Result<()> {
    if MINUTES.contains(&minutes) { Ok(()) } else { Err(invalid_field("/minutes", "out_of_range")) }
}

fn find_with_clock(locked: &LockedTournament, RoundKey { stage, round, .. }: RoundKey) -> Result<usize> {
    let at = find(locked, stage, round)?;
    match locked.rounds[at].status {
        RoundStatus::Draft | RoundStatus::Published => return Err(conflict("round_not_running")),
        RoundStatus::Closed => return Err(conflict("round_over")),
        RoundStatus::Running => locked.expect_running()?,
    }
    if locked.rounds[at].ends_at.is_some() { Ok(at) } else { Err(conflict("round_without_clock")) }
}

impl Tournament {
    /// What its clock says: of a round that is played, or of the break before the next.
    pub fn clock(&self) -> Option<Clock> {
        let next = || self.round_before_break()?.next_round_at.map(Clock::Break);
        self.open_rounds().find_map(RoundRow::clock).or_else(next)
    }

    /// The round after which the next may have to wait: the last that was played, while none is.
    pub fn round_before_break(&self) -> Option<&RoundRow> {
        let is_running = self.rounds.iter().any(|it| it.status == RoundStatus::Running);
        if self.row.status != TournamentStatus::Running || is_running {
            return None;
        }
        let closed = self.rounds.iter().filter(|it| it.status == RoundStatus::Closed && !it.is_arena);
        closed.max_by_key(|it| (it.stage, it.round))
    }
}

impl RoundRow {
    /// What its clock says while it is played.
    pub fn clock(&self) -> Option<Clock> {
        let ends = self.ends_at.filter(|_| self.status == RoundStatus::Running)?;
        Some(match self.paused_at {
            Some(paused) => Clock::Stands(ends.duration_since(paused).max(SignedDuration::ZERO)),
            None => Clock::Until(ends),
        })
    }

    /// Lets its clock stand; whether it went.
    pub(super) fn pause(&mut self, now: Timestamp) -> bool {
        let goes = self.paused_at.is_none();
        self.paused_at.get_or_insert(now);
        goes
    }

    /// Lets its clock go on, with as much time as was left; whether it stood.
    pub(super) fn resume(&mut self, now: Timestamp) -> bool {
        let Some(paused) = self.paused_at.take() else { return false };
        self.resumed_at = Some(now);
        // Time that was up stays up.
        self.ends_at = self.ends_at.map(|ends| if ends > paused { ends + now.duration_since(paused) } else { ends });
        true
    }

    fn extend(&mut self, minutes: i64, world: &World) -> Result<()> {
        // What is over already is not counted again; while the clock stands, the time that is left goes on later.
        let from = match (self.ends_at, self.paused_at) {
            (Some(ends), Some(paused)) => ends.max(paused),
            (ends, _) => ends.map_or(world.now(), |ends| ends.max(world.now())),
        };
        self.ends_at = Some(from.checked_add(SignedDuration::from_mins(minutes)).map_err(internal)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn round(ends: i64) -> RoundRow {
        RoundRow {
            status: RoundStatus::Running,
            published_at: Some(at(0)),
            started_at: Some(at(0)),
            ends_at: Some(at(ends)),
            ..RoundRow::drafted(1, 1, at(0))
        }
    }

    #[test]
    fn a_clock_that_stood_has_as_much_left_as_before() {
        let mut round = round(600);
        assert_eq!(round.clock(), Some(Clock::Until(at(600))));
        assert!(round.pause(at(100)) && !round.pause(at(150)), "it stands once");
        assert_eq!(round.clock(), Some(Clock::Stands(SignedDuration::from_secs(500))));
        assert!(!round.is_past(at(1000)));
        assert!(round.resume(at(400)) && !round.resume(at(500)), "and goes on once");
        assert_eq!((round.clock(), round.resumed_at), (Some(Clock::Until(at(900))), Some(at(400))));
        round.status = RoundStatus::Closed;
        assert_eq!(round.clock(), None);
    }

    #[test]
    fn time_that_was_up_stays_up() {
        let mut round = round(600);
        round.pause(at(700));
        assert_eq!(round.clock(), Some(Clock::Stands(SignedDuration::ZERO)));
        assert!(round.is_past(at(700)));
        round.resume(at(800));
        assert_eq!(round.clock(), Some(Clock::Until(at(600))));
    }
}
