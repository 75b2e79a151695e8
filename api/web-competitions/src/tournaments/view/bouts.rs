//! A bout as pages show it.

use super::TournamentView;
use super::bracket::places_at_stake;
use crate::tournaments::view::TournamentWords;
use base::ids::{MatchId, TableId};
use competitions::tournaments::store::{BoutKey, BoutRow};
use engine::tournaments::Limit;
use play::matches::Status;
use play::matches::results::ResultStatus;
use web_base::page::Page;

/// A bout: who plays, where, and how it ended.
pub(in crate::tournaments) struct Played {
    pub stage: i16,
    pub round: i16,
    pub key: BoutKey,
    /// What people call it, in its stage or in its round.
    pub number: usize,
    /// The teams whose bout begins with it, and how that stands.
    pub heads: Option<String>,
    pub seated: Vec<Seated>,
    pub table_id: Option<TableId>,
    pub table: Option<String>,
    pub match_id: Option<MatchId>,
    pub code: Option<String>,
    pub state: BoutState,
    /// Whether a result counts, also while its match says something else.
    pub has_result: bool,
    /// Its group and how many games it has, in words, as far as there is something to say.
    pub about: Option<String>,
    pub limit: Option<Limit>,
    /// Why these play together.
    pub reasons: Vec<String>,
    /// What speaks against a pairing of the draft.
    pub conflicts: Vec<String>,
    /// Of a draft: nobody in it is exchanged.
    pub is_locked: bool,
}

/// Somebody in a bout.
pub(in crate::tournaments) struct Seated {
    pub number: i32,
    pub name: String,
    pub team: Option<String>,
    pub place: Option<u16>,
    /// The points that were written down.
    pub score: Option<String>,
    pub absent: bool,
    /// First alone.
    pub won: bool,
    /// Nobody else came.
    came_alone: bool,
    /// How it ended for them, in a word.
    pub mark: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tournaments) enum BoutState {
    /// Nothing is played.
    Bye,
    /// Only staff see it.
    Drafted,
    /// Nobody plays yet.
    Waiting,
    Playing,
    /// A player has reported a result that nobody has confirmed.
    Reported,
    /// Players have reported results that contradict each other.
    Disputed,
    /// Its match says something that staff have to look at.
    Claimed,
    /// Its match was called off.
    Deserted,
    Over,
}

impl Played {
    pub(in crate::tournaments) fn of(page: &Page, view: &TournamentView, bout: &BoutRow) -> Self {
        let seat = |number: &i32| Seated::of(page, view, bout, *number);
        Self {
            stage: bout.stage,
            round: bout.round,
            key: bout.key,
            number: usize::from(bout.key.0.number),
            heads: None,
            seated: bout.entrants.iter().map(seat).collect(),
            table_id: bout.table_id,
            table: bout.table_name.clone(),
            match_id: bout.match_id,
            code: bout.match_code.clone(),
            state: state(view, bout),
            has_result: bout.result.is_some(),
            about: about(page, view, bout),
            limit: view.games_of(bout.stage, bout.key),
            reasons: reasons(page, view, bout),
            conflicts: Vec::new(),
            is_locked: bout.is_locked,
        }
    }

    /// Everybody in it, in the order of their seats.
    pub(in crate::tournaments) fn names(&self) -> String {
        self.seated.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(" – ")
    }

    /// The others.
    pub(in crate::tournaments) fn opponents(&self, of: &i32) -> String {
        let others = self.seated.iter().filter(|it| it.number != *of).map(|it| it.name.as_str());
        others.collect::<Vec<_>>().join(", ")
    }

    pub(in crate::tournaments) fn is_bye(&self) -> bool {
        self.state == BoutState::Bye
    }

    pub(in crate::tournaments) fn is_drafted(&self) -> bool {
        self.state == BoutState::Drafted
    }

    pub(in crate::tournaments) fn is_over(&self) -> bool {
        self.state == BoutState::Over
    }

    /// Where to see to it, and what about, if staff have to.
    pub(in crate::tournaments) fn urgent(&self, page: &Page, view: &TournamentView) -> Option<(String, String)> {
        match self.state {
            BoutState::Reported | BoutState::Disputed | BoutState::Claimed | BoutState::Deserted => {
                Some((view.bout_path(self), format!("{} · {}", self.names(), page.t(self.state.key()))))
            }
            BoutState::Bye | BoutState::Drafted | BoutState::Waiting | BoutState::Playing | BoutState::Over => None,
        }
    }

    pub(in crate::tournaments) fn is_duel(&self) -> bool {
        self.seated.len() == 2
    }

    pub(in crate::tournaments) fn seat_of(&self, number: i32) -> Option<&Seated> {
        self.seated.iter().find(|it| it.number == number)
    }

    pub(in crate::tournaments) fn is_at(&self, table: &TableId) -> bool {
        self.table_id.as_ref() == Some(table)
    }
}

impl Seated {
    /// What a cross table says: 1, ½ or 0; – for who did not come, and + for who came alone.
    pub(in crate::tournaments) fn score_mark(&self) -> &'static str {
        match (self.absent, self.won, self.place) {
            (true, ..) => "–",
            (_, true, _) if self.came_alone => "+",
            (_, true, _) => "1",
            (_, _, Some(1)) => "½",
            _ => "0",
        }
    }

    fn of(page: &Page, view: &TournamentView, bout: &BoutRow, number: i32) -> Self {
        let result = bout.result.as_ref().map(|it| it.0.as_slice()).unwrap_or_default();
        let is_own = |it: &&engine::tournaments::Finish| i32::try_from(it.entrant) == Ok(number);
        let own = result.iter().find(is_own);
        let shares = |place: u16| result.iter().filter(|it| it.place == place && !it.absent).count() > 1;
        let won = own.is_some_and(|it| it.place == 1 && !it.absent && !shares(1));
        let mark = match own {
            None => String::new(),
            Some(it) if it.absent => page.t("mark-absent"),
            Some(_) if won => page.t("mark-win"),
            Some(it) if bout.entrants.len() == 2 => page.t(if it.place == 1 { "mark-draw" } else { "mark-loss" }),
            Some(it) => page.say("mark-place").with("place", it.place).to_string(),
        };
        let is_between = bout.result.is_none() && !bout.games.is_empty();
        let so_far = is_between.then(|| bout.games_won(number).to_string());
        Self {
            number,
            name: view.name(&number),
            team: view.team(&number).map(str::to_owned),
            place: own.filter(|it| !it.absent).map(|it| it.place),
            score: own.and_then(|it| it.score).map(|score| page.points(score)).or(so_far),
            absent: own.is_some_and(|it| it.absent),
            won,
            came_alone: result.iter().all(|it| it.absent || is_own(&it)),
            mark,
        }
    }
}

fn about(page: &Page, view: &TournamentView, bout: &BoutRow) -> Option<String> {
    let group = view.group_of(bout).map(|group| page.group(group));
    let board = view
        .board_of(bout.stage, bout.key)
        .map(|(_, board)| page.say("board-number").with("number", board + 1).to_string());
    let games = view.games_of(bout.stage, bout.key).map(|limit| page.limit(limit));
    let stake = view.stake_of(bout).map(|places| places_at_stake(page, places));
    let said: Vec<String> = [group, board, stake, games].into_iter().flatten().collect();
    (!said.is_empty()).then(|| said.join(" · "))
}

/// Why these play together: what the engine says, and who of staff put them there.
fn reasons(page: &Page, view: &TournamentView, bout: &BoutRow) -> Vec<String> {
    let by_hand = bout.arranged_by.map(|_| match &bout.arranger {
        Some(name) => page.say("reason-by-hand-of").with("name", name.as_str()).to_string(),
        None => page.t("reason-by-hand"),
    });
    // On boards it is teams that were paired.
    let name = |number: i32| match view.board_of(bout.stage, bout.key) {
        Some(_) => view.standing_name(&number),
        None => view.name(&number),
    };
    let engine = bout.reasons.iter().map(|reason| page.reason(reason, &name));
    by_hand.into_iter().chain(engine).collect()
}

fn state(view: &TournamentView, bout: &BoutRow) -> BoutState {
    let is_drafted = view.round(bout.stage, bout.round).is_none_or(|round| round.published_at.is_none());
    match bout.match_status {
        _ if bout.is_bye() => BoutState::Bye,
        _ if is_drafted => BoutState::Drafted,
        _ if bout.claim.is_some() => BoutState::Claimed,
        _ if bout.result.is_some() => BoutState::Over,
        _ if view.report_of(bout) == Some(ResultStatus::Disputed) => BoutState::Disputed,
        _ if view.report_of(bout).is_some() => BoutState::Reported,
        Some(Status::Aborted | Status::Expired) => BoutState::Deserted,
        Some(Status::Running | Status::Finished) => BoutState::Playing,
        Some(Status::Waiting) | None => BoutState::Waiting,
    }
}

impl BoutState {
    pub(in crate::tournaments) fn key(self) -> &'static str {
        match self {
            Self::Bye => "bout-bye",
            Self::Drafted => "bout-drafted",
            Self::Waiting => "bout-waiting",
            Self::Playing => "bout-playing",
            Self::Reported => "result-reported",
            Self::Disputed => "result-disputed",
            Self::Claimed => "bout-claimed",
            Self::Deserted => "bout-deserted",
            Self::Over => "bout-over",
        }
    }

    pub(in crate::tournaments) fn icon(self) -> &'static str {
        match self {
            Self::Bye => "right",
            Self::Drafted => "edit",
            Self::Waiting => "hourglass",
            Self::Playing => "matches",
            Self::Reported => "hourglass",
            Self::Claimed | Self::Deserted | Self::Disputed => "bell",
            Self::Over => "check",
        }
    }

    pub(in crate::tournaments) fn tone(self) -> &'static str {
        match self {
            Self::Bye | Self::Drafted => "plain",
            Self::Waiting => "waiting",
            Self::Playing => "playing",
            Self::Reported => "waiting",
            Self::Claimed | Self::Deserted | Self::Disputed => "attention",
            Self::Over => "finished",
        }
    }
}
