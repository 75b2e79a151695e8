//! `/api/v1/operations`.

use actix_web::get;
use actix_web::web::{Data, Json};
use metrics_exporter_prometheus::PrometheusHandle;

use crate::config::Config;
use crate::error::ApiResult;
use crate::extract::Authorized;
use crate::limits::Limits;
use cafe::auth::can;
use cafe::db::Db;
use cafe::operations::{Heartbeat, Operations};

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
