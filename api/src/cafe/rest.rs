//! `/api/v1/cafe`.

use actix_web::web::{Data, Json};
use actix_web::{get, put};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Cafe, CafeSettings, Hours, store};
use crate::db::Db;
use crate::error::ApiResult;
use crate::extract::{Body, Staff};
use crate::text::Lang;
use crate::world::World;

/// What the café says about itself.
#[derive(Serialize, ToSchema)]
pub struct CafeAnswer {
    /// `null` for "House Rules" in the reader's language.
    #[schema(example = "하늘 보드게임 카페")]
    name: Option<String>,
    /// From the IANA list; `null` for the one that the server was started with.
    #[schema(example = "Asia/Seoul")]
    time_zone: Option<String>,
    /// For whoever prefers none of the three.
    language: Option<Lang>,
    /// Whether managers and owners need a second factor to do what only they may.
    second_factor_required: bool,
    /// One for each day that is open.
    hours: Vec<Hours>,
    /// Where the logo is, if there is one.
    #[schema(example = "/cafe/logo/9f2c…")]
    logo: Option<String>,
}

/// The café's name, clock, language and hours.
#[utoipa::path(tag = "cafe", responses((status = 200, body = CafeAnswer)), security(()))]
#[get("/cafe")]
pub(crate) async fn find_cafe(db: Data<Db>, cafe: Data<Cafe>) -> ApiResult<Json<CafeAnswer>> {
    let settings = store::find(&mut *db.conn().await?, false).await?;
    Ok(Json(CafeAnswer::of(settings, &cafe)))
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
    Ok(Json(CafeAnswer::of(store::find(&mut conn, false).await?, &cafe)))
}

impl CafeAnswer {
    fn of(settings: CafeSettings, cafe: &Cafe) -> Self {
        let CafeSettings { name, time_zone, language, second_factor_required, hours } = settings;
        Self { name, time_zone, language, second_factor_required, hours, logo: cafe.known().logo.clone() }
    }
}
