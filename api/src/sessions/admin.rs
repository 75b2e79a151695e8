//! `/admin/sign-in` and `/admin/sign-out`.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use jiff::tz::TimeZone;
use serde::Deserialize;

use super::{Device, Tokens, Use};
use crate::cafe::Cafe;
use crate::config::Config;
use crate::db::Db;
use crate::error::{ApiError, ApiResult, Problem, forbidden, unauthorized};
use crate::extract::{Email, Password, Search, Visitor};
use crate::idempotency::Seal;
use crate::ids::SessionId;
use crate::limits::SignInLimit;
use crate::page::preferences::own_path;
use crate::page::{Flash, Form, Page};
use crate::players::{self, Passwords, PlayerRow, Role};
use crate::staff::second_factor::{self, Asked};
use crate::world::World;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignInSearch {
    next: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignInForm {
    email: String,
    password: String,
    next: String,
}

#[derive(Template)]
#[template(path = "admin/sign-in.html")]
struct SignInPage<'a> {
    page: Page,
    email: &'a str,
    next: &'a str,
    wrong: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CodeForm {
    ticket: String,
    code: String,
    next: String,
}

#[derive(Template)]
#[template(path = "admin/code.html")]
struct CodePage<'a> {
    page: Page,
    ticket: &'a str,
    next: &'a str,
    wrong: Option<String>,
}

#[get("/admin/sign-in")]
pub(crate) async fn show_sign_in(page: Page, Search(search): Search<SignInSearch>) -> ApiResult<HttpResponse> {
    let next = own_path(search.next.as_deref().unwrap_or_default()).to_owned();
    show(page, StatusCode::OK, "", &next, None)
}

#[post("/admin/sign-in")]
pub(crate) async fn sign_in(
    _: SignInLimit,
    page: Page,
    db: Data<Db>,
    (world, tokens, passwords): (Data<World>, Data<Tokens>, Data<Passwords>),
    (cafe, config): (Data<Cafe>, Data<Config>),
    device: Device,
    Form(form): Form<SignInForm>,
) -> ApiResult<HttpResponse> {
    let zone = cafe.zone(&config.time_zone);
    match staff(&db, (&world, &zone), &passwords, &form).await {
        Ok(staff) => {
            let mut conn = db.conn().await?;
            if second_factor::is_on(&mut conn, staff.id).await? {
                let nobody = SessionId(uuid::Uuid::nil());
                let ticket = tokens.issue(staff.id, nobody, staff.role, Use::Ticket, world.now())?;
                return ask_for_code(page, StatusCode::OK, &ticket, own_path(&form.next), None);
            }
            let cookie = super::open_page(&mut conn, &world, &tokens, &staff, &device, config.is_secure()).await?;
            let mut response = page.go_to(own_path(&form.next));
            response.add_cookie(&cookie).map_err(crate::error::internal)?;
            Ok(response)
        }
        Err(err @ ApiError::Refused(_)) => {
            let problem = err.problem(page.lang);
            let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::UNAUTHORIZED);
            show(page, status, &form.email, own_path(&form.next), Some(problem.detail))
        }
        Err(err) => Err(err),
    }
}

/// The second half of signing in, where there is one.
#[post("/admin/sign-in/code")]
pub(crate) async fn sign_in_with_code(
    _: SignInLimit,
    page: Page,
    db: Data<Db>,
    (world, tokens, seal, config): (Data<World>, Data<Tokens>, Data<Seal>, Data<Config>),
    device: Device,
    Form(form): Form<CodeForm>,
) -> ApiResult<HttpResponse> {
    let player = tokens.read(&form.ticket, Use::Ticket, world.now())?.sub;
    let mut conn = db.conn().await?;
    let asked = Asked { world: &world, seal: &seal, player };
    match second_factor::check(&mut conn, asked, &form.code).await {
        Ok(()) => {}
        Err(err @ ApiError::Refused(_)) => {
            let problem = err.problem(page.lang);
            let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::UNAUTHORIZED);
            return ask_for_code(page, status, &form.ticket, own_path(&form.next), Some(problem.detail));
        }
        Err(err) => return Err(err),
    }
    let staff = players::store::find(&mut conn, player).await?.ok_or_else(|| unauthorized("session_ended"))?;
    let cookie = super::open_page(&mut conn, &world, &tokens, &staff, &device, config.is_secure()).await?;
    let mut response = page.go_to(own_path(&form.next));
    response.add_cookie(&cookie).map_err(crate::error::internal)?;
    Ok(response)
}

#[post("/admin/sign-out")]
pub(crate) async fn sign_out(
    page: Page,
    db: Data<Db>,
    world: Data<World>,
    Visitor(visitor): Visitor,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    if let Some(player) = visitor {
        super::close(&mut *db.conn().await?, &world, &player).await?;
    }
    let mut response = page.go_with("/admin/sign-in", Flash::good("signed-out", ""));
    response.add_cookie(&super::closed_page()).map_err(crate::error::internal)?;
    Ok(response)
}

/// In place of a page that needs somebody signed in; afterwards that page comes.
pub fn sign_in_page(page: Page, problem: &Problem) -> ApiResult<HttpResponse> {
    let next = own_path(&page.path).to_owned();
    let wrong = (problem.code != "not_signed_in").then(|| problem.detail.clone());
    show(page, StatusCode::UNAUTHORIZED, "", &next, wrong)
}

async fn staff(db: &Db, clock: (&World, &TimeZone), passwords: &Passwords, form: &SignInForm) -> ApiResult<PlayerRow> {
    let email = Email::parse(&form.email).map_err(|_| unauthorized("wrong_credentials"))?;
    let password = Password::parse(&form.password).map_err(|_| unauthorized("wrong_credentials"))?;
    let row = super::authenticate(db, clock, passwords, &email, password).await?;
    if row.role < Role::Staff {
        return Err(forbidden("staff_only"));
    }
    Ok(row)
}

fn show(page: Page, status: StatusCode, email: &str, next: &str, wrong: Option<String>) -> ApiResult<HttpResponse> {
    let template = SignInPage { page, email, next, wrong };
    template.page.html_as(status, &template)
}

fn ask_for_code(
    page: Page,
    status: StatusCode,
    ticket: &str,
    next: &str,
    wrong: Option<String>,
) -> ApiResult<HttpResponse> {
    let template = CodePage { page, ticket, next, wrong };
    template.page.html_as(status, &template)
}
