//! The café's own days: an evening that ends after midnight belongs to the day on which it began.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use crate::settings::Hours;

const DAY: i16 = 24 * 60;

/// Where one day of the café ends and the next begins.
#[derive(Clone, Copy, Debug)]
pub struct CafeDays<'a> {
    pub hours: &'a [Hours],
    pub zone: &'a TimeZone,
}

impl CafeDays<'_> {
    /// The day that this moment belongs to.
    pub fn of(&self, moment: Timestamp) -> Date {
        let date = moment.to_zoned(self.zone.clone()).date();
        if moment < self.start_of(date) { date.saturating_sub(1.day()) } else { date }
    }

    /// When the day of this moment began.
    pub fn start(&self, moment: Timestamp) -> Timestamp {
        self.start_of(self.of(moment))
    }

    /// When the day of this moment ends.
    pub fn end_after(&self, moment: Timestamp) -> Timestamp {
        self.start_of(self.of(moment).saturating_add(1.day()))
    }

    /// Where a time was skipped or repeated, as `jiff` understands it.
    fn start_of(&self, date: Date) -> Timestamp {
        let start = date.to_datetime(time_of(self.first_minute(date)));
        start.to_zoned(self.zone.clone()).map_or(Timestamp::MAX, |zoned| zoned.timestamp())
    }

    /// Half-way between the evening before and the opening, and never before midnight.
    fn first_minute(&self, date: Date) -> i16 {
        let closed = self.minutes(date.saturating_sub(1.day())).map(|(_, closes)| closes - DAY);
        let opens = self.minutes(date).map(|(opens, _)| opens);
        let minute = match (closed, opens) {
            (Some(closed), Some(opens)) => (closed.min(opens) + opens) / 2,
            (Some(closed), None) => closed,
            (None, _) => 0,
        };
        minute.clamp(0, DAY - 1)
    }

    fn minutes(&self, date: Date) -> Option<(i16, i16)> {
        let weekday = date.weekday().to_monday_one_offset().unsigned_abs();
        self.hours.iter().find(|hours| hours.weekday == weekday)?.minutes()
    }
}

fn time_of(minute: i16) -> Time {
    let whole = |number: i16| i8::try_from(number).unwrap_or(0);
    Time::new(whole(minute / 60), whole(minute % 60), 0, 0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, zone: &TimeZone) -> Timestamp {
        text.parse::<jiff::civil::DateTime>().unwrap().to_zoned(zone.clone()).unwrap().timestamp()
    }

    #[test]
    fn the_small_hours_belong_to_the_evening_before() {
        let zone = TimeZone::get("Asia/Seoul").unwrap();
        // Friday until two in the morning, Saturday from one in the afternoon; Sunday is closed.
        let hours = [Hours::of(5, 780, 1560), Hours::of(6, 780, 1440)];
        let days = CafeDays { hours: &hours, zone: &zone };
        let day = |text: &str| days.of(at(text, &zone)).to_string();
        assert_eq!(day("2026-11-27T13:00"), "2026-11-27");
        assert_eq!(day("2026-11-28T02:30"), "2026-11-27");
        assert_eq!(day("2026-11-28T07:29"), "2026-11-27");
        assert_eq!(day("2026-11-28T07:30"), "2026-11-28");
        assert_eq!(day("2026-11-28T23:59"), "2026-11-28");
        assert_eq!(day("2026-11-29T00:00"), "2026-11-29");
        assert_eq!(CafeDays { hours: &[], ..days }.of(at("2026-11-28T00:00", &zone)).to_string(), "2026-11-28");
    }

    #[test]
    fn a_café_that_never_closes_changes_its_day_at_midnight() {
        let zone = TimeZone::get("Asia/Seoul").unwrap();
        let hours: Vec<Hours> = (1..=7).map(|day| Hours::of(day, 0, 1440)).collect();
        let days = CafeDays { hours: &hours, zone: &zone };
        assert_eq!(days.end_after(at("2026-11-28T23:59", &zone)), at("2026-11-29T00:00", &zone));
    }

    #[test]
    fn every_day_ends_once_also_where_clocks_are_changed() {
        let zone = TimeZone::get("Europe/Madrid").unwrap();
        // Two o'clock is skipped in March and comes twice in October.
        let hours: Vec<Hours> = (1..=7).map(|day| Hours::of(day, 180, 1530)).collect();
        let days = CafeDays { hours: &hours, zone: &zone };
        for begin in ["2026-03-26T12:00", "2026-10-22T12:00"] {
            let mut moment = at(begin, &zone);
            for _ in 0..7 {
                let end = days.end_after(moment);
                assert!(end > moment);
                assert_eq!(days.of(end).to_string(), days.of(moment).saturating_add(1.day()).to_string());
                assert_eq!(days.of(end - jiff::SignedDuration::from_secs(1)), days.of(moment));
                moment = end;
            }
        }
    }
}
