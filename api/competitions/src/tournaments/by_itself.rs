//! What goes by itself after every change: an arena pairs who is free, and a bracket that runs by itself publishes and starts each bout
//! as soon as both its entrants are known. It is part of the step from which it follows, and is taken back with it.

use diesel_async::AsyncPgConnection;
use engine::tournaments::Pairing;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::locked::LockedTournament;
use super::plan::takes_running_by_itself;
use super::store::{self, BoutKey, BoutRow, RoundRow};
use super::teams::boards;
use super::{
    RoundStatus, StagePlan, Tournament, TournamentChange, TournamentId, TournamentStatus, arena, change, ingest, late,
    rounds, table_assignment,
};
use base::auth::{StaffContext, can};
use base::error::Result;
use base::world::World;

/// In the details of a step: the bouts that the server published with it.
pub const BY_ITSELF: &str = "by_itself";

/// The same: what the server paired in an arena.
pub const IN_ARENA: &str = "arena";

/// What became of it.
#[derive(Default)]
pub struct Advance {
    pub is_news: bool,
    /// For the log: under which name, and what.
    pub note: Option<(&'static str, Value)>,
}

impl Advance {
    /// Adds it to what the log tells of a step.
    pub fn note_in(self, details: &mut Value) {
        let Some((name, note)) = self.note else { return };
        if details.is_null() {
            *details = json!({});
        }
        if let Value::Object(fields) = details {
            fields.insert(name.to_owned(), note);
        }
    }
}

impl Tournament {
    /// Whether the stage that is played is a bracket that runs by itself.
    pub fn runs_by_itself(&self) -> bool {
        let plan = self.plan_of(self.row.stage);
        self.row.status == TournamentStatus::Running && plan.is_ok_and(|plan| plan.runs_by_itself)
    }

    /// Whether the stage that is played could run by itself.
    pub fn can_run_by_itself(&self) -> bool {
        let plan = self.plan_of(self.row.stage);
        let takes = |plan: &StagePlan| takes_running_by_itself(&plan.format, boards(self.row.team_size));
        self.row.status == TournamentStatus::Running && plan.is_ok_and(takes)
    }
}

/// Lets the stage that is played run by itself, or by hand from now on.
pub async fn set_running_by_itself(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    runs_by_itself: bool,
) -> Result<()> {
    let tournament = super::load_for_staff(cx, id).await?;
    let mut stages = tournament.row.stages.0.clone();
    let now = usize::try_from(tournament.row.stage).unwrap_or(1).saturating_sub(1);
    stages.iter_mut().skip(now).take(1).for_each(|it| it.runs_by_itself = runs_by_itself);
    let revision = Some(tournament.row.revision);
    change(cx, id, &TournamentChange { stages: Some(stages), revision, ..TournamentChange::default() }).await
}

/// Does what is due after a change.
pub async fn advance(conn: &mut AsyncPgConnection, world: &World, locked: &mut LockedTournament) -> Result<Advance> {
    match locked.runs_by_itself() {
        true => run(conn, world, locked).await,
        false => arena::advance(conn, world, locked).await,
    }
}

/// Publishes and starts what is due. While there is a draft, staff do it by hand.
async fn run(conn: &mut AsyncPgConnection, world: &World, locked: &mut LockedTournament) -> Result<Advance> {
    if locked.draft().is_some() {
        return Ok(Advance::default());
    }
    // One that the step deleted is paired again, and staff still hold it back.
    if locked.deleted_draft.is_some() && rounds::draw_up_if_possible(conn, world, locked).await?.is_some() {
        return Ok(Advance::default());
    }
    if !locked.row.sandbox {
        table_assignment::assign_late(conn, locked, locked.row.stage).await?;
    }
    let mut keys: Vec<BoutKey> = Vec::new();
    // Who has a bye may meet somebody else at once who had one.
    loop {
        let due = locked.due()?;
        let Some(due) = due.as_ref().as_ref().ok().filter(|it| !it.is_empty()) else { break };
        keys.extend(due.iter().map(|it| BoutKey(it.key)));
        publish(conn, world, locked, due).await?;
    }
    if keys.is_empty() {
        return Ok(Advance::default());
    }
    ingest::close_rounds(conn, world, locked).await?;
    Ok(Advance { is_news: true, note: Some((BY_ITSELF, json!({ "bouts": keys }))) })
}

async fn publish(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    due: &[Pairing],
) -> Result<()> {
    let (id, stage, first) = (locked.row.id, locked.row.stage, locked.bouts.len());
    for pairing in due {
        let round = open_round(conn, world.now(), locked, pairing).await?;
        let bout = BoutRow { round, ..BoutRow::drafted(stage, pairing.clone())? };
        locked.bouts.push(bout);
    }
    let new: Vec<_> = locked.bouts[first..].iter().map(|it| it.new_in(id)).collect();
    store::insert_bouts(conn, &new).await?;
    if locked.row.sandbox {
        return Ok(());
    }
    let keys: Vec<BoutKey> = locked.bouts[first..].iter().map(|it| it.key).collect();
    table_assignment::assign_among(conn, locked, |it| it.stage == stage && keys.contains(&it.key)).await?;
    for at in first..locked.bouts.len() {
        if !locked.bouts[at].is_over() {
            late::play(conn, world, locked, at).await?;
        }
    }
    Ok(())
}

/// The round in which the bouts of a round of the bracket are, once it is played.
async fn open_round(
    conn: &mut AsyncPgConnection,
    now: Timestamp,
    locked: &mut LockedTournament,
    pairing: &Pairing,
) -> Result<i16> {
    let (id, stage) = (locked.row.id, locked.row.stage);
    let minutes = locked.row.round_minutes.filter(|_| pairing.entrants.len() > 1);
    let minutes = minutes.map(|it| SignedDuration::from_mins(it.into()));
    let known = locked.bouts_in(stage).filter(|it| it.key.0.round == pairing.key.round).map(|it| it.round).max();
    let at = known.and_then(|round| locked.rounds.iter().position(|it| (it.stage, it.round) == (stage, round)));
    let row = match at.map(|at| locked.rounds[at].clone()) {
        // Staff have published it and have not started it yet.
        Some(row) if row.status == RoundStatus::Published => return Ok(row.round),
        Some(row) => row.with_bout(now, minutes),
        None => RoundRow {
            status: RoundStatus::Running,
            published_at: Some(now),
            started_at: Some(now),
            ends_at: minutes.map(|it| now + it),
            ..RoundRow::drafted(stage, locked.next_number(stage), now)
        },
    };
    store::put_round(conn, id, &row).await?;
    let round = row.round;
    match at {
        Some(at) => locked.rounds[at] = row,
        None => locked.rounds.push(row),
    }
    Ok(round)
}

impl RoundRow {
    /// With one more bout, for which there is so much time. A clock that stands goes on standing, with that much left at least;
    /// that of a round that was over goes.
    fn with_bout(self, now: Timestamp, time: Option<SignedDuration>) -> Self {
        let paused_at = self.paused_at.filter(|_| self.status == RoundStatus::Running);
        let from = paused_at.unwrap_or(now);
        Self {
            status: RoundStatus::Running,
            started_at: self.started_at.or(Some(now)),
            ends_at: self.ends_at.max(time.map(|it| from + it)),
            closed_at: None,
            paused_at,
            next_round_at: None,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Clock;
    use super::*;

    fn at(minute: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minute)
    }

    fn round(status: RoundStatus) -> RoundRow {
        RoundRow {
            status,
            published_at: Some(at(0)),
            started_at: Some(at(0)),
            ends_at: Some(at(30)),
            ..RoundRow::drafted(1, 2, at(0))
        }
    }

    #[test]
    fn the_clock_of_a_round_starts_again_with_each_bout() {
        let time = Some(SignedDuration::from_mins(30));
        let goes = round(RoundStatus::Running);
        assert_eq!(goes.clone().with_bout(at(20), time).clock(), Some(Clock::Until(at(50))));
        assert_eq!(goes.clone().with_bout(at(20), None).clock(), Some(Clock::Until(at(30))), "a bye takes no time");
        // A clock that stands goes on standing, with the time of the bout.
        let stands = RoundRow { paused_at: Some(at(10)), ..goes.clone() };
        let longer = stands.with_bout(at(200), time);
        assert_eq!(longer.clock(), Some(Clock::Stands(SignedDuration::from_mins(30))));
        // It stood when the last bout ended, and people had a break.
        let over = round(RoundStatus::Closed);
        let over = RoundRow { closed_at: Some(at(15)), paused_at: Some(at(10)), next_round_at: Some(at(25)), ..over };
        let again = over.with_bout(at(20), time);
        assert_eq!((again.clock(), again.next_round_at), (Some(Clock::Until(at(50))), None));
        assert_eq!((again.status, again.closed_at), (RoundStatus::Running, None));
    }
}
