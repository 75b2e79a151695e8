//! How bouts end: what staff write down, and what a correction undoes.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::tournaments::{BadResult, Finish as Placed};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::locked::{Change, ExpectedRevision, LockedTournament};
use super::rounds;
use super::store::{self, BoutKey, BoutRow, Doc};
use super::{BoutId, Tournament, TournamentId, TournamentStatus, ingest};
use base::auth::{Actor, Permission, StaffContext, can};
use base::error::{Error, Result, conflict, forbidden, invalid_field, not_found};
use base::games::guarded;
use base::ids::{MatchId, PlayerId};
use base::world::World;
use play::matches::results::{self, Report, Reported};
use play::matches::{self, Mode, Status};

/// What one entrant got in a bout.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = TournamentFinish)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    /// By number.
    #[schema(minimum = 1)]
    pub entrant: i32,
    /// 1 the best; tied entrants share one and the next is skipped.
    #[schema(minimum = 1, maximum = 16)]
    pub place: i32,
    /// Points that were written down, with two decimals at most.
    #[schema(minimum = -1_000_000, maximum = 1_000_000)]
    pub score: Option<f64>,
    /// Whether the entrant did not appear. No-shows come after everybody else.
    #[serde(default)]
    pub absent: bool,
}

impl From<&Placed> for Finish {
    fn from(placed: &Placed) -> Self {
        Self {
            entrant: i32::try_from(placed.entrant).unwrap_or(0),
            place: placed.place.into(),
            score: placed.score.map(|score| score as f64 / 100.0),
            absent: placed.absent,
        }
    }
}

impl Finish {
    fn placed(&self) -> Result<Placed> {
        let wrong = || bad_result(BadResult::WrongEntrants.code());
        let entrant = u32::try_from(self.entrant).map_err(|_| wrong())?;
        let place = u16::try_from(self.place).map_err(|_| bad_result(BadResult::BadPlaces.code()))?;
        Ok(Placed { entrant, place, score: self.score.map(hundredths).transpose()?, absent: self.absent })
    }
}

fn hundredths(score: f64) -> Result<i64> {
    const MOST: f64 = 1_000_000.0;
    let whole = (score * 100.0).round();
    let is_exact = score.abs() <= MOST && (whole / 100.0 - score).abs() < 1e-9;
    if is_exact { Ok(whole as i64) } else { Err(bad_result(BadResult::BadScore.code())) }
}

fn bad_result(code: &'static str) -> Error {
    invalid_field("/finishes", code)
}

/// A result that staff write down.
#[derive(Clone, Copy, Debug)]
pub struct WrittenResult<'a> {
    pub finishes: &'a [Finish],
    pub reason: Option<&'a str>,
}

/// One of several results that staff write down.
#[derive(Clone, Copy, Debug)]
pub struct BoutResult<'a> {
    pub bout: BoutKey,
    pub result: WrittenResult<'a>,
}

/// What became of one of several results.
#[derive(Debug)]
pub enum Written {
    /// It is the result of the bout now.
    Now,
    /// It was before.
    Before,
    /// It is not, for this reason; the others are written down all the same.
    Not(Error),
}

/// Another result for a bout that is over.
#[derive(Clone, Copy, Debug)]
pub struct Correction<'a> {
    pub finishes: &'a [Finish],
    pub reason: &'a str,
    /// The bouts that the caller knows to be undone by it.
    pub voids: &'a [BoutKey],
}

impl Tournament {
    pub fn find_bout(&self, stage: i16, key: BoutKey) -> Result<usize> {
        let found = self.bouts.iter().position(|bout| (bout.stage, bout.key) == (stage, key));
        let found = found.ok_or_else(|| not_found("bout_not_found"))?;
        if self.is_drafted(&self.bouts[found]) { Err(conflict("round_not_published")) } else { Ok(found) }
    }

    /// A result of this bout, if it fits it.
    pub(super) fn fitting(&self, bout: &BoutRow, finishes: &[Finish]) -> Result<Vec<Placed>> {
        let placed = finishes.iter().map(Finish::placed).collect::<Result<Vec<_>>>()?;
        let stage = self.stage(bout.stage)?;
        if let Some(refusal) = guarded(|| stage.check_result(bout.key.0, &placed))? {
            return Err(bad_result(refusal.code()));
        }
        // In the order of their seats, so that the same result is the same.
        let seat = |it: &Placed| bout.entrants.iter().position(|entrant| i64::from(*entrant) == i64::from(it.entrant));
        let mut placed = placed;
        placed.sort_by_key(seat);
        Ok(placed)
    }
}

/// Staff write down how a bout ended that is not over. Asking again changes nothing.
pub async fn write_result(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    BoutId { tournament: id, stage, key }: BoutId,
    result: WrittenResult<'_>,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.result", async |conn, actor, locked| {
        let Some((at, placed)) = to_write(locked, actor, (stage, key), result.finishes)? else {
            return Ok(Change::none());
        };
        end_bout(conn, actor, locked, at, placed, result.reason).await?;
        ingest::close_rounds(conn, actor.world, locked).await?;
        let WrittenResult { reason, .. } = result;
        let details =
            json!({ "stage": stage, "bout": key, "result": locked.bouts[at].result.as_deref(), "reason": reason });
        Ok(Change::audited(details))
    })
    .await
}

/// The same of many bouts in one step: each is written down or refused by itself, in their order.
pub async fn write_results(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    (id, stage): (TournamentId, i16),
    results: &[BoutResult<'_>],
    expected: ExpectedRevision,
) -> Result<Vec<Written>> {
    LockedTournament::change(cx, id, expected, "tournament.results", async |conn, actor, locked| {
        locked.expect_running()?;
        locked.plan_of(stage)?;
        let played = results.iter().filter_map(|it| locked.bout(stage, it.bout)?.match_id).collect::<Vec<_>>();
        matches::lock_results(conn, &played).await?;
        let (mut all, mut noted) = (Vec::with_capacity(results.len()), Vec::new());
        for BoutResult { bout, result } in results {
            all.push(match to_write(locked, actor, (stage, *bout), result.finishes) {
                Ok(Some((at, placed))) => match end_or_leave(conn, actor, locked, at, placed, result.reason).await? {
                    Some(refused) => Written::Not(refused),
                    None => {
                        let written = locked.bouts[at].result.as_deref();
                        noted.push(json!({ "bout": bout, "result": written, "reason": result.reason }));
                        Written::Now
                    }
                },
                Ok(None) => Written::Before,
                Err(refused) if refused.is_refusal() => Written::Not(refused),
                Err(broken) => return Err(broken),
            });
        }
        if noted.is_empty() {
            return Ok(Change::none().with(all));
        }
        ingest::close_rounds(conn, actor.world, locked).await?;
        Ok(Change::audited(json!({ "stage": stage, "results": noted })).with(all))
    })
    .await
}

/// Where the bout is that ends so, with the result that fits it; none if that is its result already.
fn to_write(
    locked: &LockedTournament,
    actor: Actor<'_>,
    (stage, key): (i16, BoutKey),
    finishes: &[Finish],
) -> Result<Option<(usize, Vec<Placed>)>> {
    locked.expect_running()?;
    let at = locked.find_bout(stage, key)?;
    let bout = &locked.bouts[at];
    if bout.is_bye() {
        return Err(conflict("bout_over"));
    }
    expect_no_judge_of_own(locked, &bout.entrants, actor.staff.id)?;
    let placed = locked.fitting(bout, finishes)?;
    match &bout.result {
        Some(result) if result.0 == placed => Ok(None),
        Some(_) => Err(conflict("bout_over")),
        None => Ok(Some((at, placed))),
    }
}

/// A player cannot judge their own match.
fn expect_no_judge_of_own(locked: &LockedTournament, entrants: &[i32], staff: PlayerId) -> Result<()> {
    let plays = locked.entrant_of(staff).is_some_and(|it| entrants.contains(&it.number));
    if plays { Err(forbidden("own_bout")) } else { Ok(()) }
}

/// The bout ended so. A match that people write down is written down so, too, if they played it; any other that is not over is
/// called off.
async fn end_bout(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    locked: &mut LockedTournament,
    at: usize,
    placed: Vec<Placed>,
    reason: Option<&str>,
) -> Result<()> {
    let is_told_by_match = write_match(conn, actor, locked, at, &placed, reason).await?;
    let bout = &mut locked.bouts[at];
    bout.result = Some(Doc(placed));
    bout.settled_by = (!is_told_by_match).then_some(actor.staff.id);
    bout.settled_at = Some(actor.world.now());
    (bout.claim, bout.claimed_at) = (None, None);
    store::set_result(conn, locked.row.id, &locked.bouts[at]).await?;
    Ok(())
}

/// The same, or why not: then its match is as it was.
async fn end_or_leave(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    locked: &mut LockedTournament,
    at: usize,
    placed: Vec<Placed>,
    reason: Option<&str>,
) -> Result<Option<Error>> {
    // Only a match refuses anything.
    if locked.bouts[at].match_id.is_none() {
        end_bout(conn, actor, locked, at, placed, reason).await?;
        return Ok(None);
    }
    let ended = conn.transaction(async |conn| end_bout(conn, actor, locked, at, placed, reason).await).await;
    match ended {
        Ok(()) => Ok(None),
        Err(refused) if refused.is_refusal() => Ok(Some(refused)),
        Err(broken) => Err(broken),
    }
}

/// Whether the match says so now.
pub async fn write_match(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    locked: &mut LockedTournament,
    at: usize,
    placed: &[Placed],
    reason: Option<&str>,
) -> Result<bool> {
    let bout = &locked.tournament.bouts[at];
    let Some((id, status)) = bout.match_id.zip(bout.match_status) else { return Ok(false) };
    // A match tells of one game, and not how several came to this.
    let stage = locked.stage(bout.stage)?;
    let is_one = guarded(|| stage.games_of(bout.key.0))?.is_one();
    let is_written = is_one && locked.row.mode == Mode::Scored && placed.iter().all(|it| !it.absent);
    match status {
        Status::Aborted | Status::Expired => return Ok(false),
        Status::Waiting | Status::Running if !is_written => {
            if let Some(news) = matches::abort_unless_over(conn, actor.world, id).await? {
                locked.news.push((id, news));
            }
            return Ok(false);
        }
        Status::Finished if !is_written => return Ok(false),
        Status::Waiting | Status::Running | Status::Finished => {}
    }
    matches::begin(conn, actor.world, id).await?;
    let ranks = placed.iter().map(|it| i64::from(it.place)).collect();
    let scores: Option<Vec<f64>> = placed.iter().map(|it| it.score.map(|score| score as f64 / 100.0)).collect();
    let reported = Reported { ranks: Some(ranks), scores, out: None };
    if let Some(news) = results::take_down(
        conn,
        actor.world,
        actor.staff,
        Permission::RunTournaments,
        id,
        &Report { result: &reported, reason },
    )
    .await?
    {
        locked.news.push((id, news));
    }
    Ok(true)
}

/// Staff write down another result for a bout that is over, or say of what its match says that it counts. `voids` are the bouts
/// that they know to be undone by it: those are taken away, their matches called off, and what can be paired instead is
/// drafted.
pub async fn correct(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    BoutId { tournament: id, stage, key }: BoutId,
    Correction { finishes, reason, voids }: Correction<'_>,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.correct", async |conn, actor, locked| {
        if locked.row.status != TournamentStatus::Finished {
            locked.expect_running()?;
        }
        let at = locked.find_bout(stage, key)?;
        let before = locked.bouts[at].clone();
        if before.is_bye() || before.result.is_none() && before.claim.is_none() {
            return Err(conflict("bout_not_over"));
        }
        expect_no_judge_of_own(locked, &before.entrants, actor.staff.id)?;
        let placed = locked.fitting(&before, finishes)?;
        let voided = locked.voided(conn, stage, key, &placed).await?;
        if sorted(&voided) != sorted(voids) {
            return Err(conflict("following_changed"));
        }
        let is_now = stage == locked.row.stage;
        let was_over = is_now && locked.is_stage_over(stage)?;
        end_bout(conn, actor, locked, at, placed, Some(reason)).await?;
        if is_now {
            let reopens = was_over && !locked.is_stage_over(stage)?;
            void(conn, actor, locked, &voided, reopens).await?;
        }
        ingest::close_rounds(conn, actor.world, locked).await?;
        let details = json!({
            "stage": stage, "bout": key, "before": before.result.as_deref(), "claim": before.claim.as_deref(),
            "result": finishes, "voids": voided, "reason": reason,
        });
        Ok(Change::audited(details))
    })
    .await
}

fn sorted(keys: &[BoutKey]) -> Vec<BoutKey> {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    keys
}

/// Takes away what is no longer right in the stage that is played, and drafts what is. `reopens`: it was over, and is not.
async fn void(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    locked: &mut LockedTournament,
    voids: &[BoutKey],
    reopens: bool,
) -> Result<()> {
    let stage = locked.row.stage;
    // Where everything that is paired stands, so does what is drafted, unless it hangs on standings.
    let had_draft = locked.delete_draft(conn).await?;
    if voids.is_empty() && !had_draft && !reopens {
        return Ok(());
    }
    let is_void = |bout: &BoutRow| bout.stage == stage && voids.contains(&bout.key);
    let matches: Vec<MatchId> = locked.bouts.iter().filter(|it| is_void(it)).filter_map(|it| it.match_id).collect();
    for id in matches {
        if let Some(news) = matches::abort_unless_over(conn, actor.world, id).await? {
            locked.news.push((id, news));
        }
    }
    if !voids.is_empty() {
        store::delete_bouts(conn, locked.row.id, stage, voids).await?;
        locked.bouts.retain(|it| !is_void(it));
        let bouts = &locked.tournament.bouts;
        locked.tournament.rounds.retain(|it| bouts.iter().any(|bout| (bout.stage, bout.round) == (it.stage, it.round)));
        // A draft moves up where the last round is gone.
        let next = locked.next_number(stage);
        locked.deleted_draft = locked.deleted_draft.map(|(stage, round)| (stage, round.min(next)));
    }
    // What was the end is none.
    if locked.row.status == TournamentStatus::Finished && (reopens || !voids.is_empty()) {
        (locked.row.status, locked.row.over_at) = (TournamentStatus::Running, None);
    }
    draw_again(conn, actor.world, locked).await
}

/// Throws away what is drafted and drafts what is right now: a result from which it was paired is another.
pub async fn redraw(conn: &mut AsyncPgConnection, world: &World, locked: &mut LockedTournament) -> Result<()> {
    match locked.delete_draft(conn).await? {
        true => draw_again(conn, world, locked).await,
        false => Ok(()),
    }
}

async fn draw_again(conn: &mut AsyncPgConnection, world: &World, locked: &mut LockedTournament) -> Result<()> {
    // A bracket that runs by itself sees to that at the end of the step.
    if locked.row.status != TournamentStatus::Running || locked.runs_by_itself() {
        return Ok(());
    }
    rounds::draw_up_if_possible(conn, world, locked).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_two_decimals_at_most() {
        assert_eq!((hundredths(1.65).unwrap(), hundredths(-3.0).unwrap(), hundredths(0.1).unwrap()), (165, -300, 10));
        for wrong in [0.125, 1e9, f64::NAN, f64::INFINITY] {
            assert!(hundredths(wrong).is_err(), "{wrong}");
        }
    }
}
