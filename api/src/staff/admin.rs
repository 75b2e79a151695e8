//! `/admin/staff`: who works here.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;
use uuid::Uuid;

use super::store::{self, LinkRow, StaffRow};
use super::{Deed, links};
use crate::config::Config;
use crate::db::Db;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Email, Path, Player};
use crate::ids::PlayerId;
use crate::page::{Desk, Flash, Form, Page};
use crate::players::Role;
use crate::tables::rest::base_url;
use crate::world::World;

const PAGE: &str = "/admin/staff";

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InviteForm {
    email: String,
    role: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoleForm {
    role: Role,
}

#[derive(Template)]
#[template(path = "admin/staff/list.html")]
struct StaffPage {
    page: Page,
    staff: Player,
    rows: Vec<StaffRow>,
    invitations: Vec<LinkRow>,
    form: InviteForm,
    wrong: Option<String>,
}

/// A link, shown this once.
#[derive(Template)]
#[template(path = "admin/staff/link.html")]
struct LinkPage {
    page: Page,
    lead: String,
    url: String,
}

#[get("/admin/staff")]
pub(crate) async fn show_staff(db: Data<Db>, Desk { page, staff }: Desk) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepStaff)?;
    list(&mut *db.conn().await?, page, staff, StatusCode::OK, InviteForm::default(), None).await
}

#[post("/admin/staff/invitations")]
pub(crate) async fn invite(
    db: Data<Db>,
    (world, config): (Data<World>, Data<Config>),
    request: HttpRequest,
    Desk { page, staff }: Desk,
    Form(form): Form<InviteForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let read = Email::parse(&form.email).map_err(|err| crate::error::invalid_fields(vec![err]));
    let invited = match (read, form.role.parse::<Role>()) {
        (Ok(email), Ok(role)) => links::invite(&mut conn, &world, &staff, &email, role).await,
        (Err(err), _) => Err(err),
        (Ok(_), Err(_)) => Err(crate::error::invalid_field("/role", "unknown_value")),
    };
    match invited {
        Ok(token) => show_link(page, &config, &request, "staff-link-invite", &form.email, &token),
        Err(err @ ApiError::Refused(_)) if err.code() != "forbidden" => {
            let problem = err.problem(page.lang);
            let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY);
            let wrong = problem.errors.into_iter().next().map_or(problem.detail, |field| field.detail);
            list(&mut conn, page, staff, status, form, Some(wrong)).await
        }
        Err(err) => Err(err),
    }
}

#[post("/admin/staff/invitations/{id}/withdraw")]
pub(crate) async fn withdraw_invitation(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<Uuid>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    links::withdraw(&mut *db.conn().await?, &world, &staff, id).await?;
    Ok(page.go_with(PAGE, Flash::good("invitation-withdrawn", "")))
}

#[post("/admin/staff/{id}/role")]
pub(crate) async fn change_role(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<PlayerId>,
    Form(form): Form<RoleForm>,
) -> ApiResult<HttpResponse> {
    match super::change_role(&mut *db.conn().await?, &world, &staff, id, form.role).await {
        Ok(row) if form.role == Role::Player => Ok(page.go_with(PAGE, Flash::good("staff-removed", &row.display_name))),
        Ok(row) => Ok(page.go_with(PAGE, Flash::good("staff-changed", &row.display_name))),
        Err(err) if err.code() == "last_owner" => Ok(page.go_with(PAGE, Flash::bad("last-owner", ""))),
        Err(err) => Err(err),
    }
}

#[post("/admin/staff/{id}/password-link")]
pub(crate) async fn offer_password(
    db: Data<Db>,
    (world, config): (Data<World>, Data<Config>),
    request: HttpRequest,
    Desk { page, staff }: Desk,
    Path(id): Path<PlayerId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let token = links::offer_password(&mut conn, &world, &staff, id).await?;
    let name = store::find(&mut conn, id).await?.map(|(row, _)| row.display_name).unwrap_or_default();
    show_link(page, &config, &request, "staff-link-password", &name, &token)
}

#[post("/admin/staff/{id}/sign-out")]
pub(crate) async fn end_sessions(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<PlayerId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let ended = super::end_sessions(&mut *db.conn().await?, &world, &staff, id).await?;
    Ok(page.go_with(PAGE, Flash::good("staff-signed-out", &ended.to_string())))
}

#[post("/admin/staff/{id}/second-factor/reset")]
pub(crate) async fn reset_second_factor(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<PlayerId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    super::forget_second_factor(&mut *db.conn().await?, &world, &staff, id).await?;
    Ok(page.go_with(PAGE, Flash::good("second-factor-reset", "")))
}

async fn list(
    conn: &mut AsyncPgConnection,
    page: Page,
    staff: Player,
    status: StatusCode,
    form: InviteForm,
    wrong: Option<String>,
) -> ApiResult<HttpResponse> {
    let rows = store::list(conn).await?;
    let invitations = store::list_invitations(conn, page.now).await?;
    let template = StaffPage { page, staff, rows, invitations, form, wrong };
    template.page.html_as(status, &template)
}

fn show_link(
    page: Page,
    config: &Config,
    request: &HttpRequest,
    lead: &str,
    name: &str,
    token: &str,
) -> ApiResult<HttpResponse> {
    let lead = page.say(lead).with("name", name).to_string();
    let url = format!("{}/admin/welcome?token={token}", base_url(config, request));
    let template = LinkPage { page, lead, url };
    template.page.html(&template)
}

impl StaffPage {
    /// The roles that whoever looks may give to others.
    fn roles(&self) -> Vec<Role> {
        let most = if self.staff.role.may(Deed::AppointManagers) { Role::Owner } else { Role::Staff };
        [Role::Staff, Role::Manager, Role::Owner].into_iter().filter(|role| *role <= most).collect()
    }

    fn may_change(&self, row: &StaffRow) -> bool {
        row.0.role < Role::Manager || self.staff.role.may(Deed::AppointManagers)
    }

    fn is_self(&self, row: &StaffRow) -> bool {
        row.0.id == self.staff.id
    }

    fn is_chosen(&self, role: &Role) -> bool {
        self.form.role == role.as_str()
    }
}
