//! What staff do with a party that is there, and how that is taken back.

use diesel::result::Error as DieselError;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde::{Deserialize, Serialize};

use super::{Facts, SittingChange, SittingEnd, SittingId, SittingRow, party_size, store};
use crate::calls;
use crate::error::{ApiError, ApiResult, conflict, not_found};
use crate::ids::{CallId, CopyId, MatchId, PlayerId, TableId, UndoId};
use crate::library;
use crate::tables;
use crate::undo::{Doer, Named, Undo, moved_on, put_back};
use crate::world::World;

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
}

/// None for the deed if nothing was different.
pub async fn change(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: SittingId,
    change: &SittingChange,
) -> ApiResult<(SittingRow, Option<UndoId>)> {
    let size = change.party_size.map(party_size).transpose()?;
    alter(conn, doer, id, |before| Facts {
        party_size: size.unwrap_or(before.party_size),
        table_id: change.table_id.unwrap_or(before.table_id),
        closing_at: match change.closing {
            Some(true) => before.closing_at.or(Some(doer.world.now())),
            Some(false) => None,
            None => before.closing_at,
        },
        remind_at: change.remind_at.unwrap_or(before.remind_at),
        ..*before
    })
    .await
}

/// The party has left. Its open calls are settled with that.
pub async fn close(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: SittingId,
) -> ApiResult<(SittingRow, Option<UndoId>)> {
    let at = Some(doer.world.now());
    alter(conn, doer, id, |before| Facts { closed_at: at, ended: Some(SittingEnd::Left), ..*before }).await
}

/// The one party sits down with the other: people, matches that wait or run, open calls, boxes on the table.
pub async fn merge(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    (from, into): (SittingId, SittingId),
) -> ApiResult<(SittingRow, UndoId)> {
    if from == into {
        return Err(conflict("same_party"));
    }
    let (row, undo, news) = conn
        .transaction(async |conn| {
            let (one, other) = lock_both(conn, from, into).await?;
            if one.closed_at.is_some() || other.closed_at.is_some() {
                return Err(conflict("sitting_over"));
            }
            let now = doer.world.now();
            let size = party_size(i64::from(one.party_size) + i64::from(other.party_size))?;
            let matches = store::list_open_matches(conn, from).await?;
            store::hand_over_matches(conn, &matches, into).await?;
            let news = store::move_matches(conn, into, other.table_id).await?;
            let members = store::copy_members(conn, from, into, now).await?;
            let calls = calls::store::hand_over(conn, from, (into, other.table_id), now).await?;
            let boxes = library::lock_on_table(conn, one.table_id).await?;
            library::carry(conn, doer, &boxes, other.table_id).await?;
            store::set_merged(conn, from, Some((into, now))).await?;
            let row = store::write(conn, into, &Facts { party_size: size, ..other.facts() }).await?;
            let named = Named { action: "sitting.merge", table: Some(one.table_id), other_table: Some(other.table_id) };
            let (table, into_table) = (one.table_id, other.table_id);
            let size = (other.party_size, size);
            let copies = boxes.iter().map(|copy| copy.id).collect();
            let merged = Undo::Merge(Merged { from, into, table, into_table, size, members, matches, calls, copies });
            let undo = doer.record(conn, named, &merged).await?;
            Ok((row, undo, news))
        })
        .await?;
    for (id, news) in news {
        doer.live.tell(id, news);
    }
    doer.live.tell_floor();
    Ok((row, undo))
}

/// A party that was seated by mistake was never there, as long as nobody took it up.
pub async fn take_back_open(conn: &mut AsyncPgConnection, world: &World, id: SittingId) -> ApiResult<()> {
    let row = lock(conn, id).await?;
    let untouched =
        row.closed_at.is_none() && store::count_members(conn, id).await? == 0 && !store::has_matches(conn, id).await?;
    if !untouched {
        return Err(moved_on());
    }
    let never = Facts { closed_at: Some(world.now()), ended: Some(SittingEnd::Undone), ..row.facts() };
    store::write(conn, id, &never).await?;
    Ok(())
}

pub async fn take_back(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: SittingId,
    before: &Facts,
    after: &Facts,
) -> ApiResult<Vec<(MatchId, i64)>> {
    let now = lock(conn, id).await?.facts();
    let back = Facts {
        table_id: put_back(&now.table_id, &before.table_id, &after.table_id)?,
        party_size: put_back(&now.party_size, &before.party_size, &after.party_size)?,
        remind_at: put_back(&now.remind_at, &before.remind_at, &after.remind_at)?,
        closing_at: put_back(&now.closing_at, &before.closing_at, &after.closing_at)?,
        closed_at: put_back(&now.closed_at, &before.closed_at, &after.closed_at)?,
        ended: put_back(&now.ended, &before.ended, &after.ended)?,
    };
    // What ended in between is not changed any more, but for its end.
    if now.closed_at.is_some() && back.closed_at.is_some() {
        return Err(moved_on());
    }
    write(conn, doer, id, (&now, &back)).await.map_err(|err| if is_refused(&err) { moved_on() } else { err })
}

/// Each goes back to their own table with what they brought.
pub async fn take_back_merge(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    merged: &Merged,
) -> ApiResult<Vec<(MatchId, i64)>> {
    let (one, other) = lock_both(conn, merged.from, merged.into).await?;
    let is_as_left = one.merged_into == Some(merged.into)
        && other.closed_at.is_none()
        && other.table_id == merged.into_table
        && other.party_size == merged.size.1;
    if !is_as_left {
        return Err(moved_on());
    }
    expect_free(conn, merged.table).await.map_err(|_| moved_on())?;
    store::set_merged(conn, merged.from, None).await.map_err(occupied).map_err(|_| moved_on())?;
    store::write(conn, merged.into, &Facts { party_size: merged.size.0, ..other.facts() }).await?;
    store::delete_members(conn, merged.into, &merged.members).await?;
    store::hand_over_matches(conn, &merged.matches, merged.from).await?;
    calls::store::hand_back(conn, &merged.calls, (merged.from, merged.table)).await?;
    let mut boxes = library::lock_on_table(conn, merged.into_table).await?;
    boxes.retain(|copy| merged.copies.contains(&copy.id));
    library::carry(conn, doer, &boxes, merged.table).await?;
    Ok(store::move_matches(conn, merged.from, merged.table).await?)
}

async fn alter(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: SittingId,
    change: impl Fn(&Facts) -> Facts + Sync,
) -> ApiResult<(SittingRow, Option<UndoId>)> {
    let (row, undo, news) = conn
        .transaction(async |conn| {
            let row = lock(conn, id).await?;
            if row.closed_at.is_some() {
                return Err(conflict("sitting_over"));
            }
            let before = row.facts();
            let after = change(&before);
            if before == after {
                return Ok((row, None, Vec::new()));
            }
            let news = write(conn, doer, id, (&before, &after)).await?;
            let other_table = Some(after.table_id).filter(|table| *table != before.table_id);
            let named = Named { action: action(&before, &after), table: Some(before.table_id), other_table };
            let undo = doer.record(conn, named, &Undo::Sitting { sitting: id, before, after }).await?;
            Ok((lock(conn, id).await?, Some(undo), news))
        })
        .await?;
    for (id, news) in news {
        doer.live.tell(id, news);
    }
    doer.live.tell_floor();
    Ok((row, undo))
}

/// Of a sitting that is locked: from how it was to how it is to be, with what hangs on it.
async fn write(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    id: SittingId,
    (before, after): (&Facts, &Facts),
) -> ApiResult<Vec<(MatchId, i64)>> {
    let sits_anew = after.closed_at.is_none() && before.closed_at.is_some();
    let moves = before.table_id != after.table_id;
    if sits_anew || moves {
        expect_free(conn, after.table_id).await?;
    }
    store::write(conn, id, after).await.map_err(occupied)?;
    match (before.closed_at, after.closed_at) {
        (None, Some(at)) => calls::store::settle_all(conn, &[id], at).await?,
        (Some(at), None) => calls::store::unsettle_all(conn, id, at).await?,
        _ => 0,
    };
    if !moves {
        return Ok(Vec::new());
    }
    calls::store::move_open(conn, id, after.table_id).await?;
    let boxes = library::lock_on_table(conn, before.table_id).await?;
    library::carry(conn, doer, &boxes, after.table_id).await?;
    Ok(store::move_matches(conn, id, after.table_id).await?)
}

/// A table that can be sat at. Whether somebody does is the unique index's business.
async fn expect_free(conn: &mut AsyncPgConnection, table: TableId) -> ApiResult<()> {
    let table = tables::store::lock_shared(conn, table).await?;
    let table = table.filter(|it| it.archived_at.is_none()).ok_or_else(|| not_found("table_not_found"))?;
    if table.out_since.is_some() { Err(conflict("table_out_of_service")) } else { Ok(()) }
}

fn occupied(err: DieselError) -> ApiError {
    match &err {
        DieselError::DatabaseError(_, info) if info.constraint_name() == Some("sittings_one_open") => {
            conflict("table_occupied")
        }
        _ => err.into(),
    }
}

fn is_refused(err: &ApiError) -> bool {
    matches!(err, ApiError::Refused(_))
}

/// By what is most of it.
fn action(before: &Facts, after: &Facts) -> &'static str {
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

async fn lock(conn: &mut AsyncPgConnection, id: SittingId) -> ApiResult<SittingRow> {
    store::lock(conn, id).await?.ok_or_else(|| not_found("sitting_not_found"))
}

/// Always in the same order, so that nobody waits for one who waits for them.
async fn lock_both(
    conn: &mut AsyncPgConnection,
    one: SittingId,
    other: SittingId,
) -> ApiResult<(SittingRow, SittingRow)> {
    if one < other {
        let first = lock(conn, one).await?;
        Ok((first, lock(conn, other).await?))
    } else {
        let first = lock(conn, other).await?;
        Ok((lock(conn, one).await?, first))
    }
}
