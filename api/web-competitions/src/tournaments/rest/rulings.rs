//! What staff rule about single entrants.

use actix_web::web::Json;
use actix_web::{get, put};

use base::auth::can;
use competitions::tournaments::{self, Rulings, RulingsRequest, TournamentId};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, Path};
use web_base::limits::{Budget, Writes};

/// Byes that were asked for, points given or taken away, and pairs who should not meet.
#[utoipa::path(tag = "tournaments", params(("id" = TournamentId, Path)), responses((status = 200, body = Rulings)))]
#[get("/tournaments/{id}/rulings")]
pub async fn find_rulings(
    Authorized(mut cx): Authorized<can::ViewTournaments>,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<Rulings>> {
    Ok(Json(tournaments::load_for_staff(&mut cx, id).await?.row.rulings.0))
}

/// Rules all of them, in the place of those before. Byes of a round that was published stay, and points that would let others go on from
/// a stage that is past are refused (`others_go_on`). A draft is deleted, to be paired again.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = RulingsRequest,
    responses((status = 200, body = Rulings))
)]
#[put("/tournaments/{id}/rulings")]
pub async fn set_rulings(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    Body(request): Body<RulingsRequest>,
) -> ApiResult<Json<Rulings>> {
    tournaments::set_rulings(&mut cx, id, &request).await?;
    Ok(Json(tournaments::load_for_staff(&mut cx, id).await?.row.rulings.0))
}
