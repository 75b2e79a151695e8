//! A match is made: for a player, or by staff for a party.

use diesel_async::{AsyncConnection, AsyncPgConnection};

use super::plan::{Plan, Rules, WaitingQuota, make_own};
use super::request::NewMatchRequest;
use super::seats::take_seat;
use super::terms::{Terms, within};
use super::undo::MatchUndo;
use super::{MatchRow, Mode, record_of_staff};
use crate::sittings::{self, SittingRow};
use crate::variants;
use base::auth::{Identity, Role, StaffContext, can};
use base::error::{Error, Result, conflict, invalid_field, unprocessable};
use base::games::OTHER;
use base::live::Live;
use base::undo::{Change, UndoId, WayBack};
use base::world::World;

const TURN_SECONDS: std::ops::RangeInclusive<i64> = 10..=86_400;

/// A match of this player's, if they may have one more that nobody has started.
pub async fn create(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Identity,
    quota: Option<WaitingQuota>,
    request: &NewMatchRequest,
) -> Result<MatchRow> {
    let row = conn.transaction(async |conn| insert_recorded(conn, world, live, player, quota, request).await).await?;
    live.tell(row.id, row.change_seq);
    Ok(row)
}

/// The same, and the player sits on its first seat: both or nothing.
pub async fn create_and_sit(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Identity,
    quota: Option<WaitingQuota>,
    request: &NewMatchRequest,
) -> Result<MatchRow> {
    let create = async |conn: &mut _| {
        let row = insert_recorded(conn, world, live, player, quota, request).await?;
        Ok::<_, Error>(take_seat(conn, world, player.id, row.id, None, None).await?.row)
    };
    let row = conn.transaction(create).await?;
    live.tell(row.id, row.change_seq);
    Ok(row)
}

/// What staff make is on record.
async fn insert_recorded(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Identity,
    quota: Option<WaitingQuota>,
    request: &NewMatchRequest,
) -> Result<MatchRow> {
    let row = insert(conn, world, live, player, quota, request).await?;
    if player.role >= Role::Staff {
        record_of_staff(conn, world, player, "match.make", &row).await?;
    }
    Ok(row)
}

/// Staff make a match for a party, and can undo it until somebody sits down to it.
pub async fn create_for(
    cx: &mut StaffContext<'_, can::RunFloor>,
    sitting: &SittingRow,
    request: &NewMatchRequest,
) -> Result<(MatchRow, Option<UndoId>)> {
    if sitting.closed_at.is_some() {
        return Err(conflict("sitting_over"));
    }
    cx.undoable(async |conn, actor| {
        let row = insert(conn, actor.world, actor.live, actor.staff, None, request).await?;
        let way_back = WayBack::new("match.make", &MatchUndo::Match { id: row.id })?.at(sitting.table_id);
        let news = vec![(row.id, row.change_seq)];
        Ok(Change::new(row, way_back).telling(news))
    })
    .await
}

async fn insert(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Identity,
    quota: Option<WaitingQuota>,
    request: &NewMatchRequest,
) -> Result<MatchRow> {
    let mode = request.mode.as_deref().map_or(Ok(Mode::Played), str::parse);
    let unknown_mode = || unprocessable("unknown_mode").with_field("/mode", "unknown_value");
    let mode = mode.map_err(|_| unknown_mode())?;
    if request.game == OTHER && mode != Mode::Scored {
        return Err(unknown_mode());
    }
    // A match with real dice has no clock.
    if mode == Mode::Scored && request.turn_seconds.is_some() {
        return Err(invalid_field("/turn_seconds", "invalid"));
    }
    let turn_seconds =
        request.turn_seconds.map(|seconds| within(seconds, TURN_SECONDS, "/turn_seconds")).transpose()?;
    let terms = Terms::of(request)?;
    let seats = u8::try_from(request.seats).unwrap_or(0);
    let NewMatchRequest { game, variant_id, variant_version, options, .. } = request;
    let variant = variants::chosen(conn, player, game, *variant_id, *variant_version, options.is_some()).await?;
    let given = variant.as_ref().map(|it| &it.options).or(request.options.as_ref());
    let rules = Rules::of(&request.game, given, seats)?;
    // A version from before the game was revised is not what it was.
    if variant.as_ref().is_some_and(|it| it.variant_hash != rules.variant_hash.0) {
        return Err(conflict("variant_outdated"));
    }
    let sitting = match request.table_id {
        Some(table) => Some(sittings::of_new_match(conn, world, live, player, table, i16::from(seats)).await?),
        None => None,
    };
    let plan = Plan {
        rules: &rules,
        seat_count: i16::from(seats),
        // A match of another game goes by its title.
        name: request.name.as_ref().or(request.title.as_ref()).map(|name| name.0.as_str()),
        mode,
        table_id: request.table_id,
        sitting,
        turn_seconds,
        variant: variant.as_ref().map(|it| (it.variant_id, it.number)),
    };
    make_own(conn, world, player.id, quota, &plan, &terms).await
}
