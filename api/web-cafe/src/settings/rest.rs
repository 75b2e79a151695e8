//! `/api/v1/cafe`.

use actix_web::web::{Data, Json};
use actix_web::{get, put};
use serde::Serialize;
use utoipa::ToSchema;

use base::auth::can;
use base::db::Db;
use base::settings::{Cafe, CafeSettings, Hours, store};
use base::text::Lang;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body};
use web_base::limits::{Budget, Writes};

/// What the café says about itself.
#[derive(Serialize, ToSchema)]
pub(crate) struct CafeAnswer {
    /// `null` for "House Rules" in the reader's language.
    #[schema(example = "하늘 보드게임 카페")]
    name: Option<String>,
    /// From the IANA list; `null` for the one that the server was started with.
    #[schema(example = "Asia/Seoul")]
    time_zone: Option<String>,
    /// For people who prefer none of the three.
    language: Option<Lang>,
    /// Whether managers and owners need a second factor to do what only they may.
    second_factor_required: bool,
    /// One for each day that is open.
    hours: Vec<Hours>,
    /// Guests who were not seen for so many months are forgotten; `null` keeps them.
    #[schema(minimum = 1, maximum = 120, example = 24)]
    forget_guests_after_months: Option<i16>,
    /// Logs of matches that ended so many days ago are packed; `null` packs none.
    #[schema(minimum = 1, maximum = 3650, example = 30)]
    pack_logs_after_days: Option<i16>,
    /// Where the logo is, if there is one.
    #[schema(example = "/cafe/logo/9f2c…")]
    logo: Option<String>,
    /// Whether people at a match may send each other reactions.
    reactions: bool,
    /// Whether guests may put themselves on the waiting list by the code at the door.
    waiting_door: bool,
}

/// The café's name, clock, language and hours.
#[utoipa::path(tag = "cafe", responses((status = 200, body = CafeAnswer)), security(()))]
#[get("/cafe")]
pub async fn find_cafe(db: Data<Db>, cafe: Data<Cafe>) -> ApiResult<Json<CafeAnswer>> {
    let settings = store::find(&mut *db.conn().await?, false).await?;
    Ok(Json(CafeAnswer::of(settings, &cafe)))
}

/// Replaces all settings. For managers and owners. The logo is changed on the settings page.
#[utoipa::path(tag = "cafe", request_body = CafeSettings, responses((status = 200, body = CafeAnswer)))]
#[put("/cafe")]
pub async fn change_cafe(
    _: Budget<Writes>,
    cafe: Data<Cafe>,
    Authorized(mut cx): Authorized<can::ChangeSettings>,
    Body(settings): Body<CafeSettings>,
) -> ApiResult<Json<CafeAnswer>> {
    base::settings::change(&mut cx, &cafe, settings).await?;
    Ok(Json(CafeAnswer::of(store::find(cx.conn().await?, false).await?, &cafe)))
}

impl CafeAnswer {
    fn of(settings: CafeSettings, cafe: &Cafe) -> Self {
        let CafeSettings {
            name,
            time_zone,
            language,
            second_factor_required,
            hours,
            forget_guests_after_months,
            pack_logs_after_days,
            reactions,
            waiting_door,
        } = settings;
        let logo = cafe.cached().logo.clone();
        Self {
            name,
            time_zone,
            language,
            second_factor_required,
            hours,
            forget_guests_after_months,
            pack_logs_after_days,
            logo,
            reactions,
            waiting_door,
        }
    }
}
