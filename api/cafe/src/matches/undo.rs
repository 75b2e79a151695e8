//! How to undo a match that staff made for a party.

use diesel_async::AsyncPgConnection;
use serde::{Deserialize, Serialize};

use super::end::withdraw;
use crate::auth::Actor;
use crate::error::Result;
use crate::ids::MatchId;
use crate::undo::{Body, MatchNews, Subject};

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum MatchUndo {
    Match { id: MatchId },
}

/// Withdraws the match, if nobody has sat down to it. In the caller's transaction.
pub async fn undo(conn: &mut AsyncPgConnection, actor: Actor<'_>, undo: &MatchUndo) -> Result<MatchNews> {
    let MatchUndo::Match { id } = undo;
    Ok((*id, withdraw(conn, actor.world, *id).await?))
}

impl Body for MatchUndo {
    fn subject(&self) -> Subject {
        let Self::Match { id } = self;
        Subject { kind: "match", id: id.0 }
    }
}
