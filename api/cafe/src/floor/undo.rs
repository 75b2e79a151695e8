//! Every kind of change of the floor that can be undone. The nouns keep their own ways back; here all of them are known.

use diesel_async::AsyncPgConnection;
use serde::Deserialize;
use serde_json::Value;

use crate::auth::{Actor, StaffContext, can};
use crate::calls::{self, CallUndo};
use crate::error::{Result, internal};
use crate::library::{self, CopyUndo};
use crate::matches::{self, MatchUndo};
use crate::sittings::{self, SittingUndo};
use crate::tables::{self, TableUndo};
use crate::undo::{self, Body, UndoId, UndoRow, Undone};
use crate::waiting::{self, WaitingUndo};

/// The field `to` of each body belongs to one noun.
#[derive(Deserialize)]
#[serde(untagged)]
enum Undo {
    Sitting(SittingUndo),
    Call(CallUndo),
    Match(MatchUndo),
    Table(TableUndo),
    Copy(CopyUndo),
    Waiting(WaitingUndo),
}

/// Undoes a change of anybody, if that is still possible.
pub async fn undo(cx: &mut StaffContext<'_, can::RunFloor>, id: UndoId) -> Result<UndoRow> {
    let (conn, actor) = cx.parts().await?;
    undo::undo(conn, actor, id, apply).await
}

async fn apply(conn: &mut AsyncPgConnection, actor: Actor<'_>, body: Value) -> Result<Undone> {
    let undo: Undo = serde_json::from_value(body).map_err(internal)?;
    let mut news = Vec::new();
    match &undo {
        Undo::Sitting(undo) => news = sittings::undo(conn, actor, undo).await?,
        Undo::Call(undo) => calls::undo(conn, undo).await?,
        Undo::Match(undo) => news = vec![matches::undo(conn, actor, undo).await?],
        Undo::Table(undo) => tables::undo(conn, undo).await?,
        Undo::Copy(undo) => library::undo(conn, actor, undo).await?,
        Undo::Waiting(undo) => waiting::undo(conn, actor, undo).await?,
    }
    Ok(Undone { subject: undo.subject(), news })
}

impl Undo {
    fn subject(&self) -> undo::Subject {
        match self {
            Self::Sitting(undo) => undo.subject(),
            Self::Call(undo) => undo.subject(),
            Self::Match(undo) => undo.subject(),
            Self::Table(undo) => undo.subject(),
            Self::Copy(undo) => undo.subject(),
            Self::Waiting(undo) => undo.subject(),
        }
    }
}
