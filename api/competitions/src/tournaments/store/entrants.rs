//! Who plays in a tournament.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Integer, Text, Uuid};
use diesel::upsert::excluded;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use super::{EntrantRow, NewEntrant, ParticipantRow};
use crate::tournaments::EntrantStatus;
use base::db::statement;
use base::ids::{PlayerId, TournamentId};
use base::schema::{players, standings, tournament_entrants, tournament_participants, tournaments};

/// By number.
pub async fn list_entrants(conn: &mut AsyncPgConnection, id: TournamentId) -> QueryResult<Vec<EntrantRow>> {
    tournament_entrants::table
        .inner_join(players::table)
        .filter(tournament_entrants::tournament_id.eq(id))
        .order(tournament_entrants::number)
        .select((
            tournament_entrants::number,
            tournament_entrants::player_id,
            players::display_name,
            players::deleted_at.is_not_null(),
            tournament_entrants::status,
            tournament_entrants::seed,
            tournament_entrants::entered_at,
            tournament_entrants::checked_in_at,
            tournament_entrants::dropped_at,
            tournament_entrants::rating,
            tournament_entrants::team,
            tournament_entrants::board,
            tournament_entrants::needs_table,
            tournament_entrants::needs_area,
        ))
        .load(conn)
        .await
}

pub async fn insert_entrant(conn: &mut AsyncPgConnection, new: &NewEntrant) -> QueryResult<usize> {
    diesel::insert_into(tournament_entrants::table).values(new).execute(conn).await
}

pub async fn write_entrant(conn: &mut AsyncPgConnection, id: TournamentId, now: &EntrantRow) -> QueryResult<usize> {
    diesel::update(tournament_entrants::table.find((id, now.number)))
        .set((
            tournament_entrants::status.eq(now.status),
            tournament_entrants::seed.eq(now.seed),
            tournament_entrants::entered_at.eq(SqlTimestamp::from(now.entered_at)),
            tournament_entrants::checked_in_at.eq(now.checked_in_at.map(SqlTimestamp::from)),
            tournament_entrants::dropped_at.eq(now.dropped_at.map(SqlTimestamp::from)),
            tournament_entrants::rating.eq(now.rating),
            tournament_entrants::team.eq(&now.team),
            tournament_entrants::board.eq(now.board),
            tournament_entrants::needs_table.eq(now.needs_table),
            tournament_entrants::needs_area.eq(&now.needs_area),
        ))
        .execute(conn)
        .await
}

/// Who did not come, all at once.
pub async fn set_status(
    conn: &mut AsyncPgConnection,
    id: TournamentId,
    numbers: &[i32],
    status: EntrantStatus,
) -> QueryResult<usize> {
    if numbers.is_empty() {
        return Ok(0);
    }
    let these = tournament_entrants::table
        .filter(tournament_entrants::tournament_id.eq(id))
        .filter(tournament_entrants::number.eq_any(numbers));
    diesel::update(these).set(tournament_entrants::status.eq(status)).execute(conn).await
}

/// The seeds of these entrants in this order, from 1; nobody else has one.
pub async fn set_seeds(conn: &mut AsyncPgConnection, id: TournamentId, order: &[i32]) -> QueryResult<usize> {
    const SEEDS: &str = "UPDATE tournament_entrants AS it SET seed = array_position($1, it.number)::smallint \
                         WHERE it.tournament_id = $2";
    statement(SEEDS).bind::<Array<Integer>, _>(order).bind::<Uuid, _>(id).execute(conn).await
}

/// Writes ratings of entrants, all at once.
pub async fn set_ratings(conn: &mut AsyncPgConnection, id: TournamentId, ratings: &[(i32, i32)]) -> QueryResult<usize> {
    const RATINGS: &str = "UPDATE tournament_entrants AS it SET rating = given.rating \
                           FROM unnest($1, $2) AS given (number, rating) \
                           WHERE it.tournament_id = $3 AND it.number = given.number";
    let (numbers, ratings): (Vec<i32>, Vec<i32>) = ratings.iter().copied().unzip();
    let set = statement(RATINGS).bind::<Array<Integer>, _>(numbers).bind::<Array<Integer>, _>(ratings);
    set.bind::<Uuid, _>(id).execute(conn).await
}

/// The ratings of these players in this scope, as people read them; those who were never rated are left out.
pub async fn list_ratings(
    conn: &mut AsyncPgConnection,
    scope: &str,
    of: &[PlayerId],
) -> QueryResult<Vec<(PlayerId, i32)>> {
    standings::table
        .filter(standings::scope.eq(scope))
        .filter(standings::period.eq(""))
        .filter(standings::player_id.eq_any(of))
        .select((standings::player_id, standings::rating))
        .load(conn)
        .await
}

pub async fn list_participants(conn: &mut AsyncPgConnection, id: TournamentId) -> QueryResult<Vec<ParticipantRow>> {
    tournament_participants::table
        .filter(tournament_participants::tournament_id.eq(id))
        .order((tournament_participants::stage, tournament_participants::seed, tournament_participants::entrant))
        .select(ParticipantRow::as_select())
        .load(conn)
        .await
}

/// Writes participants, whether they were there or not.
pub async fn put_participants(
    conn: &mut AsyncPgConnection,
    id: TournamentId,
    rows: &[ParticipantRow],
) -> QueryResult<usize> {
    use tournament_participants as of;
    let values = |row: &ParticipantRow| {
        (
            of::tournament_id.eq(id),
            of::stage.eq(row.stage),
            of::entrant.eq(row.entrant),
            of::seed.eq(row.seed),
            of::from_round.eq(row.from_round),
            of::until_round.eq(row.until_round),
            of::ready_since.eq(row.ready_since.map(SqlTimestamp::from)),
            of::paused_since.eq(row.paused_since.map(SqlTimestamp::from)),
        )
    };
    let rows: Vec<_> = rows.iter().map(values).collect();
    diesel::insert_into(of::table)
        .values(rows)
        .on_conflict((of::tournament_id, of::stage, of::entrant))
        .do_update()
        .set((
            of::seed.eq(excluded(of::seed)),
            of::from_round.eq(excluded(of::from_round)),
            of::until_round.eq(excluded(of::until_round)),
            of::ready_since.eq(excluded(of::ready_since)),
            of::paused_since.eq(excluded(of::paused_since)),
        ))
        .execute(conn)
        .await
}

/// Whether an entrant of an arena pauses, and since when they want to play.
pub async fn set_pause(conn: &mut AsyncPgConnection, id: TournamentId, now: &ParticipantRow) -> QueryResult<usize> {
    diesel::update(tournament_participants::table.find((id, now.stage, now.entrant)))
        .set((
            tournament_participants::ready_since.eq(now.ready_since.map(SqlTimestamp::from)),
            tournament_participants::paused_since.eq(now.paused_since.map(SqlTimestamp::from)),
        ))
        .execute(conn)
        .await
}

pub async fn delete_participant(
    conn: &mut AsyncPgConnection,
    id: TournamentId,
    stage: i16,
    entrant: i32,
) -> QueryResult<usize> {
    diesel::delete(tournament_participants::table.find((id, stage, entrant))).execute(conn).await
}

/// Takes everybody but these out of a stage.
pub async fn delete_participants_but(
    conn: &mut AsyncPgConnection,
    id: TournamentId,
    stage: i16,
    kept: &[i32],
) -> QueryResult<usize> {
    let others = tournament_participants::table
        .filter(tournament_participants::tournament_id.eq(id))
        .filter(tournament_participants::stage.eq(stage))
        .filter(tournament_participants::entrant.ne_all(kept));
    diesel::delete(others).execute(conn).await
}

pub async fn set_rounds_of(conn: &mut AsyncPgConnection, id: TournamentId, now: &ParticipantRow) -> QueryResult<usize> {
    diesel::update(tournament_participants::table.find((id, now.stage, now.entrant)))
        .set((
            tournament_participants::from_round.eq(now.from_round),
            tournament_participants::until_round.eq(now.until_round),
        ))
        .execute(conn)
        .await
}

#[derive(QueryableByName)]
struct Open {
    #[diesel(sql_type = Uuid)]
    tournament_id: TournamentId,
    #[diesel(sql_type = Integer)]
    number: i32,
}

/// Where this player is in a tournament that is not over, and by which number.
pub async fn list_open_of(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Vec<(TournamentId, i32)>> {
    const OPEN: &str = "SELECT tournament_id, number FROM tournament_entrants JOIN tournaments ON id = tournament_id \
                        WHERE player_id = $1 AND tournament_entrants.status <> 'dropped' \
                        AND tournaments.status NOT IN ('finished', 'cancelled') ORDER BY tournament_id";
    let rows: Vec<Open> = statement(OPEN).bind::<Uuid, _>(player).load(conn).await?;
    Ok(rows.into_iter().map(|row| (row.tournament_id, row.number)).collect())
}

/// A tournament that somebody entered.
#[derive(Queryable)]
pub struct Entered {
    pub id: TournamentId,
    pub name: String,
    pub number: i32,
    pub status: EntrantStatus,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub entered_at: Timestamp,
}

/// Those that this player entered, the latest first.
pub async fn list_entered(conn: &mut AsyncPgConnection, player: PlayerId, limit: i64) -> QueryResult<Vec<Entered>> {
    let theirs = tournament_entrants::table.inner_join(tournaments::table);
    let theirs = theirs.filter(tournament_entrants::player_id.eq(player));
    theirs
        .order(tournament_entrants::tournament_id.desc())
        .limit(limit)
        .select((
            tournaments::id,
            tournaments::name,
            tournament_entrants::number,
            tournament_entrants::status,
            tournament_entrants::entered_at,
        ))
        .load(conn)
        .await
}

#[derive(QueryableByName)]
struct Shared {
    #[diesel(sql_type = Text)]
    name: String,
}

/// A tournament in which both are, if there is one.
pub async fn find_shared(conn: &mut AsyncPgConnection, one: PlayerId, other: PlayerId) -> QueryResult<Option<String>> {
    const SHARED: &str = "SELECT name FROM tournaments WHERE id IN (SELECT tournament_id FROM tournament_entrants WHERE player_id = $1) \
                          AND id IN (SELECT tournament_id FROM tournament_entrants WHERE player_id = $2) LIMIT 1";
    let found: Option<Shared> =
        statement(SHARED).bind::<Uuid, _>(one).bind::<Uuid, _>(other).get_result(conn).await.optional()?;
    Ok(found.map(|it| it.name))
}

/// Whatever this guest was in any tournament is the player's.
pub async fn hand_over(
    conn: &mut AsyncPgConnection,
    guest: PlayerId,
    player: PlayerId,
) -> QueryResult<Vec<(TournamentId, i64)>> {
    let theirs = tournament_entrants::table.filter(tournament_entrants::player_id.eq(guest));
    let handed = diesel::update(theirs).set(tournament_entrants::player_id.eq(player));
    let handed: Vec<TournamentId> = handed.returning(tournament_entrants::tournament_id).get_results(conn).await?;
    let told = diesel::update(tournaments::table.filter(tournaments::id.eq_any(handed)));
    let told = told.set(tournaments::revision.eq(tournaments::revision + 1));
    told.returning((tournaments::id, tournaments::revision)).get_results(conn).await
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = Uuid)]
    tournament_id: TournamentId,
    #[diesel(sql_type = BigInt)]
    many: i64,
}

/// How many play in each of these, or will.
pub async fn count_entrants(
    conn: &mut AsyncPgConnection,
    ids: &[TournamentId],
) -> QueryResult<Vec<(TournamentId, i64)>> {
    const MANY: &str = "SELECT tournament_id, count(*) AS many FROM tournament_entrants \
                        WHERE tournament_id = ANY($1) AND status IN ('entered', 'checked_in') GROUP BY tournament_id";
    let rows: Vec<Count> = statement(MANY).bind::<Array<Uuid>, _>(ids).load(conn).await?;
    Ok(rows.into_iter().map(|row| (row.tournament_id, row.many)).collect())
}
