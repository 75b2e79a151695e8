//! How to undo that staff made a match for a party, or withdrew one.

use diesel_async::AsyncPgConnection;
use serde::{Deserialize, Serialize};

use super::end::{wait_again, withdraw};
use base::auth::Actor;
use base::error::Result;
use base::ids::MatchId;
use base::undo::{Body, MatchNews, Subject};

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum MatchUndo {
    Match { id: MatchId },
    Withdrawn { id: MatchId },
}

/// Withdraws the match, if nobody has sat down to it; one that was withdrawn waits again. In the caller's transaction.
pub async fn undo(conn: &mut AsyncPgConnection, actor: Actor<'_>, undo: &MatchUndo) -> Result<Vec<MatchNews>> {
    match undo {
        MatchUndo::Match { id } => Ok(vec![(*id, withdraw(conn, actor.world, *id).await?)]),
        MatchUndo::Withdrawn { id } => wait_again(conn, *id).await,
    }
}

impl Body for MatchUndo {
    fn subject(&self) -> Subject {
        let (Self::Match { id } | Self::Withdrawn { id }) = self;
        Subject { kind: "match", id: id.0 }
    }
}
