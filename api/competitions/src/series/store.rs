//! Rows and queries of series, of what is played in them and of what staff say of people.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, Bool, Int2, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use engine::tournaments::{EventPlace, SeriesRules};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use super::SeriesStatus;
use crate::tournaments::{Doc, TournamentStatus};
use base::db::{Fingerprint, statement};
use base::ids::{PlayerId, SeriesId, TournamentId};
use base::names;
use base::schema::{series, series_divisions, series_events, series_people};

#[derive(Clone, Debug, PartialEq, Queryable, Selectable, Insertable)]
#[diesel(table_name = series, check_for_backend(Pg))]
pub struct SeriesRow {
    pub id: SeriesId,
    pub code: String,
    pub name: String,
    pub status: SeriesStatus,
    pub rules: Doc<SeriesRules>,
    /// The season before.
    pub previous_id: Option<SeriesId>,
    pub created_by: PlayerId,
    #[diesel(deserialize_as = SqlTimestamp, serialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
    /// Rises by one with every change.
    pub revision: i64,
}

#[derive(Clone, Debug, PartialEq, Queryable, Selectable)]
#[diesel(table_name = series_divisions, check_for_backend(Pg))]
pub struct DivisionRow {
    /// 1 the highest.
    pub number: i16,
    pub name: String,
    /// How many go up at the end of the season.
    pub promoted: i16,
    /// And how many down.
    pub relegated: i16,
}

/// A tournament in a series, and where everybody came in it if it is over.
#[derive(Clone, Debug, PartialEq, QueryableByName)]
pub struct EventRow {
    #[diesel(sql_type = Uuid)]
    pub id: TournamentId,
    #[diesel(sql_type = Text)]
    pub code: String,
    #[diesel(sql_type = Text)]
    pub name: String,
    #[diesel(sql_type = Text)]
    pub game: String,
    #[diesel(sql_type = Nullable<Text>)]
    pub title: Option<String>,
    #[diesel(sql_type = Text)]
    pub status: TournamentStatus,
    /// When it began, begins or was thought of.
    #[diesel(sql_type = Timestamptz, deserialize_as = SqlTimestamp)]
    pub at: Timestamp,
    /// None where it counts for all divisions.
    #[diesel(sql_type = Nullable<Int2>)]
    pub division: Option<i16>,
    /// By the numbers of its entrants.
    #[diesel(sql_type = Nullable<Jsonb>)]
    pub places: Option<Doc<Vec<EventPlace>>>,
}

/// An account as a series knows it.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct Account {
    #[diesel(sql_type = Uuid, column_name = player_id)]
    pub id: PlayerId,
    #[diesel(sql_type = Text)]
    pub name: String,
    #[diesel(sql_type = Bool)]
    pub registered: bool,
    #[diesel(sql_type = Bool)]
    pub deleted: bool,
}

/// Who an entrant of an event is.
#[derive(Clone, Debug, PartialEq, QueryableByName)]
pub struct EntrantRow {
    #[diesel(sql_type = Uuid)]
    pub tournament_id: TournamentId,
    #[diesel(sql_type = Integer)]
    pub number: i32,
    #[diesel(embed)]
    pub account: Account,
}

/// What staff say of an account.
#[derive(Clone, Debug, PartialEq, QueryableByName)]
pub struct PersonRow {
    #[diesel(embed)]
    pub account: Account,
    /// The account of the same person; itself if it is somebody else than those of its name.
    #[diesel(sql_type = Nullable<Uuid>)]
    pub same_as: Option<PlayerId>,
    #[diesel(sql_type = Nullable<Int2>)]
    pub division: Option<i16>,
}

/// Which series a list holds.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub status: Option<SeriesStatus>,
    /// Also those that only staff know of.
    pub with_drafts: bool,
    /// Those made before this one.
    pub before: Option<SeriesId>,
}

/// The latest first.
pub async fn list(conn: &mut AsyncPgConnection, filter: &Filter, limit: i64) -> QueryResult<Vec<SeriesRow>> {
    let mut query = series::table.select(SeriesRow::as_select()).order(series::id.desc()).limit(limit).into_boxed();
    if let Some(status) = filter.status {
        query = query.filter(series::status.eq(status));
    }
    if !filter.with_drafts {
        query = query.filter(series::status.ne(SeriesStatus::Draft));
    }
    if let Some(before) = filter.before {
        query = query.filter(series::id.lt(before));
    }
    query.load(conn).await
}

/// By code, or by a part of their name, the latest first; drafts too.
pub async fn search(conn: &mut AsyncPgConnection, code: &str, text: &str, limit: i64) -> QueryResult<Vec<SeriesRow>> {
    let is_it = names::column_holds("series.name", text).or(series::code.eq(code));
    series::table.filter(is_it).order(series::id.desc()).limit(limit).select(SeriesRow::as_select()).load(conn).await
}

pub async fn find(conn: &mut AsyncPgConnection, id: SeriesId) -> QueryResult<Option<SeriesRow>> {
    series::table.find(id).select(SeriesRow::as_select()).first(conn).await.optional()
}

pub async fn find_by_code(conn: &mut AsyncPgConnection, code: &str) -> QueryResult<Option<SeriesRow>> {
    series::table.filter(series::code.eq(code)).select(SeriesRow::as_select()).first(conn).await.optional()
}

/// Until the transaction ends nobody else changes the series or anything that is its own.
pub async fn lock(conn: &mut AsyncPgConnection, id: SeriesId) -> QueryResult<Option<SeriesRow>> {
    series::table.find(id).select(SeriesRow::as_select()).for_no_key_update().first(conn).await.optional()
}

/// The season after.
pub async fn find_next(conn: &mut AsyncPgConnection, id: SeriesId) -> QueryResult<Option<SeriesRow>> {
    let next = series::table.filter(series::previous_id.eq(id)).select(SeriesRow::as_select());
    next.first(conn).await.optional()
}

/// The season before and the one after, as far as there are any.
pub async fn list_neighbours(conn: &mut AsyncPgConnection, of: &SeriesRow) -> QueryResult<Vec<SeriesRow>> {
    let next = series::previous_id.eq(of.id).assume_not_null();
    let is_one = next.or(series::id.eq_any(of.previous_id.as_slice()));
    series::table.filter(is_one).select(SeriesRow::as_select()).load(conn).await
}

/// Those in which this tournament counts, the latest first.
pub async fn list_of(
    conn: &mut AsyncPgConnection,
    tournament: TournamentId,
    with_drafts: bool,
) -> QueryResult<Vec<SeriesRow>> {
    let counting = series_events::table.inner_join(series::table).filter(series_events::tournament_id.eq(tournament));
    let rows = counting.select(SeriesRow::as_select()).order(series::id.desc()).load(conn).await?;
    Ok(rows.into_iter().filter(|row: &SeriesRow| with_drafts || row.status != SeriesStatus::Draft).collect())
}

pub async fn insert(conn: &mut AsyncPgConnection, new: &SeriesRow) -> QueryResult<usize> {
    diesel::insert_into(series::table).values(new.clone()).execute(conn).await
}

/// What of it may change, as it is now. Of a series that is locked.
pub async fn write(conn: &mut AsyncPgConnection, now: &SeriesRow) -> QueryResult<usize> {
    diesel::update(series::table.find(now.id))
        .set((
            series::name.eq(&now.name),
            series::status.eq(now.status),
            series::rules.eq(&now.rules),
            series::revision.eq(now.revision),
        ))
        .execute(conn)
        .await
}

/// With all that is its own.
pub async fn delete(conn: &mut AsyncPgConnection, id: SeriesId) -> QueryResult<usize> {
    diesel::delete(series::table.find(id)).execute(conn).await
}

/// The highest first.
pub async fn list_divisions(conn: &mut AsyncPgConnection, id: SeriesId) -> QueryResult<Vec<DivisionRow>> {
    let own = series_divisions::table.filter(series_divisions::series_id.eq(id)).order(series_divisions::number);
    own.select(DivisionRow::as_select()).load(conn).await
}

/// These and no others. Events and people of those that are gone are of none.
pub async fn put_divisions(conn: &mut AsyncPgConnection, id: SeriesId, rows: &[DivisionRow]) -> QueryResult<()> {
    let last = rows.iter().map(|it| it.number).max().unwrap_or(0);
    let events = series_events::table.filter(series_events::series_id.eq(id)).filter(series_events::division.gt(last));
    diesel::update(events).set(series_events::division.eq(None::<i16>)).execute(conn).await?;
    let people = series_people::table.filter(series_people::series_id.eq(id)).filter(series_people::division.gt(last));
    diesel::update(people).set(series_people::division.eq(None::<i16>)).execute(conn).await?;
    let gone = series_divisions::table.filter(series_divisions::series_id.eq(id));
    diesel::delete(gone.filter(series_divisions::number.gt(last))).execute(conn).await?;
    const PUT: &str = "INSERT INTO series_divisions (series_id, number, name, promoted, relegated) \
                       SELECT $1, number, name, promoted, relegated \
                       FROM unnest($2, $3, $4, $5) AS given (number, name, promoted, relegated) \
                       ON CONFLICT (series_id, number) DO UPDATE SET \
                       name = excluded.name, promoted = excluded.promoted, relegated = excluded.relegated";
    let numbers: Vec<i16> = rows.iter().map(|it| it.number).collect();
    let names: Vec<&str> = rows.iter().map(|it| it.name.as_str()).collect();
    let promoted: Vec<i16> = rows.iter().map(|it| it.promoted).collect();
    let relegated: Vec<i16> = rows.iter().map(|it| it.relegated).collect();
    let put = statement(PUT).bind::<Uuid, _>(id).bind::<Array<Int2>, _>(numbers).bind::<Array<Text>, _>(names);
    put.bind::<Array<Int2>, _>(promoted).bind::<Array<Int2>, _>(relegated).execute(conn).await?;
    Ok(())
}

/// In the order of time. Places only where the tournament is finished.
pub async fn list_events(conn: &mut AsyncPgConnection, id: SeriesId) -> QueryResult<Vec<EventRow>> {
    const EVENTS: &str = "SELECT t.id, t.code, t.name, t.game, t.title, t.status, \
                          coalesce(t.started_at, t.starts_at, t.created_at) AS at, e.division, p.places \
                          FROM series_events e JOIN tournaments t ON t.id = e.tournament_id \
                          LEFT JOIN tournament_places p ON p.tournament_id = t.id AND t.status = 'finished' \
                          WHERE e.series_id = $1 ORDER BY at, t.id";
    statement(EVENTS).bind::<Uuid, _>(id).load(conn).await
}

/// Another text when the series changed, or where anybody came in one of its events.
pub async fn find_fingerprint(conn: &mut AsyncPgConnection, id: SeriesId) -> QueryResult<String> {
    const FINGERPRINT: &str = "SELECT concat_ws(' ', (SELECT revision FROM series WHERE id = $1), \
                               (SELECT string_agg(concat(t.id, t.status, md5(p.places::text)), ',' ORDER BY t.id) \
                               FROM series_events e JOIN tournaments t ON t.id = e.tournament_id \
                               LEFT JOIN tournament_places p ON p.tournament_id = t.id AND t.status = 'finished' \
                               WHERE e.series_id = $1)) AS fingerprint";
    Ok(statement(FINGERPRINT).bind::<Uuid, _>(id).get_result::<Fingerprint>(conn).await?.fingerprint)
}

/// Everybody who was entered in one of these.
pub async fn list_entrants(conn: &mut AsyncPgConnection, of: &[TournamentId]) -> QueryResult<Vec<EntrantRow>> {
    const ENTRANTS: &str = "SELECT e.tournament_id, e.number, e.player_id, p.display_name AS name, \
                            p.registered_at IS NOT NULL AS registered, p.deleted_at IS NOT NULL AS deleted \
                            FROM tournament_entrants e JOIN players p ON p.id = e.player_id \
                            WHERE e.tournament_id = ANY($1)";
    statement(ENTRANTS).bind::<Array<Uuid>, _>(of).load(conn).await
}

pub async fn list_people(conn: &mut AsyncPgConnection, id: SeriesId) -> QueryResult<Vec<PersonRow>> {
    const PEOPLE: &str = "SELECT s.player_id, s.same_as, s.division, p.display_name AS name, \
                          p.registered_at IS NOT NULL AS registered, p.deleted_at IS NOT NULL AS deleted \
                          FROM series_people s JOIN players p ON p.id = s.player_id \
                          WHERE s.series_id = $1 ORDER BY s.player_id";
    statement(PEOPLE).bind::<Uuid, _>(id).load(conn).await
}

pub async fn put_event(
    conn: &mut AsyncPgConnection,
    id: SeriesId,
    tournament: TournamentId,
    division: Option<i16>,
) -> QueryResult<usize> {
    use series_events as of;
    diesel::insert_into(of::table)
        .values((of::series_id.eq(id), of::tournament_id.eq(tournament), of::division.eq(division)))
        .on_conflict((of::series_id, of::tournament_id))
        .do_update()
        .set(of::division.eq(division))
        .execute(conn)
        .await
}

pub async fn delete_event(conn: &mut AsyncPgConnection, id: SeriesId, tournament: TournamentId) -> QueryResult<usize> {
    diesel::delete(series_events::table.find((id, tournament))).execute(conn).await
}

/// What staff say of these accounts, whether they said something before or not.
pub async fn put_people(
    conn: &mut AsyncPgConnection,
    id: SeriesId,
    rows: &[(PlayerId, Option<PlayerId>, Option<i16>)],
) -> QueryResult<usize> {
    const PUT: &str = "INSERT INTO series_people (series_id, player_id, same_as, division) \
                       SELECT $1, player_id, same_as, division FROM unnest($2, $3, $4) AS given (player_id, same_as, division) \
                       ON CONFLICT (series_id, player_id) DO UPDATE SET same_as = excluded.same_as, division = excluded.division";
    let players: Vec<PlayerId> = rows.iter().map(|it| it.0).collect();
    let same_as: Vec<Option<PlayerId>> = rows.iter().map(|it| it.1).collect();
    let divisions: Vec<Option<i16>> = rows.iter().map(|it| it.2).collect();
    let put = statement(PUT).bind::<Uuid, _>(id).bind::<Array<Uuid>, _>(players);
    put.bind::<Array<Nullable<Uuid>>, _>(same_as).bind::<Array<Nullable<Int2>>, _>(divisions).execute(conn).await
}

/// Staff say nothing of this account any more.
pub async fn delete_people(conn: &mut AsyncPgConnection, id: SeriesId, players: &[PlayerId]) -> QueryResult<usize> {
    let theirs = series_people::table.filter(series_people::series_id.eq(id));
    diesel::delete(theirs.filter(series_people::player_id.eq_any(players))).execute(conn).await
}

/// Whatever was said of this guest is said of the player, unless something was said of the player already.
pub async fn hand_over(conn: &mut AsyncPgConnection, guest: PlayerId, player: PlayerId) -> QueryResult<()> {
    const TELL: &str = "UPDATE series SET revision = revision + 1 WHERE id IN ( \
                        SELECT series_id FROM series_people WHERE player_id = $1 OR same_as = $1)";
    statement(TELL).bind::<Uuid, _>(guest).execute(conn).await?;
    const ADD: &str = "INSERT INTO series_people AS known (series_id, player_id, same_as, division) \
                       SELECT series_id, $1, CASE same_as WHEN $2 THEN $1 WHEN $1 THEN NULL ELSE same_as END, division \
                       FROM series_people WHERE player_id = $2 ON CONFLICT (series_id, player_id) \
                       DO UPDATE SET division = coalesce(known.division, excluded.division)";
    statement(ADD).bind::<Uuid, _>(player).bind::<Uuid, _>(guest).execute(conn).await?;
    diesel::delete(series_people::table.filter(series_people::player_id.eq(guest))).execute(conn).await?;
    const LEAD: &str =
        "UPDATE series_people SET same_as = CASE WHEN player_id = $1 THEN NULL ELSE $1 END WHERE same_as = $2";
    statement(LEAD).bind::<Uuid, _>(player).bind::<Uuid, _>(guest).execute(conn).await?;
    Ok(())
}

/// A season in which staff said something of a player, for the player.
#[derive(Clone, Debug, QueryableByName)]
pub struct PlayedIn {
    #[diesel(sql_type = Uuid)]
    pub id: SeriesId,
    #[diesel(sql_type = Text)]
    pub name: String,
    #[diesel(sql_type = Nullable<Text>)]
    pub division: Option<String>,
    /// Whether staff said whose the account is.
    #[diesel(sql_type = Nullable<Uuid>)]
    pub same_as: Option<PlayerId>,
}

/// The latest first.
pub async fn list_said_of(conn: &mut AsyncPgConnection, player: PlayerId, limit: i64) -> QueryResult<Vec<PlayedIn>> {
    const SAID: &str = "SELECT s.id, s.name, d.name AS division, p.same_as \
                        FROM series_people p JOIN series s ON s.id = p.series_id \
                        LEFT JOIN series_divisions d ON d.series_id = s.id AND d.number = p.division \
                        WHERE p.player_id = $1 ORDER BY s.id DESC LIMIT $2";
    statement(SAID).bind::<Uuid, _>(player).bind::<diesel::sql_types::BigInt, _>(limit).load(conn).await
}

impl EventRow {
    /// Whether its places count.
    pub fn is_over(&self) -> bool {
        self.status == TournamentStatus::Finished && self.places.is_some()
    }
}
