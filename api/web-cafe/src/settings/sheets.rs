//! `/admin/settings/sheets`: what printed codes say besides their table.

use std::collections::HashMap;
use std::net::IpAddr;

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, post};
use diesel_async::AsyncPgConnection;

use super::admin::{PAGE, SettingsPage};
use base::auth::{StaffContext, can};
use base::error::Result;
use base::network::private_addresses;
use base::settings::{Cafe, Sheets, sheets, store};
use web_base::config::Config;
use web_base::error::{ApiError, ApiResult};
use web_base::limits::{Budget, Writes};
use web_base::page::{Edit, Fields, Flash, Form, Page, StaffPage};
use web_base::public_url::{base_url, leads_to_itself};

/// The card of the settings page, ready to print.
pub(crate) struct SheetsCard {
    pub sheets: Sheets,
    pub edit: Edit,
    /// What codes are printed with now.
    pub base: String,
    /// No phone gets there.
    pub is_for_nobody: bool,
    /// The server listens to this machine alone, so that none of its other addresses leads to it.
    pub is_shut: bool,
    /// Where phones in the same network find this machine.
    pub offers: Vec<String>,
}

#[post("/admin/settings/sheets")]
pub async fn change_sheets(
    _: Budget<Writes>,
    (cafe, config): (Data<Cafe>, Data<Config>),
    request: HttpRequest,
    StaffPage { page, mut cx }: StaffPage<can::ChangeSettings>,
    Form(edit): Form<Edit>,
) -> ApiResult<HttpResponse> {
    let err = match save(&mut cx, &cafe, &edit).await {
        Ok(key) => return Ok(page.go_with(PAGE, Flash::good(key, ""))),
        Err(err) => err,
    };
    let conn = cx.conn().await?;
    let (status, edit, wrong) = refuse(conn, &page, edit, err.into()).await?;
    let settings = store::find(conn, false).await?;
    let card = SheetsCard::again(&config, &request, edit);
    page.html_as(status, &SettingsPage::of(&page, &config, settings, wrong, card))
}

/// Gives the key of what is told then.
pub(crate) async fn save(
    cx: &mut StaffContext<'_, can::ChangeSettings>,
    cafe: &Cafe,
    edit: &Edit,
) -> Result<&'static str> {
    let saved = sheets::edit(cx, cafe, &|now| Ok(read(&edit.onto(&fields(now))?))).await?;
    Ok(if edit.keeps_others(&fields(&saved)) { "form-merged" } else { "settings-saved" })
}

/// The form again, and what is wrong, by the pointer of the field.
pub(crate) async fn refuse(
    conn: &mut AsyncPgConnection,
    page: &Page,
    edit: Edit,
    err: ApiError,
) -> ApiResult<(StatusCode, Edit, HashMap<String, String>)> {
    if !["form_changed", "invalid_fields"].contains(&err.code()) {
        return Err(err);
    }
    let problem = err.problem(page.lang);
    let (status, now) = (problem.status_code(), fields(&store::find_sheets(conn).await?));
    let (edit, wrong) = edit.refuse(problem, now, |name, value| (format!("/{name}"), page.now_in_field(value)));
    Ok((status, edit, wrong))
}

fn fields(sheets: &Sheets) -> Fields {
    let Sheets { public_url, wifi_name, wifi_password } = sheets;
    [("public_url", public_url), ("wifi_name", wifi_name), ("wifi_password", wifi_password)]
        .map(|(name, value)| (name.to_owned(), value.clone().unwrap_or_default()))
        .into()
}

/// In place of the address that is typed, one of those on offer may be chosen.
fn read(fields: &Fields) -> Sheets {
    let given = |name: &str| fields.get(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    Sheets {
        public_url: given("offer").or_else(|| given("public_url")),
        wifi_name: given("wifi_name"),
        wifi_password: given("wifi_password"),
    }
}

impl SheetsCard {
    pub(crate) fn of(config: &Config, request: &HttpRequest, sheets: Sheets) -> Self {
        let base = base_url(config, request);
        let port = request.app_config().local_addr().port();
        let is_shut = config.bind.ip().is_loopback() && config.proxies.are_none();
        let addresses = if is_shut { Vec::new() } else { private_addresses() };
        let offers = addresses.into_iter().map(|ip| address(config.scheme(), ip, port)).filter(|it| *it != base);
        let edit = Edit::of(fields(&sheets));
        Self { is_for_nobody: leads_to_itself(&base), offers: offers.collect(), base, is_shut, sheets, edit }
    }

    /// With a form that could not be taken.
    pub(crate) fn again(config: &Config, request: &HttpRequest, edit: Edit) -> Self {
        let sheets = read(edit.typed());
        Self { edit, ..Self::of(config, request, sheets) }
    }
}

/// Without the port that the scheme has anyway.
fn address(scheme: &str, ip: IpAddr, port: u16) -> String {
    let host = match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    match (scheme, port) {
        ("http", 80) | ("https", 443) => format!("{scheme}://{host}"),
        _ => format!("{scheme}://{host}:{port}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_the_port_that_browsers_would_not_guess() {
        let ip = "192.168.0.5".parse().unwrap();
        assert_eq!(address("http", ip, 8080), "http://192.168.0.5:8080");
        assert_eq!(address("https", ip, 443), "https://192.168.0.5");
        assert_eq!(address("http", "fd00::1".parse().unwrap(), 80), "http://[fd00::1]");
    }
}
