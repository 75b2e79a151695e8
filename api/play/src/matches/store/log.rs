//! The versions of a match, one after the other.

use std::collections::HashMap;

use diesel::dsl::max;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, Integer, Nullable, SmallInt, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use crate::logs::{self, MadeBy};
pub use crate::logs::{JsonText, LogRow};
use base::db::statement;
use base::ids::{MatchId, PlayerId};
use base::schema::{match_log, match_stand_ins};

/// A version of a match, as it is written down.
#[derive(Insertable)]
#[diesel(table_name = match_log)]
pub struct NewLogRow {
    pub match_id: MatchId,
    pub version: i32,
    pub seat: Option<i16>,
    #[diesel(column_name = move_)]
    pub chosen: Option<JsonText>,
    pub chance: JsonText,
    pub events: JsonText,
    pub made_by: MadeBy,
    pub at: SqlTimestamp,
}

/// By whom the latest moves of this seat were made, the latest first.
pub async fn list_makers(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    seat: i16,
    limit: usize,
) -> QueryResult<Vec<MadeBy>> {
    // What was before a stand-in came is not the stand-in's.
    let since: Option<i32> = match_stand_ins::table
        .filter(match_stand_ins::match_id.eq(id))
        .filter(match_stand_ins::seat.eq(seat))
        .select(max(match_stand_ins::from_version))
        .get_result(conn)
        .await?;
    let steps = logs::read_steps(conn, &[id]).await?;
    let theirs =
        steps.iter().rev().map(|(_, it)| it).filter(|it| it.seat == Some(seat) && it.version > since.unwrap_or(0));
    Ok(theirs.map(|it| it.made_by).take(limit).collect())
}

/// The versions after this one, rising.
pub async fn list_log(conn: &mut AsyncPgConnection, id: MatchId, after: i32, limit: i64) -> QueryResult<Vec<LogRow>> {
    logs::read(conn, id, after, limit).await
}

/// A move that a player made themselves.
pub struct OwnMove {
    pub match_id: MatchId,
    pub version: i32,
    pub at: Timestamp,
    pub chosen: Option<JsonText>,
}

/// Who a seat's moves after this version are.
#[derive(QueryableByName)]
struct Holder {
    #[diesel(sql_type = Uuid)]
    match_id: MatchId,
    #[diesel(sql_type = SmallInt)]
    seat: i16,
    #[diesel(sql_type = Integer)]
    from_version: i32,
    #[diesel(sql_type = Nullable<Uuid>)]
    player_id: Option<PlayerId>,
}

/// This player's moves in these matches, by match and version; those that the autopilot made for them are not theirs.
pub async fn list_moves_of(
    conn: &mut AsyncPgConnection,
    player: PlayerId,
    ids: &[MatchId],
) -> QueryResult<Vec<OwnMove>> {
    let mut holders: HashMap<(MatchId, i16), Vec<Holder>> = HashMap::new();
    for holder in list_holders(conn, ids).await? {
        holders.entry((holder.match_id, holder.seat)).or_default().push(holder);
    }
    let is_theirs = |id: MatchId, row: &LogRow| {
        let holders = row.seat.and_then(|seat| holders.get(&(id, seat)));
        let holder = holders.and_then(|all| all.iter().rev().find(|it| it.from_version < row.version));
        row.made_by == MadeBy::Player && holder.is_some_and(|it| it.player_id == Some(player))
    };
    let log = logs::read_many(conn, ids).await?.into_iter().filter(|(id, row)| is_theirs(*id, row));
    Ok(log.map(|(match_id, LogRow { version, at, chosen, .. })| OwnMove { match_id, version, at, chosen }).collect())
}

/// Of each seat the first, and then its stand-ins in their order.
async fn list_holders(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<Holder>> {
    const HOLDERS: &str = "\
        SELECT match_id, seat, -1 AS from_version, player_id FROM match_seats WHERE match_id = ANY ($1) \
        UNION ALL \
        SELECT match_id, seat, from_version, player_id FROM match_stand_ins \
        WHERE match_id = ANY ($1) AND from_version IS NOT NULL \
        ORDER BY match_id, seat, from_version";
    let ids: Vec<uuid::Uuid> = ids.iter().map(|id| id.0).collect();
    statement(HOLDERS).bind::<Array<Uuid>, _>(ids).load(conn).await
}
