//! How a sitting begins, and who belongs to it. Players who scan the code on the table join its party; others make no match
//! there, join none and call nobody. Staff who run the floor may do so at any table.

use diesel_async::{AsyncConnection, AsyncPgConnection};

use super::store::{self, NewSitting};
use super::{LONG, SittingId, SittingRow, SittingUndo, party_size};
use crate::tables::{self, TableRow};
use base::auth::secrets::encode;
use base::auth::{Actor, Identity, Permission, StaffContext, can, holds};
use base::codes::normal_code;
use base::db::OnConstraint;
use base::error::{Error, Result, conflict, forbidden, not_found, unauthorized, unprocessable};
use base::ids::{MatchId, PlayerId, TableId, UndoId};
use base::live::Live;
use base::undo::{Change, WayBack};
use base::world::World;

/// No party has more phones.
const MOST_MEMBERS: i64 = 99;

/// A party and where it sits.
#[derive(Debug)]
pub struct PartyAt {
    pub table: TableRow,
    pub sitting: SittingRow,
}

/// Whether a party may sit down where a bout of a tournament is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// That is refused.
    Kept,
    /// Staff say that it may, all the same.
    Overridden,
}

impl Held {
    /// As a caller says it who may force it.
    pub fn of(force: bool) -> Self {
        if force { Self::Overridden } else { Self::Kept }
    }
}

/// Staff seat a party.
pub async fn open(
    cx: &mut StaffContext<'_, can::RunFloor>,
    table: TableId,
    size: i16,
    held: Held,
) -> Result<(PartyAt, Option<UndoId>)> {
    let (conn, actor) = cx.parts().await?;
    open_as(conn, actor, table, size, held).await
}

/// For an actor whose permission to run the floor is known.
async fn open_as(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    table: TableId,
    size: i16,
    held: Held,
) -> Result<(PartyAt, Option<UndoId>)> {
    let opened = actor.undoable(conn, async |conn, actor| {
        let party = open_within(conn, actor, table, size, held).await?;
        let way_back = SittingUndo::Open { sitting: party.sitting.id };
        let way_back = WayBack::new("sitting.open", &way_back)?.at(party.table.id);
        Ok(Change::new(party, way_back))
    });
    opened.await
}

/// The same as a part of a transaction of the caller, who keeps the way back.
pub async fn open_within(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    table: TableId,
    size: i16,
    held: Held,
) -> Result<PartyAt> {
    let table = tables::store::lock_shared(conn, table).await?.ok_or_else(|| not_found("table_not_found"))?;
    if held == Held::Kept {
        expect_not_held(conn, table.id).await?;
    }
    let sitting = seat(conn, actor.world, &table, size, actor.staff.id).await?;
    let sitting = sitting.ok_or_else(|| conflict("table_occupied"))?;
    Ok(PartyAt { table, sitting })
}

/// Refuses where a bout of a tournament is to be played or is played.
pub(super) async fn expect_not_held(conn: &mut AsyncPgConnection, table: TableId) -> Result<()> {
    match tables::store::find_hold(conn, table).await? {
        Some(hold) => Err(conflict("table_held").with("tournament", hold.tournament)),
        None => Ok(()),
    }
}

/// Who scanned the code on a table.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'a> {
    pub player: PlayerId,
    pub code: &'a str,
    /// How many they are, if they say so.
    pub size: Option<i64>,
    pub held: Held,
}

/// Somebody scanned the code on a table: they belong to the party that sits there, or are the first of a new one. A table that a bout
/// holds opens to nobody. Staff hear of who comes to a party that was complete.
pub async fn scan(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    Scan { player, code, size, held }: Scan<'_>,
) -> Result<PartyAt> {
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
                None => {
                    if held == Held::Kept {
                        expect_not_held(conn, table.id).await?;
                    }
                    match seat(conn, world, &table, size, player).await? {
                        Some(sitting) => Some(sitting),
                        // Somebody else at the table was quicker.
                        None => store::lock_open(conn, table.id).await?,
                    }
                }
            };
            let sitting = sitting.ok_or_else(|| conflict("busy"))?;
            let known = sitting.party_size;
            let sitting = let_in(conn, world, sitting, player).await?;
            if sitting.party_size > known {
                store::set_uninvited(conn, sitting.id, player, true).await?;
            }
            Ok::<_, Error>(PartyAt { table, sitting })
        })
        .await?;
    live.tell_floor();
    Ok(party)
}

/// Whether somebody may sit down where a bout is to be played, as they ask for it. Only staff who run the floor may.
pub async fn held_for(conn: &mut AsyncPgConnection, player: Option<&Identity>, force: bool) -> Result<Held> {
    let may = match player {
        _ if !force => return Ok(Held::Kept),
        Some(player) => holds(conn, player, Permission::RunFloor).await?,
        None => false,
    };
    if may { Ok(Held::Overridden) } else { Err(forbidden("forbidden")) }
}

/// With the token that a member of the party passed on.
pub async fn join(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    token: &str,
) -> Result<SittingRow> {
    let sitting = conn
        .transaction(async |conn| {
            let sitting = store::lock_by_token(conn, token).await?.ok_or_else(|| forbidden("join_token_invalid"))?;
            let_in(conn, world, sitting, player).await
        })
        .await?;
    live.tell_floor();
    Ok(sitting)
}

/// A member of the party whose match it is brings somebody along who plays on the same phone. Where no table is meant, nobody
/// has to belong to a party.
pub async fn bring_along(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    (host, guest): (PlayerId, PlayerId),
    id: MatchId,
) -> Result<()> {
    let Some(sitting) = store::find_of_match(conn, id).await? else { return Ok(()) };
    conn.transaction(async |conn| {
        let sitting = expect_member(conn, sitting.id, host).await?;
        let_in(conn, world, sitting, guest).await
    })
    .await?;
    live.tell_floor();
    Ok(())
}

/// The sitting that a new match at this table belongs to, if this player may make one there. Until the transaction ends nobody is taken
/// off the party. Staff who make one at a free table seat a party with it.
pub async fn of_new_match(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Identity,
    table: TableId,
    seats: i16,
) -> Result<SittingId> {
    let unknown = || unprocessable("unknown_table").with_field("/table_id", "unknown_value");
    let table = tables::store::find(conn, table).await?.filter(|it| it.archived_at.is_none()).ok_or_else(unknown)?;
    let sitting = store::lock_open(conn, table.id).await?;
    if let Some(sitting) = &sitting
        && store::is_member(conn, sitting.id, player.id).await?
    {
        return if sitting.closing_at.is_some() { Err(conflict("table_closing")) } else { Ok(sitting.id) };
    }
    if !holds(conn, player, Permission::RunFloor).await? {
        return Err(forbidden("not_at_table"));
    }
    match sitting {
        Some(sitting) => Ok(sitting.id),
        None => {
            let (party, _) = open_as(conn, Actor { world, live, staff: player }, table.id, seats, Held::Kept).await?;
            Ok(party.sitting.id)
        }
    }
}

/// Refuses a player who is not in the party whose match it is.
pub async fn lets_in(conn: &mut AsyncPgConnection, id: MatchId, player: PlayerId) -> Result<()> {
    if store::lets_in(conn, id, player).await? { Ok(()) } else { Err(forbidden("not_at_table")) }
}

/// The sitting, if this player is of the party and it is still there. Until the transaction ends it stays.
pub async fn expect_member(conn: &mut AsyncPgConnection, id: SittingId, player: PlayerId) -> Result<SittingRow> {
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
    player: &Identity,
) -> Result<SittingRow> {
    let row = store::find(conn, id).await?;
    let may = store::is_member(conn, id, player.id).await? || holds(conn, player, Permission::RunFloor).await?;
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
) -> Result<Option<SittingRow>> {
    if table.archived_at.is_some() {
        return Err(not_found("table_not_found"));
    }
    if table.out_of_service_since.is_some() {
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
    store::insert(conn, &new).await.on_constraint("sittings_opened_by_fkey", session_ended)
}

/// Of a sitting that is locked. A party is at least as many as have come.
async fn let_in(
    conn: &mut AsyncPgConnection,
    world: &World,
    sitting: SittingRow,
    player: PlayerId,
) -> Result<SittingRow> {
    if sitting.closing_at.is_some() && !store::is_member(conn, sitting.id, player).await? {
        return Err(conflict("table_closing"));
    }
    let joined = store::insert_member(conn, sitting.id, player, world.now()).await;
    let is_new = joined.on_constraint("sitting_members_player_id_fkey", session_ended)?;
    if !is_new {
        let is_member = store::is_member(conn, sitting.id, player).await?;
        return if is_member { Ok(sitting) } else { Err(forbidden("removed_from_party")) };
    }
    let members = store::count_members(conn, sitting.id).await?;
    if members > MOST_MEMBERS {
        return Err(conflict("sitting_full"));
    }
    if members <= i64::from(sitting.party_size) {
        return Ok(sitting);
    }
    let now = sitting.state().of_people(party_size(members)?, world.now());
    Ok(store::write(conn, sitting.id, &now).await?)
}

fn session_ended() -> Error {
    unauthorized("session_ended")
}
