//! What a party owes: each person for their own time, by the rate of the day on which they came.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::day::CafeDays;
use super::headcount::{Headcounts, Stay};
use super::{Rate, Tariff};

/// What a party owes, and how that is made up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Bill {
    /// The version of the tariff by which it was computed.
    pub tariff: i32,
    /// As in ISO 4217.
    #[schema(example = "KRW")]
    pub currency: String,
    /// In the currency's smallest unit.
    #[schema(example = 9000)]
    pub total: i64,
    /// People who came and left together, the first who came first.
    pub lines: Vec<BillLine>,
}

/// People who came and left together, and what they owe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BillLine {
    #[schema(example = 2)]
    pub people: i16,
    pub since: Timestamp,
    /// Until now, where they are still there.
    pub until: Timestamp,
    /// Whether the rate of the weekend holds: they came on one of its days.
    pub weekend: bool,
    /// How long the first period is and what it costs.
    pub first_minutes: i64,
    pub first_price: i64,
    /// So many steps after it have begun, each so long and at this price.
    #[schema(example = 3)]
    pub steps: i64,
    pub step_minutes: i64,
    pub step_price: i64,
    /// Whether they were there so briefly that it costs nothing.
    pub free: bool,
    /// Whether a day pass costs less than what it would have been.
    pub day_pass: bool,
    /// What each of them owes.
    pub each: i64,
    pub total: i64,
}

/// A tariff that holds, with what its days depend on.
#[derive(Clone, Copy, Debug)]
pub struct Prices<'a> {
    pub version: i32,
    pub tariff: &'a Tariff,
    pub days: CafeDays<'a>,
}

/// For one person.
#[derive(Clone, Copy)]
struct Charge {
    steps: i64,
    each: i64,
    day_pass: bool,
}

impl Prices<'_> {
    /// If all who are there leave at that moment.
    pub fn bill(&self, people: &Headcounts, until: Timestamp) -> Bill {
        let lines: Vec<BillLine> = people.stays(until).into_iter().map(|stay| self.line(stay)).collect();
        let total = lines.iter().map(|line| line.total).sum();
        Bill { tariff: self.version, currency: self.tariff.currency.clone(), total, lines }
    }

    fn line(&self, Stay { people, since, until }: Stay) -> BillLine {
        let weekend = self.tariff.is_weekend(self.days.of(since));
        let rate = if weekend { &self.tariff.weekend } else { &self.tariff.weekday };
        let charge = self.charge(rate, since, until);
        let Rate { first_minutes, first_price, step_minutes, step_price, .. } = *rate;
        let Charge { steps, each, day_pass } = charge.unwrap_or(FREE);
        let (free, total) = (charge.is_none(), each * i64::from(people));
        BillLine {
            people,
            since,
            until,
            weekend,
            first_minutes,
            first_price,
            steps,
            step_minutes,
            step_price,
            free,
            day_pass,
            each,
            total,
        }
    }

    /// A period counts as soon as it has lasted longer than the minutes of grace. It belongs to the day in which it began, and of
    /// each day nobody pays more than its pass. None for who left before the first period counted.
    fn charge(&self, rate: &Rate, since: Timestamp, until: Timestamp) -> Option<Charge> {
        let grace = SignedDuration::from_mins(self.tariff.grace_minutes);
        let first = SignedDuration::from_mins(rate.first_minutes).as_secs();
        let step = SignedDuration::from_mins(rate.step_minutes).as_secs();
        let counted = (until.duration_since(since) - grace).as_micros();
        if counted <= 0 {
            return None;
        }
        // In microseconds, so that a moment after a full step begins the next.
        let begun =
            |length: i128| i64::try_from(ceil(length - i128::from(first) * 1_000_000, i128::from(step) * 1_000_000));
        let steps = begun(counted).unwrap_or(i64::MAX).max(0);
        let (mut each, mut before, mut price, mut day_pass) = (0, 0, rate.first_price, false);
        let mut end = self.days.end_after(since);
        loop {
            let by_then = begun(end.duration_since(since).as_micros()).unwrap_or(i64::MAX).clamp(0, steps);
            price += (by_then - before) * rate.step_price;
            let pass = rate.day_pass.unwrap_or(price);
            day_pass |= pass < price;
            each += price.min(pass);
            if by_then == steps {
                return Some(Charge { steps, each, day_pass });
            }
            (before, price, end) = (by_then, 0, self.days.end_after(end));
        }
    }
}

const FREE: Charge = Charge { steps: 0, each: 0, day_pass: false };

fn ceil(number: i128, by: i128) -> i128 {
    number.div_euclid(by) + i128::from(number.rem_euclid(by) > 0)
}

#[cfg(test)]
mod tests {
    use engine::{Source, playout};
    use jiff::tz::TimeZone;

    use super::*;
    use crate::settings::Hours;

    fn tariff() -> Tariff {
        let rate =
            Rate { first_minutes: 60, first_price: 3000, step_minutes: 10, step_price: 500, day_pass: Some(12_000) };
        let weekend = Rate { first_price: 4000, step_minutes: 15, step_price: 1000, day_pass: None, ..rate };
        Tariff { currency: "KRW".to_owned(), grace_minutes: 0, weekday: rate, weekend, weekend_days: vec![6, 7] }
    }

    fn at(zone: &TimeZone, text: &str) -> Timestamp {
        text.parse::<jiff::civil::DateTime>().unwrap().to_zoned(zone.clone()).unwrap().timestamp()
    }

    /// What so many people owe who come then and stay so long.
    fn owed(tariff: &Tariff, people: i16, came: &str, minutes: i64) -> i64 {
        let zone = TimeZone::get("Asia/Seoul").unwrap();
        let prices = Prices { version: 1, tariff, days: CafeDays { hours: &[], zone: &zone } };
        let came = at(&zone, came);
        prices.bill(&Headcounts::of(came, people), came + SignedDuration::from_mins(minutes)).total
    }

    const FRIDAY: &str = "2026-11-27T14:00";
    const SATURDAY: &str = "2026-11-28T14:00";

    #[test]
    fn a_step_is_owed_as_soon_as_it_has_begun() {
        let of = |minutes| owed(&tariff(), 1, FRIDAY, minutes);
        assert_eq!([0, 1, 60, 61, 70, 71].map(of), [0, 3000, 3000, 3500, 3500, 4000]);
        assert_eq!(owed(&tariff(), 1, SATURDAY, 130), 4000 + 5 * 1000);
    }

    #[test]
    fn a_day_pass_is_the_most_that_anybody_pays_on_a_day() {
        assert_eq!(owed(&tariff(), 2, FRIDAY, 9 * 60), 24_000);
        // Until midnight the pass, and then by steps: six of them in the first hour.
        assert_eq!(owed(&tariff(), 1, FRIDAY, 11 * 60), 12_000 + 6 * 500);
        let one = Tariff { weekday: Rate { day_pass: Some(0), ..tariff().weekday }, ..tariff() };
        assert_eq!(owed(&one, 5, FRIDAY, 500), 0);
    }

    #[test]
    fn minutes_of_grace_are_free_after_each_period() {
        let kind = Tariff { grace_minutes: 5, ..tariff() };
        let of = |minutes| owed(&kind, 1, FRIDAY, minutes);
        assert_eq!([5, 6, 65, 66, 75, 76].map(of), [0, 3000, 3000, 3500, 3500, 4000]);
    }

    #[test]
    fn who_came_before_midnight_pays_by_that_day() {
        let (friday, saturday) = (owed(&tariff(), 1, "2026-11-27T23:59", 60), owed(&tariff(), 1, SATURDAY, 60));
        assert_eq!((friday, saturday), (3000, 4000));
        // A café that is open until two: half past midnight is still Friday, and its pass holds.
        let (tariff, zone) = (tariff(), TimeZone::get("Asia/Seoul").unwrap());
        let hours: Vec<Hours> = (1..=7).map(|day| Hours::of(day, 780, 1560)).collect();
        let prices = Prices { version: 1, tariff: &tariff, days: CafeDays { hours: &hours, zone: &zone } };
        let bill = |came: &str, left: &str| prices.bill(&Headcounts::of(at(&zone, came), 1), at(&zone, left));
        assert_eq!(bill("2026-11-28T00:30", "2026-11-28T01:30").total, 3000);
        assert_eq!(bill(FRIDAY, "2026-11-28T02:00").total, 12_000);
        assert!(bill("2026-11-28T13:00", "2026-11-29T01:00").lines[0].weekend);
    }

    #[test]
    fn an_hour_is_an_hour_also_where_clocks_are_changed() {
        let (tariff, zone) = (tariff(), TimeZone::get("Europe/Madrid").unwrap());
        let prices = Prices { version: 1, tariff: &tariff, days: CafeDays { hours: &[], zone: &zone } };
        // An hour is skipped in the night of the last Sunday of March, and another is lived twice in October.
        let bill = |came: &str, left: &str| prices.bill(&Headcounts::of(at(&zone, came), 1), at(&zone, left)).total;
        assert_eq!(bill("2026-03-29T01:30", "2026-03-29T03:30"), 4000);
        assert_eq!(bill("2026-10-25T01:30", "2026-10-25T03:30"), 4000 + 8 * 1000);
    }

    #[test]
    fn everybody_pays_for_their_own_time_and_the_lines_say_it() {
        let (tariff, zone) = (tariff(), TimeZone::get("Asia/Seoul").unwrap());
        let prices = Prices { version: 7, tariff: &tariff, days: CafeDays { hours: &[], zone: &zone } };
        let minute = |minute| at(&zone, FRIDAY) + SignedDuration::from_mins(minute);
        // Two for an hour and a half, and a third who came for half an hour.
        let people = Headcounts::of(minute(0), 2).change(minute(30), 3).change(minute(60), 2);
        let bill = prices.bill(&people, minute(90));
        let lines: Vec<_> = bill.lines.iter().map(|it| (it.people, it.steps, it.each, it.total)).collect();
        assert_eq!(lines, [(2, 3, 4500, 9000), (1, 0, 3000, 3000)]);
        assert_eq!((bill.total, bill.tariff, bill.currency.as_str()), (12_000, 7, "KRW"));
    }

    /// Any tariff, any party and any hours: laws that hold for all of them.
    struct Any {
        tariff: Tariff,
        hours: Vec<Hours>,
        zone: TimeZone,
        people: Headcounts,
        end: Timestamp,
    }

    impl Any {
        fn of(seed: u64) -> Self {
            let mut chance = playout::random(seed);
            let mut below = |most: u32| i64::from(chance.below(most));
            let mut rate = || {
                let (first_minutes, step_minutes) = (1 + below(120), 1 + below(60));
                let (first_price, step_price) = (below(6000), below(1500));
                let day_pass = Some(below(20_000)).filter(|it| it % 3 > 0);
                Rate { first_minutes, first_price, step_minutes, step_price, day_pass }
            };
            let (weekday, weekend) = (rate(), rate());
            let (grace_minutes, weekend_days) = (below(15), vec![6, 7]);
            let tariff = Tariff { currency: "KRW".to_owned(), grace_minutes, weekday, weekend, weekend_days };
            let small = |number: i64| i16::try_from(number).unwrap();
            let hours = (1..=7).filter(|day| day % 5 > 0).map(|day| {
                let opens = small(below(1440));
                Hours::of(day, opens, opens + small(1 + below(1440)))
            });
            let hours = hours.collect();
            let zone = ["Asia/Seoul", "Europe/Madrid", "America/Santiago"][usize::try_from(below(3)).unwrap()];
            // Any moment of 2026, when clocks change twice in two of the three.
            let came = Timestamp::from_second(1_767_225_600 + below(365 * 86_400)).unwrap();
            let mut people = Headcounts::of(came, small(1 + below(6)));
            let mut end = came;
            for _ in 0..below(6) {
                end += SignedDuration::from_secs(below(10_000));
                people = people.change(end, small(1 + below(6)));
            }
            Any { tariff, hours, zone: TimeZone::get(zone).unwrap(), people, end }
        }

        fn prices(&self) -> Prices<'_> {
            Prices { version: 1, tariff: &self.tariff, days: CafeDays { hours: &self.hours, zone: &self.zone } }
        }
    }

    #[test]
    fn to_stay_longer_never_costs_less() {
        for seed in 0..100 {
            let any = Any::of(seed);
            let mut before = 0;
            for minutes in (0..3 * 24 * 60).step_by(13) {
                let total = any.prices().bill(&any.people, any.end + SignedDuration::from_mins(minutes)).total;
                assert!(total >= before, "{seed}: {total} after {before}");
                before = total;
            }
        }
    }

    #[test]
    fn nobody_pays_more_than_the_passes_of_their_days() {
        for seed in 0..400 {
            let any = Any::of(seed);
            let bill = any.prices().bill(&any.people, any.end + SignedDuration::from_hours(30));
            for line in bill.lines {
                let rate = if line.weekend { any.tariff.weekend } else { any.tariff.weekday };
                let (mut days, mut day) = (1, any.prices().days.end_after(line.since));
                while day < line.until {
                    (days, day) = (days + 1, any.prices().days.end_after(day));
                }
                assert!(rate.day_pass.is_none_or(|pass| line.each <= pass * days), "{seed}");
                assert!(line.each >= 0 && line.total == line.each * i64::from(line.people), "{seed}");
            }
        }
    }

    #[test]
    fn a_party_owes_what_its_people_would_owe_one_by_one() {
        for seed in 0..400 {
            let any = Any::of(seed);
            let bill = any.prices().bill(&any.people, any.end);
            let alone = |line: &BillLine| any.prices().bill(&Headcounts::of(line.since, 1), line.until).total;
            let sum: i64 = bill.lines.iter().map(|line| alone(line) * i64::from(line.people)).sum();
            assert_eq!(bill.total, sum, "{seed}");
        }
    }
}
