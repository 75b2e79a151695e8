//! The tables that stand in the café, each with a code on it.

pub mod admin;
pub mod codes;
pub mod guest;
pub mod history;
pub mod rest;
pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::audit::{self, Entry};
use crate::error::{ApiError, ApiResult, conflict, internal, invalid_field, not_found};
use crate::extract::{Player, given, refuse_field, tidy_text};
pub use crate::ids::TableId;
use crate::live::Live;
use crate::sittings;
use crate::undo::{Doer, Named, Undo, UndoId, moved_on, put_back};
use crate::world::World;
use store::NewTable;
pub use store::TableRow;

const SEATS: std::ops::RangeInclusive<i64> = 1..=30;
const POSITIONS: std::ops::RangeInclusive<i64> = 0..=9999;
/// A café with more tables than this would not use one floor page.
const MOST: i64 = 500;

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

/// What is to be different about a table; what is left out stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
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
    /// Why nobody can be seated there for a while; `null` once they can again.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Reason>)]
    pub out_of_service: Option<Option<Reason>>,
}

/// What staff may change of a table, as it is at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    pub name: String,
    pub area: Option<String>,
    pub seats: i16,
    pub position: i32,
    pub archived_at: Option<Timestamp>,
    pub out_reason: Option<String>,
    pub out_since: Option<Timestamp>,
}

pub async fn create(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    staff: &Player,
    request: &TableRequest,
) -> ApiResult<TableRow> {
    let seats = seats(request.seats)?;
    let position = request.position.map(position).transpose()?;
    let made = conn
        .transaction(async |conn| {
            let (count, last) = store::count(conn).await?;
            if count >= MOST {
                return Err(conflict("too_many_tables"));
            }
            let new = NewTable {
                id: TableId(world.uuid()),
                code: crate::matches::new_code(world),
                name: &request.name.0,
                area: request.area.as_ref().map(|area| area.0.as_str()),
                seats,
                position: position.unwrap_or_else(|| (last.unwrap_or(0) + 1).min(9999)),
                created_at: world.now().into(),
            };
            let made = store::insert(conn, &new).await.map_err(name_taken)?;
            let details = json!({ "name": made.name, "code": made.code });
            let (actor, subject_id) = (Some(staff.id), Some(made.id.0));
            let entry = Entry { actor, action: "table.create", subject: "table", subject_id, details };
            audit::record(conn, world, entry).await?;
            Ok(made)
        })
        .await?;
    live.tell_floor();
    Ok(made)
}

/// None for the deed if nothing was different.
pub async fn change(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: TableId,
    change: &TableChange,
) -> ApiResult<(TableRow, Option<UndoId>)> {
    let (seats, position) = (change.seats.map(seats).transpose()?, change.position.map(position).transpose()?);
    let now = doer.world.now();
    let changed = conn
        .transaction(async |conn| {
            let row = lock(conn, id).await?;
            let before = row.facts();
            let text = |sign: &Sign| sign.0.clone();
            let out_reason = match &change.out_of_service {
                Some(reason) => reason.as_ref().map(|reason| reason.0.clone()),
                None => before.out_reason.clone(),
            };
            let after = Facts {
                name: change.name.as_ref().map_or_else(|| before.name.clone(), text),
                area: change.area.as_ref().map_or_else(|| before.area.clone(), |area| area.as_ref().map(text)),
                seats: seats.unwrap_or(before.seats),
                position: position.unwrap_or(before.position),
                // Archiving again keeps the day on which it was.
                archived_at: match change.archived {
                    Some(archived) => archived.then(|| before.archived_at.unwrap_or(now)),
                    None => before.archived_at,
                },
                out_since: out_reason.as_ref().map(|_| before.out_since.unwrap_or(now)),
                out_reason,
            };
            if before == after {
                return Ok((row, None));
            }
            let row = write(conn, id, &after).await?;
            let named = Named { action: action(&before, &after), table: Some(id), other_table: None };
            let undo = doer.record(conn, named, &Undo::Table { table: id, before, after }).await?;
            ApiResult::Ok((row, Some(undo)))
        })
        .await?;
    doer.live.tell_floor();
    Ok(changed)
}

/// Puts the table at this place of the floor, 0 for the first; the others close up. None for the deed if it is there.
pub async fn place(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: TableId,
    to: impl Fn(usize) -> usize + Sync,
) -> ApiResult<Option<UndoId>> {
    let undo = conn
        .transaction(async |conn| {
            let order = store::lock_all(conn).await?;
            let before = order.iter().position(|(it, _)| *it == id).ok_or_else(|| not_found("table_not_found"))?;
            let after = to(before).min(order.len() - 1);
            if before == after {
                return Ok(None);
            }
            number(conn, order, before, after).await?;
            let named = Named { action: "table.order", table: Some(id), other_table: None };
            ApiResult::Ok(Some(doer.record(conn, named, &Undo::Order { table: id, before, after }).await?))
        })
        .await?;
    doer.live.tell_floor();
    Ok(undo)
}

pub async fn take_back(conn: &mut AsyncPgConnection, id: TableId, before: &Facts, after: &Facts) -> ApiResult<()> {
    let now = lock(conn, id).await?.facts();
    let back = Facts {
        name: put_back(&now.name, &before.name, &after.name)?,
        area: put_back(&now.area, &before.area, &after.area)?,
        seats: put_back(&now.seats, &before.seats, &after.seats)?,
        position: put_back(&now.position, &before.position, &after.position)?,
        archived_at: put_back(&now.archived_at, &before.archived_at, &after.archived_at)?,
        out_reason: put_back(&now.out_reason, &before.out_reason, &after.out_reason)?,
        out_since: put_back(&now.out_since, &before.out_since, &after.out_since)?,
    };
    match write(conn, id, &back).await {
        Err(ApiError::Refused(_)) => Err(moved_on()),
        written => written.map(drop),
    }
}

pub async fn take_back_order(conn: &mut AsyncPgConnection, id: TableId, before: usize, after: usize) -> ApiResult<()> {
    let order = store::lock_all(conn).await?;
    let is_as_left = order.get(after).is_some_and(|(it, _)| *it == id) && before < order.len();
    if is_as_left { number(conn, order, after, before).await } else { Err(moved_on()) }
}

/// Numbers all places anew, so that tables of equal position get an order too.
async fn number(
    conn: &mut AsyncPgConnection,
    order: Vec<(TableId, i32)>,
    before: usize,
    after: usize,
) -> ApiResult<()> {
    let mut order: Vec<TableId> = order.into_iter().map(|(id, _)| id).collect();
    let moved = order.remove(before);
    order.insert(after, moved);
    store::number(conn, &order).await?;
    Ok(())
}

/// Of a table that is locked. One at which somebody sits is neither put away nor out of service.
async fn write(conn: &mut AsyncPgConnection, id: TableId, now: &Facts) -> ApiResult<TableRow> {
    let is_away = now.archived_at.is_some() || now.out_since.is_some();
    if is_away && sittings::store::find_open(conn, id).await?.is_some() {
        return Err(conflict("table_occupied"));
    }
    store::write(conn, id, now).await.map_err(name_taken)
}

/// By what is most of it.
fn action(before: &Facts, after: &Facts) -> &'static str {
    if before.archived_at != after.archived_at {
        if after.archived_at.is_some() { "table.archive" } else { "table.restore" }
    } else if before.out_since != after.out_since {
        if after.out_since.is_some() { "table.out" } else { "table.back" }
    } else {
        "table.change"
    }
}

async fn lock(conn: &mut AsyncPgConnection, id: TableId) -> ApiResult<TableRow> {
    store::lock(conn, id).await?.ok_or_else(|| not_found("table_not_found"))
}

/// The address that a table's QR code leads to.
pub fn page_url(base: &str, code: &str) -> String {
    format!("{base}/t/{code}")
}

/// The picture of a QR code that holds this text.
pub fn qr_svg(text: &str) -> ApiResult<String> {
    use qrcode::render::svg;
    // A quarter of it may be under a coffee stain and it still reads.
    let code = qrcode::QrCode::with_error_correction_level(text, qrcode::EcLevel::Q).map_err(internal)?;
    let (dark, light) = (svg::Color("#000"), svg::Color("#fff"));
    Ok(code.render().min_dimensions(256, 256).dark_color(dark).light_color(light).build())
}

fn seats(seats: i64) -> ApiResult<i16> {
    let within = Some(seats).filter(|seats| SEATS.contains(seats)).and_then(|it| i16::try_from(it).ok());
    within.ok_or_else(|| invalid_field("/seats", "out_of_range"))
}

fn position(position: i64) -> ApiResult<i32> {
    let within = Some(position).filter(|position| POSITIONS.contains(position)).and_then(|it| i32::try_from(it).ok());
    within.ok_or_else(|| invalid_field("/position", "out_of_range"))
}

fn name_taken(err: diesel::result::Error) -> ApiError {
    match &err {
        diesel::result::Error::DatabaseError(_, info) if info.constraint_name() == Some("tables_name_key") => {
            conflict("table_name_taken").with_field("/name", "taken")
        }
        _ => err.into(),
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

    #[test]
    fn a_code_is_drawn_for_any_address() {
        let svg = qr_svg(&page_url("https://play.example.org", "ABC234")).unwrap();
        assert!(svg.contains("<svg") && svg.ends_with("</svg>"));
    }
}
