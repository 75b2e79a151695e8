//! `/admin/waiting/door`: the code at the door, to print, and the codes of parties' own pages.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;

use base::auth::can;
use base::error::not_found;
use cafe::waiting::{Door, WaitingId, door, page_url, store};
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};
use web_base::public_url::{base_url, leads_to_itself};
use web_base::qr::qr_picture;

const PAGE: &str = "/admin/waiting/door";

#[derive(Template)]
#[template(path = "admin/waiting/door.html")]
struct WaitingDoorPage {
    page: Page,
    door: Door,
    /// What the code says, if there is one.
    url: Option<String>,
    /// No phone would get to that address.
    is_for_nobody: bool,
}

#[get("/admin/waiting/door")]
pub async fn show_waiting_door(
    (config, request): (Data<Config>, HttpRequest),
    StaffPage { page, mut cx }: StaffPage<can::ManageTables>,
) -> ApiResult<HttpResponse> {
    let door = store::find_door(cx.conn().await?).await?;
    let base = base_url(&config, &request);
    let url = door.code.as_deref().map(|code| door::page_url(&base, code));
    let template = WaitingDoorPage { page, door, url, is_for_nobody: leads_to_itself(&base) };
    template.page.html(&template)
}

#[post("/admin/waiting/door")]
pub async fn renew_door(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTables>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    door::renew_code(&mut cx).await?;
    Ok(page.go_with(PAGE, Flash::good("waiting-new-code", "")))
}

/// The code at the door as a picture.
#[get("/admin/waiting/door/qr.svg")]
pub async fn show_door_code(
    (config, request): (Data<Config>, HttpRequest),
    StaffPage { mut cx, .. }: StaffPage<can::ManageTables>,
) -> ApiResult<HttpResponse> {
    let door = store::find_door(cx.conn().await?).await?;
    let code = door.code.ok_or_else(|| not_found("waiting_door_not_found"))?;
    qr_picture(&door::page_url(&base_url(&config, &request), &code))
}

/// The code of a party's own page as a picture, to be shown to the guests.
#[get("/admin/waiting/{id}/qr.svg")]
pub async fn show_party_code(
    (config, request): (Data<Config>, HttpRequest),
    StaffPage { mut cx, .. }: StaffPage<can::RunFloor>,
    Path(id): Path<WaitingId>,
) -> ApiResult<HttpResponse> {
    let row = store::find(cx.conn().await?, id).await?.ok_or_else(|| not_found("waiting_not_found"))?;
    qr_picture(&page_url(&base_url(&config, &request), &row.token))
}

impl WaitingDoorPage {
    fn screen(&self) -> Option<String> {
        self.door.code.as_deref().map(|code| format!("/wait/{code}?screen=1"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete_with_and_without_a_code() {
        for (is_open, code) in [(true, None), (true, Some("K7X2QD")), (false, Some("K7X2QD"))] {
            samples::check(samples::STAFF, |page| {
                let door = Door { is_open, code: code.map(str::to_owned) };
                let url = code.map(|code| format!("https://example.org/wait/{code}"));
                WaitingDoorPage { page, door, url, is_for_nobody: true }.render()
            });
        }
    }
}
