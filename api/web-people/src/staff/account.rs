//! `/admin/account`: where they are signed in and their own second factor.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use jiff::Timestamp;
use qrcode::QrCode;
use qrcode::render::svg;
use serde::Deserialize;

use crate::sessions::password::PasswordForm;
use base::auth::{Actor, AnyStaff, Passwords, Seal, StaffContext};
use base::db::Db;
use base::error::Error;
use base::error::{forbidden, internal};
use base::ids::SessionId;
use base::inputs::Password;
use play::sessions;
use play::staff::{second_factor, totp};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::{Path, SignInContext};
use web_base::limits::{Budget, SignIns, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

const PAGE: &str = "/admin/account";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CodeForm {
    code: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TurnOnForm {
    password: String,
    code: String,
}

#[derive(Template)]
#[template(path = "admin/account/show.html")]
struct AccountPage {
    page: Page,
    sessions: Vec<Place>,
    has_factor: bool,
    /// Why the new password was not taken.
    wrong: Option<String>,
}

/// Where somebody is signed in.
struct Place {
    id: SessionId,
    device: String,
    seen_at: Timestamp,
    is_here: bool,
}

#[derive(Template)]
#[template(path = "admin/account/second-factor.html")]
struct SecondFactorPage {
    page: Page,
    picture: String,
    secret: String,
    wrong: Option<String>,
}

#[derive(Template)]
#[template(path = "admin/account/recovery-codes.html")]
struct RecoveryCodesPage {
    page: Page,
    codes: Vec<String>,
}

#[get("/admin/account")]
pub async fn show(StaffPage { page, mut cx }: StaffPage<AnyStaff>) -> ApiResult<HttpResponse> {
    show_account(&mut cx, page, StatusCode::OK, None).await
}

async fn show_account(
    cx: &mut StaffContext<'_, AnyStaff>,
    page: Page,
    status: StatusCode,
    wrong: Option<String>,
) -> ApiResult<HttpResponse> {
    let staff = cx.staff;
    let conn = cx.conn().await?;
    let open = sessions::store::list_open(conn, staff.id, page.now).await?;
    let place = |row: sessions::store::SessionRow| Place {
        id: row.id,
        device: sessions::device_name(&row, page.lang),
        seen_at: row.seen_at,
        is_here: row.id == staff.session,
    };
    let sessions = open.into_iter().map(place).collect();
    let has_factor = base::auth::has_second_factor(conn, staff.id).await?;
    let template = AccountPage { page, sessions, has_factor, wrong };
    template.page.html_as(status, &template)
}

/// Every other session ends.
#[post("/admin/account/password")]
pub async fn change_password(
    _: Budget<SignIns>,
    db: Data<Db>,
    (passwords, context): (Data<Passwords>, SignInContext),
    StaffPage { page, mut cx }: StaffPage<AnyStaff>,
    Form(form): Form<PasswordForm>,
) -> ApiResult<HttpResponse> {
    match form.change(&db, context.guard(), &passwords, &cx.staff).await.map_err(ApiError::from) {
        Ok(()) => Ok(page.go_with(PAGE, Flash::good("password-changed", ""))),
        Err(err) if err.is_refusal() => {
            let problem = err.problem(page.lang);
            let status = problem.status_code();
            show_account(&mut cx, page, status, Some(problem.sentence())).await
        }
        Err(err) => Err(err),
    }
}

/// Draws a secret and shows it; nothing is asked for until a code of it was typed.
#[post("/admin/account/second-factor/begin")]
pub async fn begin_second_factor(
    _: Budget<Writes>,
    seal: Data<Seal>,
    StaffPage { page, mut cx }: StaffPage<AnyStaff>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let secret = second_factor::draw(&mut cx, &seal).await?;
    show_secret(page, &secret, None)
}

#[post("/admin/account/second-factor")]
pub async fn turn_on_second_factor(
    _: Budget<SignIns>,
    (seal, passwords, context): (Data<Seal>, Data<Passwords>, SignInContext),
    StaffPage { page, mut cx }: StaffPage<AnyStaff>,
    Form(form): Form<TurnOnForm>,
) -> ApiResult<HttpResponse> {
    let turned_on = match Password::parse(&form.password) {
        Ok(password) => second_factor::turn_on(&mut cx, (context.guard(), &passwords), (password, &form.code)).await,
        Err(_) => Err(forbidden("wrong_password")),
    };
    match turned_on {
        Ok(codes) => {
            let template = RecoveryCodesPage { page, codes };
            template.page.html_once(StatusCode::OK, &template)
        }
        Err(err @ Error::Refused(_)) => {
            let wrong = Some(ApiError::from(err).problem(page.lang).detail);
            // The app has it already.
            let drawn = second_factor::find_drawn(&mut cx, &seal).await?;
            let secret = match drawn {
                Some(drawn) => drawn,
                None => second_factor::draw(&mut cx, &seal).await?,
            };
            show_secret(page, &secret, wrong)
        }
        Err(err) => Err(err.into()),
    }
}

#[post("/admin/account/second-factor/off")]
pub async fn turn_off_second_factor(
    _: Budget<SignIns>,
    seal: Data<Seal>,
    StaffPage { page, mut cx }: StaffPage<AnyStaff>,
    Form(form): Form<CodeForm>,
) -> ApiResult<HttpResponse> {
    match second_factor::turn_off(&mut cx, &seal, &form.code).await {
        Ok(()) => Ok(page.go_with(PAGE, Flash::good("second-factor-off", ""))),
        Err(err) if err.code() == "wrong_code" => Ok(page.go_with(PAGE, Flash::bad("wrong-code", ""))),
        Err(err) => Err(err.into()),
    }
}

#[post("/admin/account/sessions/{id}/end")]
pub async fn end_session(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<AnyStaff>,
    Path(id): Path<SessionId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    play::staff::end_own_session(conn, world, staff, id).await?;
    Ok(page.go_with(PAGE, Flash::good("session-ended", "")))
}

/// All but the one that asks.
#[post("/admin/account/sessions/end")]
pub async fn end_other_sessions(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<AnyStaff>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    play::staff::end_own_sessions(conn, world, staff, Some(staff.session)).await?;
    Ok(page.go_with(PAGE, Flash::good("sessions-ended", "")))
}

fn show_secret(page: Page, secret: &[u8], wrong: Option<String>) -> ApiResult<HttpResponse> {
    let account = page.staff.as_ref().map_or_else(String::new, |staff| staff.name.clone());
    let code = QrCode::new(totp::uri(secret, &page.house(), &account)).map_err(internal)?;
    let (dark, light) = (svg::Color("#000"), svg::Color("#fff"));
    let picture = code.render().min_dimensions(240, 240).dark_color(dark).light_color(light).build();
    let letters = totp::base32(secret);
    let fours: Vec<&str> = (0..letters.len()).step_by(4).map(|at| &letters[at..letters.len().min(at + 4)]).collect();
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let template = SecondFactorPage { page, picture: drawn(&picture), secret: fours.join(" "), wrong };
    template.page.html_once(status, &template)
}

/// Without the declaration that stands before a picture in a file of its own.
fn drawn(svg: &str) -> String {
    svg.find("<svg").map_or_else(String::new, |at| svg[at..].to_owned())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn pages_are_complete() {
        for has_factor in [true, false] {
            samples::check(samples::STAFF, |page| {
                let place = |is_here| Place {
                    id: SessionId(Uuid::nil()),
                    device: "Firefox".to_owned(),
                    seen_at: Timestamp::UNIX_EPOCH,
                    is_here,
                };
                AccountPage {
                    page, sessions: vec![place(true), place(false)], has_factor, wrong: Some("✗".to_owned())
                }
                .render()
            });
        }
        samples::check(samples::STAFF, |page| {
            let wrong = Some(page.t("error-wrong_code"));
            SecondFactorPage { page, picture: "<svg></svg>".to_owned(), secret: "MZXW 6YTB".to_owned(), wrong }.render()
        });
        samples::check(samples::STAFF, |page| RecoveryCodesPage { page, codes: vec!["mzxw6ytb".to_owned()] }.render());
    }
}
