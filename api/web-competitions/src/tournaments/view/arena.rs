//! An arena as pages show it: its window, and who waits, plays and pauses.

use jiff::Timestamp;

use super::{BoutState, Played, Round, TournamentView};
use competitions::tournaments::{Activity, RoundStatus, StagePlan};
use engine::tournaments::Points;
use web_base::page::Page;

/// So many of the last results are shown.
const RESULTS: usize = 12;

/// The arena that is played.
pub(in crate::tournaments) struct Arena {
    pub state: Window,
    pub waiting: Vec<Idle>,
    pub pausing: Vec<Idle>,
    /// How many bouts are played, and how many were.
    pub playing: usize,
    pub over: usize,
}

/// Somebody who does not play.
pub(in crate::tournaments) struct Idle {
    pub number: i32,
    pub name: String,
    pub since: Option<Timestamp>,
}

/// How the window of an arena is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tournaments) enum Window {
    Unopened,
    Open,
    Paused,
    /// Nobody is paired any more; the last bouts are played.
    Ending,
    Closed,
}

impl Window {
    pub(in crate::tournaments) fn key(self) -> &'static str {
        match self {
            Self::Unopened => "arena-unopened",
            Self::Open => "arena-open",
            Self::Paused => "arena-paused",
            Self::Ending => "arena-ending",
            Self::Closed => "arena-closed",
        }
    }

    /// Whether it can be open for longer.
    pub(in crate::tournaments) fn takes_minutes(self) -> bool {
        self != Self::Unopened
    }

    pub(in crate::tournaments) fn icon(self) -> &'static str {
        match self {
            Self::Unopened | Self::Paused => "hourglass",
            Self::Open => "clock",
            Self::Ending => "flag",
            Self::Closed => "check",
        }
    }

    pub(in crate::tournaments) fn tone(self) -> &'static str {
        match self {
            Self::Unopened | Self::Paused | Self::Ending => "waiting",
            Self::Open => "running",
            Self::Closed => "finished",
        }
    }
}

impl TournamentView {
    /// The arena whose window this round is.
    pub(in crate::tournaments) fn arena_of(&self, page: &Page, round: &Round) -> Option<Arena> {
        let is_now = self.tournament.arena().is_some_and(|it| it.stage == round.row.stage && round.row.is_arena);
        if is_now { self.arena_now(page) } else { None }
    }

    /// Whether a tap says who has won.
    pub(in crate::tournaments) fn takes_presses(&self, bout: &Played) -> bool {
        let takes_points = |it: &StagePlan| it.scoring.points == Points::Scores;
        let is_simple = !self.plan_of(bout.stage).is_ok_and(takes_points) && bout.limit.is_none();
        bout.is_duel() && is_simple && !self.is_own(bout) && bout.state != BoutState::Claimed
    }

    /// The arena that is played; none in another format.
    pub(in crate::tournaments) fn arena_now(&self, page: &Page) -> Option<Arena> {
        let window = self.tournament.arena()?;
        let state = match window.status {
            RoundStatus::Draft | RoundStatus::Published => Window::Unopened,
            RoundStatus::Closed => Window::Closed,
            RoundStatus::Running if window.is_past(page.now) => Window::Ending,
            RoundStatus::Running if window.paused_at.is_some() => Window::Paused,
            RoundStatus::Running => Window::Open,
        };
        let people = self.arena_entrants();
        let idle = |activity| {
            let those = people.iter().filter(move |it| it.activity == activity);
            those.map(|it| Idle { number: it.number, name: self.name(&it.number), since: it.since }).collect()
        };
        let (over, playing): (Vec<_>, Vec<_>) = self.bouts_in(window.stage).partition(|it| it.is_over());
        Some(Arena {
            state,
            waiting: idle(Activity::Waiting),
            pausing: idle(Activity::Pausing),
            playing: playing.len(),
            over: over.len(),
        })
    }
}

impl Round {
    /// The word for its status: an arena is not published, it opens.
    pub(in crate::tournaments) fn status_key(&self) -> &'static str {
        match self.row.status {
            RoundStatus::Draft | RoundStatus::Published if self.row.is_arena => Window::Unopened.key(),
            status => status.key(),
        }
    }

    /// Bouts that are not over.
    pub(in crate::tournaments) fn open_bouts(&self) -> Vec<&Played> {
        self.bouts.iter().filter(|it| !it.is_over() && !it.is_bye()).collect()
    }

    /// The last results, the latest first.
    pub(in crate::tournaments) fn last_results(&self) -> Vec<&Played> {
        self.bouts.iter().filter(|it| it.is_over()).take(RESULTS).collect()
    }

    /// How many more there are.
    pub(in crate::tournaments) fn earlier_results(&self) -> usize {
        self.bouts.iter().filter(|it| it.is_over()).count().saturating_sub(RESULTS)
    }

    /// In an arena: what is played first, then the latest.
    pub(super) fn in_order_of_arena(mut self) -> Self {
        self.bouts.sort_by_key(|it| (it.is_over(), std::cmp::Reverse(it.number)));
        self
    }
}
