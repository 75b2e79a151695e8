//! Which days, and of these what.

use jiff::ToSpan;
use jiff::civil::{Date, date};

use crate::error::{ApiResult, FieldError, invalid_fields};

/// So many days at most at once: a year, also a leap year.
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
    pub fn of(from: Option<Date>, until: Option<Date>, today: Date) -> ApiResult<Self> {
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

    pub fn is_one_day(self) -> bool {
        self.from == self.until
    }

    /// All of its days, in order.
    pub fn dates(self) -> impl Iterator<Item = Date> {
        self.from.series(1.day()).take_while(move |date| *date <= self.until)
    }
}

fn before(date: Date, days: i32) -> Date {
    date.saturating_sub(days.days())
}

fn refused(field: &str, code: &'static str) -> crate::error::ApiError {
    invalid_fields(vec![FieldError::new(field, code)])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: Date = date(2026, 11, 21);

    fn code(from: Option<Date>, until: Option<Date>) -> String {
        let crate::error::ApiError::Refused(refusal) = Period::of(from, until, TODAY).unwrap_err() else {
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
}
