//! `/admin/settings/sheets`: what printed codes say besides their table.

use std::net::IpAddr;

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, post};
use serde::Deserialize;

use super::admin::{PAGE, SettingsPage};
use base::auth::can;
use base::error::Error;
use base::network::private_addresses;
use base::settings::{Cafe, Sheets, sheets, store};
use web_base::config::Config;
use web_base::error::{ApiError, ApiResult};
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, StaffPage};
use web_base::public_url::{base_url, leads_to_itself};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SheetsForm {
    public_url: String,
    wifi_name: String,
    wifi_password: String,
    /// One of the addresses on offer, in place of the one that is typed.
    offer: Option<String>,
}

/// The card of the settings page, ready to print.
pub(crate) struct SheetsCard {
    pub sheets: Sheets,
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
    Form(form): Form<SheetsForm>,
) -> ApiResult<HttpResponse> {
    let sheets = form.read();
    let err = match sheets::change(&mut cx, &cafe, sheets.clone()).await {
        Ok(()) => return Ok(page.go_with(PAGE, Flash::good("settings-saved", ""))),
        Err(err @ Error::Refused(_)) if err.code() == "invalid_fields" => err,
        Err(err) => return Err(err.into()),
    };
    let problem = ApiError::from(err).problem(page.lang);
    let status = problem.status_code();
    let wrong = problem.errors.into_iter().map(|it| (it.pointer, it.detail)).collect();
    let settings = store::find(cx.conn().await?, false).await?;
    let card = SheetsCard::of(&config, &request, sheets);
    page.html_as(status, &SettingsPage::of(&page, &config, settings, wrong, card))
}

impl SheetsForm {
    pub(crate) fn read(self) -> Sheets {
        let given = |text: String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        Sheets {
            public_url: self.offer.or(given(self.public_url)),
            wifi_name: given(self.wifi_name),
            wifi_password: given(self.wifi_password),
        }
    }
}

impl SheetsCard {
    pub(crate) fn of(config: &Config, request: &HttpRequest, sheets: Sheets) -> Self {
        let base = base_url(config, request);
        let port = request.app_config().local_addr().port();
        let is_shut = config.bind.ip().is_loopback() && config.proxies.are_none();
        let addresses = if is_shut { Vec::new() } else { private_addresses() };
        let offers = addresses.into_iter().map(|ip| address(config.scheme(), ip, port)).filter(|it| *it != base);
        Self { is_for_nobody: leads_to_itself(&base), offers: offers.collect(), base, is_shut, sheets }
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
