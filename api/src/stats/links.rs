//! Where that is listed which a figure counts.

use super::{Filter, Period};
use crate::ids::hex;

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

    fn address(&self, path: &str, pairs: Vec<(&str, String)>) -> String {
        let Period { from, until } = self.period;
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("from", &from.to_string()).append_pair("to", &until.to_string()).extend_pairs(pairs);
        format!("{path}?{}", query.finish())
    }
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
        let narrow = [("game", "liars-dice".to_owned()), ("rules", "00".to_owned()), ("seats", "3".to_owned())];
        assert_eq!(links.finished(&narrow), format!("/admin/matches?{asked}&game=liars-dice&rules=00&seats=3"));
        let before = links.within(period.before());
        assert_eq!(before.players(&[]), "/admin/players?from=2026-10-25&to=2026-10-31");
    }
}
