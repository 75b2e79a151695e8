//! `/api/v1/webhooks`.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, get, patch, post};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use base::auth::{Seal, can};
use base::error::not_found;
use base::list::List;
use cafe::webhooks::{
    self, DeliveryId, DeliveryRow, WebhookChange, WebhookEvent, WebhookId, WebhookRequest, WebhookRow, store,
};
use web_base::addresses::created;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, Path};
use web_base::limits::{Budget, Writes};

/// So many of what a webhook was told are listed.
pub(super) const MOST_LISTED: i64 = 100;

/// An address elsewhere that is told what happens.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Webhook {
    id: WebhookId,
    #[schema(example = "https://example.org/house-rules")]
    url: String,
    #[schema(value_type = Vec<WebhookEvent>)]
    events: Value,
    is_on: bool,
    created_at: Timestamp,
}

/// A new webhook, with the secret that signs what it is told.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NewWebhook {
    #[serde(flatten)]
    webhook: Webhook,
    /// Shown this once.
    #[schema(example = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")]
    secret: String,
}

/// What a webhook was told, or is to be.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WebhookDelivery)]
pub(crate) struct Delivery {
    /// The header `webhook-id`, the same for all attempts.
    id: DeliveryId,
    /// One of the events, or `webhook.test`.
    #[schema(example = "match.finished")]
    event: String,
    #[schema(value_type = Object)]
    data: Value,
    happened_at: Timestamp,
    /// When it is tried next; none once it was delivered or given up.
    due_at: Option<Timestamp>,
    attempts: i16,
    attempted_at: Option<Timestamp>,
    delivered_at: Option<Timestamp>,
    /// The HTTP status of the last answer.
    status: Option<i16>,
    /// Why the last attempt failed: `refused` (a status that is not 2xx), `timeout`, `unreachable`, `private_address`, `bad_address`
    /// or `secret_lost`.
    failure: Option<String>,
}

impl From<WebhookRow> for Webhook {
    fn from(row: WebhookRow) -> Self {
        let WebhookRow { id, url, events, is_on, created_at, .. } = row;
        Self { id, url, events, is_on, created_at }
    }
}

impl From<DeliveryRow> for Delivery {
    fn from(row: DeliveryRow) -> Self {
        let DeliveryRow { id, event, data, happened_at, due_at, attempts, attempted_at, delivered_at, .. } = row;
        let DeliveryRow { status, failure, .. } = row;
        Self { id, event, data, happened_at, due_at, attempts, attempted_at, delivered_at, status, failure }
    }
}

/// The webhooks, all on one page.
#[utoipa::path(tag = "webhooks", responses((status = 200, body = List<Webhook>)))]
#[get("/webhooks")]
pub async fn list_webhooks(Authorized(mut cx): Authorized<can::ManageWebhooks>) -> ApiResult<Json<List<Webhook>>> {
    let rows = store::list(cx.conn().await?).await?;
    Ok(Json(List { items: rows.into_iter().map(Webhook::from).collect(), next: None }))
}

/// Makes a webhook. The answer holds its secret, which is never shown again.
#[utoipa::path(tag = "webhooks", request_body = WebhookRequest, responses((status = 201, body = NewWebhook)))]
#[post("/webhooks")]
pub async fn create_webhook(
    _: Budget<Writes>,
    seal: Data<Seal>,
    Authorized(mut cx): Authorized<can::ManageWebhooks>,
    Body(request): Body<WebhookRequest>,
) -> ApiResult<HttpResponse> {
    let (row, secret) = webhooks::create(&mut cx, &seal, &request).await?;
    let mut response = created(format_args!("/webhooks/{}", row.id));
    response.insert_header((CACHE_CONTROL, "no-store"));
    Ok(response.json(NewWebhook { webhook: row.into(), secret: secret.reveal() }))
}

/// One webhook.
#[utoipa::path(tag = "webhooks", params(("id" = WebhookId, Path)), responses((status = 200, body = Webhook)))]
#[get("/webhooks/{id}")]
pub async fn find_webhook(
    Authorized(mut cx): Authorized<can::ManageWebhooks>,
    Path(id): Path<WebhookId>,
) -> ApiResult<Json<Webhook>> {
    let row = store::find(cx.conn().await?, id).await?.ok_or_else(|| not_found("webhook_not_found"))?;
    Ok(Json(row.into()))
}

/// Changes a webhook; what is left out stays as it is.
#[utoipa::path(
    tag = "webhooks",
    params(("id" = WebhookId, Path)),
    request_body = WebhookChange,
    responses((status = 200, body = Webhook))
)]
#[patch("/webhooks/{id}")]
pub async fn change_webhook(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageWebhooks>,
    Path(id): Path<WebhookId>,
    Body(change): Body<WebhookChange>,
) -> ApiResult<Json<Webhook>> {
    Ok(Json(webhooks::change(&mut cx, id, change).await?.into()))
}

/// Takes a webhook away, with the log of what it was told.
#[utoipa::path(
    tag = "webhooks",
    params(("id" = WebhookId, Path)),
    responses((status = 204, description = "It is told nothing more"))
)]
#[delete("/webhooks/{id}")]
pub async fn delete_webhook(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageWebhooks>,
    Path(id): Path<WebhookId>,
) -> ApiResult<HttpResponse> {
    webhooks::delete(&mut cx, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Tells the webhook `webhook.test`, to see whether it hears.
#[utoipa::path(tag = "webhooks", params(("id" = WebhookId, Path)), responses((status = 200, body = Delivery)))]
#[post("/webhooks/{id}/test")]
pub async fn test_webhook(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageWebhooks>,
    Path(id): Path<WebhookId>,
) -> ApiResult<Json<Delivery>> {
    Ok(Json(webhooks::test(&mut cx, id).await?.into()))
}

/// What the webhook was told in the last 30 days, the latest 100 first.
#[utoipa::path(tag = "webhooks", params(("id" = WebhookId, Path)), responses((status = 200, body = List<Delivery>)))]
#[get("/webhooks/{id}/deliveries")]
pub async fn list_deliveries(
    Authorized(mut cx): Authorized<can::ManageWebhooks>,
    Path(id): Path<WebhookId>,
) -> ApiResult<Json<List<Delivery>>> {
    let conn = cx.conn().await?;
    store::find(conn, id).await?.ok_or_else(|| not_found("webhook_not_found"))?;
    let rows = store::list_deliveries(conn, id, MOST_LISTED).await?;
    Ok(Json(List { items: rows.into_iter().map(Delivery::from).collect(), next: None }))
}

/// Sends it again, with the same id.
#[utoipa::path(
    tag = "webhooks",
    params(("id" = WebhookId, Path), ("delivery" = DeliveryId, Path)),
    responses((status = 200, body = Delivery))
)]
#[post("/webhooks/{id}/deliveries/{delivery}/resend")]
pub async fn resend_delivery(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageWebhooks>,
    Path((id, delivery)): Path<(WebhookId, DeliveryId)>,
) -> ApiResult<Json<Delivery>> {
    Ok(Json(webhooks::resend(&mut cx, id, delivery).await?.into()))
}
