//! `/admin/opening`: a café is opened in four steps, each of which can be left out and come back to.

use std::collections::HashMap;

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use crate::settings::opening::Opening;
use crate::settings::sheets::{self, SheetsCard};
use base::auth::can;
use base::error::{Error, bad_request};
use base::settings::{self, Cafe, CafeSettings, Hours, store};
use base::text::Lang;
use play::tables::{self, NewTables, TableRow};
use web_base::config::Config;
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Search;
use web_base::limits::{Budget, Writes};
use web_base::page::{Edit, Flash, Form, Page, StaffPage};
use web_base::public_url::base_url;
use web_base::qr::qr_svg;

const STEPS: std::ops::RangeInclusive<u8> = 1..=4;

#[derive(Template)]
#[template(path = "admin/opening/show.html", blocks = ["live"])]
struct OpeningPage<'a> {
    page: &'a Page,
    step: u8,
    opening: Opening,
    settings: CafeSettings,
    zones: Vec<String>,
    default_zone: String,
    tables: Vec<TableRow>,
    card: SheetsCard,
    /// The first table's page and its code, for the owner's own phone.
    guest_url: String,
    qr: String,
    /// What is wrong, by the pointer of the field.
    wrong: HashMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpeningSearch {
    step: Option<u8>,
}

/// `closed-7` is there where the café is closed on Sundays.
type CafeForm = HashMap<String, String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TablesForm {
    count: i64,
    seats: i64,
}

#[get("/admin/opening")]
pub async fn show_opening(
    (cafe, config): (Data<Cafe>, Data<Config>),
    request: HttpRequest,
    StaffPage { page, mut cx }: StaffPage<can::ChangeSettings>,
    Search(search): Search<OpeningSearch>,
) -> ApiResult<HttpResponse> {
    let step = search.step.unwrap_or(1);
    if !STEPS.contains(&step) {
        return Err(bad_request("invalid_query").into());
    }
    let conn = cx.conn().await?;
    let settings = store::find(conn, false).await?;
    let tables = tables::store::list(conn, false).await?;
    let card = SheetsCard::of(&config, &request, store::find_sheets(conn).await?);
    let mut template = OpeningPage::of(&page, step, settings, tables, card);
    template.opening.was_scanned = cafe.cached().first_scan_at.is_some();
    template.opening.has_address = !template.card.is_for_nobody;
    template.default_zone = config.time_zone.iana_name().unwrap_or("UTC").to_owned();
    if step == 4 {
        template.show_first_table(&base_url(&config, &request))?;
    }
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

#[post("/admin/opening/cafe")]
pub async fn name_cafe(
    _: Budget<Writes>,
    (cafe, config): (Data<Cafe>, Data<Config>),
    request: HttpRequest,
    StaffPage { page, mut cx }: StaffPage<can::ChangeSettings>,
    Form(form): Form<CafeForm>,
) -> ApiResult<HttpResponse> {
    let conn = cx.conn().await?;
    let settings = read(&form, store::find(conn, false).await?);
    let err = match settings::change(&mut cx, &cafe, settings.clone()).await {
        Ok(()) => return Ok(page.go_to(&step(2))),
        Err(err) => err,
    };
    let tables = tables::store::list(cx.conn().await?, false).await?;
    let card = SheetsCard::of(&config, &request, store::find_sheets(cx.conn().await?).await?);
    refuse(OpeningPage::of(&page, 1, settings, tables, card), err)
}

#[post("/admin/opening/tables")]
pub async fn make_tables(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTables>,
    Form(form): Form<TablesForm>,
) -> ApiResult<HttpResponse> {
    let name = |number: i64| page.say("table-of-number").with("number", number).to_string();
    let made = tables::create_many(&mut cx, NewTables { count: form.count, seats: form.seats, name: &name }).await;
    let flash = Flash::after(made, |count| Flash::good("tables-made", &count.to_string()))?;
    let to = if flash.good { step(3) } else { step(2) };
    Ok(page.go_with(&to, flash))
}

#[post("/admin/opening/address")]
pub async fn set_address(
    _: Budget<Writes>,
    (cafe, config): (Data<Cafe>, Data<Config>),
    request: HttpRequest,
    StaffPage { page, mut cx }: StaffPage<can::ChangeSettings>,
    Form(edit): Form<Edit>,
) -> ApiResult<HttpResponse> {
    let err = match sheets::save(&mut cx, &cafe, &edit).await {
        Ok(key) => return Ok(page.go_with(&step(3), Flash::good(key, ""))),
        Err(err) => err,
    };
    let conn = cx.conn().await?;
    let (status, edit, wrong) = sheets::refuse(conn, &page, edit, err.into()).await?;
    let settings = store::find(conn, false).await?;
    let tables = tables::store::list(conn, false).await?;
    let card = SheetsCard::again(&config, &request, edit);
    let template = OpeningPage { wrong, ..OpeningPage::of(&page, 3, settings, tables, card) };
    page.html_as(status, &template)
}

/// The list on the floor is put away.
#[post("/admin/opening/done")]
pub async fn end_opening(
    _: Budget<Writes>,
    cafe: Data<Cafe>,
    StaffPage { page, mut cx }: StaffPage<can::ChangeSettings>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    settings::opening::put_away(&mut cx, &cafe).await?;
    Ok(page.go_to("/admin"))
}

fn step(number: u8) -> String {
    format!("/admin/opening?step={number}")
}

/// The step again, with what is wrong at its fields.
fn refuse(mut template: OpeningPage<'_>, err: Error) -> ApiResult<HttpResponse> {
    if !matches!(err, Error::Refused(_)) || err.code() != "invalid_fields" {
        return Err(err.into());
    }
    let problem = ApiError::from(err).problem(template.page.lang);
    let status = problem.status_code();
    template.wrong = problem.errors.into_iter().map(|it| (it.pointer, it.detail)).collect();
    template.page.html_as(status, &template)
}

/// What was sent, in place of what of it there was.
fn read(form: &CafeForm, before: CafeSettings) -> CafeSettings {
    let given = |name: &str| form.get(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let (opens, closes) = (given("opens"), given("closes"));
    let hours = |weekday: u8| {
        let (opens, closes) = (opens.clone()?, closes.clone()?);
        (!form.contains_key(&format!("closed-{weekday}"))).then_some(Hours { weekday, opens, closes })
    };
    CafeSettings {
        name: given("name"),
        time_zone: given("time_zone"),
        language: given("language").and_then(|code| Lang::from_code(&code)),
        hours: (1..=7).filter_map(hours).collect(),
        ..before
    }
}

impl<'a> OpeningPage<'a> {
    fn of(page: &'a Page, step: u8, settings: CafeSettings, tables: Vec<TableRow>, card: SheetsCard) -> Self {
        let opening = Opening {
            has_name: settings.name.is_some(),
            has_tables: !tables.is_empty(),
            has_address: !card.is_for_nobody,
            was_scanned: false,
        };
        let zones = jiff::tz::db().available().map(|name| name.to_string()).collect();
        let (default_zone, guest_url, qr, wrong) = Default::default();
        Self { page, step, opening, settings, zones, default_zone, tables, card, guest_url, qr, wrong }
    }

    fn show_first_table(&mut self, base: &str) -> ApiResult<()> {
        if let Some(table) = self.tables.first() {
            self.guest_url = tables::page_url(base, &table.code);
            self.qr = qr_svg(&self.guest_url)?;
        }
        Ok(())
    }

    fn wrong(&self, pointer: &str) -> Option<&String> {
        self.wrong.get(pointer)
    }

    fn is_language(&self, lang: &Lang) -> bool {
        self.settings.language.unwrap_or(self.page.lang) == *lang
    }

    /// The hours of most days.
    fn usual(&self) -> (&str, &str) {
        self.settings.hours.first().map_or(("12:00", "23:00"), |hours| (hours.opens.as_str(), hours.closes.as_str()))
    }

    /// Each day with its name, and whether the café is closed then.
    fn days(&self) -> Vec<(u8, String, bool)> {
        let is_closed =
            |day: u8| !self.settings.hours.is_empty() && self.settings.hours.iter().all(|hours| hours.weekday != day);
        (1..=7).map(|day| (day, self.page.t(&format!("weekday-{day}")), is_closed(day))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::settings::Sheets;
    use web_base::page::samples;

    #[test]
    fn every_step_is_complete() {
        for (step, was_scanned) in [(1, false), (2, false), (3, false), (4, false), (4, true)] {
            samples::check(samples::MANAGERS, |page| {
                let card = SheetsCard {
                    sheets: Sheets::default(),
                    edit: Edit::default(),
                    base: "http://127.0.0.1:8080".to_owned(),
                    is_for_nobody: true,
                    is_shut: false,
                    offers: vec!["http://192.168.0.5:8080".to_owned()],
                };
                let tables = vec![samples::table("1번")];
                let mut template = OpeningPage::of(&page, step, CafeSettings::default(), tables, card);
                template.show_first_table("http://192.168.0.5:8080").unwrap();
                template.opening.was_scanned = was_scanned;
                template.wrong = [("/name".to_owned(), page.t("field-empty"))].into();
                template.render()
            });
        }
    }

    #[test]
    fn hours_hold_on_every_day_that_is_not_closed() {
        let form = [("name", "하늘"), ("opens", "13:00"), ("closes", "02:00"), ("closed-1", "on")];
        let form = form.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let settings = read(&form, CafeSettings { second_factor_required: true, ..CafeSettings::default() });
        assert_eq!(settings.hours.iter().map(|hours| hours.weekday).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7]);
        assert!(settings.second_factor_required && settings.name.as_deref() == Some("하늘"));
    }
}
