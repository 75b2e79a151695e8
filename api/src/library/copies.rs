//! Where the copies are, and the errands that move them. A copy is in one place; whoever comes second is told where it is.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::diary::{self, NewPlace};
use super::store::{self, Filter, NewCopy, Place};
use super::{CopyId, CopyRow, CopyState, Errand, MOST_COPIES, Shelf, TitleId, TitleRow, names};
use crate::audit::{self, Entry};
use crate::error::{ApiError, ApiResult, conflict, not_found, unprocessable};
use crate::extract::Player;
use crate::ids::TableId;
use crate::live::Live;
use crate::tables;
use crate::text::Lang;
use crate::world::World;

/// Later a mistake is no longer undone but mended by another errand.
const UNDONE_WITHIN: SignedDuration = SignedDuration::from_mins(10);
const MOST_SHOWN: i64 = 200;

/// What an errand needs besides the database: the clock, and whom to tell.
pub type Means<'a> = (&'a World, &'a Live);

/// The copies that lie on tables, with their titles; those that lie there longest first.
pub async fn on_tables(conn: &mut AsyncPgConnection) -> ApiResult<Vec<(CopyRow, TitleRow)>> {
    Ok(store::list_in_state(conn, CopyState::Table, MOST_SHOWN).await?)
}

/// The copies that wait to be looked through, with their titles; those that wait longest first.
pub async fn to_check_in(conn: &mut AsyncPgConnection) -> ApiResult<Vec<(CopyRow, TitleRow)>> {
    Ok(store::list_in_state(conn, CopyState::Return, MOST_SHOWN).await?)
}

/// Every copy with its title.
pub async fn every_copy(conn: &mut AsyncPgConnection) -> ApiResult<Vec<(CopyRow, TitleRow)>> {
    let titles = store::list_all(conn).await?;
    let ids: Vec<TitleId> = titles.iter().map(|title| title.id).collect();
    let copies = store::list_copies(conn, &ids, false).await?;
    let with_title = |copy: CopyRow| Some((titles.iter().find(|title| title.id == copy.title_id)?.clone(), copy));
    Ok(copies.into_iter().filter_map(with_title).map(|(title, copy)| (copy, title)).collect())
}

/// A copy on its shelf of each title that this finds: what may be lent.
pub async fn on_shelves(
    conn: &mut AsyncPgConnection,
    lang: Lang,
    name: &str,
    limit: i64,
) -> ApiResult<Vec<(CopyRow, TitleRow)>> {
    let filter = Filter { name: names::pattern(name), state: Some(CopyState::Shelf), ..Filter::default() };
    let titles = store::list(conn, lang, &filter, limit.min(MOST_SHOWN)).await?;
    let ids: Vec<TitleId> = titles.iter().map(|title| title.id).collect();
    let copies = store::list_copies(conn, &ids, false).await?;
    let of = |title: TitleRow| {
        let copy = copies.iter().find(|copy| copy.title_id == title.id && copy.state == CopyState::Shelf)?;
        Some((copy.clone(), title))
    };
    Ok(titles.into_iter().filter_map(of).collect())
}

/// The copy goes to this table.
pub async fn lend(
    conn: &mut AsyncPgConnection,
    means: Means<'_>,
    staff: &Player,
    copy: CopyId,
    table: TableId,
) -> ApiResult<CopyRow> {
    act(conn, means, staff, copy, Errand::Lend, Some(table)).await
}

/// The copy comes back from its table.
pub async fn take_back(
    conn: &mut AsyncPgConnection,
    means: Means<'_>,
    staff: &Player,
    copy: CopyId,
) -> ApiResult<CopyRow> {
    act(conn, means, staff, copy, Errand::TakeBack, None).await
}

/// The copy is whole and goes to its shelf.
pub async fn check_in(
    conn: &mut AsyncPgConnection,
    means: Means<'_>,
    staff: &Player,
    copy: CopyId,
) -> ApiResult<CopyRow> {
    act(conn, means, staff, copy, Errand::CheckIn, None).await
}

/// The last errand was a mistake: the copy is again where it was before.
pub async fn undo(conn: &mut AsyncPgConnection, means: Means<'_>, staff: &Player, copy: CopyId) -> ApiResult<CopyRow> {
    act(conn, means, staff, copy, Errand::Undo, None).await
}

/// Does this with the copy; to lend it needs a table.
pub async fn act(
    conn: &mut AsyncPgConnection,
    (world, live): Means<'_>,
    staff: &Player,
    id: CopyId,
    errand: Errand,
    table: Option<TableId>,
) -> ApiResult<CopyRow> {
    let moved = conn
        .transaction(async |conn| {
            let copy = lock(conn, id).await?;
            let (state, table_id) = match errand {
                Errand::Undo => place_before(conn, id, world.now()).await?,
                _ if !errand.starts_from(copy.state) => return Err(elsewhere(copy.state)),
                Errand::Lend => (CopyState::Table, Some(table_on_floor(conn, table).await?)),
                Errand::TakeBack | Errand::Find => (CopyState::Return, None),
                Errand::CheckIn => (CopyState::Shelf, None),
                Errand::Repair => (CopyState::Repair, None),
                Errand::Lose => (CopyState::Lost, None),
            };
            let (now, left_table) = (world.now().into(), copy.state == CopyState::Table);
            let place =
                Place { state, table_id: Some(table_id), since: now, played_at: left_table.then_some(Some(now)) };
            let moved = store::place(conn, id, place).await?;
            let told =
                NewPlace { copy_id: id, errand: Some(errand), state, table_id, made_by: Some(staff.id), at: now };
            diary::insert_place(conn, &told).await?;
            let details = json!({ "place": [copy.state, state], "table": [copy.table_id, table_id] });
            record(conn, world, staff, errand.action(), id, details).await?;
            ApiResult::Ok(moved)
        })
        .await?;
    live.tell_floor();
    Ok(moved)
}

/// Another box of the title, on this shelf.
pub async fn add_copy(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    title: TitleId,
    shelf: &Shelf,
) -> ApiResult<CopyRow> {
    conn.transaction(async |conn| enter(conn, world, staff, title, shelf).await).await
}

/// In the caller's transaction.
pub(super) async fn enter(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    title: TitleId,
    shelf: &Shelf,
) -> ApiResult<CopyRow> {
    store::lock(conn, title).await?.ok_or_else(|| not_found("title_not_found"))?;
    let number = store::last_number(conn, title).await?.unwrap_or(0) + 1;
    if number > MOST_COPIES {
        return Err(conflict("too_many_copies"));
    }
    let now = world.now().into();
    let new =
        NewCopy { id: CopyId(world.uuid()), title_id: title, number, shelf: &shelf.0, since: now, created_at: now };
    let made = store::insert_copy(conn, &new).await?;
    let told = NewPlace {
        copy_id: made.id,
        errand: None,
        state: made.state,
        table_id: None,
        made_by: Some(staff.id),
        at: now,
    };
    diary::insert_place(conn, &told).await?;
    let details = json!({ "title": title, "number": made.number, "shelf": made.shelf });
    record(conn, world, staff, "copy.create", made.id, details).await?;
    Ok(made)
}

/// Gives the copy another shelf, has it leave the library, or takes it in again.
pub async fn change_copy(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    id: CopyId,
    shelf: Option<&Shelf>,
    archived: Option<bool>,
) -> ApiResult<CopyRow> {
    conn.transaction(async |conn| {
        let before = store::lock_copy(conn, id).await?.ok_or_else(|| not_found("copy_not_found"))?;
        let mut after = before.clone();
        if let Some(shelf) = shelf.filter(|shelf| shelf.0 != before.shelf) {
            after = store::set_shelf(conn, id, &shelf.0).await?;
        }
        if let Some(archived) = archived.filter(|archived| *archived != before.archived_at.is_some()) {
            if before.state == CopyState::Table {
                return Err(elsewhere(before.state));
            }
            after = store::set_copy_archived(conn, id, archived.then(|| world.now())).await?;
        }
        let details = json!({
            "shelf": [before.shelf, after.shelf], "archived": [before.archived_at.is_some(), after.archived_at.is_some()],
        });
        record(conn, world, staff, "copy.change", id, details).await?;
        Ok(after)
    })
    .await
}

impl Errand {
    /// In the audit log.
    fn action(self) -> &'static str {
        match self {
            Self::Lend => "copy.lend",
            Self::TakeBack => "copy.take_back",
            Self::CheckIn => "copy.check_in",
            Self::Repair => "copy.repair",
            Self::Lose => "copy.lose",
            Self::Find => "copy.find",
            Self::Undo => "copy.undo",
        }
    }

    /// Whether it may be done with a copy that is there.
    pub fn starts_from(self, state: CopyState) -> bool {
        use CopyState::{Lost, Repair, Return, Shelf, Table};
        match self {
            Self::Lend => matches!(state, Shelf | Return),
            Self::TakeBack => state == Table,
            Self::CheckIn => matches!(state, Return | Repair),
            Self::Repair => matches!(state, Shelf | Return | Table),
            Self::Lose => state != Lost,
            Self::Find => state == Lost,
            Self::Undo => true,
        }
    }
}

/// Where the copy was before the last errand, if that may still be undone.
async fn place_before(
    conn: &mut AsyncPgConnection,
    id: CopyId,
    now: Timestamp,
) -> ApiResult<(CopyState, Option<TableId>)> {
    let places = diary::list_places(conn, &[id], None, 2).await?;
    let [last, before] = &places[..] else { return Err(conflict("nothing_to_undo")) };
    if !last.may_be_undone(now) {
        return Err(conflict("nothing_to_undo"));
    }
    let table = match before.table_id {
        Some(table) => Some(table_on_floor(conn, Some(table)).await?),
        None => None,
    };
    Ok((before.state, table))
}

impl super::PlaceRow {
    pub(super) fn may_be_undone(&self, now: Timestamp) -> bool {
        let is_fresh = now.duration_since(self.at) <= UNDONE_WITHIN;
        is_fresh && self.errand.is_some_and(|errand| errand != Errand::Undo)
    }
}

async fn table_on_floor(conn: &mut AsyncPgConnection, table: Option<TableId>) -> ApiResult<TableId> {
    let table = table.ok_or_else(|| crate::error::invalid_field("/table_id", "missing_field"))?;
    let found = tables::store::find(conn, table).await?.filter(|table| table.archived_at.is_none());
    let unknown = || unprocessable("unknown_table").with_field("/table_id", "unknown_value");
    found.map(|table| table.id).ok_or_else(unknown)
}

async fn lock(conn: &mut AsyncPgConnection, id: CopyId) -> ApiResult<CopyRow> {
    let copy = store::lock_copy(conn, id).await?.filter(|copy| copy.archived_at.is_none());
    copy.ok_or_else(|| not_found("copy_not_found"))
}

/// The copy is where the errand cannot be done, perhaps because somebody else was quicker.
fn elsewhere(state: CopyState) -> ApiError {
    conflict(match state {
        CopyState::Shelf => "copy_on_shelf",
        CopyState::Table => "copy_on_table",
        CopyState::Return => "copy_in_return",
        CopyState::Repair => "copy_in_repair",
        CopyState::Lost => "copy_lost",
    })
}

async fn record(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    action: &str,
    id: CopyId,
    details: Value,
) -> ApiResult<()> {
    let (actor, subject_id) = (Some(staff.id), Some(id.0));
    Ok(audit::record(conn, world, Entry { actor, action, subject: "copy", subject_id, details }).await?)
}
