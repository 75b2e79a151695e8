//! `/api/v1/claims…`, where a claim begins, and the sign-in to which it leads.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::sittings::Member;
use crate::sittings::guest::find_table;
use base::auth::{Tokens, can};
use base::db::Db;
use base::error::invalid_field;
use base::ids::{PlayerId, SittingId};
use base::list::List;
use base::live::Live;
use base::text::Lang;
use base::world::World;
use cafe::claims::{self, ClaimAnswer, ClaimId, ClaimRow, ClaimStatus, Guest, NewPhone, store};
use play::players::PlayerCard;
use play::sessions::{DeviceName, SignedIn, describe};
use play::sittings;
use web_base::addresses::created;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, Client, Path, Player, Visitor};
use web_base::lang::lang_of;
use web_base::limits::{Budget, Guests, Writes};

const MOST: i64 = 100;

/// A phone that asks to be a guest's of a party, as the party and staff see it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PhoneClaim {
    id: ClaimId,
    sitting_id: SittingId,
    /// The guest whose it says that it is.
    player_id: PlayerId,
    #[schema(example = "하늘")]
    display_name: String,
    /// What it is, in the caller's language.
    #[schema(example = "Chrome on Android")]
    device: String,
    status: ClaimStatus,
    asked_at: Timestamp,
    /// Until then it waits for its answer, and then for the phone.
    expires_at: Timestamp,
    /// The name of who confirmed it, once the phone is the guest's.
    confirmed_by: Option<String>,
}

/// What a phone sees of its own claim.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClaimTicket {
    /// Asks for this again (`GET /claims/by-token/{token}`), withdraws the claim, and signs in once it was confirmed. A secret of
    /// the phone.
    #[schema(example = "q1Wf…")]
    token: String,
    /// The guest whose phone it asks to be.
    player_id: PlayerId,
    #[schema(example = "하늘")]
    display_name: String,
    /// `confirmed` as soon as the phone can sign in (`POST /auth/claim`), `taken` once it has.
    status: ClaimStatus,
    /// Whether nobody answered in time, or the phone did not sign in.
    expired: bool,
    asked_at: Timestamp,
    /// Until then it waits for its answer, and then for the phone.
    expires_at: Timestamp,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClaimRequest {
    /// The guest whose phone it asks to be.
    player_id: PlayerId,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClaimChange {
    /// `confirmed` or `refused`.
    status: ClaimStatus,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClaimSignInRequest {
    /// Of the claim.
    token: String,
    /// What the list of sessions calls this device.
    device: Option<DeviceName>,
}

impl PhoneClaim {
    fn of(row: ClaimRow, lang: Lang) -> Self {
        let device = describe(row.user_agent.as_deref(), lang);
        let ClaimRow { id, sitting_id, player_id, display_name, status, asked_at, expires_at, .. } = row;
        Self { id, sitting_id, player_id, display_name, device, status, asked_at, expires_at, confirmed_by: None }
    }
}

impl ClaimTicket {
    fn of(row: ClaimRow, token: String, now: Timestamp) -> Self {
        let expired = row.is_expired(now);
        let ClaimRow { player_id, display_name, status, asked_at, expires_at, .. } = row;
        Self { token, player_id, display_name, status, expired, asked_at, expires_at }
    }
}

impl From<Guest> for Member {
    fn from(Guest { id, name, tag }: Guest) -> Self {
        Self { player: PlayerCard { id, display_name: name, deleted: false }, tag }
    }
}

/// The guests of the party at the table with this code: whose phone another phone may ask to be. Without the caller, and without
/// those who have registered, since they sign in.
#[utoipa::path(
    tag = "tables",
    params(("code" = String, Path, example = "K7X2QD")),
    responses((status = 200, body = List<Member>)),
    security((), ("bearer" = []))
)]
#[get("/tables/by-code/{code}/guests")]
pub async fn list_table_guests(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path(code): Path<String>,
) -> ApiResult<Json<List<Member>>> {
    let mut conn = db.conn().await?;
    let table = find_table(&mut conn, &code).await?;
    let here: Vec<PlayerId> = visitor.iter().map(|it| it.id).collect();
    let guests = match sittings::store::find_open(&mut conn, table.id).await? {
        Some(sitting) => claims::list_guests(&mut conn, sitting.id, &here).await?,
        None => Vec::new(),
    };
    Ok(Json(List { items: guests.into_iter().map(Member::from).collect(), next: None }))
}

/// A guest's phone died, and another one asks to be theirs. Somebody of the party or of the staff says within ten minutes whether
/// it is true. There is one claim for each guest at a time (`claim_waits`).
#[utoipa::path(
    tag = "tables",
    params(("code" = String, Path, example = "K7X2QD")),
    request_body = ClaimRequest,
    responses((status = 201, body = ClaimTicket)),
    security((), ("bearer" = []))
)]
#[post("/tables/by-code/{code}/claims")]
pub async fn create_claim(
    _: Budget<Guests>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    Visitor(visitor): Visitor,
    Client(device): Client,
    Path(code): Path<String>,
    Body(request): Body<ClaimRequest>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = find_table(&mut conn, &code).await?.id;
    let (player, known_as) = (request.player_id, visitor.as_ref());
    let phone = NewPhone { table, player, known_as, earlier: None, device: &device };
    let token = claims::ask(&mut conn, &world, &live, phone).await?;
    let row = claims::find(&mut conn, &token).await?;
    Ok(created(format_args!("/claims/by-token/{token}")).json(ClaimTicket::of(row, token, world.now())))
}

/// What a phone sees of its own claim: whether it was confirmed or refused. It is there for ten minutes at least after it expired.
#[utoipa::path(
    tag = "tables",
    params(("token" = String, Path)),
    responses((status = 200, body = ClaimTicket)),
    security(())
)]
#[get("/claims/by-token/{token}")]
pub async fn find_own_claim(
    db: Data<Db>,
    world: Data<World>,
    Path(token): Path<String>,
) -> ApiResult<Json<ClaimTicket>> {
    let row = claims::find(&mut *db.conn().await?, &token).await?;
    Ok(Json(ClaimTicket::of(row, token, world.now())))
}

/// Withdraws a claim that nobody has answered, or that was confirmed and is not wanted. Saying so again changes nothing.
#[utoipa::path(
    tag = "tables",
    params(("token" = String, Path)),
    responses((status = 204, description = "The phone asks no longer")),
    security(())
)]
#[delete("/claims/by-token/{token}")]
pub async fn withdraw_claim(
    _: Budget<Writes>,
    db: Data<Db>,
    live: Data<Live>,
    Path(token): Path<String>,
) -> ApiResult<HttpResponse> {
    claims::withdraw(&mut *db.conn().await?, &live, &token).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Signs in as the guest whose phone this is, once its claim was confirmed. The guest is signed out everywhere else. It works once:
/// send an `Idempotency-Key`, so that you can get a lost answer again.
#[utoipa::path(
    tag = "auth",
    request_body = ClaimSignInRequest,
    responses((status = 200, body = SignedIn)),
    security(())
)]
#[post("/auth/claim")]
pub async fn take_claim(
    _: Budget<Guests>,
    db: Data<Db>,
    (world, live, tokens): (Data<World>, Data<Live>, Data<Tokens>),
    Client(device): Client,
    Body(request): Body<ClaimSignInRequest>,
) -> ApiResult<HttpResponse> {
    let ClaimSignInRequest { token, device: name } = request;
    let (mut conn, device) = (db.conn().await?, device.named(name));
    let signed_in = claims::take_by_app(&mut conn, &world, &live, &tokens, &token, &device).await?;
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(signed_in))
}

/// The phones that ask this party, the oldest first; after them those that became a guest's within the last ten minutes, with who
/// confirmed it.
#[utoipa::path(
    tag = "tables",
    params(("id" = SittingId, Path)),
    responses((status = 200, body = List<PhoneClaim>))
)]
#[get("/sittings/{id}/claims")]
pub async fn list_sitting_claims(
    db: Data<Db>,
    world: Data<World>,
    request: HttpRequest,
    Player(player): Player,
    Path(id): Path<SittingId>,
) -> ApiResult<Json<List<PhoneClaim>>> {
    let lang = lang_of(&request);
    let (open, taken) = claims::list(&mut *db.conn().await?, &player, id, world.now()).await?;
    let taken = taken.into_iter().map(|store::Taken { claim, confirmed_by }| PhoneClaim {
        confirmed_by: Some(confirmed_by),
        ..PhoneClaim::of(claim, lang)
    });
    let items = open.into_iter().map(|row| PhoneClaim::of(row, lang)).chain(taken).collect();
    Ok(Json(List { items, next: None }))
}

/// Every phone that waits for an answer, at any table, the oldest first.
#[utoipa::path(tag = "floor", responses((status = 200, body = List<PhoneClaim>)))]
#[get("/claims")]
pub async fn list_claims(
    request: HttpRequest,
    Authorized(mut cx): Authorized<can::ViewFloor>,
) -> ApiResult<Json<List<PhoneClaim>>> {
    let (lang, now) = (lang_of(&request), cx.world.now());
    let rows = store::list_waiting(cx.conn().await?, now, MOST).await?;
    Ok(Json(List { items: rows.into_iter().map(|row| PhoneClaim::of(row, lang)).collect(), next: None }))
}

/// Says whether the phone is the guest's. Everybody of the party may, except who asked by that phone, and staff may who neither play
/// against the guest nor have looked at hidden information of a match of theirs.
#[utoipa::path(
    tag = "tables",
    params(("id" = ClaimId, Path)),
    request_body = ClaimChange,
    responses((status = 200, body = PhoneClaim))
)]
#[patch("/claims/{id}")]
pub async fn answer_claim(
    _: Budget<Writes>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    request: HttpRequest,
    Player(player): Player,
    Path(id): Path<ClaimId>,
    Body(change): Body<ClaimChange>,
) -> ApiResult<Json<PhoneClaim>> {
    let answer = match change.status {
        ClaimStatus::Confirmed => ClaimAnswer::Yes,
        ClaimStatus::Refused => ClaimAnswer::No,
        ClaimStatus::Open | ClaimStatus::Taken => return Err(invalid_field("/status", "unknown_value").into()),
    };
    let row = claims::answer(&mut *db.conn().await?, &world, &live, &player, id, (answer, None)).await?;
    Ok(Json(PhoneClaim::of(row, lang_of(&request))))
}
