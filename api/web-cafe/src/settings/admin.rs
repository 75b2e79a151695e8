//! `/admin/settings`.

use std::collections::HashMap;

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;

use super::sheets::SheetsCard;
use base::auth::can;
use base::error::Error;
use base::settings::{Cafe, CafeSettings, Hours, logo, store};
use base::text::Lang;
use web_base::config::Config;
use web_base::error::{ApiError, ApiResult};
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage, Upload, is_too_large};

pub(super) const PAGE: &str = "/admin/settings";

/// The fields as they were sent: `opens-1` is when it opens on Mondays.
type SettingsForm = HashMap<String, String>;

#[derive(Template)]
#[template(path = "admin/settings/show.html")]
pub(super) struct SettingsPage<'a> {
    page: &'a Page,
    card: SheetsCard,
    settings: CafeSettings,
    default_zone: String,
    zones: Vec<String>,
    /// What is wrong, by the pointer of the field.
    wrong: HashMap<String, String>,
}

#[get("/admin/settings")]
pub async fn show_settings(
    config: Data<Config>,
    request: HttpRequest,
    StaffPage { page, mut cx }: StaffPage<can::ChangeSettings>,
) -> ApiResult<HttpResponse> {
    let settings = store::find(cx.conn().await?, false).await?;
    let card = SheetsCard::of(&config, &request, store::find_sheets(cx.conn().await?).await?);
    page.html(&SettingsPage::of(&page, &config, settings, HashMap::new(), card))
}

#[post("/admin/settings")]
pub async fn change_settings(
    _: Budget<Writes>,
    (cafe, config): (Data<Cafe>, Data<Config>),
    request: HttpRequest,
    StaffPage { page, mut cx }: StaffPage<can::ChangeSettings>,
    Form(form): Form<SettingsForm>,
) -> ApiResult<HttpResponse> {
    let settings = read(&form);
    match base::settings::change(&mut cx, &cafe, settings.clone()).await {
        Ok(()) => Ok(page.go_with(PAGE, Flash::good("settings-saved", ""))),
        Err(err @ Error::Refused(_)) if err.code() != "forbidden" => {
            let problem = ApiError::from(err).problem(page.lang);
            let status = problem.status_code();
            let mut wrong: HashMap<_, _> = problem.errors.into_iter().map(|it| (it.pointer, it.detail)).collect();
            if wrong.is_empty() {
                wrong.insert("/second_factor_required".to_owned(), problem.detail);
            }
            let card = SheetsCard::of(&config, &request, store::find_sheets(cx.conn().await?).await?);
            page.html_as(status, &SettingsPage::of(&page, &config, settings, wrong, card))
        }
        Err(err) => Err(err.into()),
    }
}

#[post("/admin/settings/logo")]
pub async fn change_logo(
    _: Budget<Writes>,
    cafe: Data<Cafe>,
    StaffPage { page, mut cx }: StaffPage<can::ChangeSettings>,
    upload: ApiResult<Upload>,
) -> ApiResult<HttpResponse> {
    let picture = match upload {
        Ok(upload) => upload.bytes("file").map(|it| it.to_vec()).unwrap_or_default(),
        Err(err) if is_too_large(&err) => return Ok(page.go_with(PAGE, Flash::bad("logo-refused", ""))),
        Err(err) => return Err(err),
    };
    match logo::change(&mut cx, &cafe, Some(picture)).await {
        Ok(()) => Ok(page.go_with(PAGE, Flash::good("logo-saved", ""))),
        Err(err) if err.code().starts_with("logo_") => Ok(page.go_with(PAGE, Flash::bad("logo-refused", ""))),
        Err(err) => Err(err.into()),
    }
}

#[post("/admin/settings/logo/remove")]
pub async fn remove_logo(
    _: Budget<Writes>,
    cafe: Data<Cafe>,
    StaffPage { page, mut cx }: StaffPage<can::ChangeSettings>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    logo::change(&mut cx, &cafe, None).await?;
    Ok(page.go_with(PAGE, Flash::good("logo-removed", "")))
}

fn read(form: &SettingsForm) -> CafeSettings {
    let given = |name: &str| form.get(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let hours = |weekday: u8| {
        let (opens, closes) = (given(&format!("opens-{weekday}")), given(&format!("closes-{weekday}")));
        let is_open = opens.is_some() || closes.is_some();
        is_open.then(|| Hours { weekday, opens: opens.unwrap_or_default(), closes: closes.unwrap_or_default() })
    };
    CafeSettings {
        name: given("name"),
        time_zone: given("time_zone"),
        language: given("language").and_then(|code| Lang::from_code(&code)),
        second_factor_required: form.contains_key("second_factor_required"),
        hours: (1..=7).filter_map(hours).collect(),
        // Nonsense is out of range, and so refused at its field.
        forget_guests_after_months: given("forget_guests_after_months").map(|text| text.parse().unwrap_or(0)),
        pack_logs_after_days: given("pack_logs_after_days").map(|text| text.parse().unwrap_or(0)),
        reactions: form.contains_key("reactions"),
        waiting_door: form.contains_key("waiting_door"),
    }
}

impl<'a> SettingsPage<'a> {
    pub(super) fn of(
        page: &'a Page,
        config: &Config,
        settings: CafeSettings,
        wrong: HashMap<String, String>,
        card: SheetsCard,
    ) -> Self {
        let default_zone = config.time_zone.iana_name().unwrap_or("UTC").to_owned();
        let zones = jiff::tz::db().available().map(|name| name.to_string()).collect();
        Self { page, card, settings, default_zone, zones, wrong }
    }

    /// Number, name, and the hours if it is open.
    fn days(&self) -> Vec<(u8, String, Option<&Hours>)> {
        let hours = |day: u8| self.settings.hours.iter().find(|hours| hours.weekday == day);
        (1..=7).map(|day| (day, self.page.t(&format!("weekday-{day}")), hours(day))).collect()
    }

    fn wrong(&self, pointer: &str) -> Option<&String> {
        self.wrong.get(pointer)
    }

    fn is_language(&self, lang: &Lang) -> bool {
        self.settings.language == Some(*lang)
    }

    fn months(&self) -> String {
        self.settings.forget_guests_after_months.map(|months| months.to_string()).unwrap_or_default()
    }

    fn days_before_packing(&self) -> String {
        self.settings.pack_logs_after_days.map(|days| days.to_string()).unwrap_or_default()
    }

    fn logo(&self) -> Option<&str> {
        self.page.logo()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::settings::Sheets;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::MANAGERS, |page| {
            let hours = vec![Hours { weekday: 5, opens: "13:00".to_owned(), closes: "02:00".to_owned() }];
            let settings = CafeSettings {
                name: Some("하늘".to_owned()),
                time_zone: Some("Asia/Seoul".to_owned()),
                language: Some(Lang::Ko),
                second_factor_required: true,
                hours,
                forget_guests_after_months: Some(24),
                pack_logs_after_days: Some(30),
                reactions: true,
                waiting_door: true,
            };
            let zones = vec!["Asia/Seoul".to_owned()];
            let wrong = [("/name".to_owned(), page.t("field-empty"))].into();
            let card = SheetsCard {
                sheets: Sheets { wifi_name: Some("하늘 카페".to_owned()), ..Sheets::default() },
                base: "http://127.0.0.1:8080".to_owned(),
                is_for_nobody: true,
                is_shut: page.lang == Lang::En,
                offers: vec!["http://192.168.0.5:8080".to_owned()],
            };
            SettingsPage { page: &page, card, settings, default_zone: "UTC".to_owned(), zones, wrong }.render()
        });
    }
}
