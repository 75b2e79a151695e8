//! What a chart says, in a sentence that an owner can act on.

use super::sheet::Cell;
use super::show::StatsPage;
use play::stats::{Hour, TableHour};

impl StatsPage {
    /// None where too little has happened.
    pub(super) fn headline(&self, sheet: &str) -> Option<String> {
        match sheet {
            "days" => self.busiest_days(),
            "tables" => self.fullest_hour(),
            "hours" => self.busiest_hour(),
            "games" => self.most_played(),
            "length" => self.longest(),
            "seats" | "orders" | "roles" => self.unfair(sheet),
            "returning" => self.share_of_returning(),
            _ => None,
        }
    }

    fn weekday(&self, weekday: i16) -> String {
        self.page.t(&format!("weekday-{weekday}"))
    }

    /// The weekdays with the most and the fewest matches a day, of whole weeks.
    fn busiest_days(&self) -> Option<String> {
        let days = &self.tables.days;
        if days.len() < 7 {
            return None;
        }
        let average = |weekday: i16| {
            let of = days.iter().filter(|it| i16::from(it.day.weekday().to_monday_one_offset()) == weekday);
            let (sum, count) = of.fold((0, 0_i32), |(sum, count), it| (sum + it.finished, count + 1));
            sum as f64 / f64::from(count.max(1))
        };
        let averages: Vec<(i16, f64)> = (1..=7).map(|weekday| (weekday, average(weekday))).collect();
        let (most, least) = (
            averages.iter().max_by(|one, other| one.1.total_cmp(&other.1))?,
            averages.iter().filter(|it| it.1 > 0.0).min_by(|one, other| one.1.total_cmp(&other.1))?,
        );
        if most.0 == least.0 {
            return None;
        }
        let shown = |average: f64| self.page.lang.up_to(average, 1);
        let said = self.page.say("stats-says-days").with("most", self.weekday(most.0)).with("count", shown(most.1));
        Some(said.with("least", self.weekday(least.0)).with("few", shown(least.1)).to_string())
    }

    fn fullest_hour(&self) -> Option<String> {
        let hours = self.tables.table_hours.as_ref()?;
        let share = |it: &TableHour| it.occupancy.unwrap_or(0.0);
        let fullest =
            hours.iter().max_by(|one, other| share(one).total_cmp(&share(other))).filter(|it| share(it) > 0.0)?;
        let percent = self.page.lang.percent(share(fullest), 0);
        let said = self.page.say("stats-says-tables").with("weekday", self.weekday(fullest.weekday));
        Some(said.with("hour", fullest.hour.to_string()).with("percent", percent).to_string())
    }

    fn busiest_hour(&self) -> Option<String> {
        let most = |one: &&Hour, other: &&Hour| one.finished.cmp(&other.finished);
        let busiest = self.tables.hours.iter().max_by(most).filter(|it| it.finished > 0)?;
        let said = self.page.say("stats-says-hours").with("weekday", self.weekday(busiest.weekday));
        Some(said.with("hour", busiest.hour.to_string()).with("count", busiest.finished).to_string())
    }

    /// The game that is played most, by whatever rules, as a part of all that is played.
    fn most_played(&self) -> Option<String> {
        let plays = &self.tables.plays;
        let all: i64 = plays.iter().map(|play| play.finished).sum();
        let of = |game: &str| plays.iter().filter(|play| play.game == game).map(|play| play.finished).sum::<i64>();
        let game = plays.iter().map(|play| play.game.as_str()).max_by_key(|game| of(game)).filter(|_| all > 0)?;
        let percent = self.page.lang.percent(of(game) as f64 / all as f64, 0);
        Some(
            self.page
                .say("stats-says-games")
                .with("game", self.page.game_name(game))
                .with("percent", percent)
                .to_string(),
        )
    }

    fn longest(&self) -> Option<String> {
        let longest = self.tables.lengths.iter().max_by_key(|it| it.median_seconds)?;
        let minutes = Cell::minutes(longest.median_seconds).shown(&self.page);
        let said = self.page.say("stats-says-length").with("game", self.page.game_name(&longest.game));
        Some(said.with("count", longest.seats).with("minutes", minutes).to_string())
    }

    fn share_of_returning(&self) -> Option<String> {
        let of = self.tables.returning.as_ref().filter(|it| it.guests > 0)?;
        let percent = self.page.lang.percent(of.returning as f64 / of.guests as f64, 0);
        Some(self.page.say("stats-says-returning").with("count", of.guests).with("percent", percent).to_string())
    }
}
