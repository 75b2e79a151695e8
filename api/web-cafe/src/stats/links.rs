//! Where that is listed which a figure counts.

use base::ids::hex;
use play::stats::{Filter, Period};

pub(super) struct Links<'a> {
    pub filter: &'a Filter,
    pub period: Period,
}

impl<'a> Links<'a> {
    pub(super) fn of(filter: &'a Filter) -> Self {
        Self { filter, period: filter.period }
    }

    /// The same of other days.
    pub(super) fn within(&self, period: Period) -> Self {
        Self { filter: self.filter, period }
    }

    /// Matches that ended in the period, narrowed further.
    pub(super) fn matches(&self, status: &str, narrow: &[(&str, String)]) -> String {
        let mut pairs = vec![("day", "ended".to_owned()), ("status", status.to_owned())];
        pairs.extend_from_slice(narrow);
        let filter = [("game", self.filter.game.clone()), ("rules", self.filter.variant.as_deref().map(hex))];
        for (name, value) in filter {
            if !pairs.iter().any(|(known, _)| *known == name) {
                pairs.extend(value.map(|value| (name, value)));
            }
        }
        self.address("/admin/matches", pairs)
    }

    /// Matches that finished.
    pub(super) fn finished(&self, narrow: &[(&str, String)]) -> String {
        self.matches("finished", narrow)
    }

    /// Parties that were there in the period or, with `came`, that came in it.
    pub(super) fn parties(&self, narrow: &[(&str, String)]) -> String {
        self.address("/admin/sittings", narrow.to_vec())
    }

    /// People who played in the period.
    pub(super) fn players(&self, narrow: &[(&str, String)]) -> String {
        self.address("/admin/players", narrow.to_vec())
    }

    /// Matches by these rules.
    pub(super) fn by_rules(&self, status: &str, game: &str, hash: &str) -> String {
        self.matches(status, &[("game", game.to_owned()), ("rules", hash.to_owned())])
    }

    /// Matches that finished between people alone, by the same rules with as many seats.
    pub(super) fn at_seats(&self, game: &str, hash: &str, seats: i16) -> String {
        self.finished(&[&with_seats(game, hash, seats)[..], &without_bots()].concat())
    }

    /// Those of them that this seat won.
    pub(super) fn won(&self, game: &str, hash: &str, seats: i16, seat: i16) -> String {
        self.finished(
            &[&with_seats(game, hash, seats)[..], &without_bots(), &[("won", (seat + 1).to_string())]].concat(),
        )
    }

    /// Those of them of which it is known how long they took, the longest first.
    pub(super) fn lengths(&self, game: &str, hash: &str, seats: i16) -> String {
        self.finished(&[&with_seats(game, hash, seats)[..], &[("order", "longest".to_owned())]].concat())
    }

    fn address(&self, path: &str, pairs: Vec<(&str, String)>) -> String {
        let Period { from, until } = self.period;
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("from", &from.to_string()).append_pair("to", &until.to_string()).extend_pairs(pairs);
        format!("{path}?{}", query.finish())
    }
}

/// Of parties, those that came.
pub(super) fn came() -> [(&'static str, String); 1] {
    [("came", "true".to_owned())]
}

/// In this hour of the week.
pub(super) fn at(weekday: i16, hour: i16) -> [(&'static str, String); 2] {
    [("weekday", weekday.to_string()), ("hour", hour.to_string())]
}

/// Of players, those who played for the first time or who had played before.
pub(super) fn new(is_new: bool) -> [(&'static str, String); 1] {
    [("new", is_new.to_string())]
}

/// Of players, those who played on so many days.
pub(super) fn on_days(days: i64) -> [(&'static str, String); 1] {
    [("visits", days.to_string())]
}

/// Who wins against bots says nothing of seats, places and roles.
fn without_bots() -> [(&'static str, String); 1] {
    [("without_bots", true.to_string())]
}

fn with_seats(game: &str, hash: &str, seats: i16) -> [(&'static str, String); 3] {
    [("game", game.to_owned()), ("rules", hash.to_owned()), ("seats", seats.to_string())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_a_figure_is_filtered_as_the_figure_is() {
        let period = Period { from: "2026-11-01".parse().unwrap(), until: "2026-11-07".parse().unwrap() };
        let filter = Filter { period, game: Some("perudo".to_owned()), variant: Some(vec![0xab; 32]) };
        let links = Links::of(&filter);
        let rules = "ab".repeat(32);
        let asked = "from=2026-11-01&to=2026-11-07&day=ended&status=finished";
        assert_eq!(links.finished(&[]), format!("/admin/matches?{asked}&game=perudo&rules={rules}"));
        let at_three = format!("/admin/matches?{asked}&game=liars-dice&rules=00&seats=3");
        assert_eq!(links.at_seats("liars-dice", "00", 3), format!("{at_three}&without_bots=true"));
        assert_eq!(links.won("liars-dice", "00", 3, 0), format!("{at_three}&without_bots=true&won=1"));
        assert_eq!(links.lengths("liars-dice", "00", 3), format!("{at_three}&order=longest"));
        let before = links.within(period.before());
        assert_eq!(before.players(&[]), "/admin/players?from=2026-10-25&to=2026-10-31");
    }
}
