//! The copies of a title: which there are, and which are out of their shelves.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::history::{self, NewPlace};
use super::store::{self, Filter, NewCopy};
use super::transfers::elsewhere;
use super::{CopyId, CopyRow, CopyState, MOST_COPIES, Shelf, TitleId, TitleRow, titles};
use base::audit::{self, Entry};
use base::auth::{Actor, StaffContext, can};
use base::error::{Result, conflict, not_found};
use base::ids::PlayerId;
use base::names;
use base::text::Lang;
use base::world::World;

const MOST_SHOWN: i64 = 200;

/// The copies that lie on tables, and those that wait to be looked through, with their titles; the longest there first.
pub async fn list_out(conn: &mut AsyncPgConnection) -> Result<Vec<(CopyRow, TitleRow)>> {
    Ok(store::list_in_states(conn, &[CopyState::Table, CopyState::Return], 2 * MOST_SHOWN).await?)
}

/// The copies that wait to be looked through, with their titles; those that wait longest first.
pub async fn to_check_in(conn: &mut AsyncPgConnection) -> Result<Vec<(CopyRow, TitleRow)>> {
    Ok(store::list_in_states(conn, &[CopyState::Return], MOST_SHOWN).await?)
}

/// How many boxes the house has of a game of the catalogue, or of the title that is called so in any language.
pub async fn count_boxes(conn: &mut AsyncPgConnection, game: &str, title: Option<&str>) -> Result<usize> {
    let titles = store::list_all(conn).await?;
    let is_meant = |it: &TitleRow| match title {
        Some(title) => Lang::ALL.into_iter().any(|lang| it.name(lang).eq_ignore_ascii_case(title)),
        None => it.game.as_deref() == Some(game),
    };
    let ids: Vec<TitleId> = titles.iter().filter(|it| is_meant(it)).map(|title| title.id).collect();
    let copies = store::list_copies(conn, &ids, false).await?;
    Ok(copies.iter().filter(|copy| copy.state.is_in_the_house()).count())
}

/// How many titles that the house had then have not been on any table since.
pub async fn count_unlent(conn: &mut AsyncPgConnection, since: Timestamp) -> Result<i64> {
    Ok(store::count_unlent(conn, since).await?)
}

/// Every copy with its title.
pub async fn every_copy(conn: &mut AsyncPgConnection) -> Result<Vec<(CopyRow, TitleRow)>> {
    let titles = store::list_all(conn).await?;
    let ids: Vec<TitleId> = titles.iter().map(|title| title.id).collect();
    let copies = store::list_copies(conn, &ids, false).await?;
    let with_title = |copy: CopyRow| Some((titles.iter().find(|title| title.id == copy.title_id)?.clone(), copy));
    Ok(copies.into_iter().filter_map(with_title).map(|(title, copy)| (copy, title)).collect())
}

/// What may be lent: a copy on its shelf of each title that this finds; where nothing is asked for, the box of the game that
/// is played, and of those that were on a table last.
pub async fn on_shelves(
    conn: &mut AsyncPgConnection,
    lang: Lang,
    name: &str,
    played: Option<&str>,
    limit: usize,
) -> Result<Vec<(CopyRow, TitleRow)>> {
    let Some(name) = names::pattern(name) else {
        let mut copies = store::list_latest_played(conn, played, 3 * limit as i64).await?;
        let mut seen = Vec::new();
        copies.retain(|(copy, _)| {
            !seen.contains(&copy.title_id) && {
                seen.push(copy.title_id);
                true
            }
        });
        copies.truncate(limit);
        return Ok(copies);
    };
    let filter = Filter { name: Some(name), state: Some(CopyState::Shelf), ..Filter::default() };
    let titles = store::list(conn, lang, &filter, limit as i64).await?;
    let ids: Vec<TitleId> = titles.iter().map(|title| title.id).collect();
    let copies = store::list_copies(conn, &ids, false).await?;
    let of = |title: TitleRow| {
        let copy = copies.iter().find(|copy| copy.title_id == title.id && copy.state == CopyState::Shelf)?;
        Some((copy.clone(), title))
    };
    Ok(titles.into_iter().filter_map(of).collect())
}

/// Another box of the title, on this shelf.
pub async fn add_copy(cx: &mut StaffContext<'_, can::ManageLibrary>, title: TitleId, shelf: &Shelf) -> Result<CopyRow> {
    let (conn, actor) = cx.parts().await?;
    conn.transaction(async |conn| enter(conn, actor, title, shelf).await).await
}

/// In the caller's transaction.
pub async fn enter(conn: &mut AsyncPgConnection, actor: Actor<'_>, title: TitleId, shelf: &Shelf) -> Result<CopyRow> {
    titles::lock(conn, title).await?;
    let number = store::last_number(conn, title).await?.unwrap_or(0) + 1;
    if number > MOST_COPIES {
        return Err(conflict("too_many_copies"));
    }
    let made = insert(conn, actor.world, Some(actor.staff.id), (title, number), shelf).await?;
    let details = json!({ "title": title, "number": made.number, "shelf": made.shelf });
    record(conn, actor, "copy.create", made.id, details).await?;
    Ok(made)
}

/// In the caller's transaction. Nobody made what the house had from the start.
pub(super) async fn insert(
    conn: &mut AsyncPgConnection,
    world: &World,
    made_by: Option<PlayerId>,
    (title_id, number): (TitleId, i16),
    shelf: &Shelf,
) -> Result<CopyRow> {
    let at = world.now().into();
    let new = NewCopy { id: CopyId(world.uuid()), title_id, number, shelf: &shelf.0, since: at, created_at: at };
    let made = store::insert_copy(conn, &new).await?;
    let told = NewPlace { copy_id: made.id, transfer: None, state: made.state, table_id: None, made_by, at };
    history::insert_place(conn, &told).await?;
    Ok(made)
}

/// Gives the copy another shelf, has it leave the library, or takes it in again.
pub async fn change_copy(
    cx: &mut StaffContext<'_, can::ManageLibrary>,
    id: CopyId,
    shelf: Option<&Shelf>,
    archived: Option<bool>,
) -> Result<CopyRow> {
    let (conn, actor) = cx.parts().await?;
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
            after = store::set_copy_archived(conn, id, archived.then(|| actor.world.now())).await?;
        }
        let details = json!({
            "shelf": [before.shelf, after.shelf], "archived": [before.archived_at.is_some(), after.archived_at.is_some()],
        });
        record(conn, actor, "copy.change", id, details).await?;
        Ok(after)
    })
    .await
}

pub async fn record(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    action: &str,
    id: CopyId,
    details: Value,
) -> Result<()> {
    let (by, subject_id) = (Some(actor.staff.id), Some(id.0));
    Ok(audit::record(conn, actor.world, Entry { actor: by, action, subject: "copy", subject_id, details }).await?)
}
