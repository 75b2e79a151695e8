//! `/api/v1/operations`.

use actix_web::get;
use actix_web::web::{Data, Json};
use metrics_exporter_prometheus::PrometheusHandle;

use super::{Operations, Pulse};
use crate::config::Config;
use crate::db::Db;
use crate::error::ApiResult;
use crate::extract::Manager;
use crate::staff::Deed;
use crate::world::World;

/// How the server is doing. For managers and owners.
#[utoipa::path(tag = "operations", responses((status = 200, body = Operations)))]
#[get("/operations")]
pub(crate) async fn find_operations(
    db: Data<Db>,
    (world, config, pulse, metrics): (Data<World>, Data<Config>, Data<Pulse>, Data<PrometheusHandle>),
    Manager(staff): Manager,
) -> ApiResult<Json<Operations>> {
    staff.may(Deed::SeeOperations)?;
    Ok(Json(Operations::read(&db, &world, &config, &pulse, &metrics).await?))
}
