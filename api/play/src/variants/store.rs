//! Rows and queries of variants and their versions.

use diesel::dsl::{count_star, sql};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Bool, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde_json::Value;

use super::VariantStatus;
use base::db::{fixed, statement};
use base::ids::{PlayerId, VariantId};
use base::names;
use base::schema::{variant_versions, variants};

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = variants, check_for_backend(Pg))]
pub struct VariantRow {
    pub id: VariantId,
    pub game: String,
    pub name: String,
    pub description: Option<String>,
    pub status: VariantStatus,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
}

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = variant_versions, check_for_backend(Pg))]
pub struct VersionRow {
    pub variant_id: VariantId,
    pub number: i32,
    pub revision: i32,
    pub options: Value,
    pub variant_hash: Vec<u8>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub published_at: Option<Timestamp>,
}

#[derive(Insertable)]
#[diesel(table_name = variants)]
pub struct NewVariant<'a> {
    pub id: VariantId,
    pub game: &'a str,
    pub name: &'a str,
    pub description: Option<&'a str>,
    pub created_by: PlayerId,
    pub created_at: SqlTimestamp,
}

#[derive(Insertable)]
#[diesel(table_name = variant_versions)]
pub struct NewVersion<'a> {
    pub variant_id: VariantId,
    pub number: i32,
    pub revision: i32,
    pub options: &'a Value,
    pub variant_hash: &'a [u8],
    pub created_by: PlayerId,
    pub created_at: SqlTimestamp,
}

#[derive(Clone, Copy, AsChangeset)]
#[diesel(table_name = variants)]
pub struct Changes<'a> {
    pub name: Option<&'a str>,
    pub description: Option<Option<&'a str>>,
}

/// Which variants a list holds.
#[derive(Clone, Debug, Default)]
pub struct Filter<'a> {
    pub status: Option<VariantStatus>,
    pub game: Option<&'a str>,
    /// Those made before this one.
    pub before: Option<VariantId>,
}

/// The latest first.
pub async fn list(conn: &mut AsyncPgConnection, filter: &Filter<'_>, limit: i64) -> QueryResult<Vec<VariantRow>> {
    let mut query =
        variants::table.select(VariantRow::as_select()).order(variants::id.desc()).limit(limit).into_boxed();
    if let Some(status) = filter.status {
        query = query.filter(variants::status.eq(status));
    }
    if let Some(game) = filter.game {
        query = query.filter(variants::game.eq(game));
    }
    if let Some(before) = filter.before {
        query = query.filter(variants::id.lt(before));
    }
    query.load(conn).await
}

/// How many variants with this status there are of each game that has any.
pub async fn count(conn: &mut AsyncPgConnection, status: VariantStatus) -> QueryResult<Vec<(String, i64)>> {
    let counted = variants::table.filter(variants::status.eq(status)).group_by(variants::game);
    counted.select((variants::game, count_star())).load(conn).await
}

/// Those whose name holds this, case and spaces aside. All variants are looked at, of which a café has some dozens.
pub async fn search(conn: &mut AsyncPgConnection, text: &str, limit: i64) -> QueryResult<Vec<VariantRow>> {
    let found =
        variants::table.filter(names::column_holds("variants.name", text)).order(variants::id.desc()).limit(limit);
    found.select(VariantRow::as_select()).load(conn).await
}

pub async fn list_names(conn: &mut AsyncPgConnection, ids: &[VariantId]) -> QueryResult<Vec<(VariantId, String)>> {
    variants::table.filter(variants::id.eq_any(ids)).select((variants::id, variants::name)).load(conn).await
}

pub async fn find(conn: &mut AsyncPgConnection, id: VariantId) -> QueryResult<Option<VariantRow>> {
    variants::table.find(id).select(VariantRow::as_select()).first(conn).await.optional()
}

/// Until the transaction ends nobody else changes the variant or its versions.
pub async fn lock(conn: &mut AsyncPgConnection, id: VariantId) -> QueryResult<Option<VariantRow>> {
    variants::table.find(id).select(VariantRow::as_select()).for_update().first(conn).await.optional()
}

pub async fn insert(conn: &mut AsyncPgConnection, new: &NewVariant<'_>) -> QueryResult<usize> {
    diesel::insert_into(variants::table).values(new).execute(conn).await
}

pub async fn update(conn: &mut AsyncPgConnection, id: VariantId, changes: &Changes<'_>) -> QueryResult<usize> {
    diesel::update(variants::table.find(id)).set(changes).execute(conn).await
}

pub async fn set_status(conn: &mut AsyncPgConnection, id: VariantId, status: VariantStatus) -> QueryResult<usize> {
    diesel::update(variants::table.find(id)).set(variants::status.eq(status)).execute(conn).await
}

pub async fn find_version(conn: &mut AsyncPgConnection, id: VariantId, number: i32) -> QueryResult<Option<VersionRow>> {
    variant_versions::table.find((id, number)).select(VersionRow::as_select()).first(conn).await.optional()
}

/// The versions below this number, falling, and whether each was played.
pub async fn list_versions(
    conn: &mut AsyncPgConnection,
    id: VariantId,
    only_published: bool,
    before: Option<i32>,
    limit: i64,
) -> QueryResult<Vec<(VersionRow, bool)>> {
    let mut query = variant_versions::table
        .filter(variant_versions::variant_id.eq(id))
        .order(variant_versions::number.desc())
        .limit(limit)
        .select((VersionRow::as_select(), fixed::<Bool>(PLAYED)))
        .into_boxed();
    if only_published {
        query = query.filter(variant_versions::published_at.is_not_null());
    }
    if let Some(before) = before {
        query = query.filter(variant_versions::number.lt(before));
    }
    query.load(conn).await
}

/// Of each of these variants the latest published version and the latest that is not, and whether each was played.
pub async fn list_latest(conn: &mut AsyncPgConnection, ids: &[VariantId]) -> QueryResult<Vec<(VersionRow, bool)>> {
    let latest = sql::<Bool>(
        "(variant_id, number) IN (SELECT variant_id, max(number) FROM variant_versions WHERE variant_id = ANY(",
    )
    .bind::<Array<Uuid>, _>(ids)
    .sql(") GROUP BY variant_id, published_at IS NULL)");
    variant_versions::table
        .filter(latest)
        .order((variant_versions::variant_id, variant_versions::number))
        .select((VersionRow::as_select(), fixed::<Bool>(PLAYED)))
        .load(conn)
        .await
}

#[derive(diesel::QueryableByName)]
struct Plays {
    #[diesel(sql_type = Uuid)]
    id: VariantId,
    #[diesel(sql_type = BigInt)]
    plays: i64,
}

/// More plays of a variant than this are not counted one by one.
pub const COUNTED: i64 = 10_000;

/// How many matches were made by each of these variants, of any version.
pub async fn count_plays(conn: &mut AsyncPgConnection, ids: &[VariantId]) -> QueryResult<Vec<(VariantId, i64)>> {
    let query = statement(
        "SELECT it.id, (SELECT count(*) FROM (SELECT FROM matches WHERE matches.variant_id = it.id LIMIT $1) AS those) \
         AS plays FROM unnest($2) AS it (id)",
    );
    let rows: Vec<Plays> = query.bind::<BigInt, _>(COUNTED).bind::<Array<Uuid>, _>(ids).load(conn).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.plays)).collect())
}

pub async fn insert_version(conn: &mut AsyncPgConnection, new: &NewVersion<'_>) -> QueryResult<usize> {
    diesel::insert_into(variant_versions::table).values(new).execute(conn).await
}

/// What a draft says.
pub async fn update_version(conn: &mut AsyncPgConnection, new: &NewVersion<'_>) -> QueryResult<usize> {
    diesel::update(variant_versions::table.find((new.variant_id, new.number)))
        .set((
            variant_versions::revision.eq(new.revision),
            variant_versions::options.eq(new.options),
            variant_versions::variant_hash.eq(new.variant_hash),
        ))
        .execute(conn)
        .await
}

pub async fn publish_version(
    conn: &mut AsyncPgConnection,
    id: VariantId,
    number: i32,
    now: Timestamp,
) -> QueryResult<usize> {
    let now = variant_versions::published_at.eq(SqlTimestamp::from(now));
    diesel::update(variant_versions::table.find((id, number))).set(now).execute(conn).await
}

const PLAYED: &str = "EXISTS (SELECT FROM matches WHERE matches.variant_id = variant_versions.variant_id \
                      AND matches.variant_version = variant_versions.number)";
