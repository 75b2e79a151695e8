//! `/api/v1/operations`.

use actix_web::web::Json;
use actix_web::{HttpResponse, get, post};

use super::{Process, read};
use base::auth::can;
use cafe::operations::{Operations, backups};
use web_base::error::ApiResult;
use web_base::extract::Authorized;
use web_base::limits::{Budget, Writes};

/// How the server is doing. For managers and owners.
#[utoipa::path(tag = "operations", responses((status = 200, body = Operations)))]
#[get("/operations")]
pub async fn find_operations(
    process: Process,
    Authorized(mut cx): Authorized<can::ViewOperations>,
) -> ApiResult<Json<Operations>> {
    Ok(Json(read(&mut cx, &process).await?))
}

/// Has a backup taken within a few seconds, where servers take them by themselves. For managers and owners.
#[utoipa::path(tag = "operations", responses((status = 204, description = "A server takes it now")))]
#[post("/operations/backups")]
pub async fn request_backup(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ViewOperations>,
) -> ApiResult<HttpResponse> {
    backups::ask(&mut cx).await?;
    Ok(HttpResponse::NoContent().finish())
}
