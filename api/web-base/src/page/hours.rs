//! When the café is open, as guests are told.

use super::Page;
use base::settings::{Hours, Opening};

/// A day of the week as it is told.
pub struct Day<'a> {
    pub name: String,
    /// None if the café stays closed.
    pub hours: Option<&'a Hours>,
    pub is_today: bool,
}

impl Page {
    /// A sentence on whether it is open now, and until or from when. None where no hours are known.
    pub fn opening(&self) -> Option<String> {
        let (weekday, minute) = self.minute_of_week();
        Some(match Opening::at(self.hours(), weekday, minute)? {
            Opening::Open(until) => self.say("open-until").with("time", until).to_string(),
            Opening::Closed(next)
                if next.weekday == weekday && next.opens > Hours::of(weekday, minute, minute).opens =>
            {
                self.say("opens-today").with("time", next.opens).to_string()
            }
            Opening::Closed(next) => {
                let day = self.t(&format!("weekday-{}", next.weekday));
                self.say("opens-on").with("day", day).with("time", next.opens).to_string()
            }
        })
    }

    pub fn is_open(&self) -> bool {
        let (weekday, minute) = self.minute_of_week();
        matches!(Opening::at(self.hours(), weekday, minute), Some(Opening::Open(_)))
    }

    pub fn week(&self) -> Vec<Day<'_>> {
        let (today, _) = self.minute_of_week();
        let day = |day: u8| Day {
            name: self.t(&format!("weekday-{day}")),
            hours: self.hours().iter().find(|hours| hours.weekday == day),
            is_today: day == today,
        };
        (1..=7).map(day).collect()
    }
}
