//! The versions of a match, one after the other.

use diesel::deserialize::{self, FromSql};
use diesel::dsl::sql;
use diesel::pg::{Pg, PgValue};
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{Bool, Json as SqlJson, SmallInt, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use engine::Json;
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use crate::matches::MadeBy;
use base::db::fixed;
use base::ids::{MatchId, PlayerId};
use base::schema::{match_log, match_seats};

/// One version of a match.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = match_log, check_for_backend(Pg))]
pub struct LogRow {
    pub version: i32,
    pub seat: Option<i16>,
    #[diesel(column_name = move_)]
    pub chosen: Option<JsonText>,
    pub chance: JsonText,
    pub events: JsonText,
    pub made_by: MadeBy,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub at: Timestamp,
}

/// JSON as the text that it is: neither parsed on its way into the database nor on its way out.
#[derive(Debug, diesel::expression::AsExpression, diesel::deserialize::FromSqlRow)]
#[diesel(sql_type = SqlJson)]
pub struct JsonText(pub Json);

impl FromSql<SqlJson, Pg> for JsonText {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(serde_json::from_slice(value.as_bytes())?))
    }
}

impl ToSql<SqlJson, Pg> for JsonText {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        std::io::Write::write_all(out, self.0.get().as_bytes())?;
        Ok(IsNull::No)
    }
}

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
pub async fn list_makers(conn: &mut AsyncPgConnection, id: MatchId, seat: i16, limit: i64) -> QueryResult<Vec<MadeBy>> {
    // What was before a stand-in came is not the stand-in's.
    let since = fixed::<Bool>(
        "version > coalesce((SELECT max(from_version) FROM match_stand_ins s WHERE s.match_id = $1 AND s.seat = $2), 0)",
    );
    let since = since.bind::<Uuid, _>(id).bind::<SmallInt, _>(seat);
    let moves = match_log::table.filter(match_log::match_id.eq(id)).filter(match_log::seat.eq(seat)).filter(since);
    moves.order(match_log::version.desc()).limit(limit).select(match_log::made_by).load(conn).await
}

/// The versions after this one, rising.
pub async fn list_log(conn: &mut AsyncPgConnection, id: MatchId, after: i32, limit: i64) -> QueryResult<Vec<LogRow>> {
    match_log::table
        .filter(match_log::match_id.eq(id))
        .filter(match_log::version.gt(after))
        .order(match_log::version)
        .limit(limit)
        .select(LogRow::as_select())
        .load(conn)
        .await
}

/// A move that a player made themselves.
#[derive(Queryable)]
pub struct OwnMove {
    pub match_id: MatchId,
    pub version: i32,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub at: Timestamp,
    pub chosen: Option<JsonText>,
}

/// This player's moves in these matches, by match and version; those that the autopilot made for them are not theirs.
pub async fn list_moves_of(
    conn: &mut AsyncPgConnection,
    player: PlayerId,
    ids: &[MatchId],
) -> QueryResult<Vec<OwnMove>> {
    let of_seat = match_seats::match_id.eq(match_log::match_id).and(match_seats::seat.nullable().eq(match_log::seat));
    match_log::table
        .inner_join(match_seats::table.on(of_seat))
        .filter(match_log::match_id.eq_any(ids))
        .filter(
            sql::<Bool>(
                "coalesce((SELECT s.player_id FROM match_stand_ins s WHERE s.match_id = match_log.match_id \
                 AND s.seat = match_log.seat AND s.from_version < match_log.version \
                 ORDER BY s.from_version DESC LIMIT 1), match_seats.player_id) = ",
            )
            .bind::<Uuid, _>(player),
        )
        .filter(match_log::made_by.eq(MadeBy::Player))
        .order((match_log::match_id, match_log::version))
        .select((match_log::match_id, match_log::version, match_log::at, match_log::move_))
        .load(conn)
        .await
}
