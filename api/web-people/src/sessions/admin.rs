//! `/admin/sign-in` and `/admin/sign-out`.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use jiff::tz::TimeZone;
use serde::Deserialize;

use base::auth::Seal;
use base::auth::{Passwords, Role};
use base::auth::{Tokens, Use};
use base::db::Db;
use base::error::Error;
use base::error::{forbidden, unauthorized};
use base::ids::SessionId;
use base::inputs::{Email, Password};
use base::settings::Cafe;
use base::world::World;
use play::players::{self, PlayerRow};
use play::sessions::{PageToken, SignInGuard};
use play::staff::second_factor::{self, Asked};
use web_base::config::Config;
use web_base::error::ApiError;
use web_base::error::{ApiResult, Problem};
use web_base::extract::{Client, SignInContext, device_cookie, page_cookie};
use web_base::extract::{Search, Visitor};
use web_base::limits::{Budget, SignIns, Writes};
use web_base::page::preferences::own_path;
use web_base::page::{Flash, Form, Page};

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
pub async fn show_sign_in(page: Page, Search(search): Search<SignInSearch>) -> ApiResult<HttpResponse> {
    let next = own_path(search.next.as_deref().unwrap_or_default()).to_owned();
    show(page, StatusCode::OK, "", &next, None)
}

#[post("/admin/sign-in")]
pub async fn sign_in(
    _: Budget<SignIns>,
    page: Page,
    db: Data<Db>,
    (world, tokens, passwords, seal): (Data<World>, Data<Tokens>, Data<Passwords>, Data<Seal>),
    (cafe, config): (Data<Cafe>, Data<Config>),
    (Client(device), context, Visitor(former)): (Client, SignInContext, Visitor),
    Form(form): Form<SignInForm>,
) -> ApiResult<HttpResponse> {
    let zone = cafe.zone(&config.time_zone);
    let guard = context.guard();
    match staff(&db, &zone, &passwords, guard, &form).await {
        Ok(staff) => {
            let mut conn = db.conn().await?;
            if base::auth::has_second_factor(&mut conn, staff.id).await? {
                let ticket = tokens.issue(staff.id, bound_to(&seal, &staff), staff.role, Use::Ticket, world.now())?;
                return ask_for_code(page, StatusCode::OK, &ticket, own_path(&form.next), None);
            }
            let token =
                play::sessions::enter_page(&mut conn, &tokens, guard, (&staff, &device), former.as_ref()).await?;
            let known = context.devices.remember(&tokens, &staff, world.now())?;
            go_signed_in(&page, &form.next, &config, token, known)
        }
        Err(err) if err.is_refusal() => {
            let problem = err.problem(page.lang);
            let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::UNAUTHORIZED);
            show(page, status, &form.email, own_path(&form.next), Some(problem.detail))
        }
        Err(err) => Err(err),
    }
}

/// The second half of signing in, where there is one.
#[post("/admin/sign-in/code")]
pub async fn sign_in_with_code(
    _: Budget<SignIns>,
    page: Page,
    db: Data<Db>,
    (world, tokens, seal, config): (Data<World>, Data<Tokens>, Data<Seal>, Data<Config>),
    (Client(device), context, Visitor(former)): (Client, SignInContext, Visitor),
    Form(form): Form<CodeForm>,
) -> ApiResult<HttpResponse> {
    let ticket = tokens.read(&form.ticket, Use::Ticket, world.now())?;
    let player = ticket.sub;
    let mut conn = db.conn().await?;
    let is_theirs = |staff: &PlayerRow| seal.each().any(|seal| bound_to(seal, staff) == ticket.sid);
    let staff = players::store::find(&mut conn, player).await?.filter(is_theirs);
    let staff = staff.ok_or_else(|| unauthorized("session_ended"))?;
    let asked = Asked { world: &world, seal: &seal, player };
    match second_factor::check(&mut conn, asked, &form.code).await {
        Ok(()) => {}
        Err(err @ Error::Refused(_)) => {
            let problem = ApiError::from(err).problem(page.lang);
            let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::UNAUTHORIZED);
            return ask_for_code(page, status, &form.ticket, own_path(&form.next), Some(problem.detail));
        }
        Err(err) => return Err(err.into()),
    }
    let guard = context.guard();
    let token = play::sessions::enter_page(&mut conn, &tokens, guard, (&staff, &device), former.as_ref()).await?;
    let known = context.devices.remember(&tokens, &staff, world.now())?;
    go_signed_in(&page, &form.next, &config, token, known)
}

/// On to the page that was asked for, on a device that is known from now on.
fn go_signed_in(page: &Page, next: &str, config: &Config, token: PageToken, known: String) -> ApiResult<HttpResponse> {
    let mut response = page.go_to(own_path(next));
    for cookie in [page_cookie(token, config.is_secure()), device_cookie(known, config.is_secure())] {
        response.add_cookie(&cookie).map_err(base::error::internal)?;
    }
    Ok(response)
}

/// In a ticket's place for a session: it dies with the password that it stands for.
fn bound_to(seal: &Seal, staff: &PlayerRow) -> SessionId {
    let password = staff.password_hash.as_deref().unwrap_or_default();
    let digest = seal.digest(&[b"ticket", staff.id.0.as_bytes(), password.as_bytes()]);
    SessionId(uuid::Builder::from_random_bytes(std::array::from_fn(|at| digest[at])).into_uuid())
}

#[post("/admin/sign-out")]
pub async fn sign_out(
    _: Budget<Writes>,
    page: Page,
    db: Data<Db>,
    world: Data<World>,
    Visitor(visitor): Visitor,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    if let Some(player) = visitor {
        play::sessions::close(&mut *db.conn().await?, &world, &player).await?;
    }
    page.go_signed_out("/admin/sign-in", Flash::good("signed-out", ""))
}

/// In place of a page that needs somebody signed in; afterwards that page comes.
pub fn sign_in_page(page: Page, problem: &Problem) -> ApiResult<HttpResponse> {
    let next = own_path(&page.path).to_owned();
    let wrong = (problem.code != "not_signed_in").then(|| problem.detail.clone());
    show(page, StatusCode::UNAUTHORIZED, "", &next, wrong)
}

async fn staff(
    db: &Db,
    zone: &TimeZone,
    passwords: &Passwords,
    guard: SignInGuard<'_>,
    form: &SignInForm,
) -> ApiResult<PlayerRow> {
    let email = Email::parse(&form.email).map_err(|_| unauthorized("wrong_credentials"))?;
    let password = Password::parse(&form.password).map_err(|_| unauthorized("wrong_credentials"))?;
    let row = play::sessions::authenticate(db, zone, passwords, guard, (&email, password)).await?;
    if row.role < Role::Staff {
        return Err(forbidden("staff_only").into());
    }
    Ok(row)
}

fn show(page: Page, status: StatusCode, email: &str, next: &str, wrong: Option<String>) -> ApiResult<HttpResponse> {
    let template = SignInPage { page, email, next, wrong };
    template.page.html_once(status, &template)
}

fn ask_for_code(
    page: Page,
    status: StatusCode,
    ticket: &str,
    next: &str,
    wrong: Option<String>,
) -> ApiResult<HttpResponse> {
    let template = CodePage { page, ticket, next, wrong };
    template.page.html_once(status, &template)
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn pages_are_complete() {
        let wrong = || Some("x".to_owned());
        samples::check(samples::ANYBODY, |page| {
            SignInPage { page, email: "a@b.cd", next: "/", wrong: wrong() }.render()
        });
        samples::check(samples::ANYBODY, |page| CodePage { page, ticket: "t", next: "/", wrong: wrong() }.render());
    }
}
