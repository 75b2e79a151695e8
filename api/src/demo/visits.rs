//! Which parties come, and what for: six weeks of ordinary days, and those who are there when the demo is looked at, so that
//! there is something to see at every table.

use jiff::{SignedDuration, Timestamp};

use super::agenda::{Agenda, Task};
use super::calendar::Calendar;
use super::story::Dice;
use play::calls::CallReason;

/// What a party comes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// Boxes from the shelf and the house's games, as it happens.
    Anything,
    /// One game of the house, again and again.
    Game(&'static str),
    Boxes,
    /// A match that waits for one more.
    Lobby,
    /// They have only just sat down.
    Nothing,
}

/// Somebody is called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Want {
    pub at: Timestamp,
    pub reason: CallReason,
    /// None, heard, or heard and settled.
    pub answers: usize,
}

#[derive(Debug)]
pub(super) struct Visit {
    pub size: usize,
    pub until: Timestamp,
    pub plan: Plan,
    pub wants: Vec<Want>,
    /// When they say that they are about to leave.
    pub closing: Option<Timestamp>,
}

/// Minutes ago, why, and how many answers.
type Calls = &'static [(i64, CallReason, usize)];

/// Minutes ago, how many, what for, and what they call for.
const TONIGHT: [(i64, usize, Plan, Calls); 10] = [
    (205, 6, Plan::Game("perudo-pirates"), &[(64, CallReason::Order, 2)]),
    (130, 10, Plan::Game("animal-kingdom"), &[(50, CallReason::Other, 2)]),
    (112, 4, Plan::Game("dead-mans-draw"), &[(7, CallReason::Order, 1)]),
    (95, 5, Plan::Game("middle-race"), &[(38, CallReason::Rules, 2)]),
    (74, 4, Plan::Game("hogu-clue"), &[]),
    (52, 4, Plan::Game("perudo"), &[]),
    (41, 4, Plan::Game("liars-dice"), &[(4, CallReason::Rules, 0)]),
    (33, 2, Plan::Boxes, &[(1, CallReason::Bill, 0)]),
    (24, 4, Plan::Lobby, &[]),
    (5, 2, Plan::Nothing, &[]),
];
/// Longer than anybody looks on.
const STAY: SignedDuration = SignedDuration::from_hours(10);
/// Parties that came before that have left when tonight's first party comes.
pub(super) const BEFORE_TONIGHT: SignedDuration = SignedDuration::from_hours(8);

/// Enters all of them.
pub(super) fn enter(agenda: &mut Agenda, calendar: &Calendar, weeks: u32, now: Timestamp, dice: &mut Dice) {
    // On the first day the café is set up.
    for day in calendar.days(weeks).into_iter().skip(1) {
        for at in calendar.arrivals(day, dice).into_iter().filter(|at| *at < now - BEFORE_TONIGHT) {
            agenda.enter(at, Task::Arrive(ordinary(at, dice)));
        }
        agenda.enter(calendar.at(day, 27 * 60), Task::CloseUp);
    }
    let ago = |minutes: i64| now - SignedDuration::from_mins(minutes);
    for (minutes, size, plan, calls) in TONIGHT {
        let wants = calls.iter().map(|(minutes, reason, answers)| {
            let seconds = SignedDuration::from_secs(dice.below(40) as i64);
            Want { at: ago(*minutes) + seconds, reason: *reason, answers: *answers }
        });
        let visit = Visit {
            size,
            until: now + STAY,
            plan,
            wants: wants.collect(),
            closing: (plan == Plan::Boxes).then(|| ago(2)),
        };
        agenda.enter(ago(minutes) + SignedDuration::from_secs(dice.below(50) as i64), Task::Arrive(visit));
    }
    agenda.enter(ago(15), Task::Lobby { number: 3 });
    agenda.enter(ago(6), Task::Lobby { number: 7 });
}

fn ordinary(at: Timestamp, dice: &mut Dice) -> Visit {
    const REASONS: [(CallReason, usize); 6] = [
        (CallReason::Order, 50),
        (CallReason::Rules, 20),
        (CallReason::Game, 14),
        (CallReason::Broken, 3),
        (CallReason::Other, 6),
        (CallReason::Bill, 7),
    ];
    let minutes = dice.between(60, 170);
    let until = at + SignedDuration::from_mins(minutes as i64);
    let many = dice.weighed(&[45, 40, 15]);
    let wants = (0..many).map(|_| {
        let reason = REASONS[dice.weighed(&REASONS.map(|(_, weight)| weight))].0;
        let after = SignedDuration::from_secs(dice.between(5 * 60, minutes * 60 - 600) as i64);
        Want { at: at + after, reason, answers: 2 }
    });
    Visit {
        wants: wants.collect(),
        size: [2, 3, 4, 5, 6, 8, 10][dice.weighed(&[30, 20, 26, 10, 8, 3, 3])],
        until,
        plan: Plan::Anything,
        closing: dice.in_hundred(20).then(|| until - SignedDuration::from_mins(8)),
    }
}
