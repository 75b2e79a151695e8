//! `/api/v1/staff`.

use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use base::auth::{Role, can};
use base::error::not_found;
use base::ids::PlayerId;
use base::inputs::Email;
use base::list::List;
use play::staff::links;
use play::staff::store::{self, LinkRow, StaffRow};
use web_base::addresses::created;
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, Path};
use web_base::limits::{Budget, Writes};
use web_base::public_url::base_url;

/// Somebody who works here.
#[derive(Serialize, ToSchema)]
pub(crate) struct StaffMember {
    id: PlayerId,
    #[schema(example = "하늘")]
    display_name: String,
    email: Option<String>,
    role: Role,
    /// Whether a code is asked for when they sign in.
    second_factor: bool,
    created_at: Timestamp,
}

/// An invitation that was not accepted yet.
#[derive(Serialize, ToSchema)]
#[schema(as = StaffInvitation)]
pub(crate) struct Invitation {
    id: Uuid,
    email: Option<String>,
    role: Option<Role>,
    expires_at: Timestamp,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = StaffInvitationRequest)]
pub(crate) struct InvitationRequest {
    email: Email,
    /// `staff`, `manager` or `owner`.
    role: Role,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoleRequest {
    /// `player` for a former member of staff.
    role: Role,
}

/// A link that works once. It is not shown again.
#[derive(Serialize, ToSchema)]
pub(crate) struct StaffLink {
    url: String,
}

/// Who works here, the highest role first. For managers and owners.
#[utoipa::path(tag = "staff", responses((status = 200, body = List<StaffMember>)))]
#[get("/staff")]
pub async fn list_staff(Authorized(mut cx): Authorized<can::ManageStaff>) -> ApiResult<Json<List<StaffMember>>> {
    let rows = store::list(cx.conn().await?).await?;
    Ok(Json(List { items: rows.into_iter().map(StaffMember::from).collect(), next: None }))
}

/// Invitations that were not accepted yet.
#[utoipa::path(tag = "staff", responses((status = 200, body = List<Invitation>)))]
#[get("/staff/invitations")]
pub async fn list_staff_invitations(
    Authorized(mut cx): Authorized<can::ManageStaff>,
) -> ApiResult<Json<List<Invitation>>> {
    let now = cx.world.now();
    let rows = store::list_invitations(cx.conn().await?, now).await?;
    Ok(Json(List { items: rows.into_iter().map(Invitation::from).collect(), next: None }))
}

/// Invites somebody: the answer holds a link to hand over, which works once and for three days. Only owners invite managers
/// and owners.
#[utoipa::path(tag = "staff", request_body = InvitationRequest, responses((status = 201, body = StaffLink)))]
#[post("/staff/invitations")]
pub async fn create_staff_invitation(
    _: Budget<Writes>,
    config: Data<Config>,
    request: HttpRequest,
    Authorized(mut cx): Authorized<can::ManageStaff>,
    Body(invitation): Body<InvitationRequest>,
) -> ApiResult<HttpResponse> {
    let InvitationRequest { email, role } = invitation;
    let token = links::invite(&mut cx, &email, role).await?;
    Ok(created("/staff/invitations").json(link(&config, &request, &token)))
}

/// Withdraws an invitation: its link stops working.
#[utoipa::path(tag = "staff", params(("id" = uuid::Uuid, Path)), responses((status = 204, description = "Withdrawn")))]
#[delete("/staff/invitations/{id}")]
pub async fn withdraw_invitation(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageStaff>,
    Path(id): Path<Uuid>,
) -> ApiResult<HttpResponse> {
    links::withdraw(&mut cx, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Gives somebody who works here another role; `player` ends their sessions, too. There is always an owner left.
#[utoipa::path(
    tag = "staff",
    params(("id" = PlayerId, Path)),
    request_body = RoleRequest,
    responses((status = 204, description = "Role changed"))
)]
#[patch("/staff/{id}")]
pub async fn change_staff(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageStaff>,
    Path(id): Path<PlayerId>,
    Body(request): Body<RoleRequest>,
) -> ApiResult<HttpResponse> {
    play::staff::change_role(&mut cx, id, request.role).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Makes a link for choosing a new password; it works once and for a day.
#[utoipa::path(tag = "staff", params(("id" = PlayerId, Path)), responses((status = 201, body = StaffLink)))]
#[post("/staff/{id}/password-link")]
pub async fn create_password_link(
    _: Budget<Writes>,
    config: Data<Config>,
    request: HttpRequest,
    Authorized(mut cx): Authorized<can::ManageStaff>,
    Path(id): Path<PlayerId>,
) -> ApiResult<HttpResponse> {
    store::find(cx.conn().await?, id).await?.ok_or_else(|| not_found("staff_not_found"))?;
    let token = links::offer_password(&mut cx, id).await?;
    Ok(created("/staff").json(link(&config, &request, &token)))
}

/// Signs them out everywhere.
#[utoipa::path(tag = "staff", params(("id" = PlayerId, Path)), responses((status = 204, description = "Signed out")))]
#[delete("/staff/{id}/sessions")]
pub async fn end_staff_sessions(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageStaff>,
    Path(id): Path<PlayerId>,
) -> ApiResult<HttpResponse> {
    play::staff::end_sessions(&mut cx, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Removes a member's second factor, for somebody who lost their phone.
#[utoipa::path(tag = "staff", params(("id" = PlayerId, Path)), responses((status = 204, description = "Removed")))]
#[delete("/staff/{id}/second-factor")]
pub async fn forget_second_factor(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageStaff>,
    Path(id): Path<PlayerId>,
) -> ApiResult<HttpResponse> {
    play::staff::forget_second_factor(&mut cx, id).await?;
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
