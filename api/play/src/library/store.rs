//! Rows and queries of titles and their copies. What is told of a copy is in `history`.

use std::borrow::Borrow;
use std::collections::HashMap;

use diesel::dsl::{count_star, exists, max, not, sql};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Bool, Text, Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};

use super::{CopyState, Difficulty};
use base::db::{Count, statement};
use base::ids::{CopyId, TableId, TitleId};
use base::schema::{copies, titles};
use base::text::Lang;

/// A box game that the café has.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = titles, check_for_backend(Pg))]
pub struct TitleRow {
    pub id: TitleId,
    pub game: Option<String>,
    pub name_ko: String,
    pub name_en: String,
    pub name_es: String,
    pub players_from: i16,
    pub players_to: i16,
    pub minutes_from: i16,
    pub minutes_to: i16,
    pub difficulty: Difficulty,
    pub teach_minutes: Option<i16>,
    pub rules_url: Option<String>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub archived_at: Option<Timestamp>,
}

/// One box of a title, and where it is.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = copies, check_for_backend(Pg))]
pub struct CopyRow {
    pub id: CopyId,
    pub title_id: TitleId,
    pub number: i16,
    pub shelf: String,
    pub state: CopyState,
    pub table_id: Option<TableId>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub since: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub archived_at: Option<Timestamp>,
}

/// What a title says, in the columns that hold it.
#[derive(Clone, Debug, PartialEq, Insertable, AsChangeset)]
#[diesel(table_name = titles, treat_none_as_null = true)]
pub struct TitleContent {
    pub game: Option<String>,
    pub name_ko: String,
    pub name_en: String,
    pub name_es: String,
    pub players_from: i16,
    pub players_to: i16,
    pub minutes_from: i16,
    pub minutes_to: i16,
    pub difficulty: Difficulty,
    pub teach_minutes: Option<i16>,
    pub rules_url: Option<String>,
}

#[derive(Insertable)]
#[diesel(table_name = copies)]
pub struct NewCopy<'a> {
    pub id: CopyId,
    pub title_id: TitleId,
    pub number: i16,
    pub shelf: &'a str,
    pub since: SqlTimestamp,
    pub created_at: SqlTimestamp,
}

/// Where a copy goes.
#[derive(Clone, Copy, AsChangeset)]
#[diesel(table_name = copies)]
pub struct Place {
    pub state: CopyState,
    pub table_id: Option<Option<TableId>>,
    pub since: SqlTimestamp,
    /// Only if it leaves a table.
    pub played_at: Option<Option<SqlTimestamp>>,
}

/// Which titles a list holds.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// As `names::pattern` makes it.
    pub name: Option<String>,
    pub players: Option<i16>,
    /// It can be played within so many minutes.
    pub minutes: Option<i16>,
    pub difficulty: Option<Difficulty>,
    /// With a copy in this state.
    pub state: Option<CopyState>,
    /// Neither on a table nor played since then.
    pub unplayed_since: Option<Timestamp>,
    pub archived: bool,
    /// Those whose name comes after this one's.
    pub after: Option<TitleId>,
}

impl TitleRow {
    pub fn name(&self, lang: impl Borrow<Lang>) -> &str {
        match lang.borrow() {
            Lang::Ko => &self.name_ko,
            Lang::En => &self.name_en,
            Lang::Es => &self.name_es,
        }
    }

    pub fn names(&self) -> HashMap<Lang, String> {
        Lang::ALL.into_iter().map(|lang| (lang, self.name(lang).to_owned())).collect()
    }

    /// A page with its rules, here or elsewhere.
    pub fn rules_page(&self) -> Option<String> {
        self.game.as_ref().map(|game| format!("/rules/{game}")).or_else(|| self.rules_url.clone())
    }
}

impl From<TitleRow> for TitleContent {
    fn from(row: TitleRow) -> Self {
        let TitleRow { game, name_ko, name_en, name_es, players_from, players_to, .. } = row;
        let TitleRow { minutes_from, minutes_to, difficulty, teach_minutes, rules_url, .. } = row;
        Self {
            game,
            name_ko,
            name_en,
            name_es,
            players_from,
            players_to,
            minutes_from,
            minutes_to,
            difficulty,
            teach_minutes,
            rules_url,
        }
    }
}

/// In the order of their names in this language. Looks at all titles: `MOST_TITLES` at most.
pub async fn list(conn: &mut AsyncPgConnection, lang: Lang, filter: &Filter, limit: i64) -> QueryResult<Vec<TitleRow>> {
    let order = sql::<Text>(&format!("lower(titles.name_{}) COLLATE \"C\"", lang.code()));
    let mut query = titles::table
        .filter(titles::archived_at.is_not_null().eq(filter.archived))
        .select(TitleRow::as_select())
        .order((order, titles::id))
        .limit(limit)
        .into_boxed();
    if let Some(name) = &filter.name {
        query = query.filter(sql::<Bool>("titles.search_text COLLATE \"C\" ~ ").bind::<Text, _>(name.clone()));
    }
    if let Some(players) = filter.players {
        query = query.filter(titles::players_from.le(players).and(titles::players_to.ge(players)));
    }
    if let Some(minutes) = filter.minutes {
        query = query.filter(titles::minutes_from.le(minutes));
    }
    if let Some(difficulty) = filter.difficulty {
        query = query.filter(titles::difficulty.eq(difficulty));
    }
    let its_copies = || copies::table.filter(copies::title_id.eq(titles::id)).filter(copies::archived_at.is_null());
    if let Some(state) = filter.state {
        query = query.filter(exists(its_copies().filter(copies::state.eq(state))));
    }
    if let Some(since) = filter.unplayed_since {
        let since = SqlTimestamp::from(since);
        let played = copies::state.eq(CopyState::Table).or(copies::played_at.ge(since).assume_not_null());
        let digitally = sql::<Bool>(LAST_MATCH).bind::<Timestamptz, _>(since).sql(", false)");
        query = query.filter(titles::created_at.lt(since)).filter(not(exists(its_copies().filter(played))));
        query = query.filter(not(digitally));
    }
    if let Some(after) = filter.after {
        let code = lang.code();
        let of_names = format!(
            "(lower(titles.name_{code}) COLLATE \"C\", titles.id) > \
             (SELECT lower(it.name_{code}) COLLATE \"C\", it.id FROM titles AS it WHERE it.id = "
        );
        query = query.filter(sql::<Bool>(&of_names).bind::<Uuid, _>(after).sql(")"));
    }
    query.load(conn).await
}

/// The latest match of the title's game, found by its index, was played since.
const LAST_MATCH: &str = "coalesce((SELECT matches.created_at FROM matches WHERE matches.game = titles.game \
                          AND matches.started_at IS NOT NULL ORDER BY matches.id DESC LIMIT 1) >= ";

/// Titles for this many players, of games outside the catalogue.
pub async fn list_fitting(conn: &mut AsyncPgConnection, players: i16, limit: i64) -> QueryResult<Vec<TitleRow>> {
    titles::table
        .filter(titles::archived_at.is_null().and(titles::game.is_null()))
        .filter(titles::players_from.le(players).and(titles::players_to.ge(players)))
        .order((titles::name_ko, titles::id))
        .limit(limit)
        .select(TitleRow::as_select())
        .load(conn)
        .await
}

/// Every title, archived ones too: for an import, which compares with them all.
pub async fn list_all(conn: &mut AsyncPgConnection) -> QueryResult<Vec<TitleRow>> {
    titles::table.select(TitleRow::as_select()).order((titles::name_ko, titles::id)).load(conn).await
}

pub async fn count(conn: &mut AsyncPgConnection) -> QueryResult<i64> {
    titles::table.select(count_star()).first(conn).await
}

pub async fn find(conn: &mut AsyncPgConnection, id: TitleId) -> QueryResult<Option<TitleRow>> {
    titles::table.find(id).select(TitleRow::as_select()).first(conn).await.optional()
}

/// Until the transaction ends nobody else changes the title or gives it a copy.
pub async fn lock(conn: &mut AsyncPgConnection, id: TitleId) -> QueryResult<Option<TitleRow>> {
    titles::table.find(id).select(TitleRow::as_select()).for_update().first(conn).await.optional()
}

pub async fn insert(
    conn: &mut AsyncPgConnection,
    id: TitleId,
    content: &TitleContent,
    now: Timestamp,
) -> QueryResult<TitleRow> {
    let new = (titles::id.eq(id), content.clone(), titles::created_at.eq(SqlTimestamp::from(now)));
    diesel::insert_into(titles::table).values(new).returning(TitleRow::as_returning()).get_result(conn).await
}

/// Nothing, if there is a title of this name or of this game.
pub async fn insert_new(
    conn: &mut AsyncPgConnection,
    id: TitleId,
    content: &TitleContent,
    now: Timestamp,
) -> QueryResult<usize> {
    let new = (titles::id.eq(id), content.clone(), titles::created_at.eq(SqlTimestamp::from(now)));
    diesel::insert_into(titles::table).values(new).on_conflict_do_nothing().execute(conn).await
}

pub async fn update(conn: &mut AsyncPgConnection, id: TitleId, content: &TitleContent) -> QueryResult<TitleRow> {
    let change = diesel::update(titles::table.find(id)).set(content.clone());
    change.returning(TitleRow::as_returning()).get_result(conn).await
}

pub async fn set_archived(
    conn: &mut AsyncPgConnection,
    id: TitleId,
    archived_at: Option<Timestamp>,
) -> QueryResult<usize> {
    let at = titles::archived_at.eq(archived_at.map(SqlTimestamp::from));
    diesel::update(titles::table.find(id)).set(at).execute(conn).await
}

/// The copies of these titles, by title and number; those that left the library only if asked for.
pub async fn list_copies(
    conn: &mut AsyncPgConnection,
    titles: &[TitleId],
    with_archived: bool,
) -> QueryResult<Vec<CopyRow>> {
    let mut query = copies::table.filter(copies::title_id.eq_any(titles)).select(CopyRow::as_select()).into_boxed();
    if !with_archived {
        query = query.filter(copies::archived_at.is_null());
    }
    query.order((copies::title_id, copies::number)).load(conn).await
}

/// Titles with a copy that the house had then, none of which has been on a table since.
pub async fn count_unlent(conn: &mut AsyncPgConnection, since: Timestamp) -> QueryResult<i64> {
    const UNLENT: &str = "SELECT count(*) AS count FROM ( \
        SELECT FROM copies JOIN titles ON titles.id = title_id \
        WHERE copies.archived_at IS NULL AND titles.archived_at IS NULL GROUP BY title_id \
        HAVING min(copies.created_at) < $1 AND NOT bool_or(state = 'table' OR coalesce(played_at >= $1, false)) \
    ) AS unlent";
    let unlent = statement(UNLENT).bind::<Timestamptz, _>(SqlTimestamp::from(since));
    Ok(unlent.get_result::<Count>(conn).await?.count)
}

/// The copies in these states with their titles, the longest there first.
pub async fn list_in_states(
    conn: &mut AsyncPgConnection,
    states: &[CopyState],
    limit: i64,
) -> QueryResult<Vec<(CopyRow, TitleRow)>> {
    copies::table
        .inner_join(titles::table)
        .filter(copies::state.eq_any(states).and(copies::archived_at.is_null()))
        .order((copies::since, copies::id))
        .limit(limit)
        .select((CopyRow::as_select(), TitleRow::as_select()))
        .load(conn)
        .await
}

/// The copies on their shelves with their titles: those of this game, then those that were on a table last.
pub async fn list_latest_played(
    conn: &mut AsyncPgConnection,
    game: Option<&str>,
    limit: i64,
) -> QueryResult<Vec<(CopyRow, TitleRow)>> {
    let of_game = sql::<Bool>("titles.game IS NOT DISTINCT FROM ").bind::<Text, _>(game.unwrap_or_default());
    copies::table
        .inner_join(titles::table)
        .filter(copies::state.eq(CopyState::Shelf))
        .filter(copies::archived_at.is_null().and(titles::archived_at.is_null()))
        .order((
            of_game.sql(" DESC"),
            copies::played_at.desc().nulls_last(),
            titles::name_ko,
            copies::number,
            copies::id,
        ))
        .limit(limit)
        .select((CopyRow::as_select(), TitleRow::as_select()))
        .load(conn)
        .await
}

/// Until the transaction ends nobody else moves what lies on this table.
pub async fn lock_on_table(conn: &mut AsyncPgConnection, table: TableId) -> QueryResult<Vec<CopyRow>> {
    let there = copies::table.filter(copies::table_id.eq(table)).order(copies::id);
    there.select(CopyRow::as_select()).for_update().load(conn).await
}

pub async fn find_copy(conn: &mut AsyncPgConnection, id: CopyId) -> QueryResult<Option<(CopyRow, TitleRow)>> {
    let found = copies::table.inner_join(titles::table).filter(copies::id.eq(id));
    found.select((CopyRow::as_select(), TitleRow::as_select())).first(conn).await.optional()
}

/// Until the transaction ends nobody else moves the copy.
pub async fn lock_copy(conn: &mut AsyncPgConnection, id: CopyId) -> QueryResult<Option<CopyRow>> {
    copies::table.find(id).select(CopyRow::as_select()).for_update().first(conn).await.optional()
}

/// The highest number that a copy of this title has or had.
pub async fn last_number(conn: &mut AsyncPgConnection, title: TitleId) -> QueryResult<Option<i16>> {
    copies::table.filter(copies::title_id.eq(title)).select(max(copies::number)).first(conn).await
}

pub async fn insert_copy(conn: &mut AsyncPgConnection, new: &NewCopy<'_>) -> QueryResult<CopyRow> {
    diesel::insert_into(copies::table).values(new).returning(CopyRow::as_returning()).get_result(conn).await
}

pub async fn set_shelf(conn: &mut AsyncPgConnection, id: CopyId, shelf: &str) -> QueryResult<CopyRow> {
    let change = diesel::update(copies::table.find(id)).set(copies::shelf.eq(shelf));
    change.returning(CopyRow::as_returning()).get_result(conn).await
}

pub async fn set_copy_archived(
    conn: &mut AsyncPgConnection,
    id: CopyId,
    archived_at: Option<Timestamp>,
) -> QueryResult<CopyRow> {
    let at = copies::archived_at.eq(archived_at.map(SqlTimestamp::from));
    diesel::update(copies::table.find(id)).set(at).returning(CopyRow::as_returning()).get_result(conn).await
}

pub async fn place(conn: &mut AsyncPgConnection, id: CopyId, place: Place) -> QueryResult<CopyRow> {
    diesel::update(copies::table.find(id)).set(place).returning(CopyRow::as_returning()).get_result(conn).await
}
