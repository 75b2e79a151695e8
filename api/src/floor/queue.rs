//! What needs a person, in the order in which it began to.

use jiff::Timestamp;

use super::{Attention, LONG_TURN, LONG_WAIT, Play, Spot};
use crate::calls::{CallReason, CallRow};
use crate::ids::{CallId, MatchId, SittingId, TableId};

/// Something that needs somebody.
pub struct Need {
    /// Since when it does.
    pub since: Timestamp,
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
    LongTurn {
        id: MatchId,
        game: String,
    },
    LongWait {
        id: MatchId,
        game: String,
    },
    /// The party has been there for long.
    LongSitting {
        sitting: SittingId,
    },
}

pub(super) fn needs(spots: &[Spot], adrift: &[Play], calls: Vec<CallRow>, now: Timestamp) -> Vec<Need> {
    let of_calls = calls.into_iter().map(|call| Need {
        since: call.called_at,
        table: Some(call.table_id),
        cause: Cause::Call { id: call.id, reason: call.reason, is_heard: call.heard_at.is_some(), note: call.note },
    });
    let at_tables = spots.iter().filter_map(|spot| of_play(spot.play.as_ref()?, Some(spot.table.id)));
    let elsewhere = adrift.iter().filter_map(|play| of_play(play, None));
    let long = spots.iter().filter_map(|spot| {
        let sitting = spot.sitting.as_ref().filter(|sitting| sitting.remind_at <= now)?;
        let cause = Cause::LongSitting { sitting: sitting.id };
        Some(Need { since: sitting.remind_at, table: Some(spot.table.id), cause })
    });
    let mut needs: Vec<Need> = of_calls.chain(at_tables).chain(elsewhere).chain(long).collect();
    needs.sort_by_key(|need| need.since);
    needs
}

fn of_play(play: &Play, table: Option<TableId>) -> Option<Need> {
    let (id, game) = (play.row.id, play.row.game.clone());
    let (cause, patience) = match play.attention? {
        Attention::LongTurn => (Cause::LongTurn { id, game }, LONG_TURN),
        Attention::LongWait => (Cause::LongWait { id, game }, LONG_WAIT),
    };
    Some(Need { since: play.since() + patience, table, cause })
}

impl Cause {
    pub fn icon(&self) -> &'static str {
        match self {
            Self::Call { reason, .. } => reason.icon(),
            Self::LongTurn { .. } | Self::LongSitting { .. } => "clock",
            Self::LongWait { .. } => "hourglass",
        }
    }

    pub fn key(&self) -> &'static str {
        match self {
            Self::Call { reason, .. } => reason.key(),
            Self::LongTurn { .. } => "attention-long-turn",
            Self::LongWait { .. } => "attention-long-wait",
            Self::LongSitting { .. } => "attention-long-sitting",
        }
    }

    /// The match that it is about.
    pub fn of_match(&self) -> Option<(&MatchId, &str)> {
        match self {
            Self::LongTurn { id, game } | Self::LongWait { id, game } => Some((id, game)),
            Self::Call { .. } | Self::LongSitting { .. } => None,
        }
    }
}
