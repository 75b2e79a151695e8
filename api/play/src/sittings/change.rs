//! What staff do with a party that is there, and how to undo it.

use diesel_async::AsyncPgConnection;
use serde::{Deserialize, Serialize};

use super::party::expect_not_held;
use super::removal::{Removed, Welcomed, undo_removal, undo_welcome};
use super::{SittingChange, SittingEnd, SittingId, SittingRow, SittingState, party_size, store};
use crate::calls;
use crate::library;
use crate::tables;
use base::auth::{Actor, StaffContext, can};
use base::db::OnConstraint;
use base::error::{Error, Result, conflict, not_found};
use base::ids::{CallId, CopyId, MatchId, PlayerId, TableId, UndoId};
use base::settings::{Headcounts, Prices};
use base::undo::{Body, Change, MatchNews, Subject, WayBack, moved_on, moved_on_if_refused, restore};
use base::world::World;
use jiff::Timestamp;

/// How to undo what staff did with a party.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum SittingUndo {
    Open {
        sitting: SittingId,
    },
    Sitting {
        sitting: SittingId,
        before: SittingState,
        after: SittingState,
        /// Of a party that moved: boxes that came to its table before then are not its own.
        #[serde(default)]
        moved_at: Option<Timestamp>,
    },
    Merge(Merged),
    Remove(Removed),
    Welcome(Welcomed),
}

/// Two parties that became one: what came over.
#[derive(Debug, Serialize, Deserialize)]
pub struct Merged {
    pub from: SittingId,
    pub into: SittingId,
    table: TableId,
    into_table: TableId,
    /// Of the other party, before and after.
    size: (i16, i16),
    members: Vec<PlayerId>,
    matches: Vec<MatchId>,
    calls: Vec<CallId>,
    #[serde(default)]
    copies: Vec<CopyId>,
    /// How many people the other party was, before and after.
    #[serde(default)]
    headcounts: (Headcounts, Headcounts),
    /// Since when the other party was about to leave, before and after.
    #[serde(default)]
    closing_at: (Option<Timestamp>, Option<Timestamp>),
}

/// No undo if nothing was different.
pub async fn change(
    cx: &mut StaffContext<'_, can::RunFloor>,
    id: SittingId,
    change: &SittingChange,
) -> Result<(SittingRow, Option<UndoId>)> {
    let size = change.party_size.map(party_size).transpose()?;
    cx.undoable(async |conn, actor| {
        let now = actor.world.now();
        let altered = |before: &SittingState| SittingState {
            table_id: change.table_id.unwrap_or(before.table_id),
            closing_at: match change.closing {
                Some(true) => before.closing_at.or(Some(now)),
                Some(false) => None,
                // Who comes now stays, and would owe nothing after the party's time stopped.
                None => before.closing_at.filter(|_| size.is_none_or(|size| size <= before.party_size)),
            },
            remind_at: change.remind_at.unwrap_or(before.remind_at),
            ..before.clone().of_people(size.unwrap_or(before.party_size), now)
        };
        alter(conn, actor, id, altered).await
    })
    .await
}

/// The party has left, which settles its open calls and calls off its matches that wait. What it owed is kept.
pub async fn close(
    cx: &mut StaffContext<'_, can::RunFloor>,
    id: SittingId,
    prices: Option<&Prices<'_>>,
) -> Result<(SittingRow, Option<UndoId>)> {
    cx.undoable(async |conn, actor| close_within(conn, actor, id, prices).await).await
}

/// The same in the caller's transaction.
pub async fn close_within(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    id: SittingId,
    prices: Option<&Prices<'_>>,
) -> Result<Change<SittingRow>> {
    let at = actor.world.now();
    let close = |before: &SittingState| SittingState {
        closed_at: Some(at),
        ended: Some(SittingEnd::Left),
        owed: prices.map(|prices| prices.bill(&before.headcounts, before.closing_at.unwrap_or(at))),
        ..before.clone()
    };
    alter(conn, actor, id, close).await
}

/// One party sits down with another: people, matches that wait or run, open calls, boxes on the table.
pub async fn merge(
    cx: &mut StaffContext<'_, can::RunFloor>,
    from: SittingId,
    into: SittingId,
) -> Result<(SittingRow, Option<UndoId>)> {
    if from == into {
        return Err(conflict("same_party"));
    }
    cx.undoable(async |conn, actor| {
        let (one, other) = lock_both(conn, from, into).await?;
        if one.closed_at.is_some() || other.closed_at.is_some() {
            return Err(conflict("sitting_over"));
        }
        let now = actor.world.now();
        let size = party_size(i64::from(one.party_size) + i64::from(other.party_size))?;
        let matches = store::list_open_matches(conn, from).await?;
        store::hand_over_matches(conn, &matches, into).await?;
        let news = store::move_matches(conn, into, other.table_id).await?;
        let members = store::copy_members(conn, from, into).await?;
        let calls = calls::store::hand_over(conn, from, into, other.table_id, now).await?;
        let boxes = library::lock_on_table(conn, one.table_id).await?;
        library::carry(conn, actor, &boxes, other.table_id).await?;
        store::set_merged(conn, from, Some((into, now))).await?;
        let alone = other.state();
        let headcounts = (alone.headcounts.clone(), one.state().headcounts.and(&alone.headcounts).change(now, size));
        // Who sits down with others stays, unless all are about to leave.
        let closing_at = one.closing_at.zip(other.closing_at).map(|(one, other)| one.max(other));
        let together = SittingState { party_size: size, headcounts: headcounts.1.clone(), closing_at, ..alone };
        let row = store::write(conn, into, &together).await?;
        let (table, into_table) = (one.table_id, other.table_id);
        let size = (other.party_size, size);
        let copies = boxes.iter().map(|copy| copy.id).collect();
        let merged = SittingUndo::Merge(Merged {
            from,
            into,
            table,
            into_table,
            size,
            members,
            matches,
            calls,
            copies,
            headcounts,
            closing_at: (other.closing_at, closing_at),
        });
        let way_back = WayBack::new("sitting.merge", &merged)?.at(table).to(into_table);
        Ok(Change::new(row, way_back).telling(news))
    })
    .await
}

/// Restores what was before staff did something with a party. Gives the news of the matches that this changed.
pub async fn undo(conn: &mut AsyncPgConnection, actor: Actor<'_>, undo: &SittingUndo) -> Result<Vec<MatchNews>> {
    match undo {
        SittingUndo::Open { sitting } => undo_open(conn, actor.world, *sitting).await.map(|()| Vec::new()),
        SittingUndo::Sitting { sitting, before, after, moved_at } => {
            undo_change(conn, actor, *sitting, (before, after), *moved_at).await
        }
        SittingUndo::Merge(merged) => undo_merge(conn, actor, merged).await,
        SittingUndo::Remove(removed) => undo_removal(conn, removed).await,
        SittingUndo::Welcome(welcomed) => undo_welcome(conn, welcomed).await.map(|()| Vec::new()),
    }
}

/// A party that was seated by mistake was never there, as long as nobody joined it or sat down with it.
async fn undo_open(conn: &mut AsyncPgConnection, world: &World, id: SittingId) -> Result<()> {
    let row = lock(conn, id).await?;
    let untouched = row.closed_at.is_none()
        && row.state().headcounts == Headcounts::of(row.opened_at, row.party_size)
        && store::count_members(conn, id).await? == 0
        && !store::has_matches(conn, id).await?;
    if !untouched {
        return Err(moved_on());
    }
    let never = SittingState { closed_at: Some(world.now()), ended: Some(SittingEnd::Undone), ..row.state() };
    store::write(conn, id, &never).await?;
    Ok(())
}

async fn undo_change(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    id: SittingId,
    (before, after): (&SittingState, &SittingState),
    moved_at: Option<Timestamp>,
) -> Result<Vec<MatchNews>> {
    let now = lock(conn, id).await?.state();
    let back = SittingState {
        table_id: restore(&now.table_id, &before.table_id, &after.table_id)?,
        party_size: restore(&now.party_size, &before.party_size, &after.party_size)?,
        remind_at: restore(&now.remind_at, &before.remind_at, &after.remind_at)?,
        closing_at: restore(&now.closing_at, &before.closing_at, &after.closing_at)?,
        closed_at: restore(&now.closed_at, &before.closed_at, &after.closed_at)?,
        ended: restore(&now.ended, &before.ended, &after.ended)?,
        headcounts: restore(&now.headcounts, &before.headcounts, &after.headcounts)?,
        owed: restore(&now.owed, &before.owed, &after.owed)?,
    };
    // A sitting that has ended cannot change, except that its end can be undone.
    if now.closed_at.is_some() && back.closed_at.is_some() {
        return Err(moved_on());
    }
    let written = write(conn, actor, id, (&now, &back), moved_at).await;
    Ok(written.map_err(moved_on_if_refused)?.news)
}

/// Each goes back to their own table with what they brought.
async fn undo_merge(conn: &mut AsyncPgConnection, actor: Actor<'_>, merged: &Merged) -> Result<Vec<MatchNews>> {
    let (one, other) = lock_both(conn, merged.from, merged.into).await?;
    let is_as_left = one.merged_into == Some(merged.into)
        && other.closed_at.is_none()
        && other.table_id == merged.into_table
        && other.party_size == merged.size.1;
    if !is_as_left {
        return Err(moved_on());
    }
    expect_free(conn, merged.table).await.map_err(moved_on_if_refused)?;
    if let Some(at) = one.closed_at {
        calls::store::unsettle_all(conn, merged.from, at).await?;
    }
    store::set_merged(conn, merged.from, None).await.on_constraint("sittings_one_open", moved_on)?;
    let alone = other.state();
    let headcounts = restore(&alone.headcounts, &merged.headcounts.0, &merged.headcounts.1)?;
    let closing_at = restore(&alone.closing_at, &merged.closing_at.0, &merged.closing_at.1)?;
    let alone = SittingState { party_size: merged.size.0, headcounts, closing_at, ..alone };
    store::write(conn, merged.into, &alone).await?;
    store::delete_members(conn, merged.into, &merged.members).await?;
    store::hand_over_matches(conn, &merged.matches, merged.from).await?;
    calls::store::hand_back(conn, &merged.calls, merged.from, merged.table).await?;
    let mut boxes = library::lock_on_table(conn, merged.into_table).await?;
    boxes.retain(|copy| merged.copies.contains(&copy.id));
    library::carry(conn, actor, &boxes, merged.table).await?;
    Ok(store::move_matches(conn, merged.from, merged.table).await?)
}

async fn alter(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    id: SittingId,
    change: impl Fn(&SittingState) -> SittingState + Sync,
) -> Result<Change<SittingRow>> {
    let row = lock(conn, id).await?;
    if row.closed_at.is_some() {
        return Err(conflict("sitting_over"));
    }
    let before = row.state();
    let after = change(&before);
    if before == after {
        return Ok(Change::none(row));
    }
    if before.table_id != after.table_id {
        expect_not_held(conn, after.table_id).await?;
    }
    let now = actor.world.now();
    let Written { row, news } = write(conn, actor, id, (&before, &after), None).await?;
    let (table, action) = (before.table_id, action(&before, &after));
    let other_table = Some(after.table_id).filter(|other| *other != table);
    let moved_at = other_table.map(|_| now);
    let undo = SittingUndo::Sitting { sitting: id, before, after, moved_at };
    let way_back = WayBack::new(action, &undo)?.at(table).to(other_table);
    Ok(Change::new(row, way_back).telling(news))
}

/// A sitting as it was written, and the news of its matches.
struct Written {
    row: SittingRow,
    news: Vec<MatchNews>,
}

/// Changes a locked sitting from `before` to `after`, with what depends on it. The boxes on its table go along, or those alone that
/// came there since `theirs_since`.
async fn write(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    id: SittingId,
    (before, after): (&SittingState, &SittingState),
    theirs_since: Option<Timestamp>,
) -> Result<Written> {
    let returns = after.closed_at.is_none() && before.closed_at.is_some();
    let moves = before.table_id != after.table_id;
    if returns || moves {
        expect_free(conn, after.table_id).await?;
    }
    let row = store::write(conn, id, after).await.on_constraint("sittings_one_open", occupied)?;
    let news = match (before.closed_at, after.closed_at) {
        (None, Some(at)) => {
            calls::store::settle_all(conn, &[id], at).await?;
            store::abort_waiting(conn, &[id], at).await?
        }
        (Some(at), None) => {
            calls::store::unsettle_all(conn, id, at).await?;
            store::reopen_waiting(conn, id, at).await?
        }
        _ => Vec::new(),
    };
    if !moves {
        return Ok(Written { row, news });
    }
    calls::store::move_open(conn, id, after.table_id).await?;
    let boxes = match theirs_since {
        Some(since) => library::lock_arrived(conn, before.table_id, since).await?,
        None => library::lock_on_table(conn, before.table_id).await?,
    };
    library::carry(conn, actor, &boxes, after.table_id).await?;
    Ok(Written { row, news: store::move_matches(conn, id, after.table_id).await? })
}

/// A table that can be sat at. Whether somebody does is the unique index's business.
async fn expect_free(conn: &mut AsyncPgConnection, table: TableId) -> Result<()> {
    let table = tables::store::lock_shared(conn, table).await?;
    let table = table.filter(|it| it.archived_at.is_none()).ok_or_else(|| not_found("table_not_found"))?;
    if table.out_of_service_since.is_some() { Err(conflict("table_out_of_service")) } else { Ok(()) }
}

fn occupied() -> Error {
    conflict("table_occupied")
}

/// By what is most of it.
fn action(before: &SittingState, after: &SittingState) -> &'static str {
    if before.closed_at != after.closed_at {
        "sitting.close"
    } else if before.table_id != after.table_id {
        "sitting.move"
    } else if before.closing_at != after.closing_at {
        if after.closing_at.is_some() { "sitting.closing" } else { "sitting.stay" }
    } else if before.party_size != after.party_size {
        "sitting.resize"
    } else {
        "sitting.extend"
    }
}

pub(super) async fn lock(conn: &mut AsyncPgConnection, id: SittingId) -> Result<SittingRow> {
    store::lock(conn, id).await?.ok_or_else(|| not_found("sitting_not_found"))
}

/// Always in the same order, so that nobody waits for one who waits for them.
async fn lock_both(conn: &mut AsyncPgConnection, one: SittingId, other: SittingId) -> Result<(SittingRow, SittingRow)> {
    if one < other {
        let first = lock(conn, one).await?;
        Ok((first, lock(conn, other).await?))
    } else {
        let first = lock(conn, other).await?;
        Ok((lock(conn, one).await?, first))
    }
}

impl Body for SittingUndo {
    fn subject(&self) -> Subject {
        let sitting = match self {
            Self::Open { sitting } | Self::Sitting { sitting, .. } => sitting,
            Self::Merge(merged) => &merged.from,
            Self::Remove(removed) => &removed.sitting,
            Self::Welcome(welcomed) => &welcomed.sitting,
        };
        Subject { kind: "sitting", id: sitting.0 }
    }
}
