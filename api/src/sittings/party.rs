//! How a sitting begins, and who belongs to it. Whoever scans the code on the table is let in; who did not makes no match
//! there, joins none and calls nobody. Staff always may.

use diesel::result::Error as DieselError;
use diesel_async::{AsyncConnection, AsyncPgConnection};

use super::store::{self, NewSitting};
use super::{LONG, SittingId, SittingRow, party_size};
use crate::error::{ApiResult, conflict, forbidden, not_found, unauthorized, unprocessable};
use crate::extract::Player;
use crate::ids::{MatchId, PlayerId, TableId, UndoId};
use crate::live::Live;
use crate::matches::normal_code;
use crate::sessions::{encode, is_staff};
use crate::tables::{self, TableRow};
use crate::undo::{Doer, Named, Undo};
use crate::world::World;

/// More telephones than that are no party.
const MOST_MEMBERS: i64 = 99;

/// A party and where it sits.
#[derive(Debug)]
pub struct PartyAt {
    pub table: TableRow,
    pub sitting: SittingRow,
}

/// Staff seat a party.
pub async fn open(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    table: TableId,
    size: i16,
) -> ApiResult<(SittingRow, UndoId)> {
    let opened = conn
        .transaction(async |conn| {
            let table = tables::store::lock_shared(conn, table).await?.ok_or_else(|| not_found("table_not_found"))?;
            let row = seat(conn, doer.world, &table, size, doer.staff.id).await?;
            let row = row.ok_or_else(|| conflict("table_occupied"))?;
            let named = Named { action: "sitting.open", table: Some(table.id), other_table: None };
            let undo = doer.record(conn, named, &Undo::Open { sitting: row.id }).await?;
            ApiResult::Ok((row, undo))
        })
        .await?;
    doer.live.tell_floor();
    Ok(opened)
}

/// Somebody scanned the code on a table: they belong to the party that sits there, or are the first of a new one.
pub async fn scan(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    (code, size): (&str, Option<i64>),
) -> ApiResult<PartyAt> {
    let size = size.map_or(Ok(1), party_size)?;
    let party = conn
        .transaction(async |conn| {
            let table = tables::store::find_by_code(conn, &normal_code(code)).await?;
            let table = match table.filter(|table| table.archived_at.is_none()) {
                Some(table) => tables::store::lock_shared(conn, table.id).await?,
                None => None,
            };
            let table = table.ok_or_else(|| not_found("table_not_found"))?;
            let sitting = match store::lock_open(conn, table.id).await? {
                Some(sitting) => Some(sitting),
                None => match seat(conn, world, &table, size, player).await? {
                    Some(sitting) => Some(sitting),
                    // Somebody else at the table was quicker.
                    None => store::lock_open(conn, table.id).await?,
                },
            };
            let sitting = sitting.ok_or_else(|| conflict("busy"))?;
            let sitting = let_in(conn, world, sitting, player).await?;
            ApiResult::Ok(PartyAt { table, sitting })
        })
        .await?;
    live.tell_floor();
    Ok(party)
}

/// With what one of the party handed on.
pub async fn join(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    token: &str,
) -> ApiResult<SittingRow> {
    let sitting = conn
        .transaction(async |conn| {
            let sitting = store::lock_by_token(conn, token).await?.ok_or_else(|| forbidden("join_token_invalid"))?;
            let_in(conn, world, sitting, player).await
        })
        .await?;
    live.tell_floor();
    Ok(sitting)
}

/// The sitting that a new match at this table belongs to, if this player may make one there. Staff who make one at a free
/// table seat a party with it.
pub async fn of_new_match(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Player,
    (table, seats): (TableId, i16),
) -> ApiResult<SittingId> {
    let unknown = || unprocessable("unknown_table").with_field("/table_id", "unknown_value");
    let table = tables::store::find(conn, table).await?.filter(|it| it.archived_at.is_none()).ok_or_else(unknown)?;
    let sitting = store::find_open(conn, table.id).await?;
    if let Some(sitting) = &sitting
        && store::is_member(conn, sitting.id, player.id).await?
    {
        return if sitting.closing_at.is_some() { Err(conflict("table_closing")) } else { Ok(sitting.id) };
    }
    if !is_staff(conn, player).await? {
        return Err(forbidden("not_at_table"));
    }
    match sitting {
        Some(sitting) => Ok(sitting.id),
        None => Ok(open(conn, Doer { world, live, staff: player }, table.id, seats).await?.0.id),
    }
}

/// Refuses whoever is not of the party whose match it is.
pub async fn lets_in(conn: &mut AsyncPgConnection, id: MatchId, player: PlayerId) -> ApiResult<()> {
    if store::lets_in(conn, id, player).await? { Ok(()) } else { Err(forbidden("not_at_table")) }
}

/// The sitting, if this player is of the party and it is still there. Until the transaction ends it stays.
pub async fn expect_member(conn: &mut AsyncPgConnection, id: SittingId, player: PlayerId) -> ApiResult<SittingRow> {
    let sitting = store::lock(conn, id).await?.filter(|it| it.closed_at.is_none());
    match sitting {
        Some(sitting) if store::is_member(conn, id, player).await? => Ok(sitting),
        _ => Err(forbidden("not_at_table")),
    }
}

/// The sitting, for one of the party, even after its end, and for staff.
pub async fn expect_party_or_staff(
    conn: &mut AsyncPgConnection,
    id: SittingId,
    player: &Player,
) -> ApiResult<SittingRow> {
    let row = store::find(conn, id).await?;
    let may = store::is_member(conn, id, player.id).await? || is_staff(conn, player).await?;
    match row {
        Some(row) if may => Ok(row),
        None if may => Err(not_found("sitting_not_found")),
        _ => Err(forbidden("not_at_table")),
    }
}

/// A new sitting at this table; none if there is one.
async fn seat(
    conn: &mut AsyncPgConnection,
    world: &World,
    table: &TableRow,
    size: i16,
    by: PlayerId,
) -> ApiResult<Option<SittingRow>> {
    if table.archived_at.is_some() {
        return Err(not_found("table_not_found"));
    }
    if table.out_since.is_some() {
        return Err(conflict("table_out_of_service"));
    }
    let now = world.now();
    let new = NewSitting {
        id: SittingId(world.uuid()),
        table_id: table.id,
        party_size: size,
        join_token: &encode(&world.bytes::<18>()),
        opened_at: now.into(),
        opened_by: by,
        remind_at: (now + LONG).into(),
    };
    match store::insert(conn, &new).await {
        Err(err) if names(&err, "sittings_opened_by_fkey") => Err(unauthorized("session_ended")),
        made => Ok(made?),
    }
}

/// Of a sitting that is locked. A party is at least as many as have come.
async fn let_in(
    conn: &mut AsyncPgConnection,
    world: &World,
    sitting: SittingRow,
    player: PlayerId,
) -> ApiResult<SittingRow> {
    if sitting.closing_at.is_some() && !store::is_member(conn, sitting.id, player).await? {
        return Err(conflict("table_closing"));
    }
    let is_new = match store::insert_member(conn, sitting.id, player, world.now()).await {
        Err(err) if names(&err, "sitting_members_player_id_fkey") => return Err(unauthorized("session_ended")),
        made => made?,
    };
    if !is_new {
        return Ok(sitting);
    }
    let members = store::count_members(conn, sitting.id).await?;
    if members > MOST_MEMBERS {
        return Err(conflict("sitting_full"));
    }
    if members <= i64::from(sitting.party_size) {
        return Ok(sitting);
    }
    let now = super::Facts { party_size: party_size(members)?, ..sitting.facts() };
    Ok(store::write(conn, sitting.id, &now).await?)
}

fn names(err: &DieselError, constraint: &str) -> bool {
    matches!(err, DieselError::DatabaseError(_, info) if info.constraint_name() == Some(constraint))
}
