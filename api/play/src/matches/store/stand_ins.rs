//! Seats that are offered to somebody else, and who took them.

use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::Integer;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};

use crate::matches::{BotLevel, Leaving};
use base::db::fixed;
use base::ids::{MatchId, PlayerId};
use base::schema::{match_seats, match_stand_ins, matches, players};

/// Offers the seat to the first player, by the second.
pub async fn offer_seat(
    conn: &mut AsyncPgConnection,
    offer: uuid::Uuid,
    id: MatchId,
    seat: i16,
    player: PlayerId,
    by: PlayerId,
    now: Timestamp,
) -> QueryResult<usize> {
    let of_seat =
        match_stand_ins::table.filter(match_stand_ins::match_id.eq(id)).filter(match_stand_ins::seat.eq(seat));
    diesel::delete(of_seat.filter(match_stand_ins::accepted_at.is_null())).execute(conn).await?;
    let offered = (
        match_stand_ins::id.eq(offer),
        match_stand_ins::match_id.eq(id),
        match_stand_ins::seat.eq(seat),
        match_stand_ins::player_id.eq(player),
        match_stand_ins::offered_by.eq(by),
        match_stand_ins::offered_at.eq(SqlTimestamp::from(now)),
    );
    diesel::insert_into(match_stand_ins::table).values(offered).execute(conn).await
}

/// The name of whom this seat is offered to at this moment.
pub async fn find_offered(conn: &mut AsyncPgConnection, id: MatchId, seat: i16) -> QueryResult<Option<String>> {
    match_stand_ins::table
        .inner_join(players::table.on(players::id.eq(match_stand_ins::player_id)))
        .filter(match_stand_ins::match_id.eq(id).and(match_stand_ins::seat.eq(seat)))
        .filter(match_stand_ins::accepted_at.is_null())
        .select(players::display_name)
        .first(conn)
        .await
        .optional()
}

/// The open offer to this player in this match, and of which seat.
pub async fn find_offer(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    player: PlayerId,
) -> QueryResult<Option<(uuid::Uuid, i16)>> {
    match_stand_ins::table
        .filter(match_stand_ins::match_id.eq(id))
        .filter(match_stand_ins::player_id.eq(player))
        .filter(match_stand_ins::accepted_at.is_null())
        .order(match_stand_ins::seat)
        .select((match_stand_ins::id, match_stand_ins::seat))
        .first(conn)
        .await
        .optional()
}

/// Of a match that is locked and runs. Gives the news.
pub async fn accept_seat(
    conn: &mut AsyncPgConnection,
    offer: uuid::Uuid,
    id: MatchId,
    seat: i16,
    player: PlayerId,
    version: i32,
    now: Timestamp,
) -> QueryResult<i64> {
    let accepted =
        (match_stand_ins::accepted_at.eq(SqlTimestamp::from(now)), match_stand_ins::from_version.eq(version));
    diesel::update(match_stand_ins::table.find(offer)).set(accepted).execute(conn).await?;
    let others = match_stand_ins::table
        .filter(match_stand_ins::match_id.eq(id))
        .filter(match_stand_ins::player_id.eq(player))
        .filter(match_stand_ins::accepted_at.is_null());
    diesel::delete(others).execute(conn).await?;
    let stands_in = (match_seats::stand_in_id.eq(player), match_seats::bot.eq(None::<BotLevel>));
    diesel::update(match_seats::table.find((id, seat))).set(stands_in).execute(conn).await?;
    mark_held(conn, id, seat).await
}

/// Its own player plays on at this seat: nobody else is offered it any more. Of a match that is locked and runs. Gives the news.
pub async fn take_back(conn: &mut AsyncPgConnection, id: MatchId, seat: i16) -> QueryResult<i64> {
    let offered =
        match_stand_ins::table.filter(match_stand_ins::match_id.eq(id)).filter(match_stand_ins::seat.eq(seat));
    diesel::delete(offered.filter(match_stand_ins::accepted_at.is_null())).execute(conn).await?;
    let here = (
        match_seats::left_at.eq(None::<SqlTimestamp>),
        match_seats::left_why.eq(None::<Leaving>),
        match_seats::bot.eq(None::<BotLevel>),
    );
    diesel::update(match_seats::table.find((id, seat))).set(here).execute(conn).await?;
    mark_held(conn, id, seat).await
}

/// A player plays for this seat again. Gives the news.
async fn mark_held(conn: &mut AsyncPgConnection, id: MatchId, seat: i16) -> QueryResult<i64> {
    let still_left = fixed::<Integer>("resigned & ~$1").bind::<Integer, _>(1 << seat);
    diesel::update(matches::table.find(id))
        .set((matches::resigned.eq(still_left), matches::change_seq.eq(matches::change_seq + 1)))
        .returning(matches::change_seq)
        .get_result(conn)
        .await
}

/// Whether this player holds or ever held a seat of the match, perhaps besides one.
pub async fn has_held(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    player: PlayerId,
    but: Option<i16>,
) -> QueryResult<bool> {
    let sat = match_seats::table
        .filter(match_seats::match_id.eq(id))
        .filter(match_seats::seat.nullable().is_distinct_from(but))
        .filter(match_seats::player_id.eq(player));
    let stood_in = match_stand_ins::table
        .filter(match_stand_ins::match_id.eq(id))
        .filter(match_stand_ins::seat.nullable().is_distinct_from(but))
        .filter(match_stand_ins::accepted_at.is_not_null())
        .filter(match_stand_ins::player_id.eq(player));
    diesel::select(exists(sat).or(exists(stood_in))).get_result(conn).await
}

/// All players who hold or ever held a seat of the match.
pub async fn list_holders(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Vec<PlayerId>> {
    let sat = match_seats::table.filter(match_seats::match_id.eq(id)).filter(match_seats::player_id.is_not_null());
    let sat = sat.select(match_seats::player_id.assume_not_null());
    let mut holders: Vec<PlayerId> = sat.load(conn).await?;
    let stood_in = match_stand_ins::table
        .filter(match_stand_ins::match_id.eq(id))
        .filter(match_stand_ins::accepted_at.is_not_null())
        .select(match_stand_ins::player_id);
    holders.extend(stood_in.load::<PlayerId>(conn).await?);
    Ok(holders)
}

/// Who stood in for whom, in the order in which they did.
#[derive(Clone, Debug, Queryable)]
pub struct StandInRow {
    pub seat: i16,
    pub player_id: PlayerId,
    pub display_name: String,
    pub from_version: Option<i32>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub left_at: Option<Timestamp>,
}

pub async fn list_stand_ins(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Vec<StandInRow>> {
    match_stand_ins::table
        .inner_join(players::table.on(players::id.eq(match_stand_ins::player_id)))
        .filter(match_stand_ins::match_id.eq(id))
        .filter(match_stand_ins::accepted_at.is_not_null())
        .order(match_stand_ins::accepted_at)
        .select((
            match_stand_ins::seat,
            match_stand_ins::player_id,
            players::display_name,
            match_stand_ins::from_version,
            match_stand_ins::left_at,
        ))
        .load(conn)
        .await
}
