//! `/admin/settings/tariff`: the tariff as a form, with examples of what people would pay.

use std::collections::HashMap;

use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, ToSpan};

use base::auth::{StaffContext, can};
use base::error::Result;
use base::settings::tariff::{CURRENCIES, CafeDays, Rate};
use base::settings::{Cafe, Headcounts, Hours, Prices, Tariff, store, tariff};
use web_base::error::{ApiError, ApiResult};
use web_base::limits::{Budget, Writes};
use web_base::page::money::{from_units, in_units};
use web_base::page::{Edit, Fields, Flash, Form, Page, StaffPage};

const PAGE: &str = "/admin/settings/tariff";
/// Examples: so many people, so many minutes.
const EXAMPLES: [(i16, i64); 4] = [(1, 50), (1, 130), (2, 185), (4, 480)];
/// No price and no length is less, so that nonsense is refused at its field.
const NONSENSE: i64 = -1;

#[derive(Template)]
#[template(path = "admin/settings/tariff.html")]
struct TariffPage<'a> {
    page: &'a Page,
    edit: Edit,
    tariff: Tariff,
    is_set: bool,
    /// What is wrong, by the pointer of the field.
    wrong: HashMap<String, String>,
}

/// What people would pay.
struct Example {
    people: i16,
    minutes: i64,
    weekday: String,
    weekend: String,
}

#[get("/admin/settings/tariff")]
pub async fn show_tariff(StaffPage { page, mut cx }: StaffPage<can::ChangeSettings>) -> ApiResult<HttpResponse> {
    let current = store::find_tariff(cx.conn().await?).await?;
    let is_set = current.is_some();
    let tariff = current.map_or_else(usual, |current| current.tariff);
    let edit = Edit::of(fields(&tariff));
    page.html(&TariffPage { page: &page, edit, tariff, is_set, wrong: HashMap::new() })
}

/// Saves it, or only shows what people would pay by it.
#[post("/admin/settings/tariff")]
pub async fn change_tariff(
    _: Budget<Writes>,
    cafe: Data<Cafe>,
    StaffPage { page, mut cx }: StaffPage<can::ChangeSettings>,
    Form(edit): Form<Edit>,
) -> ApiResult<HttpResponse> {
    let is_set = page.settings().tariff.is_some();
    let err = if edit.typed().contains_key("try") {
        match read(edit.typed()).checked() {
            Ok(tariff) => return page.html(&TariffPage { page: &page, edit, tariff, is_set, wrong: HashMap::new() }),
            Err(err) => err,
        }
    } else {
        match save(&mut cx, &cafe, &edit).await {
            Ok(key) => return Ok(page.go_with(PAGE, Flash::good(key, ""))),
            Err(err) => err,
        }
    };
    if !["form_changed", "invalid_fields"].contains(&err.code()) {
        return Err(err.into());
    }
    let now = store::find_tariff(cx.conn().await?).await?.map(|now| now.tariff);
    let now = by_now(&edit, now.as_ref());
    let problem = ApiError::from(err).problem(page.lang);
    let status = problem.status_code();
    let (edit, wrong) = edit.refuse(problem, now, |name, value| (pointer(name), page.now_in_field(value)));
    page.html_as(status, &TariffPage { page: &page, tariff: read(edit.typed()), edit, is_set, wrong })
}

/// Gives the key of what is told then.
async fn save(cx: &mut StaffContext<'_, can::ChangeSettings>, cafe: &Cafe, edit: &Edit) -> Result<&'static str> {
    let saved = tariff::edit(cx, cafe, &|now| Ok(Some(read(&edit.onto(&by_now(edit, now))?)))).await?;
    let is_merged = saved.is_some_and(|saved| edit.keeps_others(&fields(&saved)));
    Ok(if is_merged { "form-merged" } else { "tariff-saved" })
}

#[post("/admin/settings/tariff/remove")]
pub async fn remove_tariff(
    _: Budget<Writes>,
    cafe: Data<Cafe>,
    StaffPage { page, mut cx }: StaffPage<can::ChangeSettings>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    tariff::change(&mut cx, &cafe, None).await?;
    Ok(page.go_with(PAGE, Flash::good("tariff-removed", "")))
}

/// As many cafés charge, to begin with.
fn usual() -> Tariff {
    let weekday = Rate { first_minutes: 60, first_price: 3000, step_minutes: 10, step_price: 500, day_pass: None };
    let weekend = Rate { first_price: 4000, ..weekday };
    Tariff { currency: "KRW".to_owned(), grace_minutes: 5, weekday, weekend, weekend_days: vec![6, 7] }
}

/// What the form holds: `weekday-first_price` is what the first period costs on a weekday.
fn fields(tariff: &Tariff) -> Fields {
    let mut fields = Fields::new();
    let mut set = |name: String, value: String| fields.insert(name, value);
    set("currency".to_owned(), tariff.currency.clone());
    set("grace_minutes".to_owned(), tariff.grace_minutes.to_string());
    let price = |amount: i64| in_units(amount, &tariff.currency);
    for (kind, rate) in [("weekday", &tariff.weekday), ("weekend", &tariff.weekend)] {
        set(format!("{kind}-first_minutes"), rate.first_minutes.to_string());
        set(format!("{kind}-first_price"), price(rate.first_price));
        set(format!("{kind}-step_minutes"), rate.step_minutes.to_string());
        set(format!("{kind}-step_price"), price(rate.step_price));
        set(format!("{kind}-day_pass"), rate.day_pass.map(price).unwrap_or_default());
    }
    for day in 1..=7 {
        let is_weekend = tariff.weekend_days.contains(&day);
        set(format!("weekend-{day}"), if is_weekend { "on".to_owned() } else { String::new() });
    }
    fields
}

/// What the form would be made from now. Nobody has changed a tariff that is gone, or not there yet.
fn by_now(edit: &Edit, now: Option<&Tariff>) -> Fields {
    now.map_or_else(|| edit.seen().clone(), fields)
}

/// Where what is wrong with a field is told.
fn pointer(field: &str) -> String {
    format!("/{}", field.replace('-', "/"))
}

fn read(form: &Fields) -> Tariff {
    let given = |name: &str| form.get(name).map(|text| text.trim()).filter(|text| !text.is_empty());
    let number = |name: &str| given(name).and_then(|text| text.parse().ok()).unwrap_or(NONSENSE);
    let currency = given("currency").unwrap_or_default().to_owned();
    let price = |text: &str| from_units(text, &currency).unwrap_or(NONSENSE);
    let rate = |kind: &str| Rate {
        first_minutes: number(&format!("{kind}-first_minutes")),
        first_price: given(&format!("{kind}-first_price")).map_or(NONSENSE, price),
        step_minutes: number(&format!("{kind}-step_minutes")),
        step_price: given(&format!("{kind}-step_price")).map_or(NONSENSE, price),
        day_pass: given(&format!("{kind}-day_pass")).map(price),
    };
    Tariff {
        grace_minutes: number("grace_minutes"),
        weekday: rate("weekday"),
        weekend: rate("weekend"),
        weekend_days: (1..=7).filter(|day| given(&format!("weekend-{day}")).is_some()).collect(),
        currency,
    }
}

impl TariffPage<'_> {
    fn currencies(&self) -> impl Iterator<Item = &'static str> {
        CURRENCIES.iter().map(|(code, _)| *code)
    }

    /// The two kinds of days: the name in the form, of the catalogues, and what holds.
    fn rates(&self) -> [(&'static str, &'static str, &Rate); 2] {
        [("weekday", "tariff-weekday", &self.tariff.weekday), ("weekend", "tariff-weekend", &self.tariff.weekend)]
    }

    /// Number, name, and whether the rate of the weekend holds.
    fn days(&self) -> Vec<(i64, String, bool)> {
        let day = |day: i64| (day, self.page.t(&format!("weekday-{day}")), self.tariff.weekend_days.contains(&day));
        (1..=7).map(day).collect()
    }

    fn wrong(&self, kind: &str, field: &str) -> Option<&String> {
        self.wrong.get(&format!("/{kind}/{field}")).or_else(|| self.wrong.get(&format!("/{field}")))
    }

    /// A number as it stands in its field; nothing for nonsense.
    fn value(&self, number: &i64) -> String {
        if *number < 0 { String::new() } else { number.to_string() }
    }

    fn price(&self, amount: &i64) -> String {
        if *amount < 0 { String::new() } else { in_units(*amount, &self.tariff.currency) }
    }

    fn day_pass(&self, rate: &Rate) -> String {
        rate.day_pass.as_ref().map(|amount| self.price(amount)).unwrap_or_default()
    }

    /// None while something is wrong.
    fn examples(&self) -> Vec<Example> {
        if !self.wrong.is_empty() {
            return Vec::new();
        }
        let (weekday, weekend) = (self.next(false), self.next(true));
        let example = |(people, minutes)| {
            let owed = |came: Option<Timestamp>| came.map(|came| self.owed(came, people, minutes)).unwrap_or_default();
            Example { people, minutes, weekday: owed(weekday), weekend: owed(weekend) }
        };
        EXAMPLES.into_iter().map(example).collect()
    }

    fn owed(&self, came: Timestamp, people: i16, minutes: i64) -> String {
        let days = CafeDays { hours: self.page.hours(), zone: self.page.time_zone() };
        let prices = Prices { version: 0, tariff: &self.tariff, days };
        let bill = prices.bill(&Headcounts::of(came, people), came + SignedDuration::from_mins(minutes));
        self.page.money(&bill.total, &bill.currency)
    }

    /// Early on the next day of this kind.
    fn next(&self, weekend: bool) -> Option<Timestamp> {
        let today = self.page.today();
        let date: Date = (0..7_i32)
            .map(|days| today.saturating_add(days.days()))
            .find(|day| self.tariff.is_weekend(*day) == weekend)?;
        let weekday = date.weekday().to_monday_one_offset().unsigned_abs();
        let opens = self.page.hours().iter().find(|hours| hours.weekday == weekday).and_then(Hours::minutes);
        let opens = opens.map_or(12 * 60, |(opens, _)| i64::from(opens));
        Some(self.page.midnight(date)? + SignedDuration::from_mins(opens))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::MANAGERS, |page| {
            let wrong = HashMap::from([("/weekday/first_price".to_owned(), page.t("field-empty"))]);
            let edit = Edit::of(fields(&usual())).again(fields(&Tariff { grace_minutes: 9, ..usual() }));
            TariffPage { page: &page, edit, tariff: usual(), is_set: true, wrong }.render()
        });
        samples::check(samples::MANAGERS, |page| {
            let edit = Edit::of(fields(&usual()));
            TariffPage { page: &page, edit, tariff: usual(), is_set: false, wrong: HashMap::new() }.render()
        });
    }

    #[test]
    fn the_form_sends_back_what_it_shows() {
        for currency in ["KRW", "EUR"] {
            let weekday = Rate { day_pass: Some(15_050), ..usual().weekday };
            let tariff = Tariff { currency: currency.to_owned(), weekday, weekend_days: vec![5, 7], ..usual() };
            assert_eq!(read(&fields(&tariff)), tariff);
        }
    }

    #[test]
    fn what_is_no_number_is_refused_at_its_field() {
        let form = |price: &str| {
            let fields = [("currency", "EUR"), ("weekday-first_price", price), ("weekend-6", "on")];
            read(&fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into())
        };
        assert_eq!(form("4.50").weekday.first_price, 450);
        assert_eq!(form("4.505").weekday.first_price, NONSENSE);
        assert_eq!((form("").weekday.first_price, form("").weekday.day_pass), (NONSENSE, None));
        assert_eq!(form("1").weekend_days, [6]);
    }
}
