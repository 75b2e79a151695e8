//! Every kind of change of the floor that can be undone. The nouns keep their own ways back; here all of them are known.

use diesel_async::AsyncPgConnection;
use serde::Deserialize;
use serde_json::Value;

use super::closing::ClosingUndo;
use crate::waiting::{self, WaitingUndo};
use base::auth::{Actor, StaffContext, can};
use base::error::{Result, internal};
use base::ids::SittingId;
use base::undo::{self, Body, MatchNews, UndoId, UndoRow, Undone, moved_on};
use play::calls::{self, CallUndo};
use play::library::{self, CopyUndo};
use play::matches::{self, MatchUndo};
use play::shift_notes::{self, ShiftNoteUndo};
use play::sittings::{self, SittingUndo};
use play::tables::{self, TableUndo};

/// The field `to` of each body belongs to one noun.
#[derive(Deserialize)]
#[serde(untagged)]
enum Undo {
    Sitting(SittingUndo),
    Call(CallUndo),
    Match(MatchUndo),
    Table(TableUndo),
    Copy(CopyUndo),
    ShiftNote(ShiftNoteUndo),
    Closing(ClosingUndo),
    Waiting(WaitingUndo),
}

/// Undoes a change of anybody, if that is still possible.
pub async fn undo(cx: &mut StaffContext<'_, can::RunFloor>, id: UndoId) -> Result<UndoRow> {
    let (conn, actor) = cx.parts().await?;
    undo::undo(conn, actor, id, apply).await
}

async fn apply(conn: &mut AsyncPgConnection, actor: Actor<'_>, body: Value) -> Result<Undone> {
    let undo: Undo = serde_json::from_value(body).map_err(internal)?;
    let subject = undo.subject();
    let parts = match undo {
        Undo::Closing(ClosingUndo::Day { parts, .. }) => {
            let parts: Result<Vec<Undo>, _> = parts.into_iter().rev().map(serde_json::from_value).collect();
            let parts = parts.map_err(internal)?;
            // Before what lies about, as everybody locks them.
            let parties = parts.iter().map(Undo::subject).filter(|it| it.kind == "sitting");
            let parties: Vec<_> = parties.map(|it| SittingId(it.id)).collect();
            sittings::store::lock_all(conn, &parties).await?;
            parts
        }
        undo => vec![undo],
    };
    let mut news = Vec::new();
    for part in &parts {
        news.extend(apply_part(conn, actor, part).await?);
    }
    Ok(Undone { subject, news })
}

/// Gives the news of the matches that this changed.
async fn apply_part(conn: &mut AsyncPgConnection, actor: Actor<'_>, undo: &Undo) -> Result<Vec<MatchNews>> {
    match undo {
        Undo::Sitting(undo) => return sittings::undo(conn, actor, undo).await,
        Undo::Match(undo) => return matches::undo(conn, actor, undo).await,
        Undo::Call(undo) => calls::undo(conn, undo).await?,
        Undo::Table(undo) => tables::undo(conn, undo).await?,
        Undo::Copy(undo) => library::undo(conn, actor, undo).await?,
        Undo::ShiftNote(undo) => shift_notes::undo(conn, undo).await?,
        // None is a part of another.
        Undo::Closing(_) => return Err(moved_on()),
        Undo::Waiting(undo) => waiting::undo(conn, actor, undo).await?,
    }
    Ok(Vec::new())
}

impl Undo {
    fn subject(&self) -> undo::Subject {
        match self {
            Self::Sitting(undo) => undo.subject(),
            Self::Call(undo) => undo.subject(),
            Self::Match(undo) => undo.subject(),
            Self::Table(undo) => undo.subject(),
            Self::Copy(undo) => undo.subject(),
            Self::ShiftNote(undo) => undo.subject(),
            Self::Closing(undo) => undo.subject(),
            Self::Waiting(undo) => undo.subject(),
        }
    }
}
