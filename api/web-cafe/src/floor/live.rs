//! `/admin/live/…`: news for the pages of staff.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};

use base::auth::can;
use base::ids::MatchId;
use base::live::Live;
use base::world::World;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Path};
use web_base::limits::{Budget, Streams};
use web_base::streams::stream;

#[get("/admin/live/floor")]
pub async fn watch_floor(
    budget: Budget<Streams>,
    live: Data<Live>,
    world: Data<World>,
    Authorized(_): Authorized<can::ViewFloor>,
) -> ApiResult<HttpResponse> {
    Ok(stream(live.watch_floor(), world, budget))
}

#[get("/admin/live/matches/{id}")]
pub async fn watch_match(
    budget: Budget<Streams>,
    live: Data<Live>,
    world: Data<World>,
    Authorized(_): Authorized<can::ViewMatches>,
    Path(id): Path<MatchId>,
) -> ApiResult<HttpResponse> {
    Ok(stream(live.watch(id), world, budget))
}
