//! The matches of the story: made, joined and started as phones do it, then played out by people of some skill.

use diesel_async::AsyncPgConnection;
use engine::{Match, Seat, Turn};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::agenda::Task;
use super::story::Dice;
use super::tale::{Party, Tale, pass};
use super::visits::Plan;
use base::auth::Role;
use base::error::Result;
use base::ids::{MatchId, TableId};
use play::matches::{self, Choice, MadeBy, MatchName, NewMatchRequest, Nonce, Status};

/// With how many it is played, how often it is chosen, and how many seconds a move takes.
struct Habit {
    game: &'static str,
    players: (usize, usize),
    often: usize,
    seconds: usize,
}

const HABITS: [Habit; 7] = [
    Habit { game: "perudo", players: (2, 6), often: 22, seconds: 9 },
    Habit { game: "perudo-pirates", players: (2, 6), often: 13, seconds: 8 },
    Habit { game: "liars-dice", players: (2, 6), often: 16, seconds: 24 },
    Habit { game: "dead-mans-draw", players: (2, 4), often: 20, seconds: 11 },
    Habit { game: "animal-kingdom", players: (10, 10), often: 40, seconds: 32 },
    Habit { game: "hogu-clue", players: (2, 6), often: 14, seconds: 55 },
    Habit { game: "middle-race", players: (3, 10), often: 10, seconds: 16 },
];
const MINUTE: usize = 60;
/// How long players of matches that run when the story ends have for a move, before the autopilot plays on: the floor stays
/// as it is for hours.
const LEISURE: i64 = 3600;
/// No match of a party takes longer.
const LONGEST: SignedDuration = SignedDuration::from_hours(4);
/// Of matches of ordinary days, how many in a hundred are called off, and in how many somebody gives up.
const CALLED_OFF: usize = 4;
const GIVEN_UP: usize = 5;

/// The party plays a match, and perhaps another one after it.
pub(super) async fn play(tale: &mut Tale, conn: &mut AsyncPgConnection, number: usize) -> Result<()> {
    let Party { is_here, ref visit, ref members, sitting: _, table, .. } = *tale.party(number)?;
    let leaves_soon = visit.until < tale.world.now() + SignedDuration::from_mins(20);
    if !is_here || visit.closing.is_some_and(|at| at <= tale.world.now()) || leaves_soon {
        return Ok(());
    }
    let (plan, members) = (visit.plan, members.clone());
    let Some(habit) = choose_habit(&mut tale.dice, plan, members.len()) else { return Ok(()) };
    let seated = &members[..members.len().min(habit.players.1)];
    let table = tale.tables[table].id;
    let taken = if plan == Plan::Lobby { seated.len() - 1 } else { seated.len() };
    let id = open(tale, conn, habit, (Some(table), seated.len()), &seated[..taken]).await?;
    if plan == Plan::Lobby {
        return Ok(());
    }
    let starter = tale.cast.person(seated[0])?.player;
    matches::start(conn, (&tale.world, &tale.live), &tale.autopilot, &starter, id).await?;
    let mishap = if plan == Plan::Anything { tale.dice.below(100) } else { 99 };
    let until = match mishap < CALLED_OFF + GIVEN_UP {
        true => tale.now.min(tale.world.now() + SignedDuration::from_mins(tale.dice.between(4, 11) as i64)),
        false => tale.now,
    };
    let (status, at) = play_until(tale, conn, habit, id, seated, None, until).await?;
    tale.told.matches += 1;
    if status.is_over() || until == tale.now {
        after_match(tale, number, status, at);
    } else if mishap < CALLED_OFF {
        tale.agenda.enter(until, Task::Abort { id });
        tale.parties[number].busy_until = until;
    } else {
        let who = tale.dice.below(seated.len());
        tale.agenda.enter(until, Task::Resign { party: number, id, who });
        tale.parties[number].busy_until = until + SignedDuration::from_secs(1);
    }
    Ok(())
}

fn after_match(tale: &mut Tale, number: usize, status: Status, at: Timestamp) {
    if !status.is_over() {
        tale.told.running += 1;
        tale.parties[number].busy_until = tale.now;
        return;
    }
    tale.parties[number].busy_until = at;
    let (pause, again) = match tale.parties[number].visit.plan {
        Plan::Game(_) => (tale.dice.between(20, 90), true),
        _ => (tale.dice.between(2 * MINUTE, 25 * MINUTE), tale.dice.in_hundred(55)),
    };
    if again {
        tale.agenda.enter(at + SignedDuration::from_secs(pause as i64), Task::Play { party: number });
    }
}

fn choose_habit(dice: &mut Dice, plan: Plan, many: usize) -> Option<&'static Habit> {
    if let Plan::Game(game) = plan {
        return HABITS.iter().find(|habit| habit.game == game);
    }
    // A party that is larger than a game's table does not leave half of it out.
    let suits = |habit: &Habit| many >= habit.players.0 && many <= habit.players.1 + 1;
    let weights = HABITS.each_ref().map(|habit| if suits(habit) { habit.often } else { 0 });
    Some(&HABITS[dice.weighed(&weights)]).filter(|habit| suits(habit))
}

/// A match is made by the first of them, and they sit down.
async fn open(
    tale: &mut Tale,
    conn: &mut AsyncPgConnection,
    habit: &Habit,
    (table_id, seats): (Option<TableId>, usize),
    seated: &[usize],
) -> Result<MatchId> {
    let rules: Vec<_> =
        tale.rules.iter().filter(|rule| rule.game == habit.game && rule.may_be_played).map(|rule| rule.id).collect();
    let variant_id = if tale.dice.in_hundred(60) { tale.dice.pick(&rules).copied() } else { None };
    let name = if tale.dice.in_hundred(12) { tale.dice.pick(&tale.script.match_names) } else { None };
    let request = NewMatchRequest {
        game: habit.game.to_owned(),
        variant_id,
        seats: seats as i64,
        name: name.map(|name| MatchName(name.clone())),
        turn_seconds: (tale.now < tale.world.now() + LONGEST).then_some(LEISURE),
        table_id,
        ..NewMatchRequest::default()
    };
    let creator = tale.cast.person(seated[0])?.player;
    let id = matches::create(conn, &tale.world, &tale.live, &creator, None, &request).await?.id;
    for who in seated {
        pass(&tale.world, tale.dice.between(3, 20));
        let nonce = tale.dice.in_hundred(50).then(|| Nonce(tale.world.uuid().simple().to_string()));
        let player = tale.cast.person(*who)?.player.id;
        matches::sit(conn, &tale.world, &tale.live, player, id, None, nonce.as_ref()).await?;
    }
    pass(&tale.world, 6);
    Ok(id)
}

/// Plays on until the match is over or it is so late. The autopilot moves for players who have left.
async fn play_until(
    tale: &mut Tale,
    conn: &mut AsyncPgConnection,
    habit: &Habit,
    id: MatchId,
    seated: &[usize],
    left: Option<usize>,
    until: Timestamp,
) -> Result<(Status, Timestamp)> {
    let skills: Vec<usize> = seated.iter().map(|who| tale.cast.person(*who).map_or(50, |it| it.skill)).collect();
    let dice = &mut tale.dice;
    let next = |play: &dyn Match, at: Timestamp| {
        let seat = who_moves(play, dice)?;
        let by_server = left == Some(usize::from(seat.0));
        let seconds = if by_server { 1 } else { dice.between(habit.seconds / 3 + 1, habit.seconds * 5 / 3) };
        let at = at + SignedDuration::from_secs(seconds as i64);
        let skill = if by_server { 100 } else { skills.get(usize::from(seat.0)).copied().unwrap_or(50) };
        let chosen = choose_move(play, seat, skill, dice)?;
        let made_by = if by_server { MadeBy::Server } else { MadeBy::Player };
        (at < until).then_some(Choice { seat, chosen, made_by, at })
    };
    matches::play_out(conn, id, tale.world.now(), next).await
}

/// One of those on turn; now and then somebody who may interrupt.
fn who_moves(play: &dyn Match, dice: &mut Dice) -> Option<Seat> {
    let Turn::Seats { to_move, interrupt } = play.turn() else { return None };
    let who = if !interrupt.is_empty() && dice.in_hundred(2) { interrupt } else { to_move };
    let seats: Vec<Seat> = who.iter().collect();
    dice.pick(&seats).copied()
}

/// What the autopilot would do, or else something daring: one of the first moves that there are, or the last.
fn choose_move(play: &dyn Match, seat: Seat, skill: usize, dice: &mut Dice) -> Option<Value> {
    const DARING: usize = 6;
    let chosen = match dice.in_hundred(skill) {
        true => play.autopilot(seat, &mut dice.0)?,
        false => {
            let moves = play.legal_moves(seat);
            let at = if dice.in_hundred(20) { moves.len() - 1 } else { dice.below(moves.len().min(DARING)) };
            moves.into_iter().nth(at)?
        }
    };
    serde_json::from_str(chosen.get()).ok()
}

pub(super) async fn resign(
    tale: &mut Tale,
    conn: &mut AsyncPgConnection,
    number: usize,
    id: MatchId,
    seat: usize,
) -> Result<()> {
    let row = matches::store::find(conn, id).await?;
    let Some(habit) = row.and_then(|row| HABITS.iter().find(|habit| habit.game == row.game)) else { return Ok(()) };
    let members = tale.party(number)?.members.clone();
    let seated = &members[..members.len().min(habit.players.1)];
    let player = tale.cast.person(seated[seat])?.player.id;
    matches::resign(conn, &tale.world, &tale.live, &tale.autopilot, player, id).await?;
    let (status, at) = play_until(tale, conn, habit, id, seated, Some(seat), tale.now).await?;
    after_match(tale, number, status, at);
    Ok(())
}

pub(super) async fn abort(tale: &mut Tale, conn: &mut AsyncPgConnection, id: MatchId) -> Result<()> {
    let staff = tale.staff(Role::Staff)?;
    let reason = tale.dice.pick(&tale.script.abort_reasons);
    matches::abort(conn, &tale.world, &tale.live, &staff, id, reason.map(String::as_str)).await
}

/// A match in the lobby, at no table.
pub(super) async fn wait_for_others(tale: &mut Tale, conn: &mut AsyncPgConnection, number: usize) -> Result<()> {
    let with = (&tale.script, &mut tale.dice);
    let who = tale.cast.come_regular(conn, &tale.world, with.0, number, with.1).await?;
    let habit = &HABITS[number % 4];
    open(tale, conn, habit, (None, 4), &[who]).await?;
    tale.told.matches += 1;
    Ok(())
}
