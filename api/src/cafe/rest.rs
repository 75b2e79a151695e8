//! `/api/v1/cafe`.

use actix_web::web::{Data, Json};
use actix_web::{get, put};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Cafe, CafeSettings, store};
use crate::db::Db;
use crate::error::ApiResult;
use crate::extract::{Body, Staff};
use crate::world::World;

/// What the café says about itself.
#[derive(Serialize, ToSchema)]
pub struct CafeAnswer {
    #[serde(flatten)]
    settings: CafeSettings,
    /// Where the logo is, if there is one.
    #[schema(example = "/cafe/logo/9f2c…")]
    logo: Option<String>,
}

/// The café's name, clock, language and hours.
#[utoipa::path(tag = "cafe", responses((status = 200, body = CafeAnswer)), security(()))]
#[get("/cafe")]
pub(crate) async fn find_cafe(db: Data<Db>, cafe: Data<Cafe>) -> ApiResult<Json<CafeAnswer>> {
    let settings = store::find(&mut *db.conn().await?, false).await?;
    Ok(Json(CafeAnswer { settings, logo: cafe.known().logo.clone() }))
}

/// Puts other settings in place of those that are. For managers and owners. Its logo is changed on the settings page.
#[utoipa::path(tag = "cafe", request_body = CafeSettings, responses((status = 200, body = CafeAnswer)))]
#[put("/cafe")]
pub(crate) async fn change_cafe(
    db: Data<Db>,
    (world, cafe): (Data<World>, Data<Cafe>),
    Staff(staff): Staff,
    Body(settings): Body<CafeSettings>,
) -> ApiResult<Json<CafeAnswer>> {
    let mut conn = db.conn().await?;
    super::change(&mut conn, &world, &cafe, &staff, settings).await?;
    Ok(Json(CafeAnswer { settings: store::find(&mut conn, false).await?, logo: cafe.known().logo.clone() }))
}
