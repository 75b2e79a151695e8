//! Rounds: paired as a draft that only staff see, published with tables and matches, played by the clock.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::tournaments::{Format, Reason, Unpairable};
use jiff::SignedDuration;
use serde_json::json;

use super::held::{Asked, Held};
use super::store::{self, BoutKey, BoutRow, Doc, NewBout, RoundRow};
use super::{RoundStatus, TournamentId, bouts, places, settle};
use crate::error::{ApiError, ApiResult, conflict, internal, invalid_field, not_found, unprocessable};
use crate::games::guarded;
use crate::matches;
use crate::undo::Doer;
use crate::world::World;

const MOST_ROUNDS: i16 = 999;
const MINUTES: std::ops::RangeInclusive<i64> = 1..=600;

/// Pairs what can be paired now: a draft, which only staff see. Its number; asking again changes nothing.
pub async fn pair(conn: &mut AsyncPgConnection, doer: Doer<'_>, id: TournamentId, asked: Asked) -> ApiResult<i16> {
    let (round, news) = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            held.expect_running()?;
            if let Some(draft) = held.draft() {
                return Ok((draft.round, held.into_news()));
            }
            let round = draw_up(conn, doer.world, &mut held).await?;
            let round = round.ok_or_else(|| nothing_due(&held))?;
            let details = json!({ "stage": held.row.stage, "round": round });
            let news = held.record(conn, doer.world, (doer.staff.id, "tournament.pair"), details).await?;
            Ok((round, news))
        })
        .await?;
    news.tell(doer.live);
    Ok(round)
}

fn nothing_due(held: &Held) -> ApiError {
    match held.open_rounds().next() {
        Some(_) => conflict("bouts_open"),
        None => conflict("stage_over"),
    }
}

/// The next draft, if there is anything to be paired.
pub(super) async fn draw_up(conn: &mut AsyncPgConnection, world: &World, held: &mut Held) -> ApiResult<Option<i16>> {
    let (id, stage) = (held.row.id, held.row.stage);
    let begun = held.stage(stage)?;
    let due = guarded(|| begun.due())?.map_err(unpairable)?;
    if due.is_empty() {
        return Ok(None);
    }
    let rounds = held.rounds.iter().filter(|it| it.stage == stage).map(|it| it.round);
    let round = rounds.max().unwrap_or(0) + 1;
    if round > MOST_ROUNDS {
        return Err(conflict("too_many_rounds"));
    }
    let mut paired = Vec::with_capacity(due.len());
    for pairing in due {
        let entrants = pairing.entrants.iter().map(|it| i32::try_from(*it)).collect::<Result<_, _>>();
        paired.push((BoutKey(pairing.key), entrants.map_err(internal)?, Doc(pairing.reasons)));
    }
    let bout = |(key, entrants, reasons): &(BoutKey, Vec<i32>, Doc<Vec<Reason>>)| NewBout {
        tournament_id: id,
        stage,
        key: *key,
        round,
        entrants: entrants.clone(),
        reasons: reasons.clone(),
    };
    let new: Vec<NewBout> = paired.iter().map(bout).collect();
    store::insert_round(conn, (id, stage, round), &new, world.now()).await?;
    Ok(Some(round))
}

fn unpairable(why: Unpairable) -> ApiError {
    let code = why.code();
    let words = match why {
        Unpairable::Unfit(_) => format!("field-{code}"),
        Unpairable::TooFewLeft | Unpairable::NoLegalPairing => format!("unpairable-{code}"),
    };
    conflict("unpairable").with_field("", code).in_words(vec![words])
}

/// Throws a draft away. Asking again changes nothing.
pub async fn discard(conn: &mut AsyncPgConnection, doer: Doer<'_>, id: TournamentId, asked: Asked) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            held.expect_running()?;
            let stage = held.row.stage;
            if !held.drop_draft(conn).await? {
                return Ok(held.into_news());
            }
            held.record(conn, doer.world, (doer.staff.id, "tournament.discard"), json!({ "stage": stage })).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

/// Two of a draft change places, where pairings follow from results and not from a bracket.
pub async fn swap(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: TournamentId,
    (one, other): (i32, i32),
    asked: Asked,
) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            held.expect_running()?;
            let (stage, round) =
                held.draft().map(|it| (it.stage, it.round)).ok_or_else(|| conflict("nothing_drafted"))?;
            match held.plan_of(stage)?.format {
                Format::Swiss { .. } | Format::Pods { .. } => {}
                Format::SingleElimination { .. }
                | Format::DoubleElimination {}
                | Format::RoundRobin { .. }
                | Format::PodKnockout { .. } => return Err(conflict("pairings_follow")),
            }
            let at = |entrant: i32| {
                let found = held.bouts_of(stage, round).find(|bout| bout.entrants.contains(&entrant));
                found.map(|bout| bout.key).ok_or_else(|| unprocessable("entrant_not_paired"))
            };
            let keys = [at(one)?, at(other)?];
            for bout in held.whole.bouts.iter_mut().filter(|bout| bout.stage == stage && keys.contains(&bout.key)) {
                for entrant in &mut bout.entrants {
                    *entrant = match *entrant {
                        it if it == one => other,
                        it if it == other => one,
                        it => it,
                    };
                }
                if keys[0] != keys[1] {
                    // They play each other for no reason but this.
                    bout.reasons = Doc(Vec::new());
                }
                store::set_entrants(conn, id, bout).await?;
            }
            let details = json!({ "stage": stage, "round": round, "swapped": [one, other] });
            held.record(conn, doer.world, (doer.staff.id, "tournament.swap"), details).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

/// Everybody sees the round from now on; its bouts have tables and matches, which wait. Asking again changes nothing.
pub async fn publish(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    (id, stage, round): (TournamentId, i16, i16),
    asked: Asked,
) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            let at = find(&held, stage, round)?;
            if held.rounds[at].status != RoundStatus::Draft {
                return Ok(held.into_news());
            }
            held.expect_running()?;
            places::assign(conn, &mut held, stage, round).await?;
            for bout in to_play(&held, stage, round) {
                bouts::make_match(conn, doer, &mut held, bout).await?;
            }
            let now = doer.world.now();
            let published = &mut held.rounds[at];
            (published.status, published.published_at) = (RoundStatus::Published, Some(now));
            store::write_round(conn, id, &held.rounds[at]).await?;
            // A round of nothing but byes is over with that.
            settle::close_rounds(conn, doer.world, &mut held).await?;
            let details = json!({ "stage": stage, "round": round });
            held.record(conn, doer.world, (doer.staff.id, "tournament.publish"), details).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

/// Where the bouts of this round are that somebody has to play.
fn to_play(held: &Held, stage: i16, round: i16) -> Vec<usize> {
    let is_of = |bout: &BoutRow| (bout.stage, bout.round) == (stage, round) && !bout.is_over();
    held.bouts.iter().enumerate().filter(|(_, bout)| is_of(bout)).map(|(at, _)| at).collect()
}

fn find(held: &Held, stage: i16, round: i16) -> ApiResult<usize> {
    let found = held.rounds.iter().position(|it| (it.stage, it.round) == (stage, round));
    found.ok_or_else(|| not_found("round_not_found"))
}

/// Makes a published round a draft again, as long as nobody plays; its matches are called off. Asking again changes nothing.
pub async fn withdraw(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    (id, stage, round): (TournamentId, i16, i16),
    asked: Asked,
) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            let at = find(&held, stage, round)?;
            match held.rounds[at].status {
                RoundStatus::Draft => return Ok(held.into_news()),
                RoundStatus::Published => held.expect_running()?,
                RoundStatus::Running | RoundStatus::Closed => return Err(conflict("round_started")),
            }
            if held.draft().is_some() {
                return Err(conflict("round_drafted"));
            }
            let in_play = |bout: &BoutRow| bout.result.is_some() || bout.match_status == Some(matches::Status::Running);
            if held.bouts_of(stage, round).any(in_play) {
                return Err(conflict("round_started"));
            }
            for bout in to_play(&held, stage, round) {
                bouts::take_match_away(conn, doer.world, &mut held, bout).await?;
            }
            let draft = &mut held.rounds[at];
            (draft.status, draft.published_at) = (RoundStatus::Draft, None);
            store::write_round(conn, id, &held.rounds[at]).await?;
            let details = json!({ "stage": stage, "round": round });
            held.record(conn, doer.world, (doer.staff.id, "tournament.withdraw_round"), details).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

/// The round's clock goes, and all its matches start. Asking again changes nothing.
pub async fn start_round(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    (id, stage, round): (TournamentId, i16, i16),
    asked: Asked,
) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            let at = find(&held, stage, round)?;
            match held.rounds[at].status {
                RoundStatus::Draft => return Err(conflict("round_not_published")),
                RoundStatus::Published => held.expect_running()?,
                RoundStatus::Running | RoundStatus::Closed => return Ok(held.into_news()),
            }
            for bout in to_play(&held, stage, round) {
                let Some(id) = held.bouts[bout].match_id else { continue };
                if let Some(news) = matches::begin(conn, doer.world, id).await? {
                    held.news.push((id, news));
                }
            }
            let now = doer.world.now();
            let minutes = held.row.round_minutes.map(|it| SignedDuration::from_mins(it.into()));
            let running = &mut held.rounds[at];
            (running.status, running.started_at) = (RoundStatus::Running, Some(now));
            running.ends_at = minutes.map(|minutes| now + minutes);
            store::write_round(conn, id, &held.rounds[at]).await?;
            let details = json!({ "stage": stage, "round": round });
            held.record(conn, doer.world, (doer.staff.id, "tournament.start_round"), details).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

/// The round's clock goes so much longer; one without a clock has so much from now on.
pub async fn add_minutes(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    (id, stage, round): (TournamentId, i16, i16),
    minutes: i64,
    asked: Asked,
) -> ApiResult<()> {
    if !MINUTES.contains(&minutes) {
        return Err(invalid_field("/minutes", "out_of_range"));
    }
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            let at = find(&held, stage, round)?;
            match held.rounds[at].status {
                RoundStatus::Running => {}
                RoundStatus::Draft | RoundStatus::Published => return Err(conflict("round_not_running")),
                RoundStatus::Closed => return Err(conflict("round_over")),
            }
            held.expect_running()?;
            held.rounds[at].extend(minutes, doer.world)?;
            store::write_round(conn, id, &held.rounds[at]).await?;
            let details = json!({ "stage": stage, "round": round, "minutes": minutes });
            held.record(conn, doer.world, (doer.staff.id, "tournament.add_minutes"), details).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

impl RoundRow {
    fn extend(&mut self, minutes: i64, world: &World) -> ApiResult<()> {
        // What is over already is not counted again.
        let from = self.ends_at.map_or(world.now(), |ends| ends.max(world.now()));
        self.ends_at = Some(from.checked_add(SignedDuration::from_mins(minutes)).map_err(internal)?);
        Ok(())
    }
}
