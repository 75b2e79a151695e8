//! A tournament's way from draft to end.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::tournaments::InvalidStage;
use serde_json::json;

use super::cut::Cut;
use super::entrants::Entering;
use super::locked::{Change, ExpectedRevision, LockedTournament};
use super::plan::Plan;
use super::store::{self, EntrantRow, NewTournament, ParticipantRow, TournamentRow};
use super::table_needs::{self, TableNeed};
use super::teams::{TeamName, boards, put_in_team};
use super::{
    EntrantStatus, Seeding, TournamentChange, TournamentId, TournamentRequest, TournamentStatus, arena, bouts,
    entrants, ratings, seeds,
};
use base::auth::{Actor, Credential, StaffContext, can};
use base::codes::new_code;
use base::db::OnConstraint;
use base::error::{Result, conflict, internal, unauthorized};
use base::games::guarded;
use base::ids::PlayerId;
use base::world::World;
use play::players;

/// A draft, which only staff know of.
pub async fn create(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    request: &TournamentRequest,
) -> Result<TournamentId> {
    let (conn, actor) = cx.parts().await?;
    draft(conn, actor, request, Origin::default()).await
}

/// Where a draft comes from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'a> {
    pub copy_of: Option<TournamentId>,
    /// Who enters at once.
    pub players: &'a [Again],
}

/// A player who enters a copy, with what staff know of them.
#[derive(Clone, Debug)]
pub struct Again {
    pub player: PlayerId,
    /// For which team on which board.
    pub team: Option<(TeamName, i16)>,
    pub need: Option<TableNeed>,
}

/// For an actor whose permission to manage tournaments is known.
pub async fn draft(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    request: &TournamentRequest,
    origin: Origin<'_>,
) -> Result<TournamentId> {
    let sandbox = actor.staff.credential == Credential::SandboxKey;
    let plan = Plan::validate(conn, actor.staff, request, None).await?;
    plan.expect_no_tables_of(sandbox)?;
    let world = actor.world;
    let id = TournamentId(world.uuid());
    let news = conn
        .transaction(async |conn| -> Result<_> {
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
                team_size: plan.team_size,
                entry: plan.entry,
                entry_code: plan.entry.code(world),
                table_ids: plan.table_ids.as_deref(),
                draw_seed: i64::from_be_bytes(world.bytes()),
                created_by: actor.staff.id,
                created_at: world.now().into(),
                starts_at: plan.starts_at.map(Into::into),
                check_in_until: plan.check_in_until.map(Into::into),
                revision: 0,
                sandbox,
            };
            let made = store::insert(conn, &new).await;
            made.on_constraint("tournaments_created_by_fkey", || unauthorized("session_ended"))?;
            let mut locked = LockedTournament::lock_and_ingest(conn, world, id, None).await?;
            locked.before.clear();
            enter_all(conn, world, &mut locked, origin.players).await?;
            let details =
                json!({ "game": plan.game, "title": plan.title, "mode": plan.mode, "copy_of": origin.copy_of });
            locked.record(conn, world, actor.staff.id, "tournament.create", details).await
        })
        .await?;
    news.tell(actor.live);
    Ok(id)
}

/// Enters these players in their order, as far as their accounts are still there; where seeds are given by hand, that is theirs.
async fn enter_all(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    players: &[Again],
) -> Result<()> {
    let mut in_teams = Vec::new();
    for Again { player, team, need } in players {
        if players::store::keep(conn, *player).await? {
            let number =
                entrants::let_in(conn, world, locked, Entering { player: *player, is_there: false, team: None })
                    .await?;
            in_teams.extend(team.as_ref().map(|(team, board)| (*board, number, team)));
            if need.is_some() {
                table_needs::write(conn, locked, number, need.clone()).await?;
            }
        }
    }
    in_teams.sort_unstable_by_key(|(board, number, _)| (*board, *number));
    for (_, number, team) in in_teams {
        // Where others had taken the places of those who left, there are more than fit.
        if locked.has_room_in(number, &team.0) {
            put_in_team(conn, locked, number, Some(team), None).await?;
        }
    }
    if !players.is_empty() && locked.row.seeding == Seeding::Hand {
        let order = seeds::order(conn, locked).await?;
        store::set_seeds(conn, locked.row.id, &order).await?;
    }
    Ok(())
}

/// What is played, and in which form, stays as it is once it has begun.
pub async fn change(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    change: &TournamentChange,
) -> Result<()> {
    edit(cx, id, change.revision, &|_| Ok(change.clone())).await.map(drop)
}

/// The same where it depends on how the tournament is by now. Gives it as it was before.
pub async fn edit(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    expected: ExpectedRevision,
    edit: &(dyn Fn(&TournamentRow) -> Result<TournamentChange> + Sync),
) -> Result<TournamentRow> {
    LockedTournament::change(cx, id, expected, "tournament.change", async |conn, actor, locked| {
        if locked.row.status.is_over() {
            return Err(conflict("tournament_over"));
        }
        let before = locked.row.clone();
        let change = edit(&before)?;
        if change.is_of_what_is_played() && !change.is_of_stages_to_come(&before) {
            locked.expect_before_start()?;
        }
        let plan = Plan::validate(conn, actor.staff, &change.to(&before), Some(&before)).await?;
        plan.expect_no_tables_of(before.sandbox)?;
        plan.write_to(&mut locked.row);
        locked.row.renew_entry_code(before.entry, actor.world);
        locked.drop_idle_rulings();
        store::write(conn, &locked.row).await?;
        if matches!(locked.row.status, TournamentStatus::Registration | TournamentStatus::CheckIn) {
            entrants::promote(conn, locked).await?;
        }
        let details = json!({ "before": summary(&before), "after": summary(&locked.row) });
        Ok(Change::audited(details).with(before))
    })
    .await
}

fn summary(row: &TournamentRow) -> serde_json::Value {
    json!({
        "name": row.name, "game": row.game, "title": row.title, "mode": row.mode, "options": row.options,
        "variant": row.variant_id, "turn_seconds": row.turn_seconds, "stages": row.stages.0, "seeding": row.seeding,
        "most_entrants": row.most_entrants, "late_until_round": row.late_until_round,
        "round_minutes": row.round_minutes, "team_size": row.team_size, "entry": row.entry, "table_ids": row.table_ids,
        "starts_at": row.starts_at, "check_in_until": row.check_in_until,
    })
}

/// Players may enter from now on. Asking again changes nothing.
pub async fn open_registration(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    expected: ExpectedRevision,
) -> Result<()> {
    let from = [TournamentStatus::Draft, TournamentStatus::CheckIn];
    let opening = Opening { from, to: TournamentStatus::Registration, action: "tournament.open_registration" };
    open(cx, id, expected, opening).await
}

/// Who has entered says that they are there, from now on. Asking again changes nothing.
pub async fn open_check_in(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    expected: ExpectedRevision,
) -> Result<()> {
    let from = [TournamentStatus::Draft, TournamentStatus::Registration];
    let opening = Opening { from, to: TournamentStatus::CheckIn, action: "tournament.open_check_in" };
    open(cx, id, expected, opening).await
}

/// A step that lets people in.
struct Opening {
    from: [TournamentStatus; 2],
    to: TournamentStatus,
    action: &'static str,
}

async fn open(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    expected: ExpectedRevision,
    Opening { from, to, action }: Opening,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, action, async |_, _, locked| {
        if locked.row.status == to {
            return Ok(Change::none());
        }
        locked.expect_before_start()?;
        if !from.contains(&locked.row.status) {
            return Err(conflict("tournament_started"));
        }
        locked.row.status = to;
        Ok(Change::audited(json!({})))
    })
    .await
}

/// Who has not checked in, where that was asked for, did not come; everybody else gets a seed and takes part in the first stage.
pub async fn start(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.start", async |conn, actor, locked| {
        locked.expect_before_start()?;
        let missing = no_shows(conn, locked).await?;
        ratings::note(conn, locked).await?;
        let order = seeds::order(conn, locked).await?;
        store::set_seeds(conn, id, &order).await?;
        let participants = participants(1, &order)?;
        begin_stage(conn, actor.world, locked, 1, participants).await?;
        (locked.row.status, locked.row.started_at) = (TournamentStatus::Running, Some(actor.world.now()));
        let details = json!({ "order": order, "no_shows": missing });
        Ok(Change::audited(details))
    })
    .await
}

/// Takes the places of those who did not check in, and gives them to those who wait and are there.
async fn no_shows(conn: &mut AsyncPgConnection, locked: &mut LockedTournament) -> Result<Vec<i32>> {
    if locked.row.status != TournamentStatus::CheckIn {
        return Ok(Vec::new());
    }
    let is_missing = |it: &&mut EntrantRow| match it.status {
        EntrantStatus::Entered => true,
        EntrantStatus::Waiting => it.checked_in_at.is_none(),
        EntrantStatus::CheckedIn | EntrantStatus::NoShow | EntrantStatus::Dropped => false,
    };
    let mut missing = Vec::new();
    for entrant in locked.entrants.iter_mut().filter(is_missing) {
        entrant.status = EntrantStatus::NoShow;
        missing.push(entrant.number);
    }
    store::set_status(conn, locked.row.id, &missing, EntrantStatus::NoShow).await?;
    entrants::promote(conn, locked).await?;
    Ok(missing)
}

/// These entrants from the strongest on.
pub(super) fn participants(stage: i16, order: &[i32]) -> Result<Vec<ParticipantRow>> {
    let participant = |(seed, entrant): (usize, &i32)| {
        let seed = i16::try_from(seed + 1).map_err(internal)?;
        Ok(ParticipantRow { stage, entrant: *entrant, seed, from_round: 1, ..ParticipantRow::default() })
    };
    order.iter().enumerate().map(participant).collect()
}

async fn begin_stage(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    stage: i16,
    mut participants: Vec<ParticipantRow>,
) -> Result<()> {
    let is_arena = locked.plan_of(stage)?.format.is_arena();
    if is_arena {
        participants.iter_mut().for_each(|it| it.ready_since = Some(world.now()));
    }
    locked.participants.extend(participants.iter().cloned());
    locked.row.stage = stage;
    expect_fit(locked, stage)?;
    store::put_participants(conn, locked.row.id, &participants).await?;
    if is_arena { arena::begin(conn, locked, stage, world.now()).await } else { Ok(()) }
}

/// Refuses a stage that cannot be played by those who are in it.
pub(super) fn expect_fit(locked: &LockedTournament, stage: i16) -> Result<()> {
    let begun = locked.stage(stage)?;
    if let Err(unfit) = guarded(|| begun.check())? {
        let many = i64::try_from(begun.sides()).map_err(internal)?;
        let fits = locked.plan_of(stage)?.sizes_in_words(boards(locked.row.team_size));
        let is_of_teams = matches!(unfit, InvalidStage::WithoutTeam { .. } | InvalidStage::TeamTooLarge { .. });
        let code = if is_of_teams { "teams_unfit" } else { "stage_unfit" };
        let refusal = conflict(code).with("count", many).with("fits", fits);
        return Err(refusal.with_field("/entrants", unfit.code()));
    }
    Ok(())
}

/// The best of the stage that is over go on into the next, seeded as they stand. `cut` decides where the line falls among equals.
pub async fn next_stage(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    cut: Option<&Cut>,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.next_stage", async |conn, actor, locked| {
        locked.expect_running()?;
        let now = locked.row.stage;
        if locked.is_last_stage() {
            return Err(conflict("last_stage"));
        }
        expect_stage_over(locked)?;
        let (order, decision) = locked.line()?.decide(actor.world, cut)?;
        let order = locked.seeds_after(now, &order)?;
        let participants = participants(now + 1, &order)?;
        begin_stage(conn, actor.world, locked, now + 1, participants).await?;
        let details = json!({ "stage": now + 1, "order": order, "decision": decision });
        Ok(Change::audited(details))
    })
    .await
}

fn expect_stage_over(locked: &LockedTournament) -> Result<()> {
    if locked.open_rounds().next().is_some() || locked.draft().is_some() {
        return Err(conflict("bouts_open"));
    }
    match locked.is_stage_over(locked.row.stage)? {
        true => Ok(()),
        false => Err(conflict("stage_not_over")),
    }
}

/// It is over: the standings of its last stage are what came of it. `early` ends it before all of it was played.
pub async fn finish(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    early: bool,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.finish", async |conn, actor, locked| {
        if locked.row.status == TournamentStatus::Finished {
            return Ok(Change::none());
        }
        locked.expect_running()?;
        if early {
            if locked.open_rounds().next().is_some() {
                return Err(conflict("bouts_open"));
            }
            locked.delete_draft(conn).await?;
        } else {
            expect_stage_over(locked)?;
            if !locked.is_last_stage() {
                return Err(conflict("stage_not_over"));
            }
        }
        (locked.row.status, locked.row.over_at) = (TournamentStatus::Finished, Some(actor.world.now()));
        let details = json!({ "early": early });
        Ok(Change::audited(details))
    })
    .await
}

/// Calls it off, with all its matches that are not over. Asking again changes nothing.
pub async fn cancel(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    reason: Option<&str>,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.cancel", async |conn, actor, locked| {
        match locked.row.status {
            TournamentStatus::Cancelled => return Ok(Change::none()),
            TournamentStatus::Finished => return Err(conflict("tournament_over")),
            TournamentStatus::Draft
            | TournamentStatus::Registration
            | TournamentStatus::CheckIn
            | TournamentStatus::Running => {}
        }
        locked.delete_draft(conn).await?;
        bouts::abandon(conn, actor.world, locked).await?;
        (locked.row.status, locked.row.over_at) = (TournamentStatus::Cancelled, Some(actor.world.now()));
        let details = json!({ "reason": reason });
        Ok(Change::audited(details))
    })
    .await
}
