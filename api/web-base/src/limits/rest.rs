//! `/api/v1/limits`.

use actix_web::get;
use actix_web::web::{Data, Json};
use serde::Serialize;
use utoipa::ToSchema;

use super::Limits;
use super::policy::Policy;

/// How much one caller may ask for.
#[derive(Serialize, ToSchema)]
#[schema(as = Limits)]
pub struct LimitsAnswer {
    /// Each holds by itself. An answer that a limit counts has `RateLimit-Policy` and `RateLimit` headers.
    limits: Vec<Policy>,
}

/// The limits of this server: what is counted, for whom, and how much of it one caller may have. Without limits for callers
/// (`--rate-limits off`) only the limit of the process is listed.
#[utoipa::path(tag = "operations", security(()), responses((status = 200, body = LimitsAnswer)))]
#[get("/limits")]
pub async fn list_limits(limits: Data<Limits>) -> Json<LimitsAnswer> {
    Json(LimitsAnswer { limits: limits.policies().to_vec() })
}
