//! The plan of each area: where its tables stand, on a lattice so coarse that they align by themselves.

pub mod store;

use std::collections::HashSet;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel_async::AsyncPgConnection;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::{Sign, TableRow, TableUndo};
use base::auth::{StaffContext, can};
use base::error::{FieldError, Result, conflict, internal, invalid_fields};
use base::ids::{TableId, hex};
use base::schema::table_places;
use base::undo::{Change, UndoId, WayBack, moved_on};

pub const COLUMNS: i16 = 16;
pub const ROWS: i16 = 24;
/// A smaller table could not say its name.
pub const LEAST: i16 = 2;
/// As wide and as high as a table is if nobody says otherwise.
pub const USUAL: i16 = 3;

base::text_enum! {
    /// Of a table's top.
    pub enum Shape {
        Square = "square",
        Round = "round",
    }
}

/// A table and where it stands on the plan of its area, in cells from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Queryable, Selectable, Insertable, ToSchema)]
#[diesel(table_name = table_places, check_for_backend(Pg))]
#[serde(deny_unknown_fields)]
pub struct PlacedTable {
    pub table_id: TableId,
    /// Its first column, from 1 on.
    #[schema(minimum = 1, maximum = 15)]
    pub x: i16,
    /// Its first row, from 1 on.
    #[schema(minimum = 1, maximum = 23)]
    pub y: i16,
    /// So many columns of the 16.
    #[schema(minimum = 2, maximum = 16)]
    pub width: i16,
    /// So many rows of the 24.
    #[schema(minimum = 2, maximum = 24)]
    pub height: i16,
    #[serde(default = "square")]
    #[schema(default = "square")]
    pub shape: Shape,
}

fn square() -> Shape {
    Shape::Square
}

/// The tables of an area that were put somewhere.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FloorPlan)]
pub struct Plan {
    /// None for the tables that belong to no area.
    #[schema(example = "1층")]
    pub area: Option<String>,
    /// Changes with every table that is moved. Send it along when you save.
    #[schema(example = "5feceb66ffc86f38")]
    pub version: String,
    pub tables: Vec<PlacedTable>,
}

/// The whole plan of an area as it is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = FloorPlanRequest)]
pub struct PlanRequest {
    /// None for the tables that belong to no area.
    #[schema(example = "1층")]
    pub area: Option<Sign>,
    /// Of the plan that was changed into this one.
    #[schema(example = "5feceb66ffc86f38")]
    pub version: String,
    /// Tables of the area that are left out are on its plan no longer.
    pub tables: Vec<PlacedTable>,
}

/// Where a table stood before a change and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    pub table: TableId,
    pub before: Option<PlacedTable>,
    pub after: Option<PlacedTable>,
}

impl PlacedTable {
    pub fn overlaps(&self, other: &Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }

    /// The same where the plan begins at this column and row.
    #[must_use]
    pub fn from_corner(self, x: i16, y: i16) -> Self {
        Self { x: self.x - x + 1, y: self.y - y + 1, ..self }
    }

    /// What of it is not within the lattice.
    fn wrong(&self, at: &str) -> Vec<FieldError> {
        let bounds = [
            ("width", self.width, LEAST, COLUMNS),
            ("height", self.height, LEAST, ROWS),
            ("x", self.x, 1, COLUMNS - self.width.clamp(LEAST, COLUMNS) + 1),
            ("y", self.y, 1, ROWS - self.height.clamp(LEAST, ROWS) + 1),
        ];
        let outside = bounds.into_iter().filter(|(_, value, least, most)| !(least..=most).contains(&value));
        outside
            .map(|(name, _, least, most)| FieldError::not_within(format!("{at}/{name}"), least.into(), most.into()))
            .collect()
    }
}

impl Plan {
    fn of(area: Option<String>, tables: Vec<PlacedTable>) -> Result<Self> {
        Ok(Self { area, version: version(&tables)?, tables })
    }
}

/// The plans of all areas that have tables, in the order of the floor.
pub async fn list(conn: &mut AsyncPgConnection) -> Result<Vec<Plan>> {
    let (tables, placed) = (super::store::list(conn, false).await?, store::list(conn).await?);
    let of = |area: &Option<String>| {
        let here = |it: &&PlacedTable| tables.iter().any(|table| table.id == it.table_id && table.area == *area);
        Plan::of(area.clone(), placed.iter().filter(here).copied().collect())
    };
    areas(&tables).iter().map(of).collect()
}

/// Each area once, in the order of the floor.
pub fn areas(tables: &[TableRow]) -> Vec<Option<String>> {
    let mut seen = HashSet::new();
    tables.iter().map(|table| table.area.clone()).filter(|area| seen.insert(area.clone())).collect()
}

/// Puts the tables of an area where the plan says, unless somebody has moved one of them meanwhile.
pub async fn save(
    cx: &mut StaffContext<'_, can::ManageTables>,
    request: &PlanRequest,
) -> Result<(Plan, Option<UndoId>)> {
    let area = request.area.as_ref().map(|area| area.0.as_str());
    cx.undoable(async |conn, _| {
        let ids = store::lock_area(conn, area).await?;
        let before = store::list_of(conn, &ids).await?;
        if version(&before)? != request.version {
            return Err(conflict("plan_changed"));
        }
        check(&ids, &request.tables)?;
        let moved = moved(&ids, &before, &request.tables);
        let plan = Plan::of(area.map(str::to_owned), request.tables.clone())?;
        let Some(first) = moved.first() else { return Ok(Change::none(plan)) };
        put(conn, &moved, |it| it.after).await?;
        let one = Some(first.table).filter(|_| moved.len() == 1);
        let way_back = WayBack::new("table.plan", &TableUndo::Plan { table: first.table, moved })?.at(one);
        Ok(Change::new(plan, way_back))
    })
    .await
}

/// Puts tables back, as long as each is where the change left it, and none stands there by now.
pub(super) async fn undo(conn: &mut AsyncPgConnection, moved: &[Moved]) -> Result<()> {
    let ids: Vec<TableId> = moved.iter().map(|it| it.table).collect();
    store::lock(conn, &ids).await?;
    let now = store::list_of(conn, &ids).await?;
    if moved.iter().any(|it| find(&now, it.table) != it.after) {
        return Err(moved_on());
    }
    let (tables, all) = (super::store::list(conn, false).await?, store::list(conn).await?);
    let area = |id: TableId| tables.iter().find(|table| table.id == id).map(|table| &table.area);
    let is_taken = |back: PlacedTable| {
        let mut others = all.iter().filter(|it| !ids.contains(&it.table_id));
        others.any(|it| it.overlaps(&back) && area(it.table_id).is_some_and(|of| area(back.table_id) == Some(of)))
    };
    if moved.iter().filter_map(|it| it.before).any(is_taken) {
        return Err(moved_on());
    }
    put(conn, moved, |it| it.before).await
}

async fn put(conn: &mut AsyncPgConnection, moved: &[Moved], to: impl Fn(&Moved) -> Option<PlacedTable>) -> Result<()> {
    let ids: Vec<TableId> = moved.iter().map(|it| it.table).collect();
    let placed: Vec<PlacedTable> = moved.iter().filter_map(to).collect();
    store::replace(conn, &ids, &placed).await?;
    Ok(())
}

/// What of the area is elsewhere than it was, or on the plan only now, or no longer.
fn moved(ids: &[TableId], before: &[PlacedTable], after: &[PlacedTable]) -> Vec<Moved> {
    let all = ids.iter().map(|id| Moved { table: *id, before: find(before, *id), after: find(after, *id) });
    all.filter(|it| it.before != it.after).collect()
}

fn find(placed: &[PlacedTable], table: TableId) -> Option<PlacedTable> {
    placed.iter().find(|it| it.table_id == table).copied()
}

/// Each table once, of the area, within the lattice, and none upon another.
fn check(ids: &[TableId], placed: &[PlacedTable]) -> Result<()> {
    let mut wrong = Vec::new();
    for (at, it) in placed.iter().enumerate() {
        let (pointer, earlier) = (format!("/tables/{at}"), &placed[..at]);
        let outside = it.wrong(&pointer);
        if !ids.contains(&it.table_id) {
            wrong.push(FieldError::new(format!("{pointer}/table_id"), "unknown_value"));
        } else if earlier.iter().any(|other| other.table_id == it.table_id) {
            wrong.push(FieldError::new(format!("{pointer}/table_id"), "duplicate_field"));
        } else if !outside.is_empty() {
            wrong.extend(outside);
        } else if earlier.iter().any(|other| other.wrong("").is_empty() && other.overlaps(it)) {
            wrong.push(FieldError::new(pointer, "overlaps"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(invalid_fields(wrong)) }
}

/// Of the places alone: a table that comes into the area takes nothing back.
pub fn version(placed: &[PlacedTable]) -> Result<String> {
    let mut placed = placed.to_vec();
    placed.sort_by_key(|it| it.table_id);
    let json = serde_json::to_vec(&placed).map_err(internal)?;
    Ok(hex(&Sha256::digest(json)[..8]))
}

/// With these tables at the first places that are free, in rows with room to walk between them. What finds none is left out.
pub fn arrange(mut placed: Vec<PlacedTable>, tables: impl Iterator<Item = TableId>) -> Vec<PlacedTable> {
    let step = usize::try_from(USUAL + 1).unwrap_or(1);
    for table_id in tables {
        let at = |x, y| PlacedTable { table_id, x, y, width: USUAL, height: USUAL, shape: Shape::Square };
        let places = (1..=ROWS - USUAL + 1)
            .step_by(step)
            .flat_map(|y| (1..=COLUMNS - USUAL + 1).step_by(step).map(move |x| at(x, y)));
        let mut free = places.filter(|place| placed.iter().all(|it| !it.overlaps(place)));
        let place = free.next();
        placed.extend(place);
    }
    placed
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn table(number: u128) -> TableId {
        TableId(Uuid::from_u128(number))
    }

    fn placed(number: u128, (x, y): (i16, i16), (width, height): (i16, i16)) -> PlacedTable {
        PlacedTable { table_id: table(number), x, y, width, height, shape: Shape::Square }
    }

    fn refused(placed: &[PlacedTable]) -> Vec<(String, String)> {
        let refusal = check(&[table(1), table(2)], placed).unwrap_err();
        let base::error::Error::Refused(refusal) = refusal else { return Vec::new() };
        refusal.fields.iter().map(|it| (it.pointer.clone(), it.code.to_string())).collect()
    }

    #[test]
    fn a_plan_has_each_table_of_its_area_once_within_its_bounds_and_beside_the_others() {
        let one = placed(1, (1, 1), (3, 3));
        assert!(check(&[table(1), table(2)], &[one, placed(2, (4, 1), (13, 3))]).is_ok());
        let told = |pointer: &str, code: &str| vec![(pointer.to_owned(), code.to_owned())];
        assert_eq!(refused(&[one, placed(2, (3, 3), (2, 2))]), told("/tables/1", "overlaps"));
        assert_eq!(refused(&[one, one]), told("/tables/1/table_id", "duplicate_field"));
        assert_eq!(refused(&[placed(3, (1, 1), (3, 3))]), told("/tables/0/table_id", "unknown_value"));
        assert_eq!(refused(&[placed(1, (15, 1), (3, 3))]), told("/tables/0/x", "not_within"));
        assert_eq!(refused(&[placed(1, (1, 1), (1, 3))]), told("/tables/0/width", "not_within"));
        assert_eq!(refused(&[placed(1, (1, i16::MAX), (3, i16::MIN))]).len(), 2);
    }

    #[test]
    fn a_version_is_of_the_places_and_not_of_their_order() {
        let (one, two) = (placed(1, (1, 1), (3, 3)), placed(2, (5, 1), (3, 3)));
        let told = |placed: &[PlacedTable]| version(placed).unwrap();
        assert_eq!(told(&[one, two]), told(&[two, one]));
        assert_ne!(told(&[one, two]), told(&[one, PlacedTable { shape: Shape::Round, ..two }]));
        assert_ne!(told(&[one]), told(&[]));
    }

    #[test]
    fn tables_are_put_in_rows_around_what_stands_already() {
        let there = placed(9, (5, 1), (4, 3));
        let arranged = arrange(vec![there], (1..=4).map(table));
        let corners: Vec<_> = arranged.iter().map(|it| (it.x, it.y)).collect();
        assert_eq!(corners, [(5, 1), (1, 1), (9, 1), (13, 1), (1, 5)]);
        let many = arrange(Vec::new(), (1..=40).map(table));
        assert_eq!(many.len(), 24);
        assert!(check(&(1..=40).map(table).collect::<Vec<_>>(), &many).is_ok());
    }
}
