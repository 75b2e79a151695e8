//! `/admin/opening`: a café is opened in four steps, each of which can be left out and come back to.

use std::collections::HashMap;

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use crate::settings::admin::now_in_field;
use crate::settings::opening::Opening;
use crate::settings::sheets::{self, SheetsCard};
use base::auth::can;
use base::error::bad_request;
use base::settings::{self, Cafe, CafeSettings, Hours, store};
use base::text::Lang;
use play::tables::{self, NewTables, TableRow};
use web_base::config::Config;
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Search;
use web_base::limits::{Budget, Writes};
use web_base::page::{Edit, Fields, Flash, Form, Page, StaffPage};
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
    /// The form of the first step.
    edit: Edit,
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

/// A day of the week in the first step.
struct Day<'a> {
    number: u8,
    name: String,
    is_closed: bool,
    /// If they are not those of most days.
    own_hours: Option<&'a Hours>,
}

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
    Form(edit): Form<Edit>,
) -> ApiResult<HttpResponse> {
    let err = match settings::edit(&mut cx, &cafe, &|now| Ok(read(&edit.onto(&fields(now))?, now))).await {
        Ok(_) => return Ok(page.go_to(&step(2))),
        Err(err) if ["form_changed", "invalid_fields"].contains(&err.code()) => err,
        Err(err) => return Err(err.into()),
    };
    let conn = cx.conn().await?;
    let settings = store::find(conn, false).await?;
    let tables = tables::store::list(conn, false).await?;
    let card = SheetsCard::of(&config, &request, store::find_sheets(conn).await?);
    let problem = ApiError::from(err).problem(page.lang);
    let status = problem.status_code();
    let told = |name: &str, value: &str| (pointer(name), now_in_field(&page, name, value));
    let (edit, wrong) = edit.refuse(problem, fields(&settings), told);
    page.html_as(status, &OpeningPage { edit, wrong, ..OpeningPage::of(&page, 1, settings, tables, card) })
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

/// What the form of the first step holds: `closed-7` is on where the café is closed on Sundays.
fn fields(settings: &CafeSettings) -> Fields {
    let usual = usual(&settings.hours);
    let mut fields = Fields::from(
        [
            ("name", settings.name.clone()),
            ("time_zone", settings.time_zone.clone()),
            ("language", settings.language.map(|lang| lang.code().to_owned())),
            ("opens", usual.map(|hours| hours.opens.clone())),
            ("closes", usual.map(|hours| hours.closes.clone())),
        ]
        .map(|(name, value)| (name.to_owned(), value.unwrap_or_default())),
    );
    for day in 1..=7 {
        let is_closed = usual.is_some() && settings.hours.iter().all(|hours| hours.weekday != day);
        fields.insert(format!("closed-{day}"), if is_closed { "on".to_owned() } else { String::new() });
    }
    fields
}

/// Where what is wrong with a field is told.
fn pointer(field: &str) -> String {
    match field {
        "opens" | "closes" => "/hours".to_owned(),
        field => format!("/{field}"),
    }
}

/// What was sent, in place of what of it there was. A field that was left empty takes nothing away, and a day with hours of its own keeps
/// them.
fn read(form: &Fields, before: &CafeSettings) -> CafeSettings {
    let given = |name: &str| form.get(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let usual = usual(&before.hours);
    let opens = given("opens").or_else(|| usual.map(|hours| hours.opens.clone()));
    let closes = given("closes").or_else(|| usual.map(|hours| hours.closes.clone()));
    let hours = |weekday: u8| {
        if given(&format!("closed-{weekday}")).is_some() || (opens.is_none() && closes.is_none()) {
            return None;
        }
        let usual =
            || Hours { weekday, opens: opens.clone().unwrap_or_default(), closes: closes.clone().unwrap_or_default() };
        Some(own_hours(&before.hours, weekday).cloned().unwrap_or_else(usual))
    };
    CafeSettings {
        name: given("name").or_else(|| before.name.clone()),
        time_zone: given("time_zone").or_else(|| before.time_zone.clone()),
        language: given("language").and_then(|code| Lang::from_code(&code)).or(before.language),
        hours: (1..=7).filter_map(hours).collect(),
        ..before.clone()
    }
}

/// The hours of most days.
fn usual(hours: &[Hours]) -> Option<&Hours> {
    // Of two that are as frequent, those of the first day.
    hours.iter().rev().max_by_key(|one| hours.iter().filter(|it| is_same(it, one)).count())
}

/// Of a day whose hours are not those of most days.
fn own_hours(hours: &[Hours], weekday: u8) -> Option<&Hours> {
    let usual = usual(hours)?;
    hours.iter().find(|it| it.weekday == weekday && !is_same(it, usual))
}

fn is_same(one: &Hours, other: &Hours) -> bool {
    one.opens == other.opens && one.closes == other.closes
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
        let edit = Edit::of(fields(&settings));
        // A new café is offered what many choose.
        let edit = match settings.name {
            Some(_) => edit,
            None => edit.offer([("language", page.lang.code()), ("opens", "12:00"), ("closes", "23:00")]),
        };
        Self { page, step, opening, settings, edit, zones, default_zone, tables, card, guest_url, qr, wrong }
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

    fn typed(&self, field: &str) -> &str {
        self.edit.typed().get(field).map_or("", String::as_str)
    }

    fn days(&self) -> Vec<Day<'_>> {
        let day = |number: u8| Day {
            number,
            name: self.page.t(&format!("weekday-{number}")),
            is_closed: !self.typed(&format!("closed-{number}")).is_empty(),
            own_hours: own_hours(&self.settings.hours, number),
        };
        (1..=7).map(day).collect()
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
        let form = Fields::from(form.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let settings = read(&form, &CafeSettings { second_factor_required: true, ..CafeSettings::default() });
        assert_eq!(settings.hours.iter().map(|hours| hours.weekday).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7]);
        assert!(settings.second_factor_required && settings.name.as_deref() == Some("하늘"));
    }

    #[test]
    fn the_form_keeps_what_it_shows() {
        let hours = |weekday: u8, opens: &str| Hours { weekday, opens: opens.to_owned(), closes: "02:00".to_owned() };
        let set = CafeSettings {
            name: Some("하늘".to_owned()),
            time_zone: Some("Asia/Seoul".to_owned()),
            language: Some(Lang::Es),
            hours: vec![hours(1, "11:00"), hours(5, "13:00"), hours(6, "13:00")],
            ..CafeSettings::default()
        };
        for settings in [set, CafeSettings::default()] {
            assert_eq!(read(&fields(&settings), &settings), settings);
        }
    }
}
