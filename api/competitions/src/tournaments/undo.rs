//! The way back of a step: what was there before it is there again, matches included.

use diesel_async::AsyncPgConnection;
use serde_json::json;

use super::locked::{Change, ExpectedRevision, LockedTournament};
use super::log::{Log, UNDO};
use super::state::{self, Part, StateChange};
use super::store::{self, BoutKey, BoutRow, Doc, EntrantRow, RoundRow};
use super::{RoundStatus, Tournament, TournamentId, TournamentStatus, bouts, results};
use base::auth::{Actor, StaffContext, can};
use base::error::{Result, conflict, forbidden, not_found};
use base::ids::MatchId;
use play::matches::{self, Status};

const WHY: &str = "undo";

/// Takes the step back that led to this revision, as long as nothing that depends on it was played. Asking again changes nothing.
pub async fn undo(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    revision: i64,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, UNDO, async |conn, actor, locked| {
        let log = Log::of(store::list_log(conn, id).await?, locked, actor.staff.id);
        let step = log.find(revision).ok_or_else(|| not_found("step_not_found"))?;
        if log.is_undone(step) {
            return Ok(Change::none());
        }
        if log.is_own(step) {
            return Err(forbidden("own_bout"));
        }
        if !log.has_way_back(step) {
            return Err(conflict("no_way_back"));
        }
        restore(conn, actor, locked, &step.changes).await?;
        Ok(Change::audited(json!({ "undone": revision, "action": step.action })))
    })
    .await
}

async fn restore(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    locked: &mut LockedTournament,
    changes: &[StateChange],
) -> Result<()> {
    let mut parts = changes.iter().map(|it| Ok((it.part()?, it))).collect::<Result<Vec<_>>>()?;
    // Rounds before their bouts.
    parts.sort_by_key(|(part, _)| *part);
    let after = locked.tournament.clone();
    // Bouts may come back to their tables; those are locked before matches.
    store::lock_table_assignment(conn).await?;
    matches::lock_results(conn, &matches_of(&parts)?).await?;
    for (part, change) in &parts {
        if let Part::Bout(..) = part {
            let [before, after] = [&change.before, &change.after].map(|it| state::read::<state::Bout>(it.as_ref()));
            retire(conn, actor, locked, before?, after?).await?;
        }
    }
    remove(conn, locked, &parts).await?;
    leave_tables(conn, locked, &parts).await?;
    for (part, change) in &parts {
        write(conn, locked, *part, change).await?;
    }
    // Rounds that the step made, and whose bouts are in others again.
    store::delete_bouts(conn, locked.row.id, locked.row.stage, &[]).await?;
    store::bump_revision(conn, &locked.row).await?;
    locked.tournament = locked.read_again(conn).await?;
    expect_room(locked, &after, &parts)?;
    expect_same_go_on(conn, locked, &after).await?;
    for (part, change) in &parts {
        if let Part::Bout(stage, key) = *part {
            bring_along(conn, locked, (stage, key), change).await?;
            say_again(conn, actor, locked, (stage, key), change).await?;
        }
    }
    set_round_statuses(conn, actor, locked).await?;
    bring_matches(conn, actor, locked).await
}

/// The matches of bouts that the step changed.
fn matches_of(parts: &[(Part, &StateChange)]) -> Result<Vec<MatchId>> {
    let mut ids = Vec::new();
    for (part, change) in parts {
        if let Part::Bout(..) = part {
            for bout in [&change.before, &change.after] {
                ids.extend(state::read::<state::Bout>(bout.as_ref())?.and_then(|it| it.match_id));
            }
        }
    }
    Ok(ids)
}

/// Refuses to let people back in whose places others have by now, in the tournament or in a team. `after`: as it was after the step.
fn expect_room(locked: &Tournament, after: &Tournament, parts: &[(Part, &StateChange)]) -> Result<()> {
    if locked.places_taken() > after.places_taken() && locked.is_crowded() {
        return Err(conflict("tournament_full"));
    }
    for (part, _) in parts {
        let Part::Entrant(number) = *part else { continue };
        let is_back = locked.plays(number) && !(after.plays(number) && after.team_of(number) == locked.team_of(number));
        if is_back {
            locked.expect_room_in_team(number)?;
        }
    }
    Ok(())
}

/// Refuses to bring a past stage back from which others would go on, and a stage into which others would come by now. `after`: as it
/// was after the step.
async fn expect_same_go_on(conn: &mut AsyncPgConnection, locked: &Tournament, after: &Tournament) -> Result<()> {
    for stage in 1..locked.row.stage {
        let restored = locked.stage(stage)?;
        if stage >= after.row.stage || restored != after.stage(stage)? {
            locked.expect_same_go_on(conn, stage, &restored).await?;
        }
    }
    Ok(())
}

/// Takes the match away that a bout would no longer have, or whose result would no longer count.
async fn retire(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    locked: &mut LockedTournament,
    before: Option<state::Bout>,
    after: Option<state::Bout>,
) -> Result<()> {
    let Some(after) = after else { return Ok(()) };
    let Some(played) = after.match_id else { return Ok(()) };
    let keeps_match = before.as_ref().is_some_and(|it| it.match_id == Some(played));
    let keeps_result = before.as_ref().is_some_and(|it| it.result.is_some()) || after.result.is_none();
    if keeps_match && keeps_result {
        return Ok(());
    }
    abort(conn, actor, locked, played).await
}

/// Calls a match off, or takes back what staff wrote down of it; not one in which somebody has moved or reported.
async fn abort(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    locked: &mut LockedTournament,
    id: MatchId,
) -> Result<()> {
    if matches::is_under_way(conn, id).await? {
        return Err(conflict("played_since"));
    }
    if let Some(news) = matches::void(conn, actor.world, id).await? {
        locked.news.push((id, news));
    }
    Ok(())
}

/// Deletes what the step made: bouts with their rounds, windows of arenas, and participants.
async fn remove(conn: &mut AsyncPgConnection, locked: &LockedTournament, parts: &[(Part, &StateChange)]) -> Result<()> {
    // Bouts before their rounds.
    for (part, change) in parts.iter().rev() {
        match *part {
            Part::Round(stage, round) if change.before.is_none() => {
                let made: Option<state::Round> = state::read(change.after.as_ref())?;
                if made.is_some_and(|it| it.is_arena) {
                    store::delete_round(conn, locked.row.id, stage, round).await?;
                }
            }
            Part::Bout(stage, key) if change.before.is_none() => {
                store::delete_bouts(conn, locked.row.id, stage, &[key]).await?;
            }
            Part::Participant(stage, entrant) if change.before.is_none() => {
                store::delete_participant(conn, locked.row.id, stage, entrant).await?;
            }
            Part::Tournament | Part::Entrant(_) | Part::Participant(..) | Part::Round(..) | Part::Bout(..) => {}
        }
    }
    Ok(())
}

/// Takes the tables away that the step gave to bouts, before others of it come back there.
async fn leave_tables(
    conn: &mut AsyncPgConnection,
    locked: &LockedTournament,
    parts: &[(Part, &StateChange)],
) -> Result<()> {
    for (part, change) in parts {
        let Part::Bout(stage, key) = *part else { continue };
        let [before, after] = [&change.before, &change.after].map(|it| state::read::<state::Bout>(it.as_ref()));
        let plays_at = |it: state::Bout| it.table_id.filter(|_| it.result.is_none());
        let (before, after) = (before?.and_then(plays_at), after?.and_then(plays_at));
        if after.is_some() && before != after {
            store::leave_table(conn, locked.row.id, stage, key).await?;
        }
    }
    Ok(())
}

/// Writes what was there before.
async fn write(
    conn: &mut AsyncPgConnection,
    locked: &mut LockedTournament,
    part: Part,
    change: &StateChange,
) -> Result<()> {
    let (id, before) = (locked.row.id, change.before.as_ref());
    match part {
        Part::Tournament => {
            if let Some(own) = state::read::<state::Own>(before)? {
                own.write_to(&mut locked.row);
                store::write(conn, &locked.row).await?;
            }
        }
        Part::Entrant(number) => {
            if let Some((entrant, known)) = state::read::<state::Entrant>(before)?.zip(locked.entrant(number)) {
                let mut row: EntrantRow = known.clone();
                entrant.write_to(&mut row);
                store::write_entrant(conn, id, &row).await?;
            }
        }
        Part::Participant(stage, entrant) => {
            if let Some(participant) = state::read::<state::Participant>(before)? {
                store::put_participants(conn, id, &[participant.row(stage, entrant)]).await?;
            }
        }
        Part::Round(stage, round) => {
            if let Some(before) = state::read::<state::Round>(before)? {
                store::put_round(conn, id, &round_row(stage, round, &before)).await?;
            }
        }
        Part::Bout(stage, key) => {
            if let Some(before) = state::read::<state::Bout>(before)? {
                let row = bout_row(stage, key, before);
                // Another bout may be played there by now.
                let is_taken = match row.table_id.filter(|_| row.result.is_none()) {
                    Some(table) => store::is_table_taken(conn, id, &row, table).await?,
                    None => false,
                };
                let table_id = row.table_id.filter(|_| !is_taken);
                store::put_bout(conn, id, &BoutRow { table_id, ..row }).await?;
            }
        }
    }
    Ok(())
}

/// Whether it is closed is found out once its bouts are there.
fn round_row(stage: i16, round: i16, before: &state::Round) -> RoundRow {
    let status = match (before.published_at, before.started_at) {
        (None, _) => RoundStatus::Draft,
        (Some(_), None) => RoundStatus::Published,
        (Some(_), Some(_)) => RoundStatus::Running,
    };
    let state::Round { drafted_at, published_at, started_at, ends_at, is_arena, paused_at, resumed_at, next_round_at } =
        *before;
    RoundRow {
        status,
        published_at,
        started_at,
        ends_at,
        is_arena,
        paused_at,
        resumed_at,
        next_round_at,
        ..RoundRow::drafted(stage, round, drafted_at)
    }
}

fn bout_row(stage: i16, key: BoutKey, before: state::Bout) -> BoutRow {
    BoutRow {
        stage,
        key,
        round: before.round,
        entrants: before.entrants,
        reasons: Doc(before.reasons),
        arranged_by: before.arranged_by,
        arranger: None,
        table_id: before.table_id,
        table_name: None,
        match_id: before.match_id,
        match_code: None,
        match_status: None,
        games: Doc(before.games),
        result: before.result.map(Doc),
        settled_by: before.settled_by,
        settled_at: before.settled_at,
        claim: before.claim.map(Doc),
        claimed_at: before.claimed_at,
        is_locked: before.is_locked,
    }
}

/// A match that goes on is played at the table of its bout.
async fn bring_along(
    conn: &mut AsyncPgConnection,
    locked: &mut LockedTournament,
    (stage, key): (i16, BoutKey),
    change: &StateChange,
) -> Result<()> {
    let after: Option<state::Bout> = state::read(change.after.as_ref())?;
    let Some((bout, after)) = locked.bout(stage, key).zip(after) else { return Ok(()) };
    let goes_on = matches!(bout.match_status, Some(Status::Waiting | Status::Running));
    let (table, played) = (bout.table_id, bout.match_id.filter(|id| goes_on && after.match_id == Some(*id)));
    if let Some(played) = played.filter(|_| table != after.table_id) {
        let news = matches::bring_to(conn, played, table).await?;
        locked.news.push((played, news));
    }
    Ok(())
}

/// The match of a bout whose earlier result counts again says so too.
async fn say_again(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    locked: &mut LockedTournament,
    (stage, key): (i16, BoutKey),
    change: &StateChange,
) -> Result<()> {
    let [before, after] = [&change.before, &change.after].map(|it| state::read::<state::Bout>(it.as_ref()));
    let (Some(before), Some(after)) = (before?.and_then(|it| it.result), after?.and_then(|it| it.result)) else {
        return Ok(());
    };
    let at = locked.bouts.iter().position(|bout| (bout.stage, bout.key) == (stage, key));
    if let Some(at) = at.filter(|_| before != after) {
        results::write_match(conn, actor, locked, at, &before, Some(WHY)).await?;
    }
    Ok(())
}

/// A published round is closed if all its bouts are over, and open otherwise.
async fn set_round_statuses(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    locked: &mut LockedTournament,
) -> Result<()> {
    for at in 0..locked.rounds.len() {
        let round = &locked.rounds[at];
        let are_over = locked.bouts_of(round.stage, round.round).all(BoutRow::is_over);
        let is_over = are_over && (!round.is_arena || round.is_past(actor.world.now()));
        let status = match (round.published_at, is_over, round.started_at) {
            (None, ..) => RoundStatus::Draft,
            (Some(_), true, _) => RoundStatus::Closed,
            (Some(_), false, None) => RoundStatus::Published,
            (Some(_), false, Some(_)) => RoundStatus::Running,
        };
        if status == round.status {
            continue;
        }
        let round = &mut locked.tournament.rounds[at];
        (round.status, round.closed_at) = (status, (status == RoundStatus::Closed).then(|| actor.world.now()));
        store::write_round(conn, locked.tournament.row.id, &locked.tournament.rounds[at]).await?;
    }
    Ok(())
}

/// How the match of an open bout has to be; none if there has to be none.
fn wanted(tournament: &Tournament, bout: &BoutRow) -> Option<Status> {
    let round = tournament.round(bout.stage, bout.round).map(|it| it.status);
    match (tournament.row.status, round) {
        _ if tournament.row.sandbox => None,
        (TournamentStatus::Running, Some(RoundStatus::Published)) => Some(Status::Waiting),
        (TournamentStatus::Running, Some(RoundStatus::Running)) => Some(Status::Running),
        _ => None,
    }
}

/// Every open bout has the match that its round asks for.
async fn bring_matches(conn: &mut AsyncPgConnection, actor: Actor<'_>, locked: &mut LockedTournament) -> Result<()> {
    let open: Vec<usize> = (0..locked.bouts.len()).filter(|at| !locked.bouts[*at].is_over()).collect();
    for at in open {
        let bout = &locked.bouts[at];
        let (wanted, status, played) = (wanted(locked, bout), bout.match_status, bout.match_id);
        match (wanted, status) {
            (None, None)
            | (Some(Status::Waiting), Some(Status::Waiting))
            | (Some(Status::Running), Some(Status::Running)) => continue,
            (Some(Status::Running), Some(Status::Waiting)) => {}
            _ => {
                if let Some(played) = played.filter(|_| matches!(status, Some(Status::Waiting | Status::Running))) {
                    abort(conn, actor, locked, played).await?;
                }
                take_away(conn, locked, at, wanted.is_none()).await?;
                if wanted.is_some() {
                    bouts::make_match(conn, actor.world, actor.staff.id, locked, at).await?;
                }
            }
        }
        if let (Some(Status::Running), Some(id)) = (wanted, locked.bouts[at].match_id)
            && let Some(news) = matches::begin(conn, actor.world, id).await?
        {
            locked.news.push((id, news));
        }
    }
    Ok(())
}

/// The bout has no match, and no table either if it is not to be played.
async fn take_away(
    conn: &mut AsyncPgConnection,
    locked: &mut LockedTournament,
    at: usize,
    with_table: bool,
) -> Result<()> {
    let (id, bout) = (locked.tournament.row.id, &mut locked.tournament.bouts[at]);
    (bout.match_id, bout.match_code, bout.match_status) = (None, None, None);
    if with_table {
        (bout.table_id, bout.table_name) = (None, None);
    }
    store::set_match_and_table(conn, id, bout).await?;
    Ok(())
}
