//! `/api/v1/cafe/tariff`.

use actix_web::web::{Data, Json};
use actix_web::{delete, get, put};
use serde::Serialize;
use utoipa::ToSchema;

use base::auth::can;
use base::db::Db;
use base::settings::{Cafe, CurrentTariff, Tariff, store};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body};
use web_base::limits::{Budget, Writes};

/// What people pay for their time at a table.
#[derive(Serialize, ToSchema)]
pub(crate) struct TariffAnswer {
    /// Counts up with each change. What a party owed says by which version it was computed.
    #[schema(example = 3)]
    version: Option<i32>,
    /// `null` where no tariff is set: then nobody is told that anything is owed.
    tariff: Option<Tariff>,
}

/// What people pay for their time at a table.
#[utoipa::path(tag = "cafe", responses((status = 200, body = TariffAnswer)), security(()))]
#[get("/cafe/tariff")]
pub async fn find_tariff(db: Data<Db>) -> ApiResult<Json<TariffAnswer>> {
    Ok(Json(store::find_tariff(&mut *db.conn().await?).await?.into()))
}

/// Sets the tariff. It holds for all who are there; what parties owed that have left stays as it was. For managers and owners.
#[utoipa::path(tag = "cafe", request_body = Tariff, responses((status = 200, body = TariffAnswer)))]
#[put("/cafe/tariff")]
pub async fn change_tariff(
    _: Budget<Writes>,
    cafe: Data<Cafe>,
    Authorized(mut cx): Authorized<can::ChangeSettings>,
    Body(tariff): Body<Tariff>,
) -> ApiResult<Json<TariffAnswer>> {
    base::settings::tariff::change(&mut cx, &cafe, Some(tariff)).await?;
    Ok(Json(store::find_tariff(cx.conn().await?).await?.into()))
}

/// Charges nothing from now on. Asking again changes nothing. For managers and owners.
#[utoipa::path(tag = "cafe", responses((status = 200, body = TariffAnswer)))]
#[delete("/cafe/tariff")]
pub async fn remove_tariff(
    _: Budget<Writes>,
    cafe: Data<Cafe>,
    Authorized(mut cx): Authorized<can::ChangeSettings>,
) -> ApiResult<Json<TariffAnswer>> {
    base::settings::tariff::change(&mut cx, &cafe, None).await?;
    Ok(Json(store::find_tariff(cx.conn().await?).await?.into()))
}

impl From<Option<CurrentTariff>> for TariffAnswer {
    fn from(current: Option<CurrentTariff>) -> Self {
        match current {
            Some(CurrentTariff { version, tariff }) => Self { version: Some(version), tariff: Some(tariff) },
            None => Self { version: None, tariff: None },
        }
    }
}
