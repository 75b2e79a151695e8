//! Matches whose players are set when they are made: bouts of tournaments. All within the caller's transaction.

use diesel_async::AsyncPgConnection;
use serde_json::Value;

use super::plan::{Plan, Rules, make};
use super::start;
use super::terms::Terms;
use super::{MatchRow, Mode, Status, lock, results, store};
use crate::variants;
use base::error::{Result, conflict, internal};
use base::ids::{MatchId, PlayerId, TableId, VariantId};
use base::world::World;

/// A match of which the caller has decided everything.
pub struct Arranged<'a> {
    pub game: &'a str,
    /// What is played, if it is an `other` game.
    pub title: Option<&'a str>,
    pub name: &'a str,
    pub options: &'a Value,
    pub variant: Option<(VariantId, i32)>,
    pub mode: Mode,
    pub turn_seconds: Option<i32>,
    pub table: Option<TableId>,
    /// By seat.
    pub players: &'a [PlayerId],
}

/// Refuses what cannot be played by so many with these options.
pub fn expect_playable(game: &str, options: Option<&Value>, seats: u8) -> Result<()> {
    Rules::of(game, options, seats).map(|_| ())
}

/// Makes the match, with all its players in their seats.
pub async fn arrange(
    conn: &mut AsyncPgConnection,
    world: &World,
    creator: PlayerId,
    arranged: &Arranged<'_>,
) -> Result<MatchRow> {
    let seats = u8::try_from(arranged.players.len()).map_err(internal)?;
    let rules = Rules::of(arranged.game, Some(arranged.options), seats)?;
    let plan = Plan {
        rules: &rules,
        seat_count: i16::from(seats),
        name: Some(arranged.name),
        mode: arranged.mode,
        table_id: arranged.table,
        sitting: None,
        turn_seconds: arranged.turn_seconds,
        variant: same_variant(conn, arranged, &rules).await?,
    };
    let terms = Terms { title: arranged.title.map(str::to_owned), ..Terms::default() };
    let row = make(conn, world, creator, &plan, &terms).await?;
    for (seat, player) in (0..).zip(arranged.players) {
        store::insert_seat(conn, row.id, seat, *player, world.now()).await?;
    }
    Ok(row)
}

/// The version that was named, unless the game was revised since: the same options are other rules then, by which the rest is played.
async fn same_variant(
    conn: &mut AsyncPgConnection,
    arranged: &Arranged<'_>,
    rules: &Rules,
) -> Result<Option<(VariantId, i32)>> {
    let Some((id, number)) = arranged.variant else { return Ok(None) };
    let version = variants::store::find_version(conn, id, number).await?;
    Ok(version.filter(|it| it.variant_hash == rules.variant_hash.0).map(|_| (id, number)))
}

/// Starts the match if it waits and all its seats are taken: its count of news.
pub async fn begin(conn: &mut AsyncPgConnection, world: &World, id: MatchId) -> Result<Option<i64>> {
    let row = lock(conn, id).await?;
    if row.status != Status::Waiting {
        return Ok(None);
    }
    let seats = store::list_all_seats(conn, &[id]).await?;
    if seats.players.len() != usize::from(row.seat_count.unsigned_abs()) {
        return Err(conflict("seats_open"));
    }
    start::begin(conn, world, &row, &seats).await.map(Some)
}

/// Locks matches of which several results may change, before the first of them does.
pub async fn lock_results(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> Result<()> {
    store::lock_results(conn, ids).await?;
    Ok(())
}

/// Calls the match off unless it is over: its count of news.
pub async fn abort_unless_over(conn: &mut AsyncPgConnection, world: &World, id: MatchId) -> Result<Option<i64>> {
    match lock(conn, id).await?.status.is_over() {
        true => Ok(None),
        false => Ok(Some(store::abort(conn, id, world.now()).await?)),
    }
}

/// Whether somebody has moved in it, or players have reported how it ended. What staff wrote down does not count.
pub async fn is_under_way(conn: &mut AsyncPgConnection, id: MatchId) -> Result<bool> {
    let row = lock(conn, id).await?;
    let reported = results::store::list_reports(conn, &[id]).await?;
    Ok(row.version > 0 && row.status != Status::Aborted || !reported.is_empty())
}

/// The match is as if it had been called off, also if staff have written down how it ended: its count of news.
pub async fn void(conn: &mut AsyncPgConnection, world: &World, id: MatchId) -> Result<Option<i64>> {
    match lock(conn, id).await?.status {
        Status::Waiting | Status::Running => Ok(Some(store::abort(conn, id, world.now()).await?)),
        Status::Finished => {
            let written = results::store::list(conn, id).await?;
            results::store::replace(conn, &written.iter().map(|it| it.id).collect::<Vec<_>>()).await?;
            Ok(Some(store::void(conn, id, world.now()).await?))
        }
        Status::Aborted | Status::Expired => Ok(None),
    }
}

/// The match is played at this table, or at none: its count of news.
pub async fn bring_to(conn: &mut AsyncPgConnection, id: MatchId, table: Option<TableId>) -> Result<i64> {
    Ok(store::bring_to(conn, id, table).await?)
}
