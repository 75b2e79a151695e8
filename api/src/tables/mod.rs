//! The tables that stand in the café, each with a code on it.

pub mod admin;
pub mod guest;
pub mod rest;
pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde::{Deserialize, Deserializer};
use serde_json::json;
use utoipa::ToSchema;

use crate::audit::{self, Entry};
use crate::error::{ApiError, ApiResult, conflict, internal, invalid_field, not_found};
use crate::extract::{Player, given, refuse_field, tidy_text};
pub use crate::ids::TableId;
use crate::live::Live;
use crate::world::World;
pub use store::TableRow;
use store::{Changes, NewTable};

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
            record(conn, world, staff, "table.create", made.id, details).await?;
            Ok(made)
        })
        .await?;
    live.tell_floor();
    Ok(made)
}

pub async fn change(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    staff: &Player,
    id: TableId,
    change: &TableChange,
) -> ApiResult<TableRow> {
    let changes = Changes {
        name: change.name.as_ref().map(|name| name.0.as_str()),
        area: change.area.as_ref().map(|area| area.as_ref().map(|area| area.0.as_str())),
        seats: change.seats.map(seats).transpose()?,
        position: change.position.map(position).transpose()?,
        archived_at: change.archived.map(|archived| archived.then(|| world.now().into())),
    };
    let changed = conn
        .transaction(async |conn| {
            let before = store::lock(conn, id).await?.ok_or_else(|| not_found("table_not_found"))?;
            // Archiving again keeps the day on which it was.
            let is_archived_already = before.archived_at.is_some() && change.archived == Some(true);
            let changes = Changes { archived_at: changes.archived_at.filter(|_| !is_archived_already), ..changes };
            if changes.is_empty() {
                return Ok(before);
            }
            let after = store::update(conn, id, &changes).await.map_err(name_taken)?;
            let details = json!({
                "name": [before.name, after.name], "area": [before.area, after.area], "seats": [before.seats, after.seats],
                "position": [before.position, after.position],
                "archived": [before.archived_at.is_some(), after.archived_at.is_some()],
            });
            record(conn, world, staff, "table.change", id, details).await?;
            ApiResult::Ok(after)
        })
        .await?;
    live.tell_floor();
    Ok(changed)
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

async fn record(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    action: &str,
    id: TableId,
    details: serde_json::Value,
) -> ApiResult<()> {
    let (actor, subject_id) = (Some(staff.id), Some(id.0));
    Ok(audit::record(conn, world, Entry { actor, action, subject: "table", subject_id, details }).await?)
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
