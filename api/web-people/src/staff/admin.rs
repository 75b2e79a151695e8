//! `/admin/staff`: who works here.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;
use uuid::Uuid;

use base::auth::{Permission, Role, StaffContext, can};
use base::error::Error;
use base::ids::PlayerId;
use base::inputs::Email;
use play::staff::links;
use play::staff::store::{self, LinkRow, StaffRow};
use web_base::config::Config;
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};
use web_base::public_url::base_url;

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
struct StaffListPage {
    page: Page,
    own_id: PlayerId,
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
pub async fn show_staff(StaffPage { page, mut cx }: StaffPage<can::ManageStaff>) -> ApiResult<HttpResponse> {
    list(&mut cx, page, StatusCode::OK, InviteForm::default(), None).await
}

#[post("/admin/staff/invitations")]
pub async fn invite(
    _: Budget<Writes>,
    config: Data<Config>,
    request: HttpRequest,
    StaffPage { page, mut cx }: StaffPage<can::ManageStaff>,
    Form(form): Form<InviteForm>,
) -> ApiResult<HttpResponse> {
    let read = Email::parse(&form.email).map_err(|err| base::error::invalid_fields(vec![err]));
    let invited = match (read, form.role.parse::<Role>()) {
        (Ok(email), Ok(role)) => links::invite(&mut cx, &email, role).await,
        (Err(err), _) => Err(err),
        (Ok(_), Err(_)) => Err(base::error::invalid_field("/role", "unknown_value")),
    };
    match invited {
        Ok(token) => show_link(page, &config, &request, "staff-link-invite", &form.email, &token),
        Err(err @ Error::Refused(_)) if err.code() != "forbidden" => {
            let problem = ApiError::from(err).problem(page.lang);
            let status = problem.status_code();
            Ok(list(&mut cx, page, status, form, Some(problem.sentence())).await?)
        }
        Err(err) => Err(err.into()),
    }
}

#[post("/admin/staff/invitations/{id}/withdraw")]
pub async fn withdraw_invitation(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageStaff>,
    Path(id): Path<Uuid>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    links::withdraw(&mut cx, id).await?;
    Ok(page.go_with(PAGE, Flash::good("invitation-withdrawn", "")))
}

#[post("/admin/staff/{id}/role")]
pub async fn change_role(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageStaff>,
    Path(id): Path<PlayerId>,
    Form(form): Form<RoleForm>,
) -> ApiResult<HttpResponse> {
    match play::staff::change_role(&mut cx, id, form.role).await {
        Ok(row) if form.role == Role::Player => Ok(page.go_with(PAGE, Flash::good("staff-removed", &row.display_name))),
        Ok(row) => Ok(page.go_with(PAGE, Flash::good("staff-changed", &row.display_name))),
        Err(err) if err.code() == "last_owner" => Ok(page.go_with(PAGE, Flash::bad("last-owner", ""))),
        Err(err) => Err(err.into()),
    }
}

#[post("/admin/staff/{id}/password-link")]
pub async fn offer_password(
    _: Budget<Writes>,
    config: Data<Config>,
    request: HttpRequest,
    StaffPage { page, mut cx }: StaffPage<can::ManageStaff>,
    Path(id): Path<PlayerId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let token = links::offer_password(&mut cx, id).await?;
    let name = store::find(cx.conn().await?, id).await?.map(|(row, _)| row.display_name).unwrap_or_default();
    show_link(page, &config, &request, "staff-link-password", &name, &token)
}

#[post("/admin/staff/{id}/sign-out")]
pub async fn end_sessions(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageStaff>,
    Path(id): Path<PlayerId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let ended = play::staff::end_sessions(&mut cx, id).await?;
    Ok(page.go_with(PAGE, Flash::good("staff-signed-out", &ended.to_string())))
}

#[post("/admin/staff/{id}/second-factor/reset")]
pub async fn reset_second_factor(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageStaff>,
    Path(id): Path<PlayerId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    play::staff::forget_second_factor(&mut cx, id).await?;
    Ok(page.go_with(PAGE, Flash::good("second-factor-reset", "")))
}

async fn list(
    cx: &mut StaffContext<'_, can::ManageStaff>,
    page: Page,
    status: StatusCode,
    form: InviteForm,
    wrong: Option<String>,
) -> ApiResult<HttpResponse> {
    let own_id = cx.staff.id;
    let conn = cx.conn().await?;
    let rows = store::list(conn).await?;
    let invitations = store::list_invitations(conn, page.now).await?;
    let template = StaffListPage { page, own_id, rows, invitations, form, wrong };
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
    template.page.html_once(StatusCode::OK, &template)
}

impl StaffListPage {
    /// The roles that the reader may give to others.
    fn roles(&self) -> Vec<Role> {
        let most = if self.page.may(&Permission::AppointManagers) { Role::Owner } else { Role::Staff };
        [Role::Staff, Role::Manager, Role::Owner].into_iter().filter(|role| *role <= most).collect()
    }

    fn may_change(&self, row: &StaffRow) -> bool {
        row.0.role < Role::Manager || self.page.may(&Permission::AppointManagers)
    }

    fn is_self(&self, row: &StaffRow) -> bool {
        row.0.id == self.own_id
    }

    fn is_chosen(&self, role: &Role) -> bool {
        self.form.role == role.as_str()
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use play::players::PlayerRow;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn pages_are_complete() {
        samples::check(samples::MANAGERS, |page| {
            let member = |(number, role)| {
                let row = PlayerRow { id: samples::player_id(number), ..samples::player("민아", role) };
                (row, None)
            };
            let rows = [(0, Role::Owner), (1, Role::Manager), (2, Role::Staff)].map(member).into();
            let invitation = LinkRow {
                id: Uuid::nil(),
                email: Some("jun@example.org".to_owned()),
                role: Some(Role::Staff),
                player_id: None,
                created_by: PlayerId(Uuid::from_u128(1)),
                expires_at: Timestamp::UNIX_EPOCH,
            };
            let (own_id, wrong) = (PlayerId(Uuid::nil()), Some(page.t("field-no_email")));
            StaffListPage { page, own_id, rows, invitations: vec![invitation], form: InviteForm::default(), wrong }
                .render()
        });
        samples::check(samples::MANAGERS, |page| {
            let lead = page.say("staff-link-invite").with("name", "준").to_string();
            LinkPage { page, lead, url: "https://example.org/".to_owned() }.render()
        });
    }
}
