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

    pub fn of(weekday: u8, opens: i16, closes: i16) -> Self {
        let time = |minutes: i16| format!("{:02}:{:02}", minutes % DAY / 60, minutes % 60);
        Self { weekday, opens: time(opens), closes: time(closes) }
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
