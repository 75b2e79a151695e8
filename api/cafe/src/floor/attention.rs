//! What needs a person, in the order in which it began to.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};

use super::{Attention, Boxed, LONG_TURN, LONG_WAIT, Play, Spot};
use crate::claims::ClaimRow;
use crate::waiting::QueueEntry;
use base::ids::{CallId, MatchId, PlayerId, SittingId, TableId};
use competitions::tournaments;
use play::calls::{CallReason, CallRow};
use play::matches::MatchRow;
use play::matches::results::{ResultRow, ResultStatus};
use play::sittings::MemberRow;

/// So many returned boxes are in the queue, the longest there first; then come the next.
const RETURNED_SHOWN: usize = 5;

/// Something that needs somebody.
pub struct AttentionItem {
    /// Since when it does.
    pub since: Timestamp,
    /// Since when the table, the match or the call has waited, as people understand "for 20 minutes".
    pub waiting: Timestamp,
    pub table: Option<TableId>,
    pub cause: Cause,
}

/// What it is. A new kind of thing that needs a person is a line here, and where it is read.
pub enum Cause {
    Call {
        id: CallId,
        reason: CallReason,
        note: Option<String>,
        is_heard: bool,
    },
    /// A new phone asks to be a guest's.
    Claim(ClaimRow),
    /// Somebody scanned the code of a party that was complete.
    Joined {
        sitting: SittingId,
        player: PlayerId,
        name: String,
    },
    LongTurn {
        id: MatchId,
        game: String,
        title: Option<String>,
    },
    LongWait {
        id: MatchId,
        game: String,
        title: Option<String>,
    },
    /// The autopilot has failed in it, again and again: somebody has to call it off.
    Stuck {
        id: MatchId,
        game: String,
        title: Option<String>,
    },
    /// Somebody wrote down how a match ended: another has to confirm it, or staff where it is disputed.
    Result {
        id: MatchId,
        game: String,
        title: Option<String>,
        is_disputed: bool,
    },
    /// The party has been there for long.
    LongSitting {
        sitting: SittingId,
    },
    /// The party has left without it.
    LeftBehind(Boxed),
    /// It lies in the return zone.
    CheckIn(Boxed),
    /// A round is over or over its time, somebody has not come, or a bout has no result that counts.
    Tournament(tournaments::AttentionItem),
    /// A table that it fits is free for a party on the waiting list.
    Waiting(Box<QueueEntry>),
}

/// What waits for somebody beside what is seen at the tables themselves.
pub struct Open<'a> {
    pub calls: Vec<CallRow>,
    pub claims: Vec<ClaimRow>,
    /// Who came to parties that were complete.
    pub joined: Vec<MemberRow>,
    pub returned: &'a [Boxed],
    /// When the last party left a table.
    pub left: HashMap<TableId, Timestamp>,
    /// With their matches, the oldest first.
    pub results: Vec<(ResultRow, MatchRow)>,
    /// Of matches of games outside the catalogue.
    pub titles: HashMap<MatchId, String>,
    pub tournaments: Vec<tournaments::AttentionItem>,
    pub waiting: &'a [QueueEntry],
}

pub fn list(spots: &[Spot], adrift: &[Play], open: Open<'_>, now: Timestamp) -> Vec<AttentionItem> {
    let Open { calls, claims, joined, returned, left, results, titles, tournaments, waiting } = open;
    let of_waiting = waiting.iter().filter_map(|party| {
        let table = party.ready?;
        let since = left.get(&table).copied().map_or(party.row.joined_at, |left| left.max(party.row.joined_at));
        let cause = Cause::Waiting(Box::new(party.clone()));
        Some(AttentionItem { since, waiting: party.row.joined_at, table: Some(table), cause })
    });
    let of_waiting: Vec<AttentionItem> = of_waiting.collect();
    let table_of = |sitting: SittingId| {
        let spot = spots.iter().find(|it| it.sitting.as_ref().is_some_and(|it| it.id == sitting));
        spot.map(|it| it.table.id)
    };
    let of_calls = calls.into_iter().map(|call| AttentionItem {
        since: call.called_at,
        waiting: call.called_at,
        table: Some(call.table_id),
        cause: Cause::Call { id: call.id, reason: call.reason, is_heard: call.heard_at.is_some(), note: call.note },
    });
    let of_claims = claims.into_iter().map(|claim| AttentionItem {
        since: claim.asked_at,
        waiting: claim.asked_at,
        table: table_of(claim.sitting_id),
        cause: Cause::Claim(claim),
    });
    let of_joined = joined.into_iter().map(|it| AttentionItem {
        since: it.joined_at,
        waiting: it.joined_at,
        table: table_of(it.sitting_id),
        cause: Cause::Joined { sitting: it.sitting_id, player: it.player_id, name: it.display_name },
    });
    let at_tables = spots.iter().filter_map(|spot| of_play(spot.play.as_ref()?, Some(spot.table.id)));
    let elsewhere = adrift.iter().filter_map(|play| of_play(play, None));
    let long = spots.iter().filter_map(|spot| {
        let sitting = spot.sitting.as_ref().filter(|sitting| sitting.remind_at <= now)?;
        let cause = Cause::LongSitting { sitting: sitting.id };
        Some(AttentionItem { since: sitting.remind_at, waiting: sitting.opened_at, table: Some(spot.table.id), cause })
    });
    let behind = spots.iter().filter(|spot| spot.sitting.is_none()).flat_map(|spot| {
        let left = left.get(&spot.table.id).copied();
        // Lent to a table at which nobody has sat since, it waits from then on.
        let since = move |boxed: &Boxed| left.map_or(boxed.0.since, |left| left.max(boxed.0.since));
        let need = move |boxed: &Boxed| (since(boxed), Some(spot.table.id), Cause::LeftBehind(boxed.clone()));
        spot.boxes.iter().map(need)
    });
    let behind = behind.map(|(since, table, cause)| AttentionItem { since, waiting: since, table, cause });
    let returned = returned.iter().take(RETURNED_SHOWN).cloned();
    let returned = returned.map(|it| AttentionItem {
        since: it.0.since,
        waiting: it.0.since,
        table: None,
        cause: Cause::CheckIn(it),
    });
    let written = of_results(spots, results, titles);
    let of_tournaments = tournaments.into_iter().map(|it| AttentionItem {
        since: it.since,
        waiting: it.since,
        table: it.table,
        cause: Cause::Tournament(it),
    });
    let needs = of_calls
        .chain(of_claims)
        .chain(of_joined)
        .chain(at_tables)
        .chain(elsewhere)
        .chain(long)
        .chain(behind)
        .chain(returned)
        .chain(written)
        .chain(of_tournaments)
        .chain(of_waiting);
    let mut needs: Vec<AttentionItem> = needs.collect();
    needs.sort_by_key(|need| need.since);
    needs
}

fn of_play(play: &Play, table: Option<TableId>) -> Option<AttentionItem> {
    let (id, game, title) = (play.row.id, play.row.game.clone(), play.title.clone());
    let (cause, patience) = match play.attention? {
        Attention::LongTurn => (Cause::LongTurn { id, game, title }, LONG_TURN),
        Attention::LongWait => (Cause::LongWait { id, game, title }, LONG_WAIT),
        Attention::Stuck => (Cause::Stuck { id, game, title }, SignedDuration::ZERO),
    };
    Some(AttentionItem { since: play.since() + patience, waiting: play.since(), table, cause })
}

/// One for each match, since the first of its results that nobody has settled.
fn of_results(
    spots: &[Spot],
    mut results: Vec<(ResultRow, MatchRow)>,
    mut titles: HashMap<MatchId, String>,
) -> impl Iterator<Item = AttentionItem> {
    let mut seen = HashSet::new();
    results.retain(|(result, _)| seen.insert(result.match_id));
    results.into_iter().map(move |(result, row)| {
        let table = spots.iter().find(|spot| spot.play.as_ref().is_some_and(|play| play.row.id == row.id));
        let is_disputed = result.status == ResultStatus::Disputed;
        let cause = Cause::Result { id: row.id, game: row.game, title: titles.remove(&row.id), is_disputed };
        AttentionItem {
            since: result.created_at,
            waiting: result.created_at,
            table: table.map(|spot| spot.table.id),
            cause,
        }
    })
}

impl Cause {
    pub fn icon(&self) -> &'static str {
        match self {
            Self::Call { reason, .. } => reason.icon(),
            Self::Claim(_) | Self::Joined { .. } => "person",
            Self::Waiting(_) => "people",
            Self::LongTurn { .. } | Self::LongSitting { .. } => "clock",
            Self::LongWait { .. } => "hourglass",
            Self::Stuck { .. } => "ban",
            Self::LeftBehind(_) | Self::CheckIn(_) => "crate",
            Self::Result { .. } | Self::Tournament(_) => "flag",
        }
    }

    pub fn key(&self) -> &'static str {
        match self {
            Self::Call { reason, .. } => reason.key(),
            Self::Claim(_) => "attention-claim",
            Self::Joined { .. } => "attention-joined",
            Self::LongTurn { .. } => "attention-long-turn",
            Self::LongWait { .. } => "attention-long-wait",
            Self::Stuck { .. } => "attention-stuck",
            Self::LongSitting { .. } => "attention-long-sitting",
            Self::LeftBehind(_) => "attention-left-behind",
            Self::CheckIn(_) => "attention-check-in",
            Self::Result { is_disputed: false, .. } => "attention-result",
            Self::Result { is_disputed: true, .. } => "attention-result-disputed",
            Self::Tournament(need) => need.cause.key(),
            Self::Waiting(party) if party.row.called_at.is_some() => "attention-waiting-called",
            Self::Waiting(_) => "attention-waiting",
        }
    }

    /// The match that it is about, and what is played there.
    pub fn of_match(&self) -> Option<(&MatchId, &str, &Option<String>)> {
        match self {
            Self::LongTurn { id, game, title }
            | Self::LongWait { id, game, title }
            | Self::Stuck { id, game, title }
            | Self::Result { id, game, title, .. } => Some((id, game, title)),
            Self::Call { .. } | Self::LongSitting { .. } | Self::LeftBehind(_) | Self::CheckIn(_) => None,
            Self::Claim(_) | Self::Joined { .. } | Self::Tournament(_) | Self::Waiting(_) => None,
        }
    }

    /// The same in a word or two, for the card of its table.
    pub fn short_key(&self) -> &'static str {
        match self {
            Self::Call { reason, .. } => reason.key(),
            Self::Claim(_) => "due-claim",
            Self::Joined { .. } => "due-joined",
            Self::LongTurn { .. } => "due-long-turn",
            Self::LongWait { .. } => "due-long-wait",
            Self::Stuck { .. } => "due-stuck",
            Self::LongSitting { .. } => "due-long-sitting",
            Self::LeftBehind(_) | Self::CheckIn(_) => "due-box",
            Self::Result { .. } => "due-result",
            Self::Tournament(_) => "due-tournament",
            Self::Waiting(_) => "due-waiting",
        }
    }

    /// Whether guests wait for somebody who has not said yet that they come.
    pub fn is_open_call(&self) -> bool {
        matches!(self, Self::Call { is_heard: false, .. })
    }

    /// The tournament that it is about.
    pub fn of_tournament(&self) -> Option<&tournaments::AttentionItem> {
        if let Self::Tournament(need) = self { Some(need) } else { None }
    }

    /// The box that it is about.
    pub fn of_box(&self) -> Option<&Boxed> {
        match self {
            Self::LeftBehind(boxed) | Self::CheckIn(boxed) => Some(boxed),
            Self::Call { .. } | Self::LongTurn { .. } | Self::LongWait { .. } | Self::Stuck { .. } => None,
            Self::Claim(_) | Self::Joined { .. } | Self::Result { .. } | Self::LongSitting { .. } => None,
            Self::Tournament(_) | Self::Waiting(_) => None,
        }
    }
}
