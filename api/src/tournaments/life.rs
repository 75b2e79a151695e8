//! A tournament's way from draft to end.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;

use super::held::{Asked, Held};
use super::plan::Plan;
use super::store::{self, EntrantRow, NewTournament, ParticipantRow, TournamentRow};
use super::{
    EntrantStatus, TournamentChange, TournamentId, TournamentRequest, TournamentStatus, bouts, entrants, seeds,
};
use crate::db::OnConstraint;
use crate::error::{ApiResult, conflict, internal, unauthorized};
use crate::games::guarded;
use crate::matches::new_code;
use crate::undo::Doer;

/// A draft, which only staff know of.
pub async fn create(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    request: &TournamentRequest,
) -> ApiResult<TournamentId> {
    let plan = Plan::settle(conn, doer.staff, request, None).await?;
    let world = doer.world;
    let id = TournamentId(world.uuid());
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let new = NewTournament {
                id,
                code: new_code(world),
                name: &plan.name,
                game: &plan.game,
                title: plan.title.as_deref(),
                mode: plan.mode,
                options: &plan.options,
                variant_id: plan.variant.map(|(variant, _)| variant),
                variant_version: plan.variant.map(|(_, version)| version),
                turn_seconds: plan.turn_seconds,
                status: TournamentStatus::Draft,
                stages: &plan.stages,
                stage: 1,
                seeding: plan.seeding,
                most_entrants: plan.most_entrants,
                late_until_round: plan.late_until_round,
                round_minutes: plan.round_minutes,
                table_ids: plan.table_ids.as_deref(),
                draw: i64::from_be_bytes(world.bytes()),
                created_by: doer.staff.id,
                created_at: world.now().into(),
                starts_at: plan.starts_at.map(Into::into),
                check_in_until: plan.check_in_until.map(Into::into),
                revision: 0,
            };
            let made = store::insert(conn, &new).await;
            made.on_constraint("tournaments_created_by_fkey", || unauthorized("session_ended"))?;
            let held = Held::lock(conn, world, id, None).await?;
            let details = json!({ "game": plan.game, "title": plan.title, "mode": plan.mode });
            held.record(conn, world, (doer.staff.id, "tournament.create"), details).await
        })
        .await?;
    news.tell(doer.live);
    Ok(id)
}

/// What is played, and in which form, stays as it is once it has begun.
pub async fn change(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: TournamentId,
    change: &TournamentChange,
) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, change.revision).await?;
            match held.row.status.is_over() {
                true => return Err(conflict("tournament_over")),
                false if change.is_of_what_is_played() => held.expect_before_start()?,
                false => {}
            }
            let before = held.row.clone();
            let plan = Plan::settle(conn, doer.staff, &change.to(&before), Some(&before)).await?;
            plan.write_to(&mut held.row);
            store::write(conn, &held.row).await?;
            if matches!(held.row.status, TournamentStatus::Registration | TournamentStatus::CheckIn) {
                entrants::promote(conn, &mut held).await?;
            }
            let details = json!({ "before": summary(&before), "after": summary(&held.row) });
            held.record(conn, doer.world, (doer.staff.id, "tournament.change"), details).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

fn summary(row: &TournamentRow) -> serde_json::Value {
    json!({
        "name": row.name, "game": row.game, "title": row.title, "mode": row.mode, "options": row.options,
        "variant": row.variant_id, "turn_seconds": row.turn_seconds, "stages": row.stages.0, "seeding": row.seeding,
        "most_entrants": row.most_entrants, "late_until_round": row.late_until_round,
        "round_minutes": row.round_minutes, "table_ids": row.table_ids, "starts_at": row.starts_at,
        "check_in_until": row.check_in_until,
    })
}

/// Players may enter from now on. Asking again changes nothing.
pub async fn open_registration(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: TournamentId,
    asked: Asked,
) -> ApiResult<()> {
    let to = (TournamentStatus::Registration, "tournament.open_registration");
    open(conn, doer, (id, asked), &[TournamentStatus::Draft, TournamentStatus::CheckIn], to).await
}

/// Who has entered says that they are there, from now on. Asking again changes nothing.
pub async fn open_check_in(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: TournamentId,
    asked: Asked,
) -> ApiResult<()> {
    let to = (TournamentStatus::CheckIn, "tournament.open_check_in");
    open(conn, doer, (id, asked), &[TournamentStatus::Draft, TournamentStatus::Registration], to).await
}

async fn open(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    (id, asked): (TournamentId, Asked),
    from: &[TournamentStatus],
    (to, action): (TournamentStatus, &str),
) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            if held.row.status == to {
                return Ok(held.into_news());
            }
            held.expect_before_start()?;
            if !from.contains(&held.row.status) {
                return Err(conflict("tournament_started"));
            }
            held.row.status = to;
            held.record(conn, doer.world, (doer.staff.id, action), json!({})).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

/// Who has not checked in, where that was asked for, did not come; everybody else gets a seed and takes part in the first stage.
pub async fn start(conn: &mut AsyncPgConnection, doer: Doer<'_>, id: TournamentId, asked: Asked) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            held.expect_before_start()?;
            let missing = no_shows(conn, &mut held).await?;
            let order = seeds::order(conn, &held).await?;
            store::set_seeds(conn, id, &order).await?;
            let participants = participants(1, &order)?;
            begin_stage(conn, &mut held, 1, participants).await?;
            (held.row.status, held.row.started_at) = (TournamentStatus::Running, Some(doer.world.now()));
            let details = json!({ "order": order, "no_shows": missing });
            held.record(conn, doer.world, (doer.staff.id, "tournament.start"), details).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

/// Takes the places of those who did not check in, and gives them to those who wait and are there.
async fn no_shows(conn: &mut AsyncPgConnection, held: &mut Held) -> ApiResult<Vec<i32>> {
    if held.row.status != TournamentStatus::CheckIn {
        return Ok(Vec::new());
    }
    let is_missing = |it: &&mut EntrantRow| match it.status {
        EntrantStatus::Entered => true,
        EntrantStatus::Waiting => it.checked_in_at.is_none(),
        EntrantStatus::CheckedIn | EntrantStatus::NoShow | EntrantStatus::Dropped => false,
    };
    let mut missing = Vec::new();
    for entrant in held.entrants.iter_mut().filter(is_missing) {
        entrant.status = EntrantStatus::NoShow;
        missing.push(entrant.number);
    }
    store::set_status(conn, held.row.id, &missing, EntrantStatus::NoShow).await?;
    entrants::promote(conn, held).await?;
    Ok(missing)
}

/// These entrants from the strongest on.
fn participants(stage: i16, order: &[i32]) -> ApiResult<Vec<ParticipantRow>> {
    let participant = |(seed, entrant): (usize, &i32)| {
        let seed = i16::try_from(seed + 1).map_err(internal)?;
        Ok(ParticipantRow { stage, entrant: *entrant, seed, from_round: 1, until_round: None })
    };
    order.iter().enumerate().map(participant).collect()
}

async fn begin_stage(
    conn: &mut AsyncPgConnection,
    held: &mut Held,
    stage: i16,
    participants: Vec<ParticipantRow>,
) -> ApiResult<()> {
    held.participants.extend(participants.iter().cloned());
    held.row.stage = stage;
    let begun = held.stage(stage)?;
    if let Err(unfit) = guarded(|| begun.check())? {
        let words = format!("field-{}", unfit.code());
        return Err(conflict("stage_unfit").with_field("/entrants", unfit.code()).in_words(vec![words]));
    }
    store::insert_participants(conn, held.row.id, &participants).await?;
    Ok(())
}

/// The best of the stage that is over go on into the next, seeded as they stand.
pub async fn next_stage(conn: &mut AsyncPgConnection, doer: Doer<'_>, id: TournamentId, asked: Asked) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            held.expect_running()?;
            let now = held.row.stage;
            if held.is_last_stage() {
                return Err(conflict("last_stage"));
            }
            expect_stage_over(&held)?;
            let many = usize::from(held.plan_of(now)?.advance.unwrap_or(0));
            let standings = held.standings(now)?;
            let here = |entrant: &i32| held.entrant(*entrant).is_some_and(|it| it.status.has_place());
            let order = standings.iter().filter_map(|it| i32::try_from(it.entrant).ok()).filter(here);
            let order: Vec<i32> = order.take(many).collect();
            let participants = participants(now + 1, &order)?;
            begin_stage(conn, &mut held, now + 1, participants).await?;
            let details = json!({ "stage": now + 1, "order": order });
            held.record(conn, doer.world, (doer.staff.id, "tournament.next_stage"), details).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

fn expect_stage_over(held: &Held) -> ApiResult<()> {
    if held.open_rounds().next().is_some() || held.draft().is_some() {
        return Err(conflict("bouts_open"));
    }
    match held.is_stage_over(held.row.stage)? {
        true => Ok(()),
        false => Err(conflict("stage_not_over")),
    }
}

/// It is over: the standings of its last stage are what came of it. `early` ends it before all of it was played.
pub async fn finish(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: TournamentId,
    early: bool,
    asked: Asked,
) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            if held.row.status == TournamentStatus::Finished {
                return Ok(held.into_news());
            }
            held.expect_running()?;
            if early {
                if held.open_rounds().next().is_some() {
                    return Err(conflict("bouts_open"));
                }
                held.drop_draft(conn).await?;
            } else {
                expect_stage_over(&held)?;
                if !held.is_last_stage() {
                    return Err(conflict("stage_not_over"));
                }
            }
            (held.row.status, held.row.over_at) = (TournamentStatus::Finished, Some(doer.world.now()));
            let details = json!({ "early": early });
            held.record(conn, doer.world, (doer.staff.id, "tournament.finish"), details).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

/// Calls it off, with all its matches that are not over. Asking again changes nothing.
pub async fn cancel(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: TournamentId,
    reason: Option<&str>,
    asked: Asked,
) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            match held.row.status {
                TournamentStatus::Cancelled => return Ok(held.into_news()),
                TournamentStatus::Finished => return Err(conflict("tournament_over")),
                TournamentStatus::Draft
                | TournamentStatus::Registration
                | TournamentStatus::CheckIn
                | TournamentStatus::Running => {}
            }
            held.drop_draft(conn).await?;
            bouts::abandon(conn, doer.world, &mut held).await?;
            (held.row.status, held.row.over_at) = (TournamentStatus::Cancelled, Some(doer.world.now()));
            let details = json!({ "reason": reason });
            held.record(conn, doer.world, (doer.staff.id, "tournament.cancel"), details).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}
