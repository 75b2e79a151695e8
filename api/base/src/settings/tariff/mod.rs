//! What people pay for their time at a table. There is no till: it is said what a party owes, and kept what it owed when it left.
//!
//! `bill` computes it and knows no clock and no database, `headcount` is who was there when, `day` where the café's days begin.

pub mod bill;
pub mod day;
pub mod headcount;

use diesel_async::AsyncConnection;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{CachedSettings, Cafe, store};
use crate::audit::{self, Entry};
use crate::auth::{Actor, StaffContext, can};
use crate::error::{FieldError, Result, invalid_fields};
pub use bill::{Bill, BillLine, Prices};
pub use day::CafeDays;
pub use headcount::Headcounts;

/// The currencies on offer, with the decimals of their amounts.
pub const CURRENCIES: [(&str, u32); 10] = [
    ("KRW", 0),
    ("USD", 2),
    ("EUR", 2),
    ("JPY", 0),
    ("TWD", 2),
    ("MXN", 2),
    ("COP", 2),
    ("ARS", 2),
    ("CLP", 0),
    ("GBP", 2),
];
const MINUTES_MAX: i64 = 24 * 60;
const GRACE_MAX: i64 = 60;
pub const PRICE_MAX: i64 = 100_000_000;

/// What people pay for their time. Amounts are in the currency's smallest unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Tariff {
    /// As in ISO 4217: KRW, USD, EUR, JPY, TWD, MXN, COP, ARS, CLP or GBP.
    #[schema(example = "KRW")]
    pub currency: String,
    /// A period counts only once it has lasted longer than this.
    #[schema(minimum = 0, maximum = 60, example = 5)]
    pub grace_minutes: i64,
    pub weekday: Rate,
    pub weekend: Rate,
    /// The days of the café on which the rate of the weekend holds; 1 is Monday.
    #[schema(example = json!([6, 7]))]
    pub weekend_days: Vec<i64>,
}

/// What one person pays who comes on a day of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    #[schema(minimum = 1, maximum = 1440, example = 60)]
    pub first_minutes: i64,
    #[schema(minimum = 0, maximum = 100_000_000, example = 3000)]
    pub first_price: i64,
    /// After the first period, each step that has begun is paid.
    #[schema(minimum = 1, maximum = 1440, example = 10)]
    pub step_minutes: i64,
    #[schema(minimum = 0, maximum = 100_000_000, example = 500)]
    pub step_price: i64,
    /// The most that a person pays on one day of the café; `null` for no such limit.
    #[schema(minimum = 0, maximum = 100_000_000, example = 15_000)]
    pub day_pass: Option<i64>,
}

/// A tariff and the number under which it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentTariff {
    pub version: i32,
    pub tariff: Tariff,
}

impl CachedSettings {
    /// By which parties are charged now. None where no tariff is set.
    pub fn prices<'a>(&'a self, zone: &'a TimeZone) -> Option<Prices<'a>> {
        let CurrentTariff { version, tariff } = self.tariff.as_ref()?;
        Some(Prices { version: *version, tariff, days: CafeDays { hours: &self.hours, zone } })
    }
}

/// Puts this tariff in place of the one that holds, or charges nothing from now on.
pub async fn change(cx: &mut StaffContext<'_, can::ChangeSettings>, cafe: &Cafe, tariff: Option<Tariff>) -> Result<()> {
    edit(cx, cafe, &|_| Ok(tariff.clone())).await.map(drop)
}

/// The same where it depends on the tariff that holds by now.
pub async fn edit(
    cx: &mut StaffContext<'_, can::ChangeSettings>,
    cafe: &Cafe,
    edit: &(dyn Fn(Option<&Tariff>) -> Result<Option<Tariff>> + Sync),
) -> Result<Option<Tariff>> {
    let (conn, Actor { world, staff, live }) = cx.parts().await?;
    let written = conn.transaction(async |conn| -> Result<Option<Tariff>> {
        let (version, before) = store::lock_tariff(conn).await?;
        let tariff = edit(before.as_ref())?.map(Tariff::checked).transpose()?;
        if before == tariff {
            return Ok(tariff);
        }
        store::insert_tariff(conn, version + 1, world.now(), tariff.as_ref()).await?;
        let details = json!({ "version": version + 1, "before": before, "after": tariff });
        let entry = Entry { actor: Some(staff.id), action: "cafe.tariff", subject: "house", subject_id: None, details };
        audit::record(conn, world, entry).await?;
        Ok(tariff)
    });
    let tariff = written.await?;
    live.tell_floor();
    cafe.read(conn).await?;
    Ok(tariff)
}

impl Tariff {
    pub fn is_weekend(&self, day: Date) -> bool {
        self.weekend_days.contains(&i64::from(day.weekday().to_monday_one_offset()))
    }

    /// In good form, or what is wrong with each field.
    pub fn checked(mut self) -> Result<Self> {
        let mut wrong = Vec::new();
        if decimals(&self.currency).is_none() {
            wrong.push(FieldError::new("/currency", "unknown_value"));
        }
        expect(&mut wrong, "/grace_minutes", self.grace_minutes, 0, GRACE_MAX);
        for (at, rate) in [("/weekday", &self.weekday), ("/weekend", &self.weekend)] {
            expect(&mut wrong, &format!("{at}/first_minutes"), rate.first_minutes, 1, MINUTES_MAX);
            expect(&mut wrong, &format!("{at}/first_price"), rate.first_price, 0, PRICE_MAX);
            expect(&mut wrong, &format!("{at}/step_minutes"), rate.step_minutes, 1, MINUTES_MAX);
            expect(&mut wrong, &format!("{at}/step_price"), rate.step_price, 0, PRICE_MAX);
            expect(&mut wrong, &format!("{at}/day_pass"), rate.day_pass.unwrap_or(0), 0, PRICE_MAX);
        }
        self.weekend_days.sort_unstable();
        self.weekend_days.dedup();
        if self.weekend_days.iter().any(|day| !(1..=7).contains(day)) {
            wrong.push(FieldError::not_within("/weekend_days", 1, 7));
        }
        if wrong.is_empty() { Ok(self) } else { Err(invalid_fields(wrong)) }
    }
}

/// How many decimals amounts of this currency have, if it is on offer.
pub fn decimals(currency: &str) -> Option<u32> {
    CURRENCIES.iter().find(|(code, _)| *code == currency).map(|(_, decimals)| *decimals)
}

fn expect(wrong: &mut Vec<FieldError>, pointer: &str, number: i64, least: i64, most: i64) {
    if !(least..=most).contains(&number) {
        wrong.push(FieldError::not_within(pointer, least, most));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tariff_says_what_is_wrong_with_each_of_its_fields() {
        let rate = Rate { first_minutes: 60, first_price: 3000, step_minutes: 10, step_price: 500, day_pass: None };
        let weekend = Rate { step_minutes: 0, day_pass: Some(-1), ..rate };
        let tariff = |currency: &str, weekend| Tariff {
            currency: currency.to_owned(),
            grace_minutes: 5,
            weekday: rate,
            weekend,
            weekend_days: vec![7, 6, 6],
        };
        assert_eq!(tariff("KRW", rate).checked().unwrap().weekend_days, [6, 7]);
        let err = tariff("XXX", weekend).checked().unwrap_err();
        let crate::error::Error::Refused(refusal) = err else { panic!("{err}") };
        let wrong: Vec<&str> = refusal.fields.iter().map(|it| it.pointer.as_str()).collect();
        assert_eq!(wrong, ["/currency", "/weekend/step_minutes", "/weekend/day_pass"]);
    }
}
