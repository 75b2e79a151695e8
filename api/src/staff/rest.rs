//! `/api/v1/staff`.

use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::store::{self, LinkRow, StaffRow};
use super::{Deed, links};
use crate::config::Config;
use crate::db::Db;
use crate::error::{ApiResult, not_found};
use crate::extract::{Body, Email, Path, Staff};
use crate::ids::PlayerId;
use crate::list::List;
use crate::players::Role;
use crate::tables::rest::base_url;
use crate::world::World;

/// Somebody who works here.
#[derive(Serialize, ToSchema)]
pub struct StaffMember {
    id: PlayerId,
    #[schema(example = "하늘")]
    display_name: String,
    email: Option<String>,
    role: Role,
    /// Whether a code is asked for when they sign in.
    second_factor: bool,
    created_at: Timestamp,
}

/// An invitation that was not taken up yet.
#[derive(Serialize, ToSchema)]
#[schema(as = StaffInvitation)]
pub struct Invitation {
    id: Uuid,
    email: Option<String>,
    role: Option<Role>,
    expires_at: Timestamp,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = StaffInvitationRequest)]
pub struct InvitationRequest {
    email: Email,
    /// `staff`, `manager` or `owner`.
    role: Role,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RoleRequest {
    /// `player` for somebody who works here no more.
    role: Role,
}

/// A link that is good once. It is not shown again.
#[derive(Serialize, ToSchema)]
pub struct StaffLink {
    url: String,
}

/// Who works here, the highest role first. For managers and owners.
#[utoipa::path(tag = "staff", responses((status = 200, body = List<StaffMember>)))]
#[get("/staff")]
pub(crate) async fn list_staff(db: Data<Db>, Staff(staff): Staff) -> ApiResult<Json<List<StaffMember>>> {
    staff.may(Deed::KeepStaff)?;
    let rows = store::list(&mut *db.conn().await?).await?;
    Ok(Json(List { items: rows.into_iter().map(StaffMember::from).collect(), next: None }))
}

/// Invitations that were not taken up yet.
#[utoipa::path(tag = "staff", responses((status = 200, body = List<Invitation>)))]
#[get("/staff/invitations")]
pub(crate) async fn list_staff_invitations(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
) -> ApiResult<Json<List<Invitation>>> {
    staff.may(Deed::KeepStaff)?;
    let rows = store::list_invitations(&mut *db.conn().await?, world.now()).await?;
    Ok(Json(List { items: rows.into_iter().map(Invitation::from).collect(), next: None }))
}

/// Invites somebody: the answer holds a link to hand over, good once and for three days. Only owners invite managers and owners.
#[utoipa::path(tag = "staff", request_body = InvitationRequest, responses((status = 201, body = StaffLink)))]
#[post("/staff/invitations")]
pub(crate) async fn create_staff_invitation(
    db: Data<Db>,
    (world, config): (Data<World>, Data<Config>),
    request: HttpRequest,
    Staff(staff): Staff,
    Body(invitation): Body<InvitationRequest>,
) -> ApiResult<HttpResponse> {
    let InvitationRequest { email, role } = invitation;
    let token = links::invite(&mut *db.conn().await?, &world, &staff, &email, role).await?;
    Ok(HttpResponse::Created().json(link(&config, &request, &token)))
}

/// Withdraws an invitation: its link is good no more.
#[utoipa::path(tag = "staff", params(("id" = uuid::Uuid, Path)), responses((status = 204, description = "It is withdrawn")))]
#[delete("/staff/invitations/{id}")]
pub(crate) async fn withdraw_invitation(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
    Path(id): Path<Uuid>,
) -> ApiResult<HttpResponse> {
    links::withdraw(&mut *db.conn().await?, &world, &staff, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Gives somebody who works here another role; `player` ends their sessions, too. There is always an owner left.
#[utoipa::path(
    tag = "staff",
    params(("id" = PlayerId, Path)),
    request_body = RoleRequest,
    responses((status = 204, description = "They have the role"))
)]
#[patch("/staff/{id}")]
pub(crate) async fn change_staff(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
    Path(id): Path<PlayerId>,
    Body(request): Body<RoleRequest>,
) -> ApiResult<HttpResponse> {
    super::change_role(&mut *db.conn().await?, &world, &staff, id, request.role).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Makes a link with which they take another password, good once and for a day.
#[utoipa::path(tag = "staff", params(("id" = PlayerId, Path)), responses((status = 201, body = StaffLink)))]
#[post("/staff/{id}/password-link")]
pub(crate) async fn create_password_link(
    db: Data<Db>,
    (world, config): (Data<World>, Data<Config>),
    request: HttpRequest,
    Staff(staff): Staff,
    Path(id): Path<PlayerId>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    store::find(&mut conn, id).await?.ok_or_else(|| not_found("staff_not_found"))?;
    let token = links::offer_password(&mut conn, &world, &staff, id).await?;
    Ok(HttpResponse::Created().json(link(&config, &request, &token)))
}

/// Signs them out everywhere.
#[utoipa::path(tag = "staff", params(("id" = PlayerId, Path)), responses((status = 204, description = "They are signed out")))]
#[delete("/staff/{id}/sessions")]
pub(crate) async fn end_staff_sessions(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
    Path(id): Path<PlayerId>,
) -> ApiResult<HttpResponse> {
    super::end_sessions(&mut *db.conn().await?, &world, &staff, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Forgets their second factor, for somebody who lost their phone.
#[utoipa::path(tag = "staff", params(("id" = PlayerId, Path)), responses((status = 204, description = "It is asked no more")))]
#[delete("/staff/{id}/second-factor")]
pub(crate) async fn forget_second_factor(
    db: Data<Db>,
    world: Data<World>,
    Staff(staff): Staff,
    Path(id): Path<PlayerId>,
) -> ApiResult<HttpResponse> {
    super::forget_second_factor(&mut *db.conn().await?, &world, &staff, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

fn link(config: &Config, request: &HttpRequest, token: &str) -> StaffLink {
    StaffLink { url: format!("{}/admin/welcome?token={token}", base_url(config, request)) }
}

impl From<StaffRow> for StaffMember {
    fn from((row, confirmed_at): StaffRow) -> Self {
        Self {
            id: row.id,
            display_name: row.display_name,
            email: row.email,
            role: row.role,
            second_factor: confirmed_at.is_some(),
            created_at: row.created_at,
        }
    }
}

impl From<LinkRow> for Invitation {
    fn from(row: LinkRow) -> Self {
        Self { id: row.id, email: row.email, role: row.role, expires_at: row.expires_at }
    }
}
