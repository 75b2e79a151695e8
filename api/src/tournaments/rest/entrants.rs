//! Who plays: entering, checking in, dropping out, and what staff do about it.

use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, get, post, put};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Seen, load, sees_drafts, show};
use crate::db::Db;
use crate::error::{ApiResult, invalid_field};
use crate::extract::{Body, DisplayName, OptionalBody, Path, Player, Staff, Visitor};
use crate::ids::PlayerId;
use crate::list::List;
use crate::live::Live;
use crate::staff::Deed;
use crate::tournaments::answers::{Entrant, WholeAnswer};
use crate::tournaments::{self, By, SeedOrder, TournamentId};
use crate::undo::Doer;
use crate::world::World;

/// Everybody who is or was in the tournament, by number; they are all on one page.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    responses((status = 200, body = List<Entrant>)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/entrants")]
pub(crate) async fn list_entrants(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<List<Entrant>>> {
    let items = load(&db, visitor.as_ref(), id).await?.entrant_answers();
    Ok(Json(List { items, next: None }))
}

/// Nothing: the caller enters. For staff: whom they enter.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = EntrantRequest)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntrantRequest {
    /// A player …
    player_id: Option<PlayerId>,
    /// … or a guest who has no account, of whom there is nothing but this name.
    display_name: Option<DisplayName>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// Enters the tournament, or waits for a place if there are no more; asking again changes nothing. Staff enter others: once it
/// runs, as late as was agreed.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = Option<EntrantRequest>,
    responses((status = 201, body = Entrant))
)]
#[post("/tournaments/{id}/entrants")]
pub(crate) async fn enter_tournament(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    player: Player,
    Path(id): Path<TournamentId>,
    OptionalBody(request): OptionalBody<EntrantRequest>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let who = match (request.player_id, request.display_name.as_ref()) {
        (None, None) => None,
        (Some(id), None) => Some(Ok(id)),
        (None, Some(name)) => Some(Err(name)),
        (Some(_), Some(_)) => return Err(invalid_field("/display_name", "unknown_field")),
    };
    let number = match who {
        None => tournaments::enter(&mut conn, &world, &live, player.id, id).await?,
        Some(who) => {
            let role = crate::sessions::role_now(&mut conn, &player).await?;
            let staff = Player { role, ..player };
            staff.may(Deed::RunTournaments)?;
            let doer = Doer { world: &world, live: &live, staff: &staff };
            tournaments::add(&mut conn, doer, id, who, request.revision).await?
        }
    };
    let by_staff = sees_drafts(&mut conn, Some(&player)).await?;
    let whole = tournaments::load(&mut conn, id, by_staff).await?;
    Ok(HttpResponse::Created().json(whole.entrant(number).map(Entrant::from)))
}

/// Says that one is there.
#[utoipa::path(tag = "tournaments", params(("id" = TournamentId, Path)), responses((status = 200, body = WholeAnswer)))]
#[post("/tournaments/{id}/entrants/me/check-in")]
pub(crate) async fn check_in_myself(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    player: Player,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<WholeAnswer>> {
    let mut conn = db.conn().await?;
    tournaments::check_in(&mut conn, (&world, &live), By::Oneself(&player), (id, None)).await?;
    Ok(Json(tournaments::load(&mut conn, id, false).await?.whole_answer(false)?))
}

/// Drops out: one is paired no more.
#[utoipa::path(tag = "tournaments", params(("id" = TournamentId, Path)), responses((status = 200, body = WholeAnswer)))]
#[delete("/tournaments/{id}/entrants/me")]
pub(crate) async fn drop_out_myself(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    player: Player,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<WholeAnswer>> {
    let mut conn = db.conn().await?;
    tournaments::drop_out(&mut conn, (&world, &live), By::Oneself(&player), (id, None)).await?;
    Ok(Json(tournaments::load(&mut conn, id, false).await?.whole_answer(false)?))
}

/// Checks an entrant in.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/entrants/{number}/check-in")]
pub(crate) async fn check_in_entrant(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Staff(staff): Staff,
    Path((id, number)): Path<(TournamentId, i32)>,
) -> ApiResult<Json<WholeAnswer>> {
    staff.may(Deed::RunTournaments)?;
    let mut conn = db.conn().await?;
    tournaments::check_in(&mut conn, (&world, &live), By::Staff(&staff), (id, Some(number))).await?;
    show(&mut conn, id).await
}

/// Takes a check-in back, before it starts.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    responses((status = 200, body = WholeAnswer))
)]
#[delete("/tournaments/{id}/entrants/{number}/check-in")]
pub(crate) async fn take_back_check_in(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Staff(staff): Staff,
    Path((id, number)): Path<(TournamentId, i32)>,
) -> ApiResult<Json<WholeAnswer>> {
    staff.may(Deed::RunTournaments)?;
    let mut conn = db.conn().await?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    tournaments::take_back_check_in(&mut conn, doer, (id, number)).await?;
    show(&mut conn, id).await
}

/// Marks an entrant as one who did not come: they are paired no more.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/entrants/{number}/no-show")]
pub(crate) async fn mark_no_show(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Staff(staff): Staff,
    Path((id, number)): Path<(TournamentId, i32)>,
) -> ApiResult<Json<WholeAnswer>> {
    staff.may(Deed::RunTournaments)?;
    let mut conn = db.conn().await?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    tournaments::mark_no_show(&mut conn, doer, (id, number)).await?;
    show(&mut conn, id).await
}

/// Drops an entrant out: they are paired no more. A bout that is published is settled by writing down its result.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    responses((status = 200, body = WholeAnswer))
)]
#[delete("/tournaments/{id}/entrants/{number}")]
pub(crate) async fn drop_entrant(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Staff(staff): Staff,
    Path((id, number)): Path<(TournamentId, i32)>,
) -> ApiResult<Json<WholeAnswer>> {
    staff.may(Deed::RunTournaments)?;
    let mut conn = db.conn().await?;
    tournaments::drop_out(&mut conn, (&world, &live), By::Staff(&staff), (id, Some(number))).await?;
    show(&mut conn, id).await
}

/// Lets an entrant play again who dropped out or had not come, as far as the format allows it.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    request_body = Option<Seen>,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/entrants/{number}/reinstate")]
pub(crate) async fn reinstate_entrant(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Staff(staff): Staff,
    Path((id, number)): Path<(TournamentId, i32)>,
    OptionalBody(seen): OptionalBody<Seen>,
) -> ApiResult<Json<WholeAnswer>> {
    staff.may(Deed::RunTournaments)?;
    let mut conn = db.conn().await?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    tournaments::reinstate(&mut conn, doer, (id, number), seen.revision).await?;
    show(&mut conn, id).await
}

/// Gives seeds to all who have a place, by rating, by lot or by hand; before it starts.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = SeedOrder,
    responses((status = 200, body = WholeAnswer))
)]
#[put("/tournaments/{id}/seeds")]
pub(crate) async fn seed_tournament(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Staff(staff): Staff,
    Path(id): Path<TournamentId>,
    Body(order): Body<SeedOrder>,
) -> ApiResult<Json<WholeAnswer>> {
    staff.may(Deed::KeepTournaments)?;
    let mut conn = db.conn().await?;
    tournaments::set_seeds(&mut conn, Doer { world: &world, live: &live, staff: &staff }, id, &order).await?;
    show(&mut conn, id).await
}
