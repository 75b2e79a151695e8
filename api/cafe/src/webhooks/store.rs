//! Rows and queries of webhooks and of what they are told.

use diesel::dsl;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Int2, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde_json::Value;

use super::{Attempt, DeliveryId, WebhookId};
use base::ids::PlayerId;
use base::schema::{webhook_deliveries as deliveries, webhooks};

/// So many are claimed at once, and so many are sent at one time.
const CLAIMED_AT_ONCE: i64 = 8;

/// An address elsewhere.
#[derive(Clone, Debug, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = webhooks, check_for_backend(Pg))]
pub struct WebhookRow {
    pub id: WebhookId,
    pub url: String,
    /// The names of those that it is told of.
    pub events: Value,
    /// Sealed.
    pub secret: Vec<u8>,
    pub is_on: bool,
    pub created_by: PlayerId,
    #[diesel(deserialize_as = SqlTimestamp, serialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
}

/// What a webhook was told, or is to be.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = deliveries, check_for_backend(Pg))]
pub struct DeliveryRow {
    pub id: DeliveryId,
    pub event: String,
    pub data: Value,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub happened_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub due_at: Option<Timestamp>,
    pub attempts: i16,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub attempted_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub delivered_at: Option<Timestamp>,
    pub status: Option<i16>,
    pub failure: Option<String>,
}

/// What one process is about to send.
#[derive(QueryableByName)]
pub struct ClaimedRow {
    #[diesel(sql_type = SqlUuid)]
    pub id: DeliveryId,
    #[diesel(sql_type = SqlUuid)]
    pub webhook_id: WebhookId,
    #[diesel(sql_type = Text)]
    pub url: String,
    #[diesel(sql_type = diesel::sql_types::Binary)]
    pub secret: Vec<u8>,
    #[diesel(sql_type = Text)]
    pub event: String,
    #[diesel(sql_type = Jsonb)]
    pub data: Value,
    #[diesel(sql_type = Timestamptz, deserialize_as = SqlTimestamp)]
    pub happened_at: Timestamp,
    #[diesel(sql_type = Int2)]
    pub attempts: i16,
}

impl WebhookRow {
    /// The host and port that it leads to.
    pub fn host(&self) -> &str {
        let rest = self.url.split_once("://").map_or("", |(_, rest)| rest);
        rest.split(['/', '?']).next().unwrap_or_default()
    }
}

pub async fn count(conn: &mut AsyncPgConnection) -> QueryResult<i64> {
    webhooks::table.count().get_result(conn).await
}

pub async fn list(conn: &mut AsyncPgConnection) -> QueryResult<Vec<WebhookRow>> {
    webhooks::table.order(webhooks::id).select(WebhookRow::as_select()).load(conn).await
}

pub async fn find(conn: &mut AsyncPgConnection, id: WebhookId) -> QueryResult<Option<WebhookRow>> {
    webhooks::table.find(id).select(WebhookRow::as_select()).first(conn).await.optional()
}

pub async fn lock(conn: &mut AsyncPgConnection, id: WebhookId) -> QueryResult<Option<WebhookRow>> {
    webhooks::table.find(id).for_update().select(WebhookRow::as_select()).first(conn).await.optional()
}

pub async fn lock_all(conn: &mut AsyncPgConnection) -> QueryResult<Vec<WebhookRow>> {
    webhooks::table.order(webhooks::id).for_update().select(WebhookRow::as_select()).load(conn).await
}

pub async fn insert(conn: &mut AsyncPgConnection, row: &WebhookRow) -> QueryResult<usize> {
    diesel::insert_into(webhooks::table).values(row.clone()).execute(conn).await
}

pub async fn update(conn: &mut AsyncPgConnection, row: &WebhookRow) -> QueryResult<usize> {
    diesel::update(webhooks::table.find(row.id)).set(row.clone()).execute(conn).await
}

pub async fn delete(conn: &mut AsyncPgConnection, id: WebhookId) -> QueryResult<usize> {
    diesel::delete(webhooks::table.find(id)).execute(conn).await
}

pub async fn insert_delivery(
    conn: &mut AsyncPgConnection,
    id: DeliveryId,
    webhook: WebhookId,
    event: &str,
    data: &Value,
) -> QueryResult<DeliveryRow> {
    let new = (
        deliveries::id.eq(id),
        deliveries::webhook_id.eq(webhook),
        deliveries::event.eq(event),
        deliveries::data.eq(data),
        deliveries::happened_at.eq(dsl::now),
        deliveries::due_at.eq(dsl::now),
        deliveries::attempts.eq(0),
    );
    diesel::insert_into(deliveries::table).values(new).returning(DeliveryRow::as_returning()).get_result(conn).await
}

/// What this webhook was told lately, the latest first.
pub async fn list_deliveries(
    conn: &mut AsyncPgConnection,
    webhook: WebhookId,
    limit: i64,
) -> QueryResult<Vec<DeliveryRow>> {
    deliveries::table
        .filter(deliveries::webhook_id.eq(webhook))
        .order((deliveries::happened_at.desc(), deliveries::id))
        .limit(limit)
        .select(DeliveryRow::as_select())
        .load(conn)
        .await
}

/// Makes it due now, as if it had never been tried.
pub async fn schedule_again(
    conn: &mut AsyncPgConnection,
    webhook: WebhookId,
    id: DeliveryId,
) -> QueryResult<Option<DeliveryRow>> {
    let fresh = (
        deliveries::due_at.eq(dsl::now),
        deliveries::attempts.eq(0),
        deliveries::delivered_at.eq(None::<SqlTimestamp>),
        deliveries::failure.eq(None::<&str>),
    );
    let of_webhook = deliveries::table.find(id).filter(deliveries::webhook_id.eq(webhook));
    diesel::update(of_webhook).set(fresh).returning(DeliveryRow::as_returning()).get_result(conn).await.optional()
}

/// Takes some of what is due. If nobody settles it within two minutes, somebody else takes it.
pub async fn claim(conn: &mut AsyncPgConnection) -> QueryResult<Vec<ClaimedRow>> {
    const CLAIM: &str = "WITH due AS (
        SELECT d.id, w.url, w.secret FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
        WHERE d.due_at <= now() AND w.is_on ORDER BY d.due_at LIMIT $1 FOR UPDATE OF d SKIP LOCKED
    )
    UPDATE webhook_deliveries d
    SET due_at = now() + interval '2 minutes', attempted_at = now(), attempts = d.attempts + 1
    FROM due WHERE d.id = due.id
    RETURNING d.id, d.webhook_id, due.url, due.secret, d.event, d.data, d.happened_at, d.attempts";
    diesel::sql_query(CLAIM).bind::<BigInt, _>(CLAIMED_AT_ONCE).load(conn).await
}

/// Unless it was made due again in between.
pub async fn settle(
    conn: &mut AsyncPgConnection,
    id: DeliveryId,
    attempts: i16,
    attempt: &Attempt,
    pause: Option<i64>,
) -> QueryResult<()> {
    const SETTLE: &str = "UPDATE webhook_deliveries
        SET due_at = now() + $3 * interval '1 second', status = $4, failure = $5,
            delivered_at = CASE WHEN $5 IS NULL THEN now() END
        WHERE id = $1 AND attempts = $2";
    let settled = diesel::sql_query(SETTLE).bind::<SqlUuid, _>(id).bind::<Int2, _>(attempts);
    let settled = settled.bind::<Nullable<BigInt>, _>(pause);
    let settled = settled.bind::<Nullable<Int2>, _>(attempt.status.and_then(|status| i16::try_from(status).ok()));
    settled.bind::<Nullable<Text>, _>(attempt.failure).execute(conn).await.map(|_| ())
}

pub async fn delete_before(conn: &mut AsyncPgConnection, before: Timestamp) -> QueryResult<usize> {
    let old = deliveries::table.filter(deliveries::happened_at.lt(SqlTimestamp::from(before)));
    diesel::delete(old).execute(conn).await
}
