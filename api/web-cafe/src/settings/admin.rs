//! `/admin/settings`.

use std::collections::HashMap;

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;

use super::sheets::SheetsCard;
use base::auth::can;
use base::error::Error;
use base::settings::{self, Cafe, CafeSettings, Hours, logo, store};
use base::text::Lang;
use web_base::config::Config;
use web_base::error::{ApiError, ApiResult};
use web_base::limits::{Budget, Writes};
use web_base::page::{Edit, Fields, Flash, Form, Page, StaffPage, Upload, is_too_large};

pub(super) const PAGE: &str = "/admin/settings";

#[derive(Template)]
#[template(path = "admin/settings/show.html")]
pub(super) struct SettingsPage<'a> {
    page: &'a Page,
    card: SheetsCard,
    edit: Edit,
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
    Form(edit): Form<Edit>,
) -> ApiResult<HttpResponse> {
    let err = match settings::edit(&mut cx, &cafe, &|now| Ok(read(&edit.onto(&fields(now))?))).await {
        Ok(saved) => {
            let key = if edit.keeps_others(&fields(&saved)) { "form-merged" } else { "settings-saved" };
            return Ok(page.go_with(PAGE, Flash::good(key, "")));
        }
        Err(err @ Error::Refused(_)) if err.code() != "forbidden" => err,
        Err(err) => return Err(err.into()),
    };
    let conn = cx.conn().await?;
    let card = SheetsCard::of(&config, &request, store::find_sheets(conn).await?);
    let now = fields(&store::find(conn, false).await?);
    let problem = ApiError::from(err).problem(page.lang);
    let (status, detail) = (problem.status_code(), problem.detail.clone());
    let told = |name: &str, value: &str| (pointer(name), now_in_field(&page, name, value));
    let (edit, mut wrong) = edit.refuse(problem, now, told);
    if wrong.is_empty() {
        wrong.insert("/second_factor_required".to_owned(), detail);
    }
    let template = SettingsPage::of(&page, &config, read(edit.typed()), wrong, card);
    page.html_as(status, &SettingsPage { edit, ..template })
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

/// What the form holds: `opens-1` is when it opens on Mondays.
fn fields(settings: &CafeSettings) -> Fields {
    let tick = |is_on: bool| if is_on { "on".to_owned() } else { String::new() };
    let number = |number: Option<i16>| number.map(|it| it.to_string()).unwrap_or_default();
    let mut fields = Fields::from(
        [
            ("name", settings.name.clone().unwrap_or_default()),
            ("time_zone", settings.time_zone.clone().unwrap_or_default()),
            ("language", settings.language.map(|lang| lang.code().to_owned()).unwrap_or_default()),
            ("second_factor_required", tick(settings.second_factor_required)),
            ("forget_guests_after_months", number(settings.forget_guests_after_months)),
            ("pack_logs_after_days", number(settings.pack_logs_after_days)),
            ("reactions", tick(settings.reactions)),
            ("waiting_door", tick(settings.waiting_door)),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    for day in 1..=7 {
        let hours = settings.hours.iter().find(|hours| hours.weekday == day);
        fields.insert(format!("opens-{day}"), hours.map(|hours| hours.opens.clone()).unwrap_or_default());
        fields.insert(format!("closes-{day}"), hours.map(|hours| hours.closes.clone()).unwrap_or_default());
    }
    fields
}

/// Where what is wrong with a field is told.
fn pointer(field: &str) -> String {
    let is_of_a_day = field.starts_with("opens-") || field.starts_with("closes-");
    if is_of_a_day { "/hours".to_owned() } else { format!("/{field}") }
}

/// What somebody else has put there.
pub(crate) fn now_in_field(page: &Page, field: &str, value: &str) -> String {
    let lang = Lang::from_code(value).filter(|_| field == "language");
    match (lang, field.split_once('-')) {
        (Some(lang), _) => page.now_in_field(&lang.text("language-name")),
        (None, Some((_, day))) => format!("{}: {}", page.t(&format!("weekday-{day}")), page.now_in_field(value)),
        (None, None) => page.now_in_field(value),
    }
}

fn read(form: &Fields) -> CafeSettings {
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
        second_factor_required: given("second_factor_required").is_some(),
        hours: (1..=7).filter_map(hours).collect(),
        // Nonsense is out of range, and so refused at its field.
        forget_guests_after_months: given("forget_guests_after_months").map(|text| text.parse().unwrap_or(0)),
        pack_logs_after_days: given("pack_logs_after_days").map(|text| text.parse().unwrap_or(0)),
        reactions: given("reactions").is_some(),
        waiting_door: given("waiting_door").is_some(),
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
        Self { page, card, edit: Edit::of(fields(&settings)), settings, default_zone, zones, wrong }
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
            let wrong = [("/name", page.t("field-empty")), ("/language", now_in_field(&page, "language", "es"))];
            let wrong = wrong.map(|(pointer, wrong)| (pointer.to_owned(), wrong)).into();
            let card = SheetsCard {
                sheets: Sheets { wifi_name: Some("하늘 카페".to_owned()), ..Sheets::default() },
                edit: Edit::default(),
                base: "http://127.0.0.1:8080".to_owned(),
                is_for_nobody: true,
                is_shut: page.lang == Lang::En,
                offers: vec!["http://192.168.0.5:8080".to_owned()],
            };
            let edit = Edit::of(fields(&settings)).again(fields(&CafeSettings::default()));
            SettingsPage { page: &page, card, edit, settings, default_zone: "UTC".to_owned(), zones, wrong }.render()
        });
    }

    #[test]
    fn the_form_sends_back_what_it_shows() {
        let hours = vec![Hours { weekday: 5, opens: "13:00".to_owned(), closes: "02:00".to_owned() }];
        let set = CafeSettings { name: Some("하늘".to_owned()), reactions: true, hours, ..CafeSettings::default() };
        let packing =
            CafeSettings { language: Some(Lang::Es), pack_logs_after_days: Some(30), ..CafeSettings::default() };
        for settings in [set, packing] {
            assert_eq!(read(&fields(&settings)), settings);
        }
    }
}
