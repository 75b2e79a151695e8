//! How bouts learn of their matches. The database notes every bout whose match is over or has another outcome; whoever next has
//! the tournament locked takes that in, in the same transaction: exactly once, whatever dies in between.

use std::time::Duration;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::Points;
use engine::tournaments::Finish;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::held::Held;
use super::store::{self, BoutRow, Doc, MatchEnd};
use super::{RoundStatus, TournamentStatus};
use crate::db::Db;
use crate::error::{ApiResult, internal};
use crate::games::guarded;
use crate::live::Live;
use crate::stop::Stop;
use crate::world::World;

const BETWEEN_ROUNDS: Duration = Duration::from_secs(1);

/// Settles whatever there is, from now on.
pub fn keep_settling(db: Db, world: World, live: Live, stop: Stop) {
    let runtime = db.runtime().clone();
    runtime.spawn(async move {
        while stop.sleep(BETWEEN_ROUNDS).await {
            let settled = async { settle_bouts(&mut *db.conn().await?, &world, &live).await };
            if let Err(err) = settled.await {
                tracing::warn!(reason = %err, "bouts do not learn of their matches for the moment");
            }
        }
    });
}

/// Settles whatever there is. What is wrong with one tournament is none of the others'.
async fn settle_bouts(conn: &mut AsyncPgConnection, world: &World, live: &Live) -> ApiResult<()> {
    for id in store::list_unsettled(conn).await? {
        match conn.transaction(async |conn| Held::lock(conn, world, id, None).await).await {
            Ok(held) => held.into_news().tell(live),
            Err(err) => tracing::warn!(reason = %err, %id, "a tournament does not learn of its matches for the moment"),
        }
    }
    Ok(())
}

/// Takes in what is not settled of this tournament.
pub(super) async fn catch_up(conn: &mut AsyncPgConnection, world: &World, held: &mut Held) -> ApiResult<()> {
    let ends = store::take_unsettled(conn, held.row.id).await?;
    if ends.is_empty() {
        return Ok(());
    }
    for end in &ends {
        take_in(conn, world, held, end).await?;
    }
    close_rounds(conn, world, held).await?;
    held.move_on(conn).await
}

async fn take_in(conn: &mut AsyncPgConnection, world: &World, held: &mut Held, end: &MatchEnd) -> ApiResult<()> {
    let Some(at) = held.bouts.iter().position(|bout| bout.match_id == Some(end.match_id)) else { return Ok(()) };
    let bout = &held.bouts[at];
    let is_open = matches!(held.row.status, TournamentStatus::Running | TournamentStatus::Finished)
        && bout.stage == held.row.stage
        // What staff wrote down themselves stands.
        && bout.settled_by.is_none();
    // Of a match without an outcome there is nothing to be told but that it is over.
    let Some(outcome) = end.outcome.as_ref().filter(|_| is_open) else { return Ok(()) };
    let finishes = finishes(bout, outcome)?;
    let now = end.finished_at.unwrap_or_else(|| world.now());
    let counts = bout.result.as_ref().is_some_and(|result| result.0 == finishes) || may_count(held, bout, &finishes)?;
    let bout = &mut held.bouts[at];
    if counts {
        bout.settle(finishes, now);
    } else {
        (bout.claim, bout.claimed_at) = (Some(Doc(finishes)), Some(world.now()));
    }
    store::set_result(conn, held.row.id, &held.bouts[at]).await?;
    Ok(())
}

/// Whether this result can stand without anybody having a look: it fits its bout, and nothing that follows is undone by it.
fn may_count(held: &Held, bout: &BoutRow, finishes: &[Finish]) -> ApiResult<bool> {
    let stage = held.stage(bout.stage)?;
    if guarded(|| stage.refuses(bout.key.0, finishes))?.is_some() {
        return Ok(false);
    }
    let is_new = bout.result.is_none();
    Ok(is_new
        || held.row.status == TournamentStatus::Running
            && guarded(|| stage.following(bout.key.0, finishes))?.is_empty())
}

impl BoutRow {
    /// It ended so, as its match says.
    fn settle(&mut self, finishes: Vec<Finish>, at: Timestamp) {
        self.result = Some(Doc(finishes));
        self.settled_at = Some(at);
        (self.claim, self.claimed_at) = (None, None);
    }
}

/// Rounds whose bouts are all over are over.
pub(super) async fn close_rounds(conn: &mut AsyncPgConnection, world: &World, held: &mut Held) -> ApiResult<()> {
    let id = held.row.id;
    for at in 0..held.rounds.len() {
        let round = &held.rounds[at];
        let is_open = matches!(round.status, RoundStatus::Published | RoundStatus::Running);
        if !is_open || !held.bouts_of(round.stage, round.round).all(BoutRow::is_over) {
            continue;
        }
        let round = &mut held.rounds[at];
        (round.status, round.closed_at) = (RoundStatus::Closed, Some(world.now()));
        store::write_round(conn, id, &held.rounds[at]).await?;
    }
    Ok(())
}

#[derive(Deserialize)]
struct Outcome {
    ranks: Vec<u16>,
    scores: Option<Vec<Points>>,
}

/// What a match's outcome, which tells it by seat, says of the entrants of the bout.
fn finishes(bout: &BoutRow, outcome: &Value) -> ApiResult<Vec<Finish>> {
    let Outcome { ranks, scores } = Outcome::deserialize(outcome).map_err(internal)?;
    let score = |seat: usize| scores.as_ref().and_then(|scores| scores.get(seat)).map(|it| it.in_hundredths().into());
    let finish = |(seat, (entrant, place)): (usize, (&i32, &u16))| {
        let entrant = u32::try_from(*entrant).map_err(internal)?;
        Ok(Finish { entrant, place: *place, score: score(seat), absent: false })
    };
    bout.entrants.iter().zip(&ranks).enumerate().map(finish).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_outcome_is_told_by_entrant() {
        let bout = BoutRow { entrants: vec![7, 3, 9], ..BoutRow::sample() };
        let told = finishes(&bout, &json!({ "ranks": [2, 1, 2], "scores": [1.5, 3, 1.5], "reason": "written_down" }));
        let finish = |entrant, place, score| Finish { entrant, place, score: Some(score), absent: false };
        assert_eq!(told.unwrap(), [finish(7, 2, 150), finish(3, 1, 300), finish(9, 2, 150)]);
        let places = finishes(&bout, &json!({ "ranks": [1, 2, 3], "scores": null })).unwrap();
        assert_eq!(places[2], Finish { entrant: 9, place: 3, score: None, absent: false });
    }
}
