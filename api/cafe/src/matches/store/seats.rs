//! Who sits where, and what becomes of their seats.

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_query;
use diesel::sql_types::{Bool, Integer, Nullable, Text, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};

use crate::ids::{MatchId, PlayerId};
use crate::matches::{Leaving, Mode, Status};
use crate::schema::{match_seats, match_stand_ins, matches, players, tournament_bouts};

/// A seat that is taken, and by whom.
#[derive(Clone, Debug, Queryable)]
pub struct SeatRow {
    pub match_id: MatchId,
    pub seat: i16,
    pub player_id: PlayerId,
    pub display_name: String,
    /// Whether the account is gone.
    pub deleted: bool,
    /// Tells the player from another at the match whose name looks the same.
    pub tag: Option<String>,
    pub nonce: Option<String>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub joined_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub left_at: Option<Timestamp>,
    pub left_why: Option<Leaving>,
    /// Who plays on for the player who left.
    pub stand_in_id: Option<PlayerId>,
    pub stand_in_name: Option<String>,
}

impl SeatRow {
    /// Who plays for this seat now, or did last.
    pub fn holder(&self) -> PlayerId {
        self.stand_in_id.unwrap_or(self.player_id)
    }

    /// Whether its player left only because the time ran out, and nobody stands in.
    pub fn may_be_taken_back(&self) -> bool {
        self.left_why == Some(Leaving::TimedOut) && self.stand_in_id.is_none()
    }

    /// Whether this player holds the seat or ever sat down there.
    pub fn knows(&self, player: PlayerId) -> bool {
        self.player_id == player || self.stand_in_id == Some(player)
    }
}

/// Of these matches, by match and seat.
pub async fn list_seats(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<SeatRow>> {
    let stand_ins = diesel::alias!(players as stand_ins);
    let mut seats: Vec<SeatRow> = match_seats::table
        .inner_join(players::table.on(match_seats::player_id.eq(players::id)))
        .left_join(stand_ins.on(match_seats::stand_in_id.eq(stand_ins.field(players::id).nullable())))
        .filter(match_seats::match_id.eq_any(ids))
        .order((match_seats::match_id, match_seats::seat))
        .select((
            match_seats::match_id,
            match_seats::seat,
            match_seats::player_id,
            players::display_name,
            players::deleted_at.is_not_null(),
            None::<&str>.into_sql::<Nullable<Text>>(),
            match_seats::nonce,
            match_seats::joined_at,
            match_seats::left_at,
            match_seats::left_why,
            match_seats::stand_in_id,
            stand_ins.field(players::display_name).nullable(),
        ))
        .load(conn)
        .await?;
    for of_match in seats.chunk_by_mut(|one, other| one.match_id == other.match_id) {
        let people: Vec<_> = of_match.iter().map(|it| (it.player_id, it.display_name.as_str())).collect();
        let tags = crate::players::tags(&people);
        of_match.iter_mut().zip(tags).for_each(|(seat, tag)| seat.tag = tag);
    }
    Ok(seats)
}

pub async fn insert_seat(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    seat: i16,
    player: PlayerId,
    nonce: Option<&str>,
    now: Timestamp,
) -> QueryResult<usize> {
    let taken = (
        match_seats::match_id.eq(id),
        match_seats::seat.eq(seat),
        match_seats::player_id.eq(player),
        match_seats::nonce.eq(nonce),
        match_seats::joined_at.eq(SqlTimestamp::from(now)),
    );
    diesel::insert_into(match_seats::table).values(taken).execute(conn).await
}

pub async fn delete_seat(conn: &mut AsyncPgConnection, id: MatchId, player: PlayerId) -> QueryResult<usize> {
    let mine = match_seats::table.filter(match_seats::match_id.eq(id)).filter(match_seats::player_id.eq(player));
    diesel::delete(mine).execute(conn).await
}

pub async fn mark_left(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    seat: i16,
    why: Leaving,
    now: Timestamp,
) -> QueryResult<usize> {
    let at = SqlTimestamp::from(now);
    let stood_in = match_stand_ins::table
        .filter(match_stand_ins::match_id.eq(id))
        .filter(match_stand_ins::seat.eq(seat))
        .filter(match_stand_ins::accepted_at.is_not_null())
        .filter(match_stand_ins::left_at.is_null());
    if diesel::update(stood_in).set(match_stand_ins::left_at.eq(at)).execute(conn).await? > 0 {
        return Ok(1);
    }
    let left = (match_seats::left_at.eq(at), match_seats::left_why.eq(why));
    diesel::update(match_seats::table.find((id, seat))).set(left).execute(conn).await
}

/// The matches of this player that wait, or run and are played here: where they sit and have not left, or stand in. What waits
/// as a bout of a tournament is the tournament's.
pub async fn list_open_seats(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Vec<(MatchId, Status)>> {
    match_seats::table
        .inner_join(matches::table)
        .filter(
            match_seats::player_id
                .eq(player)
                .and(match_seats::left_at.is_null())
                .or(match_seats::stand_in_id.assume_not_null().eq(player)),
        )
        .filter(
            matches::status
                .eq(Status::Waiting)
                .and(sql::<Bool>("NOT EXISTS (SELECT FROM tournament_bouts WHERE match_id = matches.id)"))
                .or(matches::status.eq(Status::Running).and(matches::mode.eq(Mode::Played))),
        )
        .order(match_seats::match_id)
        .select((match_seats::match_id, matches::status))
        .load(conn)
        .await
}

/// The code of a match in which both have a seat, if there is one.
pub async fn find_shared(conn: &mut AsyncPgConnection, one: PlayerId, other: PlayerId) -> QueryResult<Option<String>> {
    let of = |player| match_seats::table.filter(match_seats::player_id.eq(player)).select(match_seats::match_id);
    let shared = matches::table.filter(matches::id.eq_any(of(one))).filter(matches::id.eq_any(of(other)));
    shared.select(matches::code).first(conn).await.optional()
}

/// What this guest sat at and made is the player's, whom the guest was found to be: how many seats there were.
pub async fn hand_over(conn: &mut AsyncPgConnection, guest: PlayerId, player: PlayerId) -> QueryResult<usize> {
    let made = matches::table.filter(matches::created_by.eq(guest));
    diesel::update(made).set(matches::created_by.eq(player)).execute(conn).await?;
    for theirs in [
        "UPDATE match_invitations SET invited_by = $2 WHERE invited_by = $1",
        "UPDATE match_seats SET stand_in_id = $2 WHERE stand_in_id = $1",
        "UPDATE match_stand_ins SET player_id = $2 WHERE player_id = $1",
        "UPDATE match_results SET reported_by = $2 WHERE reported_by = $1",
        "UPDATE match_results SET confirmed_by = $2 WHERE confirmed_by = $1",
        "INSERT INTO match_invitations (match_id, player_id, invited_by, created_at)
         SELECT match_id, $2, invited_by, created_at FROM match_invitations WHERE player_id = $1 ON CONFLICT DO NOTHING",
    ] {
        sql_query(theirs).bind::<Uuid, _>(guest).bind::<Uuid, _>(player).execute(conn).await?;
    }
    let seats = match_seats::table.filter(match_seats::player_id.eq(guest));
    diesel::update(seats).set(match_seats::player_id.eq(player)).execute(conn).await
}

/// Counts news in every match that waits or runs and in which this player has a seat.
pub async fn raise_news_of(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Vec<(MatchId, i64)>> {
    let theirs = match_seats::table.filter(match_seats::player_id.eq(player)).select(match_seats::match_id);
    let open = matches::table
        .filter(matches::id.eq_any(theirs))
        .filter(matches::status.eq_any([Status::Waiting, Status::Running]));
    diesel::update(open)
        .set(matches::change_seq.eq(matches::change_seq + 1))
        .returning((matches::id, matches::change_seq))
        .get_results(conn)
        .await
}

/// Adds to the chance of a match that has not started.
pub async fn add_nonce(conn: &mut AsyncPgConnection, id: MatchId, seat: i16, nonce: &str) -> QueryResult<usize> {
    diesel::update(match_seats::table.find((id, seat))).set(match_seats::nonce.eq(nonce)).execute(conn).await
}

/// What this player added to the chance of matches that never started, and so proves nothing.
pub async fn forget_nonces(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<usize> {
    let never_started = matches::table.filter(matches::started_at.is_null()).select(matches::id);
    let theirs = match_seats::table
        .filter(match_seats::player_id.eq(player))
        .filter(match_seats::nonce.is_not_null())
        .filter(match_seats::match_id.eq_any(never_started));
    diesel::update(theirs).set(match_seats::nonce.eq(None::<&str>)).execute(conn).await
}

/// Of a match that is locked and runs. Gives the set of all seats for which the autopilot moves, of how many, and the news.
pub async fn hand_to_house(conn: &mut AsyncPgConnection, id: MatchId, seat: i16) -> QueryResult<(i32, i16, i64)> {
    let resigned = sql::<Integer>("resigned | ").bind::<Integer, _>(1 << seat);
    diesel::update(matches::table.find(id))
        .set((matches::resigned.eq(resigned), matches::change_seq.eq(matches::change_seq + 1)))
        .returning((matches::resigned, matches::seat_count, matches::change_seq))
        .get_result(conn)
        .await
}

/// Whether a tournament made the match. Tournaments know matches, not the other way round, so only their table is named here.
pub async fn is_of_tournament(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<bool> {
    let bout = tournament_bouts::table.filter(tournament_bouts::match_id.assume_not_null().eq(id));
    diesel::select(diesel::dsl::exists(bout)).get_result(conn).await
}
