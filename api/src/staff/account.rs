//! `/admin/account`: where they are signed in and their own second factor.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::Timestamp;
use qrcode::QrCode;
use qrcode::render::svg;
use serde::Deserialize;
use serde_json::json;

use super::second_factor::{self, Asked};
use super::{record, totp};
use crate::db::Db;
use crate::error::{ApiError, ApiResult, conflict, internal};
use crate::extract::Path;
use crate::idempotency::Seal;
use crate::ids::SessionId;
use crate::limits::SignInLimit;
use crate::page::{Desk, Flash, Form, Page};
use crate::sessions;
use crate::world::World;

const PAGE: &str = "/admin/account";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CodeForm {
    code: String,
}

#[derive(Template)]
#[template(path = "admin/account/show.html")]
struct AccountPage {
    page: Page,
    sessions: Vec<Place>,
    has_factor: bool,
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
pub(crate) async fn show(db: Data<Db>, world: Data<World>, Desk { page, staff }: Desk) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let open = sessions::store::list_open(&mut conn, staff.id, world.now()).await?;
    let place = |row: sessions::store::SessionRow| Place {
        id: row.id,
        device: sessions::describe(row.user_agent.as_deref(), page.lang),
        seen_at: row.seen_at,
        is_here: row.id == staff.session,
    };
    let sessions = open.into_iter().map(place).collect();
    let has_factor = second_factor::is_on(&mut conn, staff.id).await?;
    let template = AccountPage { page, sessions, has_factor };
    template.page.html(&template)
}

/// Draws a secret and shows it; nothing is asked for until a code of it was typed.
#[post("/admin/account/second-factor/begin")]
pub(crate) async fn begin_second_factor(
    db: Data<Db>,
    (world, seal): (Data<World>, Data<Seal>),
    Desk { page, staff }: Desk,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let asked = Asked { world: &world, seal: &seal, player: staff.id };
    show_secret(&mut *db.conn().await?, page, asked, None).await
}

#[post("/admin/account/second-factor")]
pub(crate) async fn turn_on_second_factor(
    _: SignInLimit,
    db: Data<Db>,
    (world, seal): (Data<World>, Data<Seal>),
    Desk { page, staff }: Desk,
    Form(form): Form<CodeForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let asked = Asked { world: &world, seal: &seal, player: staff.id };
    if second_factor::is_on(&mut conn, staff.id).await? {
        return Err(conflict("second_factor_on"));
    }
    match second_factor::turn_on(&mut conn, asked, &form.code, &staff).await {
        Ok(codes) => {
            let template = RecoveryCodesPage { page, codes };
            template.page.html(&template)
        }
        Err(err @ ApiError::Refused(_)) => {
            let wrong = Some(err.problem(page.lang).detail);
            show_secret(&mut conn, page, asked, wrong).await
        }
        Err(err) => Err(err),
    }
}

#[post("/admin/account/second-factor/off")]
pub(crate) async fn turn_off_second_factor(
    _: SignInLimit,
    db: Data<Db>,
    (world, seal): (Data<World>, Data<Seal>),
    Desk { page, staff }: Desk,
    Form(form): Form<CodeForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let asked = Asked { world: &world, seal: &seal, player: staff.id };
    match second_factor::check(&mut conn, asked, &form.code).await {
        Ok(()) => {}
        Err(err) if err.code() == "wrong_code" => return Ok(page.go_with(PAGE, Flash::bad("wrong-code", ""))),
        Err(err) => return Err(err),
    }
    conn.transaction(async |conn| -> ApiResult<()> {
        second_factor::forget(conn, staff.id).await?;
        record(conn, &world, &staff, "staff.second_factor_off", staff.id, json!({})).await
    })
    .await?;
    Ok(page.go_with(PAGE, Flash::good("second-factor-off", "")))
}

#[post("/admin/account/sessions/{id}/end")]
pub(crate) async fn end_session(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<SessionId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    super::end_own_session(&mut *db.conn().await?, &world, &staff, id).await?;
    Ok(page.go_with(PAGE, Flash::good("session-ended", "")))
}

/// All but the one that asks.
#[post("/admin/account/sessions/end")]
pub(crate) async fn end_other_sessions(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    super::end_own_sessions(&mut *db.conn().await?, &world, &staff, Some(staff.session)).await?;
    Ok(page.go_with(PAGE, Flash::good("sessions-ended", "")))
}

async fn show_secret(
    conn: &mut AsyncPgConnection,
    page: Page,
    asked: Asked<'_>,
    wrong: Option<String>,
) -> ApiResult<HttpResponse> {
    if second_factor::is_on(conn, asked.player).await? {
        return Err(conflict("second_factor_on"));
    }
    let secret = second_factor::draw(conn, asked).await?;
    let account = page.staff.as_ref().map_or_else(String::new, |staff| staff.name.clone());
    let code = QrCode::new(totp::uri(&secret, &page.house(), &account)).map_err(internal)?;
    let (dark, light) = (svg::Color("#000"), svg::Color("#fff"));
    let picture = code.render().min_dimensions(240, 240).dark_color(dark).light_color(light).build();
    let letters = totp::base32(&secret);
    let fours: Vec<&str> = (0..letters.len()).step_by(4).map(|at| &letters[at..letters.len().min(at + 4)]).collect();
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let template = SecondFactorPage { page, picture: drawn(&picture), secret: fours.join(" "), wrong };
    template.page.html_as(status, &template)
}

/// Without the declaration that stands before a picture in a file of its own.
fn drawn(svg: &str) -> String {
    svg.find("<svg").map_or_else(String::new, |at| svg[at..].to_owned())
}
