//! How long tables were taken, against how long there were tables at all.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;
use utoipa::ToSchema;

use super::Period;
use super::period::hour_at;
use super::store::{TableRow, TakenRow};

/// An hour of a weekday at the tables.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = StatsTableHour)]
pub struct TableHour {
    /// 1 is Monday.
    pub weekday: i16,
    /// At the café, 0 to 23.
    pub hour: i16,
    /// How often the period has this weekday.
    pub days: i32,
    /// Parties that came in this hour, on all of these days together.
    pub parties: i64,
    /// Of how many people they were.
    pub people: i64,
    /// How long tables were taken in this hour, all of them together.
    pub table_seconds: i64,
    /// The part of the time that there were tables in which they were taken; none where there were none, or it is still to come.
    pub occupancy: Option<f64>,
}

/// What parties came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub parties: i64,
    pub people: i64,
    pub seconds: i64,
}

/// What parties came to in a period, and in parts of it.
#[derive(Default)]
pub struct Taken {
    pub all: Sum,
    pub days: HashMap<Date, Sum>,
    /// By weekday and hour.
    pub hours: HashMap<(i16, i16), Sum>,
}

impl Taken {
    pub fn of(rows: Vec<TakenRow>) -> Self {
        let mut taken = Self::default();
        for TakenRow { day, weekday, hour, parties, people, seconds } in rows {
            let sum = Sum { parties, people, seconds };
            match (day, weekday.zip(hour)) {
                (Some(day), _) => _ = taken.days.insert(day.to_jiff(), sum),
                (None, Some(hour)) => _ = taken.hours.insert(hour, sum),
                (None, None) => taken.all = sum,
            }
        }
        taken
    }
}

/// How many seconds of tables each hour of the week had until now.
pub fn room(period: Period, tables: &[TableRow], zone: &TimeZone, now: Timestamp) -> HashMap<(i16, i16), i64> {
    let mut room = HashMap::new();
    for day in period.dates() {
        let weekday = day.weekday().to_monday_one_offset();
        for hour in 0..24 {
            let Some((since, until)) = hour_at(day, hour, zone) else { continue };
            let there = tables.iter().map(|table| {
                let gone = table.archived_at.map_or(now, |at| at.to_jiff().min(now));
                (until.min(gone).as_second() - since.max(table.created_at.to_jiff()).as_second()).max(0)
            });
            *room.entry((weekday.into(), hour.into())).or_default() += there.sum::<i64>();
        }
    }
    room
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn there_is_room_from_when_a_table_is_there_until_it_goes_or_it_is_now() {
        let table = |from: &str, until: Option<&str>| TableRow {
            created_at: at(from).into(),
            archived_at: until.map(|it| at(it).into()),
        };
        let tables = [table("2026-01-01T00:00:00Z", None), table("2026-11-20T10:30:00Z", Some("2026-11-20T12:15:00Z"))];
        let day: Date = "2026-11-20".parse().unwrap();
        let room = room(Period { from: day, until: day }, &tables, &TimeZone::UTC, at("2026-11-20T12:30:00Z"));
        let hours: Vec<i64> = (9..14).map(|hour| room[&(5, hour)]).collect();
        assert_eq!(hours, [3600, 5400, 7200, 2700, 0]);
    }
}
