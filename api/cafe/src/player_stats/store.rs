//! Rows and queries of players' statistics per match, their sums, and encounters.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Uuid};
use diesel::upsert::excluded;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use engine::ratings::Rating;
use engine::{Luck, SeatStats};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use crate::finished::{Finished, FinishedSeat};
use crate::ratings::Why;
use base::db::statement;
use base::ids::{MatchId, PlayerId};
use base::schema::{encounters, match_terms, player_match_stats, player_stats, rating_changes};
use play::matches::Moment;
use play::matches::store::Reader;
use play::matches::store::match_is_hidden_from;

/// PostgreSQL counts a statement's parameters with 16 bits.
const ROWS_AT_ONCE: usize = 2000;

/// What a finished match brought the player at a seat.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable, Insertable)]
#[diesel(table_name = player_match_stats, check_for_backend(Pg))]
pub struct MatchStatsRow {
    pub match_id: MatchId,
    pub seat: i16,
    pub player_id: PlayerId,
    pub game: String,
    #[diesel(serialize_as = SqlTimestamp, deserialize_as = SqlTimestamp)]
    pub finished_at: Timestamp,
    pub place: i16,
    pub seats: i16,
    pub left_early: bool,
    pub calls_right: i32,
    pub calls_wrong: i32,
    pub bluffs_called: i32,
    pub bluffs_uncalled: i32,
    pub luck_had: i32,
    pub luck_expected: i32,
}

/// The sums of a player's statistics in a game.
#[derive(Clone, Debug, PartialEq, Queryable, Selectable, Insertable)]
#[diesel(table_name = player_stats, check_for_backend(Pg))]
pub struct StatsRow {
    pub player_id: PlayerId,
    pub game: String,
    pub matches: i32,
    pub wins: i32,
    pub places: Vec<i32>,
    pub left_early: i32,
    pub calls_right: i64,
    pub calls_wrong: i64,
    pub bluffs_called: i64,
    pub bluffs_uncalled: i64,
    pub luck_had: i64,
    pub luck_expected: i64,
    pub streak: i32,
    pub best_streak: i32,
    #[diesel(serialize_as = SqlTimestamp, deserialize_as = SqlTimestamp)]
    pub last_at: Timestamp,
    pub last_match: MatchId,
}

/// What to add to the count of how one player did against another.
#[derive(Insertable)]
#[diesel(table_name = encounters)]
pub struct EncounterChange {
    pub player_id: PlayerId,
    pub opponent_id: PlayerId,
    pub game: String,
    pub matches: i32,
    pub ahead: i32,
    pub behind: i32,
}

impl MatchStatsRow {
    pub fn of(play: &Finished, seat: &FinishedSeat, tally: SeatStats) -> Self {
        let count = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        Self {
            match_id: play.id,
            seat: seat.seat,
            player_id: seat.player,
            game: play.game.clone(),
            finished_at: play.finished.at,
            place: i16::from(seat.place),
            seats: play.seat_count,
            left_early: seat.left_early.is_some(),
            calls_right: count(tally.calls_right),
            calls_wrong: count(tally.calls_wrong),
            bluffs_called: count(tally.bluffs_called),
            bluffs_uncalled: count(tally.bluffs_uncalled),
            luck_had: count(tally.luck.had),
            luck_expected: count(tally.luck.expected),
        }
    }

    /// Whether it is a win: who left before the end has not won, whatever came of the seat.
    pub fn is_win(&self) -> bool {
        self.place == 1 && !self.left_early
    }

    /// The place among those at the table: who left before the end comes after all who stayed.
    pub fn standing(&self) -> (bool, i16) {
        (self.left_early, if self.left_early { 0 } else { self.place })
    }

    /// What the game counted.
    pub fn tally(&self) -> SeatStats {
        SeatStats {
            calls_right: self.calls_right.unsigned_abs(),
            calls_wrong: self.calls_wrong.unsigned_abs(),
            bluffs_called: self.bluffs_called.unsigned_abs(),
            bluffs_uncalled: self.bluffs_uncalled.unsigned_abs(),
            luck: Luck { had: self.luck_had.unsigned_abs(), expected: self.luck_expected.unsigned_abs() },
        }
    }

    pub fn moment(&self) -> Moment {
        Moment { at: self.finished_at, id: self.match_id }
    }
}

impl StatsRow {
    pub fn empty(player_id: PlayerId, game: &str) -> Self {
        Self {
            player_id,
            game: game.to_owned(),
            matches: 0,
            wins: 0,
            places: Vec::new(),
            left_early: 0,
            calls_right: 0,
            calls_wrong: 0,
            bluffs_called: 0,
            bluffs_uncalled: 0,
            luck_had: 0,
            luck_expected: 0,
            streak: 0,
            best_streak: 0,
            last_at: Timestamp::MIN,
            last_match: MatchId(uuid::Uuid::nil()),
        }
    }
}

impl EncounterChange {
    pub fn none(player_id: PlayerId, opponent_id: PlayerId, game: &str) -> Self {
        Self { player_id, opponent_id, game: game.to_owned(), matches: 0, ahead: 0, behind: 0 }
    }

    pub fn is_nothing(&self) -> bool {
        (self.matches, self.ahead, self.behind) == (0, 0, 0)
    }
}

/// By match and seat.
pub async fn list_of_matches(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<MatchStatsRow>> {
    let theirs = player_match_stats::table.filter(player_match_stats::match_id.eq_any(ids));
    theirs
        .order((player_match_stats::match_id, player_match_stats::seat))
        .select(MatchStatsRow::as_select())
        .load(conn)
        .await
}

/// All of a player's in a game, in the order in which the matches finished.
pub async fn list_of_player(
    conn: &mut AsyncPgConnection,
    player: PlayerId,
    game: &str,
) -> QueryResult<Vec<MatchStatsRow>> {
    player_match_stats::table
        .filter(player_match_stats::player_id.eq(player))
        .filter(player_match_stats::game.eq(game))
        .order((player_match_stats::finished_at, player_match_stats::match_id))
        .select(MatchStatsRow::as_select())
        .load(conn)
        .await
}

pub async fn delete(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<usize> {
    diesel::delete(player_match_stats::table.filter(player_match_stats::match_id.eq_any(ids))).execute(conn).await
}

pub async fn insert(conn: &mut AsyncPgConnection, rows: &[MatchStatsRow]) -> QueryResult<()> {
    for some in rows.chunks(ROWS_AT_ONCE) {
        diesel::insert_into(player_match_stats::table).values(some.to_vec()).execute(conn).await?;
    }
    Ok(())
}

pub async fn list_stats_of(
    conn: &mut AsyncPgConnection,
    players: &[PlayerId],
    game: &str,
) -> QueryResult<Vec<StatsRow>> {
    let theirs =
        player_stats::table.filter(player_stats::player_id.eq_any(players)).filter(player_stats::game.eq(game));
    theirs.select(StatsRow::as_select()).load(conn).await
}

pub async fn save_stats(conn: &mut AsyncPgConnection, rows: &[StatsRow]) -> QueryResult<()> {
    for some in rows.chunks(ROWS_AT_ONCE) {
        diesel::insert_into(player_stats::table)
            .values(some.to_vec())
            .on_conflict((player_stats::player_id, player_stats::game))
            .do_update()
            .set((
                player_stats::matches.eq(excluded(player_stats::matches)),
                player_stats::wins.eq(excluded(player_stats::wins)),
                player_stats::places.eq(excluded(player_stats::places)),
                player_stats::left_early.eq(excluded(player_stats::left_early)),
                player_stats::calls_right.eq(excluded(player_stats::calls_right)),
                player_stats::calls_wrong.eq(excluded(player_stats::calls_wrong)),
                player_stats::bluffs_called.eq(excluded(player_stats::bluffs_called)),
                player_stats::bluffs_uncalled.eq(excluded(player_stats::bluffs_uncalled)),
                player_stats::luck_had.eq(excluded(player_stats::luck_had)),
                player_stats::luck_expected.eq(excluded(player_stats::luck_expected)),
                player_stats::streak.eq(excluded(player_stats::streak)),
                player_stats::best_streak.eq(excluded(player_stats::best_streak)),
                player_stats::last_at.eq(excluded(player_stats::last_at)),
                player_stats::last_match.eq(excluded(player_stats::last_match)),
            ))
            .execute(conn)
            .await?;
    }
    Ok(())
}

pub async fn delete_stats(conn: &mut AsyncPgConnection, players: &[PlayerId], game: &str) -> QueryResult<()> {
    let theirs =
        player_stats::table.filter(player_stats::player_id.eq_any(players)).filter(player_stats::game.eq(game));
    diesel::delete(theirs).execute(conn).await?;
    Ok(())
}

pub async fn change_encounters(conn: &mut AsyncPgConnection, changes: &[EncounterChange]) -> QueryResult<()> {
    for some in changes.chunks(ROWS_AT_ONCE) {
        diesel::insert_into(encounters::table)
            .values(some)
            .on_conflict((encounters::player_id, encounters::opponent_id, encounters::game))
            .do_update()
            .set((
                encounters::matches.eq(encounters::matches + excluded(encounters::matches)),
                encounters::ahead.eq(encounters::ahead + excluded(encounters::ahead)),
                encounters::behind.eq(encounters::behind + excluded(encounters::behind)),
            ))
            .execute(conn)
            .await?;
    }
    let fewer = changes.iter().filter(|change| change.matches < 0);
    let players: Vec<PlayerId> = fewer.map(|change| change.player_id).collect();
    if players.is_empty() {
        return Ok(());
    }
    let over = encounters::table.filter(encounters::player_id.eq_any(players)).filter(encounters::matches.eq(0));
    diesel::delete(over).execute(conn).await?;
    Ok(())
}

/// A player's sums, the game played most first.
pub async fn list_stats(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Vec<StatsRow>> {
    let theirs = player_stats::table.filter(player_stats::player_id.eq(player));
    theirs.order((player_stats::matches.desc(), player_stats::game)).select(StatsRow::as_select()).load(conn).await
}

/// Those of a player's matches that this reader may not know of, in the order in which they finished.
pub async fn list_hidden(
    conn: &mut AsyncPgConnection,
    player: PlayerId,
    reader: PlayerId,
) -> QueryResult<Vec<MatchStatsRow>> {
    player_match_stats::table
        .filter(player_match_stats::player_id.eq(player))
        .filter(match_is_hidden_from(player_match_stats::match_id, reader))
        .order((player_match_stats::finished_at, player_match_stats::match_id))
        .select(MatchStatsRow::as_select())
        .load(conn)
        .await
}

/// How a player did against another, in all games or one.
#[derive(Debug, QueryableByName)]
pub struct EncounterRow {
    #[diesel(sql_type = Uuid)]
    pub opponent_id: PlayerId,
    #[diesel(sql_type = Text)]
    pub display_name: String,
    #[diesel(sql_type = Bool)]
    pub deleted: bool,
    #[diesel(sql_type = BigInt)]
    pub matches: i64,
    #[diesel(sql_type = BigInt)]
    pub ahead: i64,
    #[diesel(sql_type = BigInt)]
    pub behind: i64,
}

/// Those whom this player met, the one met most often first, as far as this reader may know. What they may not know of is taken
/// out as it was counted: by `MatchStatsRow::standing`.
pub async fn list_encounters(
    conn: &mut AsyncPgConnection,
    player: PlayerId,
    game: Option<&str>,
    opponent: Option<PlayerId>,
    (reader, limit): (Reader, i64),
) -> QueryResult<Vec<EncounterRow>> {
    statement(
        "WITH hidden AS (
             SELECT other.player_id AS opponent_id, mine.game, -1 AS matches,
                 -(mine.standing < other.standing)::int AS ahead, -(mine.standing > other.standing)::int AS behind
             FROM (SELECT *, CASE WHEN left_early THEN 32767 ELSE place END AS standing FROM player_match_stats) AS mine
             JOIN (SELECT *, CASE WHEN left_early THEN 32767 ELSE place END AS standing FROM player_match_stats) AS other
                 ON other.match_id = mine.match_id AND other.seat <> mine.seat
             WHERE $1 IS NOT NULL AND mine.player_id = $2 AND match_is_hidden_from(mine.match_id, $1)
         )
         SELECT opponent_id, display_name, deleted_at IS NOT NULL AS deleted, matches, ahead, behind
         FROM (SELECT opponent_id, sum(matches) AS matches, sum(ahead) AS ahead, sum(behind) AS behind
               FROM (SELECT opponent_id, game, matches, ahead, behind FROM encounters WHERE player_id = $2
                     UNION ALL TABLE hidden) AS told
               WHERE ($3 IS NULL OR game = $3) AND ($4 IS NULL OR opponent_id = $4)
               GROUP BY opponent_id HAVING sum(matches) > 0 ORDER BY matches DESC, opponent_id LIMIT $5) AS met
         JOIN players ON id = opponent_id
         ORDER BY matches DESC, opponent_id",
    )
    .bind::<Nullable<Uuid>, _>(reader.limit(player))
    .bind::<Uuid, _>(player)
    .bind::<Nullable<Text>, _>(game)
    .bind::<Nullable<Uuid>, _>(opponent)
    .bind::<BigInt, _>(limit)
    .load(conn)
    .await
}

/// A match that a player has finished, and what it made of their rating in the game.
#[derive(Debug, Queryable)]
pub struct PlayedRow {
    pub tally: MatchStatsRow,
    /// What is played, if it is another game than those of the catalogue.
    pub title: Option<String>,
    pub before: Option<(f64, f64)>,
    pub after: Option<(f64, f64)>,
    /// Why it changed the rating, or did not. None if it did not count.
    pub why: Option<Why>,
}

impl PlayedRow {
    pub fn moment(&self) -> Moment {
        self.tally.moment()
    }

    /// The rating before and after, as shown; none if the match did not count.
    pub fn shift(&self) -> Option<(i32, i32)> {
        let shown = |(mean, deviation)| Rating { mean, deviation }.shown();
        Some((shown(self.before?), shown(self.after?)))
    }
}

/// Those before this moment that this reader may know of, the latest first.
pub async fn list_played(
    conn: &mut AsyncPgConnection,
    player: PlayerId,
    game: Option<&str>,
    before: Option<Moment>,
    (reader, limit): (Reader, i64),
) -> QueryResult<Vec<PlayedRow>> {
    let rated = rating_changes::scope
        .eq(player_match_stats::game)
        .and(rating_changes::player_id.eq(player_match_stats::player_id))
        .and(rating_changes::finished_at.eq(player_match_stats::finished_at))
        .and(rating_changes::match_id.eq(player_match_stats::match_id));
    let mut query = player_match_stats::table
        .left_join(rating_changes::table.on(rated))
        .left_join(match_terms::table.on(match_terms::match_id.eq(player_match_stats::match_id)))
        .filter(player_match_stats::player_id.eq(player))
        .order((player_match_stats::finished_at.desc(), player_match_stats::match_id.desc()))
        .limit(limit)
        .select((
            MatchStatsRow::as_select(),
            match_terms::title.nullable(),
            (rating_changes::mean_before, rating_changes::deviation_before).nullable(),
            (rating_changes::mean_after, rating_changes::deviation_after).nullable(),
            rating_changes::why.nullable(),
        ))
        .into_boxed();
    if let Some(game) = game {
        query = query.filter(player_match_stats::game.eq(game));
    }
    if let Some(reader) = reader.limit(player) {
        query = query.filter(diesel::dsl::not(match_is_hidden_from(player_match_stats::match_id, reader)));
    }
    if let Some(Moment { at, id }) = before {
        let at = SqlTimestamp::from(at);
        query = query
            .filter(player_match_stats::finished_at.le(at))
            .filter(player_match_stats::finished_at.lt(at).or(player_match_stats::match_id.lt(id)));
    }
    query.load(conn).await
}

impl EncounterRow {
    pub fn level(&self) -> i64 {
        self.matches - self.ahead - self.behind
    }
}
