//! What a party does and what is done for it, from its coming to its leaving.

use diesel_async::AsyncPgConnection;
use jiff::SignedDuration;

use super::agenda::Task;
use super::tale::{Party, Tale, pass};
use super::visits::{Plan, Visit, Want};
use base::auth::Role;
use base::error::Result;
use base::ids::CallId;
use base::settings::Prices;
use base::settings::tariff::CafeDays;
use play::calls::{self, CallStatus, Note};
use play::library::{self, Transfer};
use play::matches::{self, Patience};
use play::sittings::{self, SittingChange};

const MINUTE: usize = 60;
/// As the settings of the server have it.
const PATIENCE: Patience =
    Patience { waiting: SignedDuration::from_hours(24), running: SignedDuration::from_hours(72) };

/// They sit down at the smallest free table that has a chair for each; without one they go elsewhere.
pub(super) async fn arrive(tale: &mut Tale, conn: &mut AsyncPgConnection, visit: Visit) -> Result<()> {
    let free = (0..tale.tables.len()).filter(|at| tale.tables[*at].is_free && tale.tables[*at].seats >= visit.size);
    let Some(table) = free.min_by_key(|at| tale.tables[*at].seats) else { return Ok(()) };
    let place = tale.tables[table].id;
    let staff = tale.staff(Role::Staff)?;
    let size = i16::try_from(visit.size).unwrap_or(1);
    let (party, _) = sittings::open(&mut tale.context(conn, &staff)?, place, size, sittings::Held::Kept).await?;
    let row = party.sitting;
    tale.tables[table].is_free = false;
    // Now and then somebody leaves the phone in the pocket.
    let phones = if visit.plan == Plan::Anything && tale.dice.in_hundred(30) { visit.size - 1 } else { visit.size };
    let with = (&tale.script, &mut tale.dice);
    let members = tale.cast.party(conn, &tale.world, with, phones).await?;
    for who in &members {
        pass(&tale.world, tale.dice.between(4, 25));
        let player = tale.cast.person(*who)?.player;
        sittings::join(conn, &tale.world, &tale.live, player.id, &row.join_token).await?;
    }
    tale.told.sittings += 1;
    enter_visit(tale, &visit);
    let busy_until = tale.world.now();
    let size = visit.size;
    tale.parties.push(Party { sitting: row.id, table, size, members, visit, busy_until, copy: None, is_here: true });
    Ok(())
}

/// What the party that is about to get the next number will do.
fn enter_visit(tale: &mut Tale, visit: &Visit) {
    let party = tale.parties.len();
    for want in &visit.wants {
        tale.agenda.enter(want.at, Task::Call { party, want: *want });
    }
    if let Some(at) = visit.closing {
        tale.agenda.enter(at, Task::Closing { party });
    }
    tale.agenda.enter(visit.until, Task::Leave { party });
    let (lends, plays) = match visit.plan {
        Plan::Anything => (tale.dice.in_hundred(65), tale.dice.in_hundred(85)),
        Plan::Game(_) | Plan::Lobby => (true, true),
        Plan::Boxes => (true, false),
        Plan::Nothing => (false, false),
    };
    if lends {
        let seconds = tale.dice.between(2 * MINUTE, 5 * MINUTE);
        tale.enter_in(seconds, Task::Lend { party });
    }
    if plays {
        // Who came for anything looks around first.
        let most = if visit.plan == Plan::Anything && lends { 60 * MINUTE } else { 9 * MINUTE };
        let seconds = tale.dice.between(5 * MINUTE, most);
        tale.enter_in(seconds, Task::Play { party });
    }
}

/// They get a box that suits their number; the one before goes back.
pub(super) async fn lend(tale: &mut Tale, conn: &mut AsyncPgConnection, party: usize) -> Result<()> {
    let Party { table, size, copy, is_here, ref visit, .. } = *tale.party(party)?;
    if !is_here {
        return Ok(());
    }
    let game = match visit.plan {
        Plan::Game(game) => Some(game),
        _ => None,
    };
    let suits = |at: &usize| {
        let it = &tale.boxes[*at];
        let is_it = game.is_none_or(|game| it.game.as_deref() == Some(game));
        it.is_on_shelf && is_it && (it.players.0..=it.players.1).contains(&size)
    };
    let suitable: Vec<usize> = (0..tale.boxes.len()).filter(suits).collect();
    let Some(chosen) = tale.dice.pick(&suitable).copied() else { return Ok(()) };
    let (staff, place, id) = (tale.staff(Role::Staff)?, tale.tables[table].id, tale.boxes[chosen].id);
    library::transfer(&mut tale.context(conn, &staff)?, id, Transfer::Lend, Some(place)).await?;
    tale.boxes[chosen].is_on_shelf = false;
    if let Some(copy) = copy {
        tale.enter_in(20, Task::Handle { copy, errand: Transfer::TakeBack });
    }
    tale.parties[party].copy = Some(id);
    if matches!(tale.party(party)?.visit.plan, Plan::Anything | Plan::Boxes) && tale.dice.in_hundred(45) {
        let seconds = tale.dice.between(25 * MINUTE, 60 * MINUTE);
        tale.enter_in(seconds, Task::Lend { party });
    }
    Ok(())
}

pub(super) async fn call(tale: &mut Tale, conn: &mut AsyncPgConnection, party: usize, want: Want) -> Result<()> {
    let party = tale.party(party)?;
    if !party.is_here {
        return Ok(());
    }
    let (sitting, members) = (party.sitting, party.members.clone());
    let who = tale.dice.pick(&members).copied().unwrap_or(0);
    let caller = tale.cast.person(who)?.player.id;
    let notes = tale.script.call_notes.get(want.reason.as_str()).map_or(&[][..], Vec::as_slice);
    let note = if tale.dice.in_hundred(60) { tale.dice.pick(notes).map(|note| Note(note.clone())) } else { None };
    let row = sittings::call(conn, &tale.world, &tale.live, caller, sitting, want.reason, note.as_ref()).await?;
    let mut seconds = 0;
    for status in [CallStatus::Heard, CallStatus::Settled].into_iter().take(want.answers) {
        seconds += tale.dice.between(25, 4 * MINUTE);
        tale.enter_in(seconds, Task::Answer { id: row.id, status });
    }
    Ok(())
}

pub(super) async fn answer(
    tale: &mut Tale,
    conn: &mut AsyncPgConnection,
    id: CallId,
    status: CallStatus,
) -> Result<()> {
    let staff = tale.staff(Role::Staff)?;
    match calls::answer(&mut tale.context(conn, &staff)?, id, status).await {
        // What a party called for was settled when it left.
        Err(err) if err.code() == "call_over" => Ok(()),
        answered => answered.map(drop),
    }
}

pub(super) async fn be_closing(tale: &mut Tale, conn: &mut AsyncPgConnection, party: usize) -> Result<()> {
    let Party { sitting, is_here, busy_until, .. } = *tale.party(party)?;
    if !is_here || busy_until > tale.world.now() {
        return Ok(());
    }
    let staff = tale.staff(Role::Staff)?;
    let closing = SittingChange { closing: Some(true), ..SittingChange::default() };
    sittings::change(&mut tale.context(conn, &staff)?, sitting, &closing).await?;
    Ok(())
}

/// Once their match is over.
pub(super) async fn leave(tale: &mut Tale, conn: &mut AsyncPgConnection, party: usize) -> Result<()> {
    let Party { sitting, table, busy_until, copy, .. } = *tale.party(party)?;
    if busy_until >= tale.world.now() {
        tale.agenda.enter(busy_until + SignedDuration::from_mins(3), Task::Leave { party });
        return Ok(());
    }
    let staff = tale.staff(Role::Staff)?;
    let hours = tale.calendar.hours();
    let days = CafeDays { hours: &hours, zone: tale.calendar.zone() };
    let prices = Prices { version: 1, tariff: &tale.script.tariff, days };
    sittings::close(&mut tale.context(conn, &staff)?, sitting, Some(&prices)).await?;
    if let Some(copy) = copy {
        let seconds = tale.dice.between(10, 5 * MINUTE);
        tale.enter_in(seconds, Task::Handle { copy, errand: Transfer::TakeBack });
    }
    tale.parties[party].is_here = false;
    tale.tables[table].is_free = true;
    Ok(())
}

pub(super) async fn close_up(tale: &mut Tale, conn: &mut AsyncPgConnection) -> Result<()> {
    matches::expire(conn, &tale.world, &tale.live, PATIENCE).await?;
    sittings::close_idle(conn, &tale.world, &tale.live).await?;
    tracing::debug!(until = %tale.world.now(), made = %tale.told, "simulated a day of the demo");
    Ok(())
}
