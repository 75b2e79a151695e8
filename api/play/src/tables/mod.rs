//! The tables that stand in the café, each with a code on it.

pub mod history;
pub mod plan;
pub mod store;

use diesel::result::QueryResult;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use base::audit::{self, Entry};
use base::auth::{Actor, StaffContext, can};
use base::codes::new_code;
use base::db::OnConstraint;
use base::error::{Error, Result, conflict, invalid_field, not_found};
pub use base::ids::TableId;
use base::inputs::{given, refuse_field, tidy_text};
use base::undo::{Body, Change, Subject, UndoId, WayBack, moved_on, moved_on_if_refused, restore};
use store::NewTable;
pub use store::TableRow;

const SEATS: std::ops::RangeInclusive<i64> = 1..=30;
const POSITIONS: std::ops::RangeInclusive<i64> = 0..=9999;
/// A café with more tables than this would not use one floor page.
const MOST: i64 = 500;
/// And sets up no more at one time.
const AT_ONCE: std::ops::RangeInclusive<i64> = 1..=60;

/// One line of text, as on a sign: the name of a table or of an area.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 40)]
pub struct Sign(pub String);

impl<'de> Deserialize<'de> for Sign {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        tidy_text(&text, 40).map(Self).map_err(|refusal| refuse_field(&refusal))
    }
}

/// Why a table is out of service, in one line.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 120)]
pub struct Reason(pub String);

impl<'de> Deserialize<'de> for Reason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        tidy_text(&text, Reason::MAX).map(Self).map_err(|refusal| refuse_field(&refusal))
    }
}

impl Reason {
    pub const MAX: usize = 120;
}

/// A new table.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TableRequest {
    pub name: Sign,
    pub area: Option<Sign>,
    /// How many chairs it has.
    #[schema(minimum = 1, maximum = 30)]
    pub seats: i64,
    /// Where it stands in lists; at their end if left out.
    #[schema(minimum = 0, maximum = 9999)]
    pub position: Option<i64>,
}

/// Changes of a table; what is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TableChange {
    pub name: Option<Sign>,
    /// `null` for none.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Sign>)]
    pub area: Option<Option<Sign>>,
    #[schema(minimum = 1, maximum = 30)]
    pub seats: Option<i64>,
    #[schema(minimum = 0, maximum = 9999)]
    pub position: Option<i64>,
    /// An archived table is on no floor and takes no matches.
    pub archived: Option<bool>,
    /// Why the table is out of service; `null` to bring it back.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Reason>)]
    pub out_of_service: Option<Option<Reason>>,
}

/// What staff may change of a table, as it is at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableDetails {
    pub name: String,
    pub area: Option<String>,
    pub seats: i16,
    pub position: i32,
    pub archived_at: Option<Timestamp>,
    #[serde(rename = "out_reason")]
    pub out_of_service_reason: Option<String>,
    #[serde(rename = "out_since")]
    pub out_of_service_since: Option<Timestamp>,
}

/// How to undo a change of a table.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "written once, as JSON")]
pub enum TableUndo {
    Table {
        table: TableId,
        before: TableDetails,
        after: TableDetails,
    },
    Order {
        table: TableId,
        before: usize,
        after: usize,
    },
    /// Of all that were moved on their plan at once, the first.
    Plan {
        table: TableId,
        moved: Vec<plan::Moved>,
    },
}

pub async fn create(cx: &mut StaffContext<'_, can::ManageTables>, request: &TableRequest) -> Result<TableRow> {
    let (conn, actor) = cx.parts().await?;
    let made = conn.transaction(async |conn| insert(conn, actor, request).await).await?;
    actor.live.tell_floor();
    Ok(made)
}

/// So many tables at once, all of them alike.
pub struct NewTables<'a> {
    pub count: i64,
    pub seats: i64,
    /// What the one of this number is called.
    pub name: &'a (dyn Fn(i64) -> String + Sync),
}

/// Makes all of them, numbered from the first number that no table is called by: how many.
pub async fn create_many(cx: &mut StaffContext<'_, can::ManageTables>, new: NewTables<'_>) -> Result<i64> {
    let (conn, actor) = cx.parts().await?;
    if !AT_ONCE.contains(&new.count) {
        return Err(invalid_field("/count", "out_of_range"));
    }
    conn.transaction(async |conn| -> Result<()> {
        let taken: Vec<String> = store::list(conn, true).await?.into_iter().map(|it| it.name.to_lowercase()).collect();
        let names = (1..).map(|number| (new.name)(number)).filter(|name| !taken.contains(&name.to_lowercase()));
        let count = usize::try_from(new.count).unwrap_or(0);
        for name in names.take(count).collect::<Vec<_>>() {
            let request = TableRequest { name: Sign(name), area: None, seats: new.seats, position: None };
            insert(conn, actor, &request).await?;
        }
        Ok(())
    })
    .await?;
    actor.live.tell_floor();
    Ok(new.count)
}

/// In the caller's transaction.
async fn insert(conn: &mut AsyncPgConnection, actor: Actor<'_>, request: &TableRequest) -> Result<TableRow> {
    let Actor { world, staff, .. } = actor;
    let seats = seats(request.seats)?;
    let position = request.position.map(position).transpose()?;
    let (count, last) = store::count(conn).await?;
    if count >= MOST {
        return Err(conflict("too_many_tables"));
    }
    let new = NewTable {
        id: TableId(world.uuid()),
        code: new_code(world),
        name: &request.name.0,
        area: request.area.as_ref().map(|area| area.0.as_str()),
        seats,
        position: position.unwrap_or_else(|| (last.unwrap_or(0) + 1).min(9999)),
        created_at: world.now().into(),
    };
    let made = name_free(store::insert(conn, &new).await)?;
    let details = json!({ "name": made.name, "code": made.code });
    let (by, subject_id) = (Some(staff.id), Some(made.id.0));
    let entry = Entry { actor: by, action: "table.create", subject: "table", subject_id, details };
    audit::record(conn, world, entry).await?;
    Ok(made)
}

/// No undo if nothing was different.
pub async fn change(
    cx: &mut StaffContext<'_, can::ManageTables>,
    id: TableId,
    change: &TableChange,
) -> Result<(TableRow, Option<UndoId>)> {
    edit(cx, id, &|_| Ok(change.clone())).await
}

/// The same where it depends on how the table is by now.
pub async fn edit(
    cx: &mut StaffContext<'_, can::ManageTables>,
    id: TableId,
    edit: &(dyn Fn(&TableDetails) -> Result<TableChange> + Sync),
) -> Result<(TableRow, Option<UndoId>)> {
    let now = cx.world.now();
    cx.undoable(async |conn, _| {
        let row = lock(conn, id).await?;
        let before = row.details();
        let change = edit(&before)?;
        let (seats, position) = (change.seats.map(seats).transpose()?, change.position.map(position).transpose()?);
        let text = |sign: &Sign| sign.0.clone();
        let out_of_service_reason = match &change.out_of_service {
            Some(reason) => reason.as_ref().map(|reason| reason.0.clone()),
            None => before.out_of_service_reason.clone(),
        };
        let after = TableDetails {
            name: change.name.as_ref().map_or_else(|| before.name.clone(), text),
            area: change.area.as_ref().map_or_else(|| before.area.clone(), |area| area.as_ref().map(text)),
            seats: seats.unwrap_or(before.seats),
            position: position.unwrap_or(before.position),
            // A second archiving keeps the day of the first.
            archived_at: match change.archived {
                Some(archived) => archived.then(|| before.archived_at.unwrap_or(now)),
                None => before.archived_at,
            },
            out_of_service_since: out_of_service_reason.as_ref().map(|_| before.out_of_service_since.unwrap_or(now)),
            out_of_service_reason,
        };
        if before == after {
            return Ok(Change::none(row));
        }
        let row = write(conn, id, &after).await?;
        let action = action(&before, &after);
        let way_back = WayBack::new(action, &TableUndo::Table { table: id, before, after })?.at(id);
        Ok(Change::new(row, way_back))
    })
    .await
}

/// Puts the table at this place of the floor, 0 for the first; the others close up. No undo if it is there already.
pub async fn place(
    cx: &mut StaffContext<'_, can::ManageTables>,
    id: TableId,
    to: impl Fn(usize) -> usize + Sync,
) -> Result<Option<UndoId>> {
    let ((), undo) = cx
        .undoable(async |conn, _| {
            let order = store::lock_all(conn).await?;
            let before = order.iter().position(|(it, _)| *it == id).ok_or_else(|| not_found("table_not_found"))?;
            let after = to(before).min(order.len() - 1);
            if before == after {
                return Ok(Change::none(()));
            }
            number(conn, order, before, after).await?;
            let way_back = WayBack::new("table.order", &TableUndo::Order { table: id, before, after })?.at(id);
            Ok(Change::new((), way_back))
        })
        .await?;
    Ok(undo)
}

/// Gives the table another code. The one before leads nowhere from now on, for somebody may have a photo of it. The party stays.
pub async fn renew_code(cx: &mut StaffContext<'_, can::ManageTables>, id: TableId) -> Result<TableRow> {
    let (conn, Actor { world, live, staff }) = cx.parts().await?;
    let renewed = conn
        .transaction(async |conn| {
            lock(conn, id).await?;
            let row = store::set_code(conn, id, &new_code(world)).await?;
            let details = json!({ "name": row.name, "code": row.code });
            let (actor, subject_id) = (Some(staff.id), Some(id.0));
            let entry = Entry { actor, action: "table.new_code", subject: "table", subject_id, details };
            audit::record(conn, world, entry).await?;
            Ok::<_, Error>(row)
        })
        .await?;
    live.tell_floor();
    Ok(renewed)
}

/// Restores a table, its place in the order or places on a plan as they were before a change.
pub async fn undo(conn: &mut AsyncPgConnection, undo: &TableUndo) -> Result<()> {
    match undo {
        TableUndo::Table { table, before, after } => undo_change(conn, *table, before, after).await,
        TableUndo::Order { table, before, after } => undo_order(conn, *table, *before, *after).await,
        TableUndo::Plan { moved, .. } => plan::undo(conn, moved).await,
    }
}

async fn undo_change(
    conn: &mut AsyncPgConnection,
    id: TableId,
    before: &TableDetails,
    after: &TableDetails,
) -> Result<()> {
    let now = lock(conn, id).await?.details();
    let back = TableDetails {
        name: restore(&now.name, &before.name, &after.name)?,
        area: restore(&now.area, &before.area, &after.area)?,
        seats: restore(&now.seats, &before.seats, &after.seats)?,
        position: restore(&now.position, &before.position, &after.position)?,
        archived_at: restore(&now.archived_at, &before.archived_at, &after.archived_at)?,
        out_of_service_reason: restore(
            &now.out_of_service_reason,
            &before.out_of_service_reason,
            &after.out_of_service_reason,
        )?,
        out_of_service_since: restore(
            &now.out_of_service_since,
            &before.out_of_service_since,
            &after.out_of_service_since,
        )?,
    };
    write(conn, id, &back).await.map(drop).map_err(moved_on_if_refused)
}

async fn undo_order(conn: &mut AsyncPgConnection, id: TableId, before: usize, after: usize) -> Result<()> {
    let order = store::lock_all(conn).await?;
    let is_as_left = order.get(after).is_some_and(|(it, _)| *it == id) && before < order.len();
    if is_as_left { number(conn, order, after, before).await } else { Err(moved_on()) }
}

/// Numbers all places, so that tables of equal position get an order too.
async fn number(conn: &mut AsyncPgConnection, order: Vec<(TableId, i32)>, before: usize, after: usize) -> Result<()> {
    let mut order: Vec<TableId> = order.into_iter().map(|(id, _)| id).collect();
    let moved = order.remove(before);
    order.insert(after, moved);
    store::number(conn, &order).await?;
    Ok(())
}

/// Of a table that is locked. One at which somebody sits is neither put away nor out of service.
async fn write(conn: &mut AsyncPgConnection, id: TableId, now: &TableDetails) -> Result<TableRow> {
    let is_away = now.archived_at.is_some() || now.out_of_service_since.is_some();
    if is_away && store::is_occupied(conn, id).await? {
        return Err(conflict("table_occupied"));
    }
    name_free(store::write(conn, id, now).await)
}

/// By what is most of it.
fn action(before: &TableDetails, after: &TableDetails) -> &'static str {
    if before.archived_at != after.archived_at {
        if after.archived_at.is_some() { "table.archive" } else { "table.restore" }
    } else if before.out_of_service_since != after.out_of_service_since {
        if after.out_of_service_since.is_some() { "table.out" } else { "table.back" }
    } else {
        "table.change"
    }
}

async fn lock(conn: &mut AsyncPgConnection, id: TableId) -> Result<TableRow> {
    store::lock(conn, id).await?.ok_or_else(|| not_found("table_not_found"))
}

/// The address that a table's QR code leads to.
pub fn page_url(base: &str, code: &str) -> String {
    format!("{base}/t/{code}")
}

fn seats(seats: i64) -> Result<i16> {
    let within = Some(seats).filter(|seats| SEATS.contains(seats)).and_then(|it| i16::try_from(it).ok());
    within.ok_or_else(|| invalid_field("/seats", "out_of_range"))
}

fn position(position: i64) -> Result<i32> {
    let within = Some(position).filter(|position| POSITIONS.contains(position)).and_then(|it| i32::try_from(it).ok());
    within.ok_or_else(|| invalid_field("/position", "out_of_range"))
}

fn name_free<T>(written: QueryResult<T>) -> Result<T> {
    written.on_constraint("tables_name_key", || conflict("table_name_taken").with_field("/name", "taken"))
}

impl Body for TableUndo {
    fn subject(&self) -> Subject {
        let (Self::Table { table, .. } | Self::Order { table, .. } | Self::Plan { table, .. }) = self;
        Subject { kind: "table", id: table.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_takes_an_area_away_and_nothing_keeps_it() {
        let change = |json| serde_json::from_str::<TableChange>(json).unwrap().area.map(|area| area.map(|it| it.0));
        assert_eq!(change("{}"), None);
        assert_eq!(change(r#"{"area":null}"#), Some(None));
        assert_eq!(change(r#"{"area":" Deck "}"#), Some(Some("Deck".to_owned())));
    }
}
