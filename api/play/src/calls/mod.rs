//! Calls: a party at a table asks for staff, and staff answer. What the party itself does with a call is in `sittings::calling`.

pub mod store;

use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use base::auth::{StaffContext, can};
use base::error::{Result, conflict, not_found};
pub use base::ids::CallId;
use base::ids::{PlayerId, UndoId};
use base::inputs::{refuse_field, tidy_text};
use base::undo::{Body, Change, Subject, WayBack, moved_on, restore};
pub use store::CallRow;

base::text_enum! {
    /// What a party wants.
    pub enum CallReason {
        /// Somebody who explains.
        Rules = "rules",
        Order = "order",
        /// Another game from the shelf.
        Game = "game",
        /// Something is broken or missing.
        Broken = "broken",
        Bill = "bill",
        Other = "other",
    }
}

base::text_enum! {
    /// What became of a call.
    pub enum CallStatus {
        Open = "open",
        /// Somebody is on the way.
        Heard = "heard",
        Settled = "settled",
        /// By the party itself.
        TakenBack = "taken_back",
    }
}

/// What staff may change of a call, as it is at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallState {
    pub status: CallStatus,
    pub heard_at: Option<Timestamp>,
    pub heard_by: Option<PlayerId>,
    pub over_at: Option<Timestamp>,
}

/// How to undo an answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum CallUndo {
    Call { call: CallId, before: CallState, after: CallState },
}

/// One line of text in any script.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 200)]
pub struct Note(pub String);

impl<'de> Deserialize<'de> for Note {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        tidy_text(&text, Note::MAX).map(Self).map_err(|refusal| refuse_field(&refusal))
    }
}

impl Note {
    pub const MAX: usize = 200;
}

/// Staff are on their way, or have been there. No undo if it was so already.
pub async fn answer(
    cx: &mut StaffContext<'_, can::RunFloor>,
    id: CallId,
    status: CallStatus,
) -> Result<(CallRow, Option<UndoId>)> {
    cx.undoable(async |conn, actor| {
        let (now, by) = (actor.world.now(), actor.staff.id);
        let row = lock(conn, id).await?;
        let before = row.state();
        let (action, after) = match (before.status, status) {
            (CallStatus::Open, CallStatus::Heard) => {
                let heard = CallState { status, heard_at: Some(now), heard_by: Some(by), ..before.clone() };
                ("call.hear", heard)
            }
            (CallStatus::Open | CallStatus::Heard, CallStatus::Settled) => {
                ("call.settle", CallState { status, over_at: Some(now), ..before.clone() })
            }
            (was, wanted) if was == wanted => return Ok(Change::none(row)),
            _ => return Err(conflict("call_over")),
        };
        let row = store::write(conn, id, &after).await?;
        let way_back = WayBack::new(action, &CallUndo::Call { call: id, before, after })?.at(row.table_id);
        Ok(Change::new(row, way_back))
    })
    .await
}

/// Restores the call as it was before an answer, at the table where the party sits by now.
pub async fn undo(conn: &mut AsyncPgConnection, undo: &CallUndo) -> Result<()> {
    let CallUndo::Call { call, before, after } = undo;
    let table = store::lock_party(conn, *call).await?.ok_or_else(moved_on)?;
    let row = lock(conn, *call).await?;
    let now = row.state();
    let back = CallState {
        status: restore(&now.status, &before.status, &after.status)?,
        heard_at: restore(&now.heard_at, &before.heard_at, &after.heard_at)?,
        heard_by: restore(&now.heard_by, &before.heard_by, &after.heard_by)?,
        over_at: restore(&now.over_at, &before.over_at, &after.over_at)?,
    };
    // They may have called for the same again.
    let is_doubled = now.over_at.is_some() && store::find_open(conn, row.sitting_id, row.reason).await?.is_some();
    if is_doubled {
        return Err(moved_on());
    }
    store::write(conn, *call, &back).await?;
    store::hand_back(conn, &[*call], row.sitting_id, table).await?;
    Ok(())
}

pub async fn lock(conn: &mut AsyncPgConnection, id: CallId) -> Result<CallRow> {
    store::lock(conn, id).await?.ok_or_else(|| not_found("call_not_found"))
}

impl Body for CallUndo {
    fn subject(&self) -> Subject {
        let Self::Call { call, .. } = self;
        Subject { kind: "call", id: call.0 }
    }
}

impl CallReason {
    pub fn key(self) -> &'static str {
        match self {
            Self::Rules => "call-rules",
            Self::Order => "call-order",
            Self::Game => "call-game",
            Self::Broken => "call-broken",
            Self::Bill => "call-bill",
            Self::Other => "call-other",
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            Self::Rules => "book",
            Self::Order => "cup-line",
            Self::Game => "die-line",
            Self::Broken => "tool",
            Self::Bill => "bill",
            Self::Other => "bell",
        }
    }
}

impl CallStatus {
    pub fn key(self) -> &'static str {
        match self {
            Self::Open => "call-open",
            Self::Heard => "call-is-heard",
            Self::Settled => "call-is-settled",
            Self::TakenBack => "call-is-taken-back",
        }
    }
}
