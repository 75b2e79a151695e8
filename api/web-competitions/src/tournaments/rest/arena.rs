//! The arena: who waits, plays and pauses, and what players and staff do about it.

use actix_web::web::{Data, Json};
use actix_web::{delete, get, post};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Seen, load, show};
use crate::tournaments::answers::{TournamentAnswers, WholeAnswer};
use base::auth::can;
use base::db::Db;
use base::error::conflict;
use base::live::Live;
use base::world::World;
use competitions::tournaments::arena::{self, Pause};
use competitions::tournaments::store::BoutKey;
use competitions::tournaments::{self, Activity, ArenaEntrant, RoundStatus, Tournament, TournamentId};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, OptionalBody, Path, Player, Visitor};
use web_base::limits::{Budget, Writes};

/// The arena that is played: its window, and everybody who has not left.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Arena)]
pub(crate) struct ArenaAnswer {
    stage: i16,
    /// `published` before staff open the window, `running` while people are paired or play, `closed` after that.
    status: RoundStatus,
    started_at: Option<Timestamp>,
    /// When the window closes. While the arena pauses, its clock stands, and this moves once it goes on.
    ends_at: Option<Timestamp>,
    /// Since when nobody is paired, because staff let the arena pause.
    paused_at: Option<Timestamp>,
    /// Those who wait first, the longest first; then those who play, then those who pause.
    entrants: Vec<ArenaPlayer>,
    /// Rises by one with everything that happens in the tournament.
    revision: i64,
}

/// An entrant of an arena who has not left.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ArenaPlayer {
    entrant: i32,
    display_name: String,
    activity: Activity,
    /// Since when they wait or pause.
    since: Option<Timestamp>,
    /// Whether they pause, or will once their bout is over.
    is_pausing: bool,
    /// In which they play.
    #[schema(value_type = Option<String>, example = "main-1-7")]
    bout: Option<BoutKey>,
}

impl ArenaAnswer {
    fn of(tournament: &Tournament) -> ApiResult<Self> {
        let window = tournament.arena().ok_or_else(|| conflict("no_arena"))?;
        let player = |it: ArenaEntrant| ArenaPlayer {
            entrant: it.number,
            display_name: tournament.name_of(it.number),
            activity: it.activity,
            since: it.since,
            is_pausing: it.is_pausing,
            bout: tournament.open_bout_of(window.stage, it.number).map(|bout| bout.key),
        };
        Ok(Self {
            stage: window.stage,
            status: window.status,
            started_at: window.started_at,
            ends_at: window.ends_at,
            paused_at: window.paused_at,
            entrants: tournament.arena_entrants().into_iter().map(player).collect(),
            revision: tournament.row.revision,
        })
    }
}

/// The arena that is played: who waits and for how long, who plays, and who pauses.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    responses((status = 200, body = ArenaAnswer)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/arena")]
pub async fn find_arena(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<ArenaAnswer>> {
    Ok(Json(ArenaAnswer::of(&load(&db, visitor.as_ref(), id).await?)?))
}

/// Pauses in an arena: the caller is not paired until they are back. A bout that is being played may finish. Asking again changes nothing.
#[utoipa::path(tag = "tournaments", params(("id" = TournamentId, Path)), responses((status = 200, body = WholeAnswer)))]
#[post("/tournaments/{id}/entrants/me/pause")]
pub async fn pause_myself(
    _: Budget<Writes>,
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Player(player): Player,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<WholeAnswer>> {
    let mut conn = db.conn().await?;
    arena::set_own_pause(&mut conn, &world, &live, player.id, id, Pause::Begin).await?;
    Ok(Json(tournaments::load(&mut conn, id, false).await?.whole_answer(None)?))
}

/// Is back in an arena: the caller is paired as soon as somebody else is free. Asking again changes nothing.
#[utoipa::path(tag = "tournaments", params(("id" = TournamentId, Path)), responses((status = 200, body = WholeAnswer)))]
#[delete("/tournaments/{id}/entrants/me/pause")]
pub async fn resume_myself(
    _: Budget<Writes>,
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Player(player): Player,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<WholeAnswer>> {
    let mut conn = db.conn().await?;
    arena::set_own_pause(&mut conn, &world, &live, player.id, id, Pause::End).await?;
    Ok(Json(tournaments::load(&mut conn, id, false).await?.whole_answer(None)?))
}

/// Lets an entrant of an arena pause. Asking again changes nothing.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    request_body = Option<Seen>,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/entrants/{number}/pause")]
pub async fn pause_entrant(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
    OptionalBody(seen): OptionalBody<Seen>,
) -> ApiResult<Json<WholeAnswer>> {
    arena::set_pause(&mut cx, id, number, Pause::Begin, seen.revision).await?;
    show(&mut cx, id).await
}

/// Lets an entrant of an arena play again who paused. Asking again changes nothing.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    responses((status = 200, body = WholeAnswer))
)]
#[delete("/tournaments/{id}/entrants/{number}/pause")]
pub async fn resume_entrant(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
) -> ApiResult<Json<WholeAnswer>> {
    arena::set_pause(&mut cx, id, number, Pause::End, None).await?;
    show(&mut cx, id).await
}

/// Lets the whole arena pause: nobody is paired, and its clock stands. Bouts may finish. Asking again changes nothing.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = Option<Seen>,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/arena/pause")]
pub async fn pause_arena(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path(id): Path<TournamentId>,
    OptionalBody(seen): OptionalBody<Seen>,
) -> ApiResult<Json<WholeAnswer>> {
    arena::pause(&mut cx, id, seen.revision).await?;
    show(&mut cx, id).await
}

/// Lets an arena that pauses go on, with as much time as was left. Asking again changes nothing.
#[utoipa::path(tag = "tournaments", params(("id" = TournamentId, Path)), responses((status = 200, body = WholeAnswer)))]
#[delete("/tournaments/{id}/arena/pause")]
pub async fn resume_arena(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<WholeAnswer>> {
    arena::resume(&mut cx, id, None).await?;
    show(&mut cx, id).await
}

/// Closes the window of the arena now: nobody is paired any more, bouts may finish, and then the stage is over. Asking again changes
/// nothing. `…/rounds/1/minutes` opens it again.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = Option<Seen>,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/arena/end")]
pub async fn end_arena(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path(id): Path<TournamentId>,
    OptionalBody(seen): OptionalBody<Seen>,
) -> ApiResult<Json<WholeAnswer>> {
    arena::end(&mut cx, id, seen.revision).await?;
    show(&mut cx, id).await
}
