//! When the café is open on a day of the week. An evening may end after midnight.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const DAY: i16 = 24 * 60;

/// The hours of one day of the week.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Hours {
    /// 1 is Monday, 7 is Sunday.
    #[schema(minimum = 1, maximum = 7)]
    pub weekday: u8,
    #[schema(example = "13:00")]
    pub opens: String,
    /// Not later than `opens`: on the next day.
    #[schema(example = "02:00")]
    pub closes: String,
}

impl Hours {
    /// Minutes from midnight of the day, the end after the beginning. None if that is no day or no time.
    pub fn minutes(&self) -> Option<(i16, i16)> {
        let (opens, closes) = (minutes(&self.opens)?, minutes(&self.closes)?);
        let closes = if closes <= opens { closes + DAY } else { closes };
        (1..=7).contains(&self.weekday).then_some((opens, closes))
    }

    /// The hours of this one's day, or of the day before, that hold this minute of the day, counted from that day's midnight.
    fn holds(&self, weekday: u8, minute: i16) -> bool {
        let since = match (weekday + 7 - self.weekday) % 7 {
            0 => minute,
            1 => minute + DAY,
            _ => return false,
        };
        self.minutes().is_some_and(|(opens, closes)| (opens..closes).contains(&since))
    }

    pub fn of(weekday: u8, opens: i16, closes: i16) -> Self {
        let time = |minutes: i16| format!("{:02}:{:02}", minutes % DAY / 60, minutes % 60);
        Self { weekday, opens: time(opens), closes: time(closes) }
    }
}

/// Whether the café is open at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Until then.
    Open(String),
    /// Until these hours begin.
    Closed(Hours),
}

impl Opening {
    /// On this day of the week, so many minutes after midnight. None where no hours are known.
    pub fn at(hours: &[Hours], weekday: u8, minute: i16) -> Option<Self> {
        if let Some(open) = hours.iter().find(|it| it.holds(weekday, minute)) {
            return Some(Self::Open(open.closes.clone()));
        }
        let until = |it: &&Hours| {
            let opens = minutes(&it.opens).unwrap_or(0);
            let days = i16::from((it.weekday + 7 - weekday) % 7);
            let wait = days * DAY + opens - minute;
            if wait > 0 { wait } else { wait + 7 * DAY }
        };
        hours.iter().min_by_key(until).map(|next| Self::Closed(next.clone()))
    }
}

fn minutes(time: &str) -> Option<i16> {
    let (hours, minutes) = time.split_once(':')?;
    let number = |text: &str, below: i16| -> Option<i16> {
        let digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| digits && *number < below)
    };
    Some(number(hours, 24)? * 60 + number(minutes, 60)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_open_after_midnight_and_closed_until_the_next_day_that_opens() {
        let hours = [Hours::of(5, 780, 1560), Hours::of(6, 600, 1320)];
        let at = |weekday, minute| Opening::at(&hours, weekday, minute);
        let (friday, saturday) = (Some(Opening::Closed(hours[0].clone())), Some(Opening::Closed(hours[1].clone())));
        assert_eq!(at(5, 779), friday);
        for (weekday, minute) in [(5, 780), (5, 1439), (6, 0), (6, 119)] {
            assert_eq!(at(weekday, minute), Some(Opening::Open("02:00".to_owned())), "{weekday} {minute}");
        }
        assert_eq!(at(6, 120), saturday);
        assert_eq!(at(6, 600), Some(Opening::Open("22:00".to_owned())));
        assert_eq!(at(6, 1320), friday);
        assert_eq!(at(1, 780), friday);
        assert_eq!(Opening::at(&[], 1, 0), None);
        // A café that opens once a week, on the same day but later or earlier.
        let once = [Hours::of(1, 600, 660)];
        assert_eq!(Opening::at(&once, 1, 700), Some(Opening::Closed(once[0].clone())));
        let always: Vec<Hours> = (1..=7).map(|day| Hours::of(day, 0, 1440)).collect();
        assert!((1..=7).all(|day| matches!(Opening::at(&always, day, 720), Some(Opening::Open(_)))));
    }

    #[test]
    fn an_evening_may_end_on_the_next_day() {
        let of = |opens: &str, closes: &str| {
            Hours { weekday: 5, opens: opens.to_owned(), closes: closes.to_owned() }.minutes()
        };
        assert_eq!(of("13:00", "22:30"), Some((780, 1350)));
        assert_eq!(of("13:00", "02:00"), Some((780, 1560)));
        assert_eq!(of("00:00", "00:00"), Some((0, 1440)));
        for nonsense in ["", "24:00", "9:00", "12:60", "+1:00", "12:00:00", "💥"] {
            assert_eq!(of(nonsense, "10:00"), None, "{nonsense}");
        }
        assert_eq!(Hours { weekday: 8, ..Hours::of(7, 780, 1560) }.minutes(), None);
        assert_eq!(Hours::of(7, 780, 1560).minutes(), Some((780, 1560)));
    }
}
