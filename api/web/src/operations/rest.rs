//! `/api/v1/operations`.

use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, get, post};
use metrics_exporter_prometheus::PrometheusHandle;

use crate::config::Config;
use crate::error::ApiResult;
use crate::extract::Authorized;
use crate::limits::{Budget, Limits, Writes};
use cafe::auth::can;
use cafe::db::Db;
use cafe::operations::{Heartbeat, Operations, backups};

/// How the server is doing. For managers and owners.
#[utoipa::path(tag = "operations", responses((status = 200, body = Operations)))]
#[get("/operations")]
pub(crate) async fn find_operations(
    (db, config, heartbeat): (Data<Db>, Data<Config>, Data<Heartbeat>),
    (limits, metrics): (Data<Limits>, Data<PrometheusHandle>),
    Authorized(mut cx): Authorized<can::ViewOperations>,
) -> ApiResult<Json<Operations>> {
    Ok(Json(Operations::read(&mut cx, &db, &heartbeat, config.pool_size, limits.used(), &metrics.render()).await?))
}

/// Has a backup taken within a few seconds, where servers take them by themselves. For managers and owners.
#[utoipa::path(tag = "operations", responses((status = 204, description = "A server takes it now")))]
#[post("/operations/backups")]
pub(crate) async fn request_backup(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ViewOperations>,
) -> ApiResult<HttpResponse> {
    backups::ask(&mut cx).await?;
    Ok(HttpResponse::NoContent().finish())
}
