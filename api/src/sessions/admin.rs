//! `/admin/sign-in` and `/admin/sign-out`.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use super::{Device, Tokens};
use crate::config::Config;
use crate::db::Db;
use crate::error::{ApiError, ApiResult, Problem, forbidden, unauthorized};
use crate::extract::{Email, Password, Search, Visitor};
use crate::limits::SignInLimit;
use crate::page::preferences::own_path;
use crate::page::{Flash, Form, Page};
use crate::players::{Passwords, PlayerRow, Role};
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
    (world, tokens, passwords, config): (Data<World>, Data<Tokens>, Data<Passwords>, Data<Config>),
    device: Device,
    Form(form): Form<SignInForm>,
) -> ApiResult<HttpResponse> {
    match staff(&db, &passwords, &form).await {
        Ok(staff) => {
            let mut conn = db.conn().await?;
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

async fn staff(db: &Db, passwords: &Passwords, form: &SignInForm) -> ApiResult<PlayerRow> {
    let email = Email::parse(&form.email).map_err(|_| unauthorized("wrong_credentials"))?;
    let password = Password::parse(&form.password).map_err(|_| unauthorized("wrong_credentials"))?;
    let row = super::authenticate(db, passwords, &email, password).await?;
    if row.role < Role::Staff {
        return Err(forbidden("staff_only"));
    }
    Ok(row)
}

fn show(page: Page, status: StatusCode, email: &str, next: &str, wrong: Option<String>) -> ApiResult<HttpResponse> {
    let template = SignInPage { page, email, next, wrong };
    template.page.html_as(status, &template)
}
