//! Who sits where, and what becomes of their seats.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Bool, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use engine::Seat;
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};

use crate::matches::{BotLevel, Leaving, MatchRow, Mode, Status};
use base::db::{fixed, statement};
use base::ids::{MatchId, PlayerId};
use base::schema::{match_seats, match_stand_ins, matches, players, tournament_bouts};

/// A seat that is taken, and by whom.
#[derive(Clone, Debug)]
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
    pub joined_at: Timestamp,
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

/// A seat that a bot holds, or plays on for a player who has left.
#[derive(Clone, Copy, Debug)]
pub struct BotRow {
    pub match_id: MatchId,
    pub seat: i16,
    pub level: BotLevel,
}

/// The seats of some matches that are not free, by match and seat: those of players, and those for which bots play. The seat of
/// a player who has left and for whom a bot plays on is in both.
#[derive(Clone, Debug, Default)]
pub struct Seats {
    pub players: Vec<SeatRow>,
    pub bots: Vec<BotRow>,
}

impl Seats {
    /// Whether somebody, or a bot, sits there.
    pub fn is_taken(&self, seat: i16) -> bool {
        self.players.iter().any(|it| it.seat == seat) || self.bots.iter().any(|it| it.seat == seat)
    }

    /// How many seats of one match are taken.
    pub fn taken(&self) -> usize {
        self.players.len() + self.bots().count()
    }

    /// The bots that sit where no player ever sat.
    pub fn bots(&self) -> impl Iterator<Item = &BotRow> {
        self.bots.iter().filter(|bot| self.players.iter().all(|it| (it.match_id, it.seat) != (bot.match_id, bot.seat)))
    }

    /// Each match's own.
    pub fn by_match(self) -> HashMap<MatchId, Seats> {
        let mut by_match: HashMap<MatchId, Seats> = HashMap::new();
        for seat in self.players {
            by_match.entry(seat.match_id).or_default().players.push(seat);
        }
        for bot in self.bots {
            by_match.entry(bot.match_id).or_default().bots.push(bot);
        }
        by_match
    }

    /// Of one match: what its players add to the chance, seat by seat.
    pub fn nonces(&self, row: &MatchRow) -> impl Iterator<Item = Option<&str>> {
        let of = |seat: i16| self.players.iter().find(|it| it.seat == seat)?.nonce.as_deref();
        (0..row.seat_count).map(of)
    }

    /// Of one match: the seats of bots, as bits.
    pub fn of_bots(&self) -> i32 {
        self.bots().map(|bot| 1 << bot.seat).sum()
    }
}

/// The players of these matches, by match and seat.
pub async fn list_seats(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<SeatRow>> {
    Ok(list_all_seats(conn, ids).await?.players)
}

/// The players and bots of these matches. Its connection may be sending another query, which saves a round trip.
pub async fn list_all_seats(mut conn: &AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Seats> {
    let stand_ins = diesel::alias!(players as stand_ins);
    let taken = match_seats::table
        .left_join(players::table.on(match_seats::player_id.eq(players::id.nullable())))
        .left_join(stand_ins.on(match_seats::stand_in_id.eq(stand_ins.field(players::id).nullable())))
        .order((match_seats::match_id, match_seats::seat))
        .select((
            match_seats::match_id,
            match_seats::seat,
            match_seats::player_id,
            players::display_name.nullable(),
            players::deleted_at.nullable().is_not_null(),
            match_seats::nonce,
            match_seats::joined_at,
            match_seats::left_at,
            match_seats::left_why,
            match_seats::stand_in_id,
            stand_ins.field(players::display_name).nullable(),
            match_seats::bot,
        ))
        .into_boxed();
    // For a list PostgreSQL would look for a plan of its own each time.
    let taken = match ids {
        [id] => taken.filter(match_seats::match_id.eq(id)),
        _ => taken.filter(match_seats::match_id.eq_any(ids)),
    };
    let rows: Vec<TakenSeat> = taken.load(&mut conn).await?;
    let mut seats = Seats::default();
    for row in rows {
        let TakenSeat { match_id, seat, bot, .. } = row;
        seats.bots.extend(bot.map(|level| BotRow { match_id, seat, level }));
        seats.players.extend(row.player());
    }
    for of_match in seats.players.chunk_by_mut(|one, other| one.match_id == other.match_id) {
        let people: Vec<_> = of_match.iter().map(|it| (it.player_id, it.display_name.as_str())).collect();
        let tags = crate::players::tags(&people);
        of_match.iter_mut().zip(tags).for_each(|(seat, tag)| seat.tag = tag);
    }
    Ok(seats)
}

/// A row as it is read, of a player or of a bot.
#[derive(Queryable)]
struct TakenSeat {
    match_id: MatchId,
    seat: i16,
    player_id: Option<PlayerId>,
    display_name: Option<String>,
    deleted: bool,
    nonce: Option<String>,
    #[diesel(deserialize_as = SqlTimestamp)]
    joined_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    left_at: Option<Timestamp>,
    left_why: Option<Leaving>,
    stand_in_id: Option<PlayerId>,
    stand_in_name: Option<String>,
    bot: Option<BotLevel>,
}

impl TakenSeat {
    fn player(self) -> Option<SeatRow> {
        Some(SeatRow {
            match_id: self.match_id,
            seat: self.seat,
            player_id: self.player_id?,
            display_name: self.display_name?,
            deleted: self.deleted,
            tag: None,
            nonce: self.nonce,
            joined_at: self.joined_at,
            left_at: self.left_at,
            left_why: self.left_why,
            stand_in_id: self.stand_in_id,
            stand_in_name: self.stand_in_name,
        })
    }
}

/// A player sits down, unless the account is gone, became another or is banned: whether they did. Its connection may be
/// sending another query, which saves a round trip.
pub async fn sit_down(
    mut conn: &AsyncPgConnection,
    id: MatchId,
    seat: i16,
    player: PlayerId,
    nonce: Option<&str>,
    now: Timestamp,
) -> QueryResult<bool> {
    // The lock is the one that the foreign key takes anyway: of a ban and a seat, the later knows of the earlier.
    let sat = statement(
        "INSERT INTO match_seats (match_id, seat, player_id, nonce, joined_at)
         SELECT $1, $2, id, $3, $4 FROM players WHERE id = $5 AND deleted_at IS NULL AND merged_into IS NULL
             AND (banned_at IS NULL OR banned_until <= $4) FOR KEY SHARE",
    );
    let sat = sat.bind::<Uuid, _>(id).bind::<SmallInt, _>(seat).bind::<Nullable<Text>, _>(nonce);
    let sat = sat.bind::<Timestamptz, _>(SqlTimestamp::from(now)).bind::<Uuid, _>(player);
    Ok(sat.execute(&mut conn).await? > 0)
}

/// This player sits there, whatever has become of the account: of a bout, whose tournament says who plays it.
pub async fn insert_seat(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    seat: i16,
    player: PlayerId,
    now: Timestamp,
) -> QueryResult<usize> {
    let taken = (
        match_seats::match_id.eq(id),
        match_seats::seat.eq(seat),
        match_seats::player_id.eq(player),
        match_seats::joined_at.eq(SqlTimestamp::from(now)),
    );
    diesel::insert_into(match_seats::table).values(taken).execute(conn).await
}

/// A bot of this level sits down.
pub async fn insert_bot(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    seat: i16,
    level: BotLevel,
    now: Timestamp,
) -> QueryResult<usize> {
    let taken = (
        match_seats::match_id.eq(id),
        match_seats::seat.eq(seat),
        match_seats::bot.eq(level),
        match_seats::joined_at.eq(SqlTimestamp::from(now)),
    );
    diesel::insert_into(match_seats::table).values(taken).execute(conn).await
}

/// From now on a bot of this level plays for a bot's seat, or for that of a player who has left.
pub async fn set_bot(conn: &mut AsyncPgConnection, id: MatchId, seat: i16, level: BotLevel) -> QueryResult<usize> {
    diesel::update(match_seats::table.find((id, seat))).set(match_seats::bot.eq(level)).execute(conn).await
}

pub async fn delete_bot(conn: &mut AsyncPgConnection, id: MatchId, seat: i16) -> QueryResult<usize> {
    let bot = match_seats::table.find((id, seat)).filter(match_seats::player_id.is_null());
    diesel::delete(bot).execute(conn).await
}

/// The level of the bot that plays for this seat; none if it is the autopilot.
pub async fn find_bot(conn: &mut AsyncPgConnection, id: MatchId, seat: i16) -> QueryResult<Option<BotLevel>> {
    match_seats::table.find((id, seat)).select(match_seats::bot).first(conn).await.optional().map(Option::flatten)
}

/// The bots of a match, also those that play on for somebody.
pub async fn list_bots(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Vec<(Seat, BotLevel)>> {
    let bots = match_seats::table.filter(match_seats::match_id.eq(id)).filter(match_seats::bot.is_not_null());
    let bots = bots.select((match_seats::seat, match_seats::bot.assume_not_null())).order(match_seats::seat);
    let found: Vec<(i16, BotLevel)> = bots.load(conn).await?;
    Ok(found.into_iter().filter_map(|(seat, level)| Some((Seat(u8::try_from(seat).ok()?), level))).collect())
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
                .and(fixed::<Bool>("NOT EXISTS (SELECT FROM tournament_bouts WHERE match_id = matches.id)"))
                .or(matches::status.eq(Status::Running).and(matches::mode.eq(Mode::Played))),
        )
        .order(match_seats::match_id)
        .select((match_seats::match_id, matches::status))
        .load(conn)
        .await
}

/// The matches that wait or run here, bouts too, in which this player has a seat, had one or stood in: they know a hand, or will.
pub async fn list_unfinished(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Vec<(MatchId, Status)>> {
    let sat = match_seats::table.filter(match_seats::player_id.eq(player)).select(match_seats::match_id);
    let stood_in = match_stand_ins::table
        .filter(match_stand_ins::player_id.eq(player))
        .filter(match_stand_ins::accepted_at.is_not_null());
    matches::table
        .filter(matches::id.eq_any(sat).or(matches::id.eq_any(stood_in.select(match_stand_ins::match_id))))
        .filter(matches::status.eq_any([Status::Waiting, Status::Running]))
        .filter(matches::mode.eq(Mode::Played))
        .order(matches::id)
        .select((matches::id, matches::status))
        .load(conn)
        .await
}

/// Whether this player sits at a match that waits and is of no tournament, or plays in one that runs here.
pub async fn is_seated(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<bool> {
    let seated = fixed::<Bool>(
        "EXISTS (SELECT FROM match_seats s JOIN matches m ON m.id = s.match_id
             WHERE (s.player_id = $1 AND s.stand_in_id IS NULL OR s.stand_in_id = $2)
                 AND (m.status = 'waiting' AND NOT EXISTS (SELECT FROM tournament_bouts b WHERE b.match_id = m.id)
                     OR m.status = 'running' AND m.mode = 'played' AND (m.resigned >> s.seat) & 1 = 0))",
    );
    diesel::select(seated.bind::<Uuid, _>(player).bind::<Uuid, _>(player)).get_result(conn).await
}

/// The code of a match in which both have a seat or stood in, if there is one.
pub async fn find_shared(conn: &mut AsyncPgConnection, one: PlayerId, other: PlayerId) -> QueryResult<Option<String>> {
    let is_of = |player| {
        let sat = match_seats::table.filter(match_seats::player_id.eq(player)).select(match_seats::match_id);
        let stood_in = match_stand_ins::table
            .filter(match_stand_ins::player_id.eq(player))
            .filter(match_stand_ins::accepted_at.is_not_null());
        matches::id.eq_any(sat).or(matches::id.eq_any(stood_in.select(match_stand_ins::match_id)))
    };
    let shared = matches::table.filter(is_of(one)).filter(is_of(other));
    shared.select(matches::code).first(conn).await.optional()
}

/// What this guest sat at and made is the player's, whom the guest was found to be: how many seats there were.
pub async fn hand_over(conn: &mut AsyncPgConnection, guest: PlayerId, player: PlayerId) -> QueryResult<usize> {
    let made = matches::table.filter(matches::created_by.eq(guest));
    diesel::update(made).set(matches::created_by.eq(player)).execute(conn).await?;
    for theirs in [
        "UPDATE match_invitations SET invited_by = $1 WHERE invited_by = $2",
        "UPDATE match_seats SET stand_in_id = $1 WHERE stand_in_id = $2",
        "UPDATE match_stand_ins SET player_id = $1 WHERE player_id = $2",
        "UPDATE match_results SET reported_by = $1 WHERE reported_by = $2",
        "UPDATE match_results SET confirmed_by = $1 WHERE confirmed_by = $2",
        "INSERT INTO match_invitations (match_id, player_id, invited_by, created_at)
         SELECT match_id, $1, invited_by, created_at FROM match_invitations WHERE player_id = $2 ON CONFLICT DO NOTHING",
    ] {
        statement(theirs).bind::<Uuid, _>(player).bind::<Uuid, _>(guest).execute(conn).await?;
    }
    let seats = match_seats::table.filter(match_seats::player_id.eq(guest));
    diesel::update(seats).set(match_seats::player_id.eq(player)).execute(conn).await
}

/// Counts news in every match that waits or runs and in which this player has a seat or stands in.
pub async fn raise_news_of(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Vec<(MatchId, i64)>> {
    let sat = match_seats::table.filter(match_seats::player_id.eq(player)).select(match_seats::match_id);
    let stands_in = match_seats::table.filter(match_seats::stand_in_id.assume_not_null().eq(player));
    let open = matches::table
        .filter(matches::id.eq_any(sat).or(matches::id.eq_any(stands_in.select(match_seats::match_id))))
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
pub async fn hand_to_autopilot(conn: &mut AsyncPgConnection, id: MatchId, seat: i16) -> QueryResult<(i32, i16, i64)> {
    let resigned = fixed::<Integer>("resigned | $1").bind::<Integer, _>(1 << seat);
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
