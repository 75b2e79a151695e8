//! The waiting list: parties for whom no table is free. Staff write them down, or guests do so themselves by the code at the door;
//! each party has a page of its own behind a secret link.
//!
//! `estimate` is how long they still wait, `outlook` what is read for that, `door` the code at the door, `retention` how the list
//! forgets people.

pub mod door;
pub mod estimate;
pub mod outlook;
pub mod retention;
pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use base::audit::{self, Entry};
use base::auth::secrets::encode;
use base::auth::{Actor, StaffContext, can};
use base::error::{Error, FieldError, Result, conflict, not_found};
pub use base::ids::WaitingId;
use base::ids::{SittingId, TableId, UndoId};
use base::inputs::{DisplayName, tidy_text};
use base::live::Live;
use base::undo::{Body, Change, Subject, WayBack, moved_on, restore};
use base::world::World;
pub use estimate::{Span, Told};
pub use outlook::{Outlook, QueueEntry};
use play::sittings::{self, Held, PartyAt, SittingUndo};
pub use retention::sweep;
pub use store::{Door, WaitingRow};

/// Nobody waits behind so many parties.
const MOST: i64 = 100;

base::text_enum! {
    /// What became of a party that waits.
    pub enum WaitingStatus {
        Waiting = "waiting",
        /// Its table is ready.
        Called = "called",
        Seated = "seated",
        /// It was called and did not come.
        NoShow = "no_show",
        /// It does not wait any longer, as it said itself or as staff saw.
        Gone = "gone",
    }
}

/// What may change of a party that waits, as it is at one moment. Nothing in it says who they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingState {
    pub status: WaitingStatus,
    pub called_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub sitting_id: Option<SittingId>,
}

/// How to undo what staff did with a party that waits.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum WaitingUndo {
    Waiting { party: WaitingId, before: WaitingState, after: WaitingState },
}

/// A number to call, as people write it.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 5, max_length = 24, example = "010-1234-5678")]
pub struct Phone(String);

/// Who wants to wait.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitingRequest {
    pub name: DisplayName,
    #[schema(minimum = 1, maximum = 99)]
    pub party_size: i64,
    /// Removed once the party no longer waits.
    pub phone: Option<Phone>,
}

/// What staff say of a party that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Call,
    NoShow,
    Gone,
}

impl Phone {
    pub const MAX: usize = 24;
    const DIGITS: std::ops::RangeInclusive<usize> = 5..=15;

    pub fn parse(text: &str) -> Result<Self, FieldError> {
        let text = tidy_text(text, Self::MAX)?;
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let is_number = text.chars().all(|it| it.is_ascii_digit() || "+-() ./".contains(it));
        if is_number && Self::DIGITS.contains(&digits) { Ok(Self(text)) } else { Err(FieldError::new("", "no_phone")) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

base::deserialize_checked!(Phone);

/// Staff write a party down.
pub async fn add(cx: &mut StaffContext<'_, can::RunFloor>, request: &WaitingRequest) -> Result<WaitingRow> {
    let size = sittings::party_size(request.party_size)?;
    let (conn, Actor { world, live, staff }) = cx.parts().await?;
    let row = conn
        .transaction(async |conn| {
            let row = insert(conn, world, request, size, false).await?;
            // The log is for ever, and so says nothing of who they are.
            let details = json!({ "party_size": size });
            let (actor, subject_id) = (Some(staff.id), Some(row.id.0));
            audit::record(conn, world, Entry { actor, action: "waiting.add", subject: "waiting", subject_id, details })
                .await?;
            Ok::<_, Error>(row)
        })
        .await?;
    live.tell_floor();
    Ok(row)
}

/// In the caller's transaction: at the end of the list.
async fn insert(
    conn: &mut AsyncPgConnection,
    world: &World,
    request: &WaitingRequest,
    size: i16,
    by_guest: bool,
) -> Result<WaitingRow> {
    store::lock_list(conn).await?;
    if store::count_open(conn).await? >= MOST {
        return Err(conflict("waiting_list_full"));
    }
    let new = store::NewParty {
        id: WaitingId(world.uuid()),
        token: &encode(&world.bytes::<18>()),
        name: request.name.as_str(),
        phone: request.phone.as_ref().map(Phone::as_str),
        party_size: size,
        joined_at: world.now().into(),
        by_guest,
    };
    Ok(store::insert(conn, &new).await?)
}

/// Its table is ready, it did not come, or it is gone. Of two who say so at once, one is told that the other was first.
pub async fn answer(
    cx: &mut StaffContext<'_, can::RunFloor>,
    id: WaitingId,
    answer: Answer,
) -> Result<(WaitingRow, Option<UndoId>)> {
    cx.undoable(async |conn, actor| {
        let now = actor.world.now();
        let before = lock_open(conn, id).await?.state();
        let (action, after) = match answer {
            Answer::Call if before.status == WaitingStatus::Called => return Err(conflict("waiting_called")),
            Answer::Call => {
                ("waiting.call", WaitingState { status: WaitingStatus::Called, called_at: Some(now), ..before })
            }
            Answer::NoShow => ("waiting.no_show", ended(before, WaitingStatus::NoShow, now)),
            Answer::Gone => ("waiting.gone", ended(before, WaitingStatus::Gone, now)),
        };
        let row = store::write(conn, id, &after).await?;
        let way_back = WayBack::new(action, &WaitingUndo::Waiting { party: id, before, after })?;
        Ok(Change::new(row, way_back))
    })
    .await
}

/// Seats the party at this table, which ends its wait.
pub async fn seat(
    cx: &mut StaffContext<'_, can::RunFloor>,
    id: WaitingId,
    table: TableId,
    held: Held,
) -> Result<(PartyAt, Option<UndoId>)> {
    cx.undoable(async |conn, actor| {
        let row = lock_open(conn, id).await?;
        let party = sittings::open_within(conn, actor, table, row.party_size, held).await?;
        let before = row.state();
        let seated = ended(before, WaitingStatus::Seated, actor.world.now());
        let after = WaitingState { sitting_id: Some(party.sitting.id), ..seated };
        store::write(conn, id, &after).await?;
        let way_back = WaitingUndo::Waiting { party: id, before, after };
        let way_back = WayBack::new("waiting.seat", &way_back)?.at(party.table.id);
        Ok(Change::new(party, way_back))
    })
    .await
}

/// The guests do not want to wait any longer. Saying so again changes nothing.
pub async fn leave(conn: &mut AsyncPgConnection, world: &World, live: &Live, token: &str) -> Result<WaitingRow> {
    let row = conn
        .transaction(async |conn| {
            let row = store::lock_by_token(conn, token).await?.ok_or_else(|| not_found("waiting_not_found"))?;
            if row.ended_at.is_some() {
                let is_gone = row.status == WaitingStatus::Gone;
                return if is_gone { Ok(row) } else { Err(conflict("waiting_over")) };
            }
            let after = ended(row.state(), WaitingStatus::Gone, world.now());
            Ok::<_, Error>(store::write(conn, row.id, &after).await?)
        })
        .await?;
    live.tell_floor();
    Ok(row)
}

/// Restores the party as it was before staff did something with it, and takes it off its table if it was seated.
pub async fn undo(conn: &mut AsyncPgConnection, actor: Actor<'_>, undo: &WaitingUndo) -> Result<()> {
    let WaitingUndo::Waiting { party, before, after } = undo;
    let row = lock(conn, *party).await?;
    let now = row.state();
    let back = WaitingState {
        status: restore(&now.status, &before.status, &after.status)?,
        called_at: restore(&now.called_at, &before.called_at, &after.called_at)?,
        ended_at: restore(&now.ended_at, &before.ended_at, &after.ended_at)?,
        sitting_id: restore(&now.sitting_id, &before.sitting_id, &after.sitting_id)?,
    };
    if row.name.is_none() {
        return Err(moved_on());
    }
    if let (Some(sitting), None) = (now.sitting_id, back.sitting_id) {
        sittings::undo(conn, actor, &SittingUndo::Open { sitting }).await?;
    }
    store::write(conn, *party, &back).await?;
    Ok(())
}

async fn lock(conn: &mut AsyncPgConnection, id: WaitingId) -> Result<WaitingRow> {
    store::lock(conn, id).await?.ok_or_else(|| not_found("waiting_not_found"))
}

async fn lock_open(conn: &mut AsyncPgConnection, id: WaitingId) -> Result<WaitingRow> {
    let row = lock(conn, id).await?;
    if row.ended_at.is_some() { Err(conflict("waiting_over")) } else { Ok(row) }
}

fn ended(before: WaitingState, status: WaitingStatus, at: Timestamp) -> WaitingState {
    WaitingState { status, ended_at: Some(at), ..before }
}

/// The address of a party's own page.
pub fn page_url(base: &str, token: &str) -> String {
    format!("{base}/w/{token}")
}

impl Body for WaitingUndo {
    fn subject(&self) -> Subject {
        let Self::Waiting { party, .. } = self;
        Subject { kind: "waiting", id: party.0 }
    }
}

impl WaitingStatus {
    /// Of its name in the catalogues.
    pub fn key(self) -> &'static str {
        match self {
            Self::Waiting => "waiting-is-waiting",
            Self::Called => "waiting-is-called",
            Self::Seated => "waiting-is-seated",
            Self::NoShow => "waiting-is-no-show",
            Self::Gone => "waiting-is-gone",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_number_is_digits_and_what_people_write_between_them() {
        for good in ["010-1234-5678", "+82 10 1234 5678", "(02) 123.4567", "01012345678"] {
            assert_eq!(Phone::parse(good).unwrap().as_str(), good);
        }
        for bad in ["1234", "call me", "010-1234-56789-012345", "010-１２３４-5678"] {
            assert_eq!(Phone::parse(bad).unwrap_err().code, "no_phone", "{bad}");
        }
    }
}
