//! `/api/v1/waiting…`

use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::sittings::SittingAnswer;
use base::auth::can;
use base::db::Db;
use base::error::{invalid_field, not_found};
use base::ids::{SittingId, TableId};
use base::list::List;
use base::live::Live;
use base::world::World;
use cafe::waiting::outlook::{self, Ahead};
use cafe::waiting::{
    self, Answer, Door, QueueEntry, Span, WaitingId, WaitingRequest, WaitingRow, WaitingStatus, door, page_url, store,
};
use play::sittings::Held;
use web_base::addresses::created;
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, Path};
use web_base::limits::{Budget, Guests, Writes};
use web_base::page::Charges;
use web_base::public_url::base_url;

/// A party that waits for a table, as staff see it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WaitingParty {
    id: WaitingId,
    /// `null` once it was removed, ten minutes after the end.
    name: Option<String>,
    phone: Option<String>,
    party_size: i16,
    status: WaitingStatus,
    joined_at: Timestamp,
    /// Whether the guests put themselves down, by the code at the door.
    by_guest: bool,
    called_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    /// Where it was seated.
    sitting_id: Option<SittingId>,
    /// The page of the guests, to be shown to them or sent to them: who has it sees their position and can take them off the list.
    url: String,
    /// Their position among the parties for the same tables; none for a party that waits no longer.
    position: Option<usize>,
    /// How long it still waits, by how long games and stays at the tables take here; none where nobody can tell.
    wait: Option<Span>,
    /// Tables that it fits and that are free now or soon, the first one first.
    tables: Vec<FittingTable>,
}

/// A table that a party fits.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FittingTable {
    table_id: TableId,
    name: String,
    seats: i16,
    /// When it is free; from 0 to 0 minutes for a table that is.
    free: Option<Span>,
}

/// What the guests see of their own wait.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WaitingTicket {
    /// Asks for this again (`GET /waiting/by-token/{token}`), and ends the wait. A secret of the guests.
    #[schema(example = "q1Wf…")]
    token: String,
    name: Option<String>,
    party_size: i16,
    /// `called` as soon as their table is ready.
    status: WaitingStatus,
    joined_at: Timestamp,
    called_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    position: Option<usize>,
    wait: Option<Span>,
}

/// What the code at the door leads to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WaitingDoor {
    /// Whether guests may put themselves down.
    open: bool,
    /// `null` before anybody asked for one.
    #[schema(example = "K7X2QD")]
    code: Option<String>,
    /// The page for guests, as its QR code says it.
    url: Option<String>,
    /// How many parties wait now.
    parties: usize,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitingChange {
    /// `called`, `no_show` or `gone`.
    status: WaitingStatus,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitingSeatRequest {
    table_id: TableId,
    /// `true` to seat it where a bout of a tournament is to be played: otherwise that is refused (`table_held`).
    force: Option<bool>,
}

impl WaitingParty {
    fn of(entry: QueueEntry, base: &str) -> Self {
        let QueueEntry { row, position, wait, fits, .. } = entry;
        Self {
            position: Some(position),
            wait,
            tables: fits.into_iter().map(FittingTable::from).collect(),
            ..Self::of_row(row, base)
        }
    }

    fn of_row(row: WaitingRow, base: &str) -> Self {
        let url = page_url(base, &row.token);
        let WaitingRow {
            id,
            name,
            phone,
            party_size,
            status,
            joined_at,
            by_guest,
            called_at,
            ended_at,
            sitting_id,
            ..
        } = row;
        let (position, wait, tables) = Default::default();
        Self {
            id,
            name,
            phone,
            party_size,
            status,
            joined_at,
            by_guest,
            called_at,
            ended_at,
            sitting_id,
            url,
            position,
            wait,
            tables,
        }
    }
}

impl From<Ahead> for FittingTable {
    fn from(Ahead { table, name, seats, free }: Ahead) -> Self {
        Self { table_id: table, name, seats, free }
    }
}

impl WaitingTicket {
    fn of(row: WaitingRow, entry: Option<&QueueEntry>) -> Self {
        let WaitingRow { token, name, party_size, status, joined_at, called_at, ended_at, .. } = row;
        let (position, wait) = (entry.map(|it| it.position), entry.and_then(|it| it.wait));
        Self { token, name, party_size, status, joined_at, called_at, ended_at, position, wait }
    }
}

impl WaitingDoor {
    fn of(door: Door, base: &str, parties: usize) -> Self {
        let url = door.code.as_deref().map(|code| door::page_url(base, code));
        Self { open: door.is_open, code: door.code, url, parties }
    }
}

/// The waiting list: everybody who waits, the longest first, all on one page.
#[utoipa::path(tag = "waiting", responses((status = 200, body = List<WaitingParty>)))]
#[get("/waiting")]
pub async fn list_waiting(
    (config, request): (Data<Config>, HttpRequest),
    Authorized(mut cx): Authorized<can::RunFloor>,
) -> ApiResult<Json<List<WaitingParty>>> {
    let (base, now) = (base_url(&config, &request), cx.world.now());
    let entries = outlook::list(cx.conn().await?, now).await?;
    Ok(Json(List { items: entries.into_iter().map(|it| WaitingParty::of(it, &base)).collect(), next: None }))
}

/// Writes a party down at the end of the waiting list.
#[utoipa::path(tag = "waiting", request_body = WaitingRequest, responses((status = 201, body = WaitingParty)))]
#[post("/waiting")]
pub async fn add_waiting(
    _: Budget<Writes>,
    (config, request): (Data<Config>, HttpRequest),
    Authorized(mut cx): Authorized<can::RunFloor>,
    Body(party): Body<WaitingRequest>,
) -> ApiResult<HttpResponse> {
    let (base, now) = (base_url(&config, &request), cx.world.now());
    let row = waiting::add(&mut cx, &party).await?;
    let entry = outlook::list(cx.conn().await?, now).await?.into_iter().find(|it| it.row.id == row.id);
    let mut made = created(format_args!("/waiting/{}", row.id));
    // Somebody may have ended it already.
    let party = match entry {
        Some(entry) => WaitingParty::of(entry, &base),
        None => WaitingParty::of_row(row, &base),
    };
    Ok(made.json(party))
}

/// One party of the waiting list, until a day after the end of its wait.
#[utoipa::path(tag = "waiting", params(("id" = WaitingId, Path)), responses((status = 200, body = WaitingParty)))]
#[get("/waiting/{id}")]
pub async fn find_waiting(
    (config, request): (Data<Config>, HttpRequest),
    Authorized(mut cx): Authorized<can::RunFloor>,
    Path(id): Path<WaitingId>,
) -> ApiResult<Json<WaitingParty>> {
    let (base, now) = (base_url(&config, &request), cx.world.now());
    let conn = cx.conn().await?;
    if let Some(entry) = outlook::list(conn, now).await?.into_iter().find(|it| it.row.id == id) {
        return Ok(Json(WaitingParty::of(entry, &base)));
    }
    let row = store::find(conn, id).await?.ok_or_else(|| not_found("waiting_not_found"))?;
    Ok(Json(WaitingParty::of_row(row, &base)))
}

/// Calls a party, since its table is ready, or ends its wait: it did not come, or is gone. Of two who say so at once, one is refused
/// (`waiting_called`, `waiting_over`).
#[utoipa::path(
    tag = "waiting",
    params(("id" = WaitingId, Path)),
    request_body = WaitingChange,
    responses((status = 200, body = WaitingParty))
)]
#[patch("/waiting/{id}")]
pub async fn change_waiting(
    _: Budget<Writes>,
    (config, request): (Data<Config>, HttpRequest),
    Authorized(mut cx): Authorized<can::RunFloor>,
    Path(id): Path<WaitingId>,
    Body(change): Body<WaitingChange>,
) -> ApiResult<Json<WaitingParty>> {
    let answer = match change.status {
        WaitingStatus::Called => Answer::Call,
        WaitingStatus::NoShow => Answer::NoShow,
        WaitingStatus::Gone => Answer::Gone,
        WaitingStatus::Waiting | WaitingStatus::Seated => return Err(invalid_field("/status", "unknown_value").into()),
    };
    let (row, _) = waiting::answer(&mut cx, id, answer).await?;
    Ok(Json(WaitingParty::of_row(row, &base_url(&config, &request))))
}

/// Seats a party of the waiting list at a free table, with as many people as it is. Of two who do so at once, one is refused
/// (`waiting_over`).
#[utoipa::path(
    tag = "waiting",
    params(("id" = WaitingId, Path)),
    request_body = WaitingSeatRequest,
    responses((status = 201, body = SittingAnswer))
)]
#[post("/waiting/{id}/sitting")]
pub async fn seat_waiting(
    _: Budget<Writes>,
    charges: Charges,
    Authorized(mut cx): Authorized<can::RunFloor>,
    Path(id): Path<WaitingId>,
    Body(request): Body<WaitingSeatRequest>,
) -> ApiResult<HttpResponse> {
    let held = Held::of(request.force.unwrap_or(false));
    let (party, _) = waiting::seat(&mut cx, id, request.table_id, held).await?;
    // Nobody has joined it yet.
    let answer = SittingAnswer::of(party.sitting, &[], cx.staff.id, &charges);
    Ok(created(format_args!("/sittings/{}", answer.id)).json(answer))
}

/// The code at the door, and whether guests may use it.
#[utoipa::path(tag = "waiting", responses((status = 200, body = WaitingDoor)))]
#[get("/waiting/door")]
pub async fn find_waiting_door(
    (config, request): (Data<Config>, HttpRequest),
    Authorized(mut cx): Authorized<can::ManageTables>,
) -> ApiResult<Json<WaitingDoor>> {
    let conn = cx.conn().await?;
    let (door, parties) = (store::find_door(conn).await?, store::list_open(conn).await?.len());
    Ok(Json(WaitingDoor::of(door, &base_url(&config, &request), parties)))
}

/// Gives the door a code, or another one, for somebody may have a photo of the one before, which leads nowhere from now on.
#[utoipa::path(tag = "waiting", responses((status = 200, body = WaitingDoor)))]
#[post("/waiting/door/code")]
pub async fn renew_waiting_code(
    _: Budget<Writes>,
    (config, request): (Data<Config>, HttpRequest),
    Authorized(mut cx): Authorized<can::ManageTables>,
) -> ApiResult<Json<WaitingDoor>> {
    let door = door::renew_code(&mut cx).await?;
    let parties = store::list_open(cx.conn().await?).await?.len();
    Ok(Json(WaitingDoor::of(door, &base_url(&config, &request), parties)))
}

/// The door with this code: whether guests may put themselves down, and how many parties wait.
#[utoipa::path(
    tag = "waiting",
    params(("code" = String, Path, example = "K7X2QD")),
    responses((status = 200, body = WaitingDoor)),
    security(())
)]
#[get("/waiting/by-code/{code}")]
pub async fn open_waiting_door(
    db: Data<Db>,
    (config, request): (Data<Config>, HttpRequest),
    Path(code): Path<String>,
) -> ApiResult<Json<WaitingDoor>> {
    let mut conn = db.conn().await?;
    let (door, parties) = (door::find(&mut conn, &code).await?, store::list_open(&mut conn).await?.len());
    Ok(Json(WaitingDoor::of(door, &base_url(&config, &request), parties)))
}

/// Guests who have scanned the code at the door put themselves on the waiting list. Refused where the café has switched that off
/// (`waiting_door_shut`).
#[utoipa::path(
    tag = "waiting",
    params(("code" = String, Path, example = "K7X2QD")),
    request_body = WaitingRequest,
    responses((status = 201, body = WaitingTicket)),
    security(())
)]
#[post("/waiting/by-code/{code}")]
pub async fn join_waiting(
    _: Budget<Guests>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    Path(code): Path<String>,
    Body(party): Body<WaitingRequest>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let row = door::join(&mut conn, &world, &live, &code, &party).await?;
    let entries = outlook::list(&mut conn, world.now()).await?;
    let own = entries.iter().find(|it| it.row.id == row.id);
    Ok(created(format_args!("/waiting/by-token/{}", row.token)).json(WaitingTicket::of(row, own)))
}

/// What guests see of their own wait: their position, how long it may still take, and whether their table is ready.
#[utoipa::path(
    tag = "waiting",
    params(("token" = String, Path)),
    responses((status = 200, body = WaitingTicket)),
    security(())
)]
#[get("/waiting/by-token/{token}")]
pub async fn find_own_waiting(
    db: Data<Db>,
    world: Data<World>,
    Path(token): Path<String>,
) -> ApiResult<Json<WaitingTicket>> {
    let mut conn = db.conn().await?;
    let row = store::find_by_token(&mut conn, &token).await?.ok_or_else(|| not_found("waiting_not_found"))?;
    let entries = outlook::list(&mut conn, world.now()).await?;
    let own = entries.iter().find(|it| it.row.id == row.id);
    Ok(Json(WaitingTicket::of(row, own)))
}

/// Guests do not want to wait any longer. Saying so again changes nothing.
#[utoipa::path(
    tag = "waiting",
    params(("token" = String, Path)),
    responses((status = 200, body = WaitingTicket)),
    security(())
)]
#[delete("/waiting/by-token/{token}")]
pub async fn leave_waiting(
    _: Budget<Writes>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    Path(token): Path<String>,
) -> ApiResult<Json<WaitingTicket>> {
    let row = waiting::leave(&mut *db.conn().await?, &world, &live, &token).await?;
    Ok(Json(WaitingTicket::of(row, None)))
}
