//! `/api/v1/keys`.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Json;
use actix_web::{HttpResponse, delete, get, post};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use base::auth::can;
use base::list::List;
use cafe::api_keys::{self, KeyId, KeyRequest, KeyRole, KeyRow, store};
use web_base::addresses::created;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, Path};
use web_base::limits::{Budget, Writes};

/// With it a service elsewhere uses the API.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ApiKey {
    id: KeyId,
    #[schema(example = "Brackets")]
    name: String,
    /// How the key begins.
    #[schema(example = "hrk_Rk3xVb9q")]
    prefix: String,
    role: KeyRole,
    /// Whether it changes only what such keys made.
    sandbox: bool,
    created_at: Timestamp,
    /// None for a key that lasts until it is revoked.
    expires_at: Option<Timestamp>,
    /// Its last use, to a minute.
    used_at: Option<Timestamp>,
}

/// A new key.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NewApiKey {
    #[serde(flatten)]
    key: ApiKey,
    /// Sent as `Authorization: Bearer hrk_…`. Shown this once.
    #[schema(example = "hrk_Rk3xVb9qJ0tq9uY6k1c2d3e4f5g6h7i8j9k0l1m2n3o")]
    secret: String,
}

impl From<KeyRow> for ApiKey {
    fn from(row: KeyRow) -> Self {
        let KeyRow { id, name, prefix, role, sandbox, created_at, expires_at, used_at } = row;
        Self { id, name, prefix, role, sandbox, created_at, expires_at, used_at }
    }
}

/// The keys that were not revoked, all on one page.
#[utoipa::path(tag = "keys", responses((status = 200, body = List<ApiKey>)))]
#[get("/keys")]
pub async fn list_keys(Authorized(mut cx): Authorized<can::ManageKeys>) -> ApiResult<Json<List<ApiKey>>> {
    let rows = store::list(cx.conn().await?).await?;
    Ok(Json(List { items: rows.into_iter().map(ApiKey::from).collect(), next: None }))
}

/// Makes a key. The answer holds its secret, which is never shown again.
#[utoipa::path(tag = "keys", request_body = KeyRequest, responses((status = 201, body = NewApiKey)))]
#[post("/keys")]
pub async fn create_key(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageKeys>,
    Body(request): Body<KeyRequest>,
) -> ApiResult<HttpResponse> {
    let (row, secret) = api_keys::create(&mut cx, &request).await?;
    let mut response = created(format_args!("/keys/{}", row.id));
    response.insert_header((CACHE_CONTROL, "no-store"));
    Ok(response.json(NewApiKey { key: row.into(), secret: secret.reveal().to_owned() }))
}

/// Revokes a key at once.
#[utoipa::path(
    tag = "keys",
    params(("id" = KeyId, Path)),
    responses((status = 204, description = "It is good for nothing more"))
)]
#[delete("/keys/{id}")]
pub async fn revoke_key(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageKeys>,
    Path(id): Path<KeyId>,
) -> ApiResult<HttpResponse> {
    api_keys::revoke(&mut cx, id).await?;
    Ok(HttpResponse::NoContent().finish())
}
