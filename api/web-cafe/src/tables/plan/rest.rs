//! `/api/v1/floor-plans`

use actix_web::web::Json;
use actix_web::{get, put};

use base::auth::can;
use base::list::List;
use play::tables::plan::{self, Plan, PlanRequest};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body};
use web_base::limits::{Budget, Writes};

/// Where the tables of each area stand, on a lattice of 16 columns and 24 rows, in the order of the floor. All areas are on one
/// page.
#[utoipa::path(tag = "tables", responses((status = 200, body = List<Plan>)))]
#[get("/floor-plans")]
pub async fn list_floor_plans(Authorized(mut cx): Authorized<can::ViewFloor>) -> ApiResult<Json<List<Plan>>> {
    Ok(Json(List { items: plan::list(cx.conn().await?).await?, next: None }))
}

/// Saves the whole plan of an area. `plan_changed` if somebody has moved one of its tables since the `version` that you send. Tables
/// do not overlap and do not leave the lattice. Staff can undo it for ten minutes.
#[utoipa::path(tag = "tables", request_body = PlanRequest, responses((status = 200, body = Plan)))]
#[put("/floor-plans")]
pub async fn save_floor_plan(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTables>,
    Body(request): Body<PlanRequest>,
) -> ApiResult<Json<Plan>> {
    let (plan, _) = plan::save(&mut cx, &request).await?;
    Ok(Json(plan))
}
