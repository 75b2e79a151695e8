//! Which days, and of these what.

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use base::error::{FieldError, Result, invalid_fields};

/// The longest period: a year, also a leap year.
const LONGEST: i32 = 366;
const USUAL: i32 = 7;
const FIRST: Date = date(2000, 1, 1);
const LAST: Date = date(2999, 12, 31);

/// Days at the café, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub from: Date,
    pub until: Date,
}

/// What figures are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    pub period: Period,
    pub game: Option<String>,
    /// A variant's hash.
    pub variant: Option<Vec<u8>>,
}

impl Period {
    /// As asked for; what is left open is the week that ends today.
    pub fn of(from: Option<Date>, until: Option<Date>, today: Date) -> Result<Self> {
        let until = until.unwrap_or_else(|| from.map_or(today, |from| today.max(from)));
        let known = |date: &Date| (FIRST..=LAST).contains(date);
        if !known(&until) {
            return Err(refused("until", "out_of_range"));
        }
        let from = match from {
            Some(from) if !known(&from) => return Err(refused("from", "out_of_range")),
            Some(from) => from,
            None => before(until, USUAL - 1),
        };
        let period = Self { from, until };
        match period.days() {
            ..1 => Err(refused("until", "before_from")),
            1..=LONGEST => Ok(period),
            _ => Err(invalid_fields(vec![FieldError::new("from", "period_too_long").with_limit(LONGEST as usize)])),
        }
    }

    /// As people ask for it on a page, who need not know which end comes first.
    pub fn between(from: Option<Date>, until: Option<Date>, today: Date) -> Result<Self> {
        match (from, until) {
            (Some(one), Some(other)) => Self::of(Some(one.min(other)), Some(one.max(other)), today),
            _ => Self::of(from, until, today),
        }
    }

    /// So many days, the last of them today.
    pub fn last(days: i32, today: Date) -> Self {
        Self { from: before(today, days - 1), until: today }
    }

    pub fn days(self) -> i32 {
        self.from.until(self.until).map_or(0, |span| span.get_days()) + 1
    }

    /// As many days, right before.
    pub fn before(self) -> Self {
        Self { from: before(self.from, self.days()), until: before(self.from, 1) }
    }

    /// How often each weekday is in it, Monday first.
    pub fn weekdays(self) -> [i32; 7] {
        let mut counts = [self.days() / 7; 7];
        let start = self.from.weekday().to_monday_zero_offset();
        for offset in 0..self.days() % 7 {
            counts[((i32::from(start) + offset) % 7) as usize] += 1;
        }
        counts
    }

    /// All hours of a week, Monday's first: weekday, hour, and how often the weekday is in it.
    pub fn week_hours(self) -> impl Iterator<Item = (i16, i16, i32)> {
        let weekdays = (1..).zip(self.weekdays());
        weekdays.flat_map(|(weekday, days)| (0..24).map(move |hour| (weekday, hour, days)))
    }

    /// The first day of its whole months, and the day after them; the day after it all for both if there is none.
    pub fn whole_months(self) -> (Date, Date) {
        let after = self.until.saturating_add(1.day());
        let past = after.first_of_month();
        let next = self.from.last_of_month().saturating_add(1.day());
        let first = if self.from == self.from.first_of_month() { self.from } else { next };
        if first < past { (first, past) } else { (after, after) }
    }

    /// From when to when it lasts there; of some hours and weekdays only, if they are given: an hour is 0 to 23, 1 is Monday.
    pub fn windows(self, zone: &TimeZone, weekday: Option<i8>, hour: Option<i8>) -> Vec<(Timestamp, Timestamp)> {
        let window = |from: Date, until: Date| {
            let end = |day: Date| Some(day.to_zoned(zone.clone()).ok()?.timestamp());
            Some((end(from)?, end(until.tomorrow().ok()?)?))
        };
        if (weekday, hour) == (None, None) {
            return window(self.from, self.until).into_iter().collect();
        }
        let is_asked = |day: &Date| weekday.is_none_or(|weekday| day.weekday().to_monday_one_offset() == weekday);
        let days = self.dates().filter(is_asked);
        days.filter_map(|day| hour.map_or_else(|| window(day, day), |hour| hour_at(day, hour, zone))).collect()
    }

    /// All of its days, in order.
    pub fn dates(self) -> impl Iterator<Item = Date> {
        self.from.series(1.day()).take_while(move |date| *date <= self.until)
    }
}

/// From when to when an hour lasts there: no time at all where clocks skip it, longer where they repeat it.
pub fn hour_at(day: Date, hour: i8, zone: &TimeZone) -> Option<(Timestamp, Timestamp)> {
    let begins = (0..24).contains(&hour).then(|| day.at(hour, 0, 0, 0))?;
    let ends = begins.checked_add(1.hour()).ok()?;
    Some((begins.to_zoned(zone.clone()).ok()?.timestamp(), ends.to_zoned(zone.clone()).ok()?.timestamp()))
}

fn before(date: Date, days: i32) -> Date {
    date.saturating_sub(days.days())
}

fn refused(field: &str, code: &'static str) -> base::error::Error {
    invalid_fields(vec![FieldError::new(field, code)])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Date = date(2026, 11, 21);

    fn code(from: Option<Date>, until: Option<Date>) -> String {
        let base::error::Error::Refused(refusal) = Period::of(from, until, TODAY).unwrap_err() else {
            panic!("it is refused")
        };
        format!("{} {}", refusal.fields[0].pointer, refusal.fields[0].code)
    }

    #[test]
    fn without_ends_it_is_the_week_that_ends_today() {
        let week = Period::of(None, None, TODAY).unwrap();
        assert_eq!((week.from, week.until, week.days()), (date(2026, 11, 15), TODAY, 7));
        assert_eq!(week.before(), Period { from: date(2026, 11, 8), until: date(2026, 11, 14) });
        assert_eq!(Period::of(Some(date(2026, 11, 20)), None, TODAY).unwrap().days(), 2);
    }

    #[test]
    fn it_has_an_end_after_its_beginning_and_is_no_longer_than_a_year() {
        assert_eq!(code(Some(TODAY), Some(date(2026, 11, 20))), "until before_from");
        assert_eq!(code(Some(date(2025, 11, 20)), Some(TODAY)), "from period_too_long");
        assert_eq!(Period::of(Some(date(2025, 11, 21)), Some(TODAY), TODAY).unwrap().days(), 366);
        assert_eq!(code(Some(date(1999, 12, 31)), None), "from out_of_range");
        assert_eq!(code(None, Some(Date::MAX)), "until out_of_range");
        assert_eq!(code(Some(Date::MIN), Some(Date::MIN)), "until out_of_range");
    }

    #[test]
    fn on_a_page_either_end_may_come_first() {
        let (one, other) = (Some(date(2026, 11, 20)), Some(TODAY));
        let period = Period { from: date(2026, 11, 20), until: TODAY };
        assert_eq!(Period::between(one, other, TODAY).unwrap(), period);
        assert_eq!(Period::between(other, one, TODAY).unwrap(), period);
        assert_eq!(Period::between(one, None, TODAY).unwrap(), period);
    }

    #[test]
    fn weekdays_are_counted() {
        // A Saturday and the Sunday after it.
        let weekend = Period { from: TODAY, until: date(2026, 11, 22) };
        assert_eq!(weekend.weekdays(), [0, 0, 0, 0, 0, 1, 1]);
        for days in [1, 6, 7, 8, 30, 366] {
            let period = Period::last(days, TODAY);
            let mut counted = [0; 7];
            period.dates().for_each(|date| counted[date.weekday().to_monday_zero_offset() as usize] += 1);
            assert_eq!(period.weekdays(), counted);
            assert_eq!(counted.iter().sum::<i32>(), days);
        }
    }

    #[test]
    fn whole_months_are_those_that_are_in_it_from_first_to_last() {
        let whole = |from, until| Period { from, until }.whole_months();
        let year = whole(date(2025, 11, 15), date(2026, 11, 14));
        assert_eq!(year, (date(2025, 12, 1), date(2026, 11, 1)));
        assert_eq!(whole(date(2026, 2, 1), date(2026, 2, 28)), (date(2026, 2, 1), date(2026, 3, 1)));
        assert_eq!(whole(date(2026, 2, 2), date(2026, 3, 30)), (date(2026, 3, 31), date(2026, 3, 31)));
        assert_eq!(whole(TODAY, TODAY), (date(2026, 11, 22), date(2026, 11, 22)));
    }

    #[test]
    fn hours_of_days_on_which_clocks_change_are_longer_or_not_there() {
        let zone = TimeZone::get("America/Havana").unwrap();
        let seconds = |day: Date, hour| {
            let (since, until) = hour_at(day, hour, &zone).unwrap();
            until.as_second() - since.as_second()
        };
        // There it happens at midnight.
        assert_eq!([0, 1, 23].map(|hour| seconds(date(2026, 11, 1), hour)), [7200, 3600, 3600]);
        assert_eq!([0, 1, 23].map(|hour| seconds(date(2026, 3, 8), hour)), [0, 3600, 3600]);
        let week = Period { from: date(2026, 10, 30), until: date(2026, 11, 5) };
        let lasts = |weekday, hour| {
            let windows = week.windows(&zone, weekday, hour);
            (windows.len(), windows.iter().map(|(since, until)| until.as_second() - since.as_second()).sum::<i64>())
        };
        assert_eq!(lasts(None, None), (1, (7 * 24 + 1) * 3600));
        assert_eq!(lasts(Some(7), None), (1, 25 * 3600));
        assert_eq!(lasts(Some(7), Some(0)), (1, 7200));
        assert_eq!(lasts(None, Some(0)), (7, 8 * 3600));
        assert_eq!(lasts(None, Some(24)), (0, 0));
    }
}
