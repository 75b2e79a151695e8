//! When the demo's café is open, and when its parties come: evenings more than afternoons, weekends more than weekdays.

use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

use super::story::Dice;
use base::settings::Hours;

/// How many come in the hours from 13 to 23, against each other.
const BY_HOUR: [usize; 11] = [3, 4, 5, 5, 6, 9, 13, 14, 11, 6, 3];
const FIRST_HOUR: i16 = 13;

pub(super) struct Calendar {
    zone: TimeZone,
    now: Timestamp,
    /// The one day of the week on which nobody comes. Never today, when the demo is looked at.
    closed: Weekday,
}

impl Calendar {
    pub(super) fn of(now: Timestamp, zone: TimeZone) -> Self {
        let today = now.to_zoned(zone.clone()).weekday();
        let closed = if today == Weekday::Monday { Weekday::Tuesday } else { Weekday::Monday };
        Self { zone, now, closed }
    }

    pub(super) fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// The opening hours of the week.
    pub(super) fn hours(&self) -> Vec<Hours> {
        let of = |day: Weekday| {
            let (opens, closes) = match day {
                Weekday::Friday => (13 * 60, 26 * 60),
                Weekday::Saturday => (12 * 60, 26 * 60),
                Weekday::Sunday => (12 * 60, 23 * 60),
                _ => (13 * 60, 24 * 60),
            };
            Hours::of(day.to_monday_one_offset().unsigned_abs(), opens, closes)
        };
        let open = Weekday::Monday.cycle_forward().take(7).filter(|day| *day != self.closed);
        open.map(of).collect()
    }

    /// The days of so many weeks up to today, with those on which the café is closed.
    pub(super) fn days(&self, weeks: u32) -> Vec<Date> {
        let today = self.now.to_zoned(self.zone.clone()).date();
        let first = today.saturating_sub(i64::from(weeks).weeks());
        first.series(1.day()).take_while(|day| *day <= today).collect()
    }

    /// This time of the day, in minutes from its midnight.
    pub(super) fn at(&self, day: Date, minutes: i16) -> Timestamp {
        let midnight = day.to_zoned(self.zone.clone()).map_or(self.now, |it| it.timestamp());
        midnight + SignedDuration::from_mins(i64::from(minutes))
    }

    /// When parties come on this day.
    pub(super) fn arrivals(&self, day: Date, dice: &mut Dice) -> Vec<Timestamp> {
        let usual = match day.weekday() {
            closed if closed == self.closed => return Vec::new(),
            Weekday::Friday => 22,
            Weekday::Saturday => 30,
            Weekday::Sunday => 25,
            _ => 14,
        };
        let many = dice.between(usual - usual / 4, usual + usual / 4);
        let mut arrivals: Vec<Timestamp> = (0..many)
            .map(|_| {
                let hour = FIRST_HOUR + i16::try_from(dice.weighed(&BY_HOUR)).unwrap_or(0);
                let minute = i16::try_from(dice.below(60)).unwrap_or(0);
                self.at(day, hour * 60 + minute) + SignedDuration::from_secs(dice.below(60) as i64)
            })
            .collect();
        arrivals.sort();
        arrivals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_weeks_end_today_with_a_closing_day_in_each_that_is_not_today() {
        for day in 1..=7 {
            let now: Timestamp = format!("2026-06-0{day}T11:00:00Z").parse().unwrap();
            let calendar = Calendar::of(now, TimeZone::UTC);
            let days = calendar.days(6);
            assert_eq!(days.len(), 43);
            assert_eq!(days.last(), Some(&now.to_zoned(TimeZone::UTC).date()));
            let mut dice = Dice::of(1);
            let open: Vec<bool> = days.iter().map(|day| !calendar.arrivals(*day, &mut dice).is_empty()).collect();
            assert_eq!(open.iter().filter(|is_open| !**is_open).count(), 6);
            assert_eq!(open.last(), Some(&true));
            assert_eq!(calendar.hours().len(), 6);
        }
    }

    #[test]
    fn weekends_and_evenings_are_busier() {
        let calendar = Calendar::of("2026-06-03T11:00:00Z".parse().unwrap(), TimeZone::UTC);
        let mut dice = Dice::of(1);
        let days = calendar.days(6);
        let mut on = |weekday| -> Vec<Timestamp> {
            let those = days.iter().filter(|day| day.weekday() == weekday);
            those.flat_map(|day| calendar.arrivals(*day, &mut dice)).collect()
        };
        let (saturdays, thursdays) = (on(Weekday::Saturday), on(Weekday::Thursday));
        assert!(saturdays.len() > thursdays.len());
        let is_evening = |at: &&Timestamp| (18..22).contains(&at.to_zoned(TimeZone::UTC).hour());
        assert!(saturdays.iter().filter(is_evening).count() * 2 > saturdays.len());
    }
}
