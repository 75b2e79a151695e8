//! How pages word things: messages with words in them, and how long ago something was.

use std::fmt;

use fluent_bundle::FluentValue;
use jiff::Timestamp;

use base::text::Lang;

/// A message on its way into a page.
pub struct Say {
    lang: Lang,
    key: String,
    args: Vec<(&'static str, FluentValue<'static>)>,
}

/// What a message's placeholder can hold.
pub trait Said {
    fn said(&self) -> FluentValue<'static>;
}

impl Say {
    pub fn new(lang: Lang, key: &str) -> Self {
        Self { lang, key: key.to_owned(), args: Vec::new() }
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Said) -> Self {
        self.args.push((name, value.said()));
        self
    }
}

impl fmt::Display for Say {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lang.text_with(&self.key, &self.args))
    }
}

impl<T: Said + ?Sized> Said for &T {
    fn said(&self) -> FluentValue<'static> {
        (**self).said()
    }
}

impl Said for str {
    fn said(&self) -> FluentValue<'static> {
        FluentValue::from(self.to_owned())
    }
}

impl Said for String {
    fn said(&self) -> FluentValue<'static> {
        self.as_str().said()
    }
}

impl Said for Say {
    fn said(&self) -> FluentValue<'static> {
        FluentValue::from(self.to_string())
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Said for $number {
            fn said(&self) -> FluentValue<'static> {
                FluentValue::from(*self)
            }
        }
    )*};
}
numbers!(i8, u8, u16, u32, u64, i16, i32, i64, usize);

/// The text of an action that the audit log knows.
pub fn action_key(action: &str) -> String {
    format!("action-{}", action.replace(['.', '_'], "-"))
}

/// A moment, however templates hold it.
pub trait Moment {
    fn moment(&self) -> Timestamp;
}

impl Moment for Timestamp {
    fn moment(&self) -> Timestamp {
        *self
    }
}

impl<T: Moment> Moment for &T {
    fn moment(&self) -> Timestamp {
        (**self).moment()
    }
}

/// How long ago a moment was. Templates print `datetime` beside it, and the script counts on from that.
pub struct Since {
    lang: Lang,
    minutes: i64,
    moment: Timestamp,
}

impl Since {
    pub fn new(lang: Lang, moment: Timestamp, now: Timestamp) -> Self {
        Self { lang, minutes: (now.as_second() - moment.as_second()).max(0) / 60, moment }
    }

    pub fn datetime(&self) -> String {
        self.moment.to_string()
    }
}

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hours, minutes) = (self.minutes / 60, self.minutes % 60);
        let say = match (hours, minutes) {
            (0, 0) => Say::new(self.lang, "since-now"),
            (0, _) => Say::new(self.lang, "since-minutes").with("m", minutes.to_string()),
            (48.., _) => {
                let (days, hours) = (hours / 24, hours % 24);
                Say::new(self.lang, "since-days").with("d", days.to_string()).with("h", hours.to_string())
            }
            _ => Say::new(self.lang, "since-hours").with("h", hours.to_string()).with("m", minutes.to_string()),
        };
        say.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passed_is_told_in_days_hours_and_minutes() {
        let told = |seconds: i64| {
            let now = Timestamp::from_second(1_800_000_000).unwrap();
            let then = Timestamp::from_second(1_800_000_000 - seconds).unwrap();
            Since::new(Lang::En, then, now).to_string()
        };
        assert_eq!([59, 60, 3599, 7500].map(told), ["now", "1 min", "59 min", "2 h 5 min"]);
        assert_eq!([172_799, 172_800, 266_400].map(told), ["47 h 59 min", "2 d 0 h", "3 d 2 h"]);
        assert_eq!(told(-500), "now");
    }
}
