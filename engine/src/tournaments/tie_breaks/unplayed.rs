//! Each round of an entrant as tie-breaks see it: against whom, and what an unplayed round stands for (Handbook C.07, 16).

use std::cmp::Ordering;

use super::super::history::{BoutRecord, BoutResult, History};
use super::super::stage::{Edition, Format, Points, Stage};

/// Hundredths of one.
pub(super) const ONE: i64 = 100;

/// What tie-breaks are computed from.
pub(super) struct Table<'a> {
    pub(super) stage: &'a Stage,
    pub(super) history: &'a History,
    /// Everybody knew before the first round whom they would meet. Bouts to which somebody did not come then count as
    /// played (C.07, 15.2).
    pub(super) is_scheduled: bool,
}

/// Is the last round seen as it was, or as if all its bouts had been drawn (C.07, 8.3)?
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LastRound {
    AsItWas,
    Drawn,
}

/// What a round adds to a sum over opponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// The opponent's points, or those of the dummy in an unplayed round.
    pub(super) opponent: i64,
    /// The same times the entrant's own result against them.
    pub(super) gained: i64,
    /// Did the entrant choose not to play (C.07, 16.1)?
    pub(super) is_voluntary: bool,
}

impl<'a> Table<'a> {
    pub(super) fn new(stage: &'a Stage, history: &'a History) -> Self {
        Table { stage, history, is_scheduled: matches!(stage.format, Format::RoundRobin { .. }) }
    }

    /// What a draw gives, in scorings that know one.
    fn draw(&self) -> Option<i64> {
        match &self.stage.scoring.points {
            Points::Win { draw, .. } => Some(i64::from(*draw)),
            Points::Places { .. } | Points::Scores => None,
        }
    }

    /// What a win gives, in scorings that know one.
    pub(super) fn win(&self) -> Option<i64> {
        match &self.stage.scoring.points {
            Points::Win { win, .. } => Some(i64::from(*win)),
            Points::Places { .. } | Points::Scores => None,
        }
    }

    /// The rounds of an entrant that are over. Who rests in a round robin with an odd number plays a round less.
    pub(super) fn rounds(&self, entrant: u32) -> impl Iterator<Item = &'a BoutRecord> {
        let is_scheduled = self.is_scheduled;
        self.history.of(entrant).iter().filter(move |it| !(is_scheduled && it.result == BoutResult::Bye))
    }

    /// Does the round count as a game against somebody?
    pub(super) fn is_game(&self, record: &BoutRecord) -> bool {
        !record.meetings.is_empty() || self.is_scheduled && !record.scheduled.is_empty()
    }

    /// The result as that of one game: a win is one, a draw a half. An unplayed round is what its points are worth.
    pub(super) fn result(&self, record: &BoutRecord) -> i64 {
        match record.result {
            BoutResult::Won | BoutResult::Walkover => ONE,
            BoutResult::Drawn => ONE / 2,
            BoutResult::Lost | BoutResult::Absent => 0,
            BoutResult::Bye | BoutResult::Requested | BoutResult::Missed => match (self.win(), self.draw()) {
                (Some(win), _) if record.points >= win => ONE,
                (_, Some(draw)) if record.points >= draw => ONE / 2,
                (None, _) if record.result == BoutResult::Bye => ONE,
                _ => 0,
            },
        }
    }

    /// An entrant's points as the opponents' tie-breaks see them: rounds that the entrant chose not to play count as
    /// draws if no game came after (C.07, 16.3).
    pub(super) fn adjusted(&self, entrant: u32, last: LastRound) -> i64 {
        let points = self.history.points(entrant);
        let Some(draw) = self.draw().filter(|_| !self.is_scheduled) else { return points };
        if last == LastRound::Drawn && self.last_game(entrant).is_some() {
            return self.own(entrant, last);
        }
        let at_the_end = self.history.of(entrant).iter().rev().take_while(|it| is_voluntary(it));
        let asked = at_the_end.filter(|it| it.result != BoutResult::Absent);
        points + asked.map(|it| draw - it.points).sum::<i64>()
    }

    /// The entrant's own points.
    fn own(&self, entrant: u32, last: LastRound) -> i64 {
        let points = self.history.points(entrant);
        match (last, self.draw(), self.last_game(entrant)) {
            (LastRound::Drawn, Some(draw), Some(record)) => points - record.points + draw,
            _ => points,
        }
    }

    /// The entrant's bout of the last round.
    fn last_game(&self, entrant: u32) -> Option<&'a BoutRecord> {
        self.history.of(entrant).iter().find(|it| it.round == self.history.rounds && !it.scheduled.is_empty())
    }

    /// The shares of all rounds, in order.
    pub(super) fn shares(&self, entrant: u32, last: LastRound) -> Vec<Share> {
        self.rounds(entrant).map(|it| self.share(entrant, it, last)).collect()
    }

    pub(super) fn share(&self, entrant: u32, record: &BoutRecord, last: LastRound) -> Share {
        let is_drawn = last == LastRound::Drawn && record.round == self.history.rounds;
        if record.meetings.is_empty() && (self.is_scheduled || is_drawn) && !record.scheduled.is_empty() {
            let opponent = average(record.scheduled.iter().map(|it| self.adjusted(*it, last)));
            return Share { opponent, gained: opponent * self.result(record) / ONE, is_voluntary: false };
        }
        if record.meetings.is_empty() {
            let opponent = self.dummy(entrant, record, last);
            let gained = opponent * self.result(record) / ONE;
            return Share { opponent, gained, is_voluntary: is_voluntary(record) };
        }
        let of = |opponent: u32| self.adjusted(opponent, last);
        let gained = |result: Ordering, points: i64| match result {
            Ordering::Greater => points,
            Ordering::Equal => points / 2,
            Ordering::Less => 0,
        };
        Share {
            opponent: average(record.meetings.iter().map(|it| of(it.opponent))),
            gained: average(record.meetings.iter().map(|it| gained(it.result, of(it.opponent)))),
            is_voluntary: false,
        }
    }

    /// The points of the dummy that an unplayed round is played against: the entrant's own, since 2026 with a cap (C.07,
    /// 16.4).
    fn dummy(&self, entrant: u32, record: &BoutRecord, last: LastRound) -> i64 {
        let own = self.own(entrant, last);
        match (self.stage.scoring.edition, self.draw(), record.scheduled.first()) {
            (Edition::Fide2024, ..) | (_, None, _) => own,
            (Edition::Fide2026, _, Some(opponent)) => own.min(self.adjusted(*opponent, last)),
            (Edition::Fide2026, Some(draw), None) => own.min(draw * i64::from(self.history.rounds)),
        }
    }
}

/// Did the entrant choose not to play: asked for a bye, was away, or did not come to a bout?
pub(super) fn is_voluntary(record: &BoutRecord) -> bool {
    matches!(record.result, BoutResult::Requested | BoutResult::Missed | BoutResult::Absent)
}

pub(super) fn average(values: impl ExactSizeIterator<Item = i64>) -> i64 {
    let many = values.len().max(1) as i64;
    values.fold(0, i64::saturating_add) / many
}

/// The opponents' points without the lowest; those of rounds that the entrant chose not to play go first (C.07, 16.5).
pub(super) fn without_lowest(mut shares: Vec<Share>) -> Vec<Share> {
    let lowest = (0..shares.len()).min_by_key(|it| (!shares[*it].is_voluntary, shares[*it].opponent));
    lowest.map(|it| shares.remove(it));
    shares
}

/// Without the highest.
pub(super) fn without_highest(mut shares: Vec<Share>) -> Vec<Share> {
    let highest = (0..shares.len()).max_by_key(|it| shares[*it].opponent);
    highest.map(|it| shares.remove(it));
    shares
}

/// Without what was gained against the opponent with the fewest points, or in a round that the entrant chose not to play
/// if that was more (C.07, 14.1 and 16.5).
pub(super) fn without_least(mut shares: Vec<Share>) -> Vec<Share> {
    let Some(least) = (0..shares.len()).min_by_key(|it| (shares[*it].opponent, shares[*it].gained)) else {
        return shares;
    };
    let voluntary = (0..shares.len()).filter(|it| shares[*it].is_voluntary);
    let voluntary = voluntary.min_by_key(|it| (shares[*it].gained, shares[*it].opponent));
    shares.remove(voluntary.filter(|it| shares[*it].gained >= shares[least].gained).unwrap_or(least));
    shares
}
