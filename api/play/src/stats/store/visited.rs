//! People by the days on which they played.

use crate::stats::Period;
use crate::stats::figures::MOST_DAYS;

/// Of whom a list is made: those whom a figure counts.
#[derive(Clone, Copy, Debug)]
pub struct Visited {
    pub period: Period,
    /// Only those for whom it was the first time, or those who had been there before.
    pub new: Option<bool>,
    /// On so many days of the period; 10 stands for all that are more.
    pub visits: Option<i64>,
}

impl Visited {
    /// What holds of their `players`. Nothing in it comes from outside but days and numbers.
    pub fn condition(&self) -> String {
        let Period { from, until } = self.period;
        let within = format!("day BETWEEN '{from}' AND '{until}'");
        let theirs = format!("FROM guest_days WHERE player_id = players.id AND {within}");
        let there = match self.new {
            None => format!("AND EXISTS (SELECT {theirs})"),
            Some(true) => format!("AND EXISTS (SELECT {theirs} AND is_first)"),
            Some(false) => format!("AND EXISTS (SELECT {theirs}) AND NOT EXISTS (SELECT {theirs} AND is_first)"),
        };
        let Some(visits) = self.visits else { return there };
        let most = i64::from(MOST_DAYS);
        let is = if visits >= most { format!(">= {most}") } else { format!("= {visits}") };
        let exactly = format!("{there} AND (SELECT count(*) {theirs}) {is}");
        if visits < 2 {
            return exactly;
        }
        // Few come again. They are found by the days that were not their first: as many, or one less.
        format!(
            "{exactly} AND id = ANY (ARRAY (SELECT player_id FROM guest_days WHERE {within} AND NOT is_first \
             GROUP BY player_id HAVING count(*) >= {}))",
            visits.min(most) - 1
        )
    }
}
