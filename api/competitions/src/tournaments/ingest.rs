//! Result ingestion: how bouts get the results of their matches. Triggers of the database note every bout whose match is over or
//! has another outcome. The next transaction that locks the tournament writes those results: exactly once, even after a crash.

use std::time::Duration;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::Points;
use engine::tournaments::Finish;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arena;
use super::by_itself;
use super::games::{self, Game, Played};
use super::locked::{LockedTournament, LogStep};
use super::store::{self, BoutRow, Doc, MatchEnd};
use super::{RoundStatus, TournamentStatus, results};
use base::db::Db;
use base::error::{Result, internal};
use base::games::guarded;
use base::live::Live;
use base::stop::Stop;
use base::world::World;

const INTERVAL: Duration = Duration::from_secs(1);

/// Ingests results, and pairs in arenas what the clock makes due, every second until the server stops.
pub fn keep_ingesting(db: Db, world: World, live: Live, stop: Stop) {
    let runtime = db.runtime().clone();
    runtime.spawn(async move {
        while stop.sleep(INTERVAL).await {
            let ingested = async {
                let mut conn = db.conn().await?;
                ingest_all(&mut conn, &world, &live).await?;
                arena::pair_by_clock(&mut conn, &world, &live).await
            };
            if let Err(err) = ingested.await {
                tracing::warn!(error = format!("{err:#}"), "keeping tournaments up to date failed");
            }
        }
    });
}

/// Ingests all that is pending. An error in one tournament does not stop the others.
async fn ingest_all(conn: &mut AsyncPgConnection, world: &World, live: &Live) -> Result<()> {
    for id in store::list_with_pending_ends(conn).await? {
        match conn.transaction(async |conn| LockedTournament::lock_and_ingest(conn, world, id, None).await).await {
            Ok(locked) => locked.into_news().tell(live),
            Err(err) => {
                tracing::warn!(tournament_id = %id, error = format!("{err:#}"), "ingesting match results of a tournament failed")
            }
        }
    }
    Ok(())
}

/// Writes the results of matches of this tournament that have ended since.
pub async fn ingest_results(conn: &mut AsyncPgConnection, world: &World, locked: &mut LockedTournament) -> Result<()> {
    let ends = store::take_pending_ends(conn, locked.row.id).await?;
    if ends.is_empty() {
        return Ok(());
    }
    let mut ingested = Ingested::Nothing;
    for end in &ends {
        ingested = ingested.max(ingest(conn, world, locked, end).await?);
    }
    match ingested {
        Ingested::Nothing => return Ok(()),
        Ingested::News => {}
        Ingested::Replaced => results::redraw(conn, world, locked).await?,
    }
    close_rounds(conn, world, locked).await?;
    let advance = by_itself::advance(conn, world, locked).await?;
    let matches: Vec<_> = ends.iter().map(|end| end.match_id).collect();
    let mut details = json!({ "matches": matches });
    advance.note_in(&mut details);
    locked.log(conn, world, LogStep { actor: None, action: "tournament.ingest", details: &details }).await
}

/// What the end of a match is to its tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ingested {
    /// No news: what staff wrote down at the desk, say.
    Nothing,
    News,
    /// A result stands in the place of another, from which a draft may have been paired.
    Replaced,
}

async fn ingest(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    end: &MatchEnd,
) -> Result<Ingested> {
    let found = locked.bouts.iter().enumerate().find_map(|(at, bout)| Some((at, bout.game_of(end.match_id)?)));
    let Some((at, game)) = found else { return Ok(Ingested::Nothing) };
    let bout = &locked.bouts[at];
    let is_open = matches!(locked.row.status, TournamentStatus::Running | TournamentStatus::Finished)
        && bout.stage == locked.row.stage
        // What staff wrote down themselves stands.
        && bout.settled_by.is_none();
    // Of a match without an outcome there is nothing to be told but that it is over.
    let Some(outcome) = end.outcome.as_ref().filter(|_| is_open) else {
        return Ok(if bout.is_over() { Ingested::Nothing } else { Ingested::News });
    };
    let result = finishes(bout, game, outcome)?;
    let (finishes, is_decided) = match games::note(locked, at, game, Game { match_id: end.match_id, result })? {
        Played::GoesOn => {
            store::set_result(conn, locked.row.id, &locked.bouts[at]).await?;
            games::play_next(conn, world, locked, at).await?;
            return Ok(Ingested::News);
        }
        Played::Over(finishes) => {
            games::abort_next(conn, world, locked, at).await?;
            (finishes, true)
        }
        // Staff have to say what becomes of it.
        Played::Open(standing) => (standing, false),
    };
    let bout = &locked.bouts[at];
    if bout.claim.is_none() && bout.result.as_ref().is_some_and(|result| result.0 == finishes) {
        return Ok(Ingested::Nothing);
    }
    let now = end.finished_at.unwrap_or_else(|| world.now());
    let is_known = bout.result.as_ref().is_some_and(|result| result.0 == finishes);
    let counts = is_decided && (is_known || may_count(locked, bout, &finishes)?);
    let replaces = counts && !is_known && bout.result.is_some();
    let bout = &mut locked.bouts[at];
    if counts {
        bout.end(finishes, now);
    } else {
        (bout.claim, bout.claimed_at) = (Some(Doc(finishes)), Some(world.now()));
    }
    store::set_result(conn, locked.row.id, &locked.bouts[at]).await?;
    Ok(if replaces { Ingested::Replaced } else { Ingested::News })
}

/// Whether this result can stand without anybody having a look: it fits its bout, and nothing that follows is undone by it.
fn may_count(locked: &LockedTournament, bout: &BoutRow, finishes: &[Finish]) -> Result<bool> {
    let stage = locked.stage(bout.stage)?;
    if guarded(|| stage.check_result(bout.key.0, finishes))?.is_some() {
        return Ok(false);
    }
    let is_new = bout.result.is_none();
    Ok(is_new
        || locked.row.status == TournamentStatus::Running
            && guarded(|| stage.invalidated_by(bout.key.0, finishes))?.is_empty())
}

impl BoutRow {
    /// It ended so, as its match says.
    fn end(&mut self, finishes: Vec<Finish>, at: Timestamp) {
        self.result = Some(Doc(finishes));
        self.settled_at = Some(at);
        (self.claim, self.claimed_at) = (None, None);
    }
}

/// Rounds whose bouts are all over are over.
pub async fn close_rounds(conn: &mut AsyncPgConnection, world: &World, locked: &mut LockedTournament) -> Result<()> {
    let id = locked.row.id;
    for at in 0..locked.rounds.len() {
        let round = &locked.rounds[at];
        // The window of an arena ends by the clock.
        let is_open = matches!(round.status, RoundStatus::Published | RoundStatus::Running) && !round.is_arena;
        if !is_open || !locked.bouts_of(round.stage, round.round).all(BoutRow::is_over) {
            continue;
        }
        let round = &mut locked.rounds[at];
        (round.status, round.closed_at) = (RoundStatus::Closed, Some(world.now()));
        store::write_round(conn, id, &locked.rounds[at]).await?;
    }
    Ok(())
}

#[derive(Deserialize)]
struct Outcome {
    ranks: Vec<u16>,
    scores: Option<Vec<Points>>,
}

/// What the outcome of a game, which tells it by seat, says of the entrants of the bout, in the order of the bout.
fn finishes(bout: &BoutRow, game: usize, outcome: &Value) -> Result<Vec<Finish>> {
    let Outcome { ranks, scores } = Outcome::deserialize(outcome).map_err(internal)?;
    let score = |seat: usize| scores.as_ref().and_then(|scores| scores.get(seat)).map(|it| it.in_hundredths().into());
    let finish = |(seat, (entrant, place)): (usize, (&i32, &u16))| {
        let entrant = u32::try_from(*entrant).map_err(internal)?;
        Ok(Finish { entrant, place: *place, score: score(seat), absent: false })
    };
    let seats = bout.seats_of(game);
    let mut finishes: Vec<Finish> = seats.iter().zip(&ranks).enumerate().map(finish).collect::<Result<_>>()?;
    let seat = |it: &Finish| bout.entrants.iter().position(|entrant| i64::from(*entrant) == i64::from(it.entrant));
    finishes.sort_by_key(seat);
    Ok(finishes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_is_told_by_entrant() {
        let bout = BoutRow { entrants: vec![7, 3, 9], ..BoutRow::sample() };
        let told =
            finishes(&bout, 0, &json!({ "ranks": [2, 1, 2], "scores": [1.5, 3, 1.5], "reason": "written_down" }));
        let finish = |entrant, place, score| Finish { entrant, place, score: Some(score), absent: false };
        assert_eq!(told.unwrap(), [finish(7, 2, 150), finish(3, 1, 300), finish(9, 2, 150)]);
        let places = finishes(&bout, 0, &json!({ "ranks": [1, 2, 3], "scores": null })).unwrap();
        assert_eq!(places[2], Finish { entrant: 9, place: 3, score: None, absent: false });
    }
}
