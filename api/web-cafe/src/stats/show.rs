//! What the page of figures draws.

use std::cmp::Ordering;

use askama::Template;
use jiff::civil::Date;

use super::admin::StatsSearch;
use super::chart::{self, Bar, Mark, Week};
use super::links::{self, Links};
use super::sheet::{Cell, Sheet};
use super::tables::{self, Tables};
use super::tabs::Tab;
use base::ids::hex;
use play::stats::{Day, Filter, Length, Period, Play, Returning, Summary, TableHour, Totals, Visits};
use web_base::page::Page;

const SPANS: [(i32, &str); 5] =
    [(1, "stats-today"), (7, "stats-7"), (30, "stats-30"), (90, "stats-90"), (365, "stats-365")];

#[derive(Template)]
#[template(path = "admin/stats/show.html")]
pub(super) struct StatsPage {
    pub page: Page,
    pub tab: Tab,
    pub search: StatsSearch,
    pub filter: Filter,
    pub summary: Summary,
    pub tables: Tables,
    /// By which one of them can be asked about.
    pub rules: Vec<Play>,
    /// How many games stayed on their shelves, where that is asked about.
    pub unlent: Option<i64>,
    /// The time zone of the figures while those of the café's own are being computed.
    pub other_zone: Option<String>,
}

/// A figure, and the same of the period before, each with what is behind it.
struct Tile {
    key: &'static str,
    /// What is counted, in words.
    unit: String,
    now: Cell,
    before: Cell,
    difference: String,
}

impl StatsPage {
    /// The address of so many days up to today, its name, and whether it is what is shown.
    fn spans(&self) -> Vec<(String, &'static str, bool)> {
        let span = |(days, key): &(i32, &'static str)| {
            let period = Period::last(*days, self.page.today());
            (self.of(period), *key, period == self.filter.period)
        };
        SPANS.iter().map(span).collect()
    }

    /// The page of other days.
    fn of(&self, period: Period) -> String {
        let Period { from, until } = period;
        let search = StatsSearch { from: from.to_string(), until: until.to_string(), ..self.search.clone() };
        search.address(self.tab.path())
    }

    /// The address of each page with the same filter, its name, and whether it is this one.
    fn tabs(&self) -> Vec<(String, &'static str, bool)> {
        Tab::ALL.map(|tab| (self.search.address(tab.path()), tab.key(), tab == self.tab)).into()
    }

    fn is_of_house(&self) -> bool {
        self.tab == Tab::House
    }

    fn earlier(&self) -> String {
        self.of(self.filter.period.before())
    }

    fn games(&self) -> Vec<(&'static str, String)> {
        self.page.games()
    }

    fn is_chosen(&self, play: &Play) -> bool {
        self.filter.variant.as_deref().is_some_and(|hash| hex(hash) == play.variant_hash)
    }

    pub(super) fn links(&self) -> Links<'_> {
        Links::of(&self.filter)
    }

    fn tiles(&self) -> Vec<Tile> {
        let (now, before) = (self.links(), self.links().within(self.filter.period.before()));
        let tile = |(key, unit), cell: &dyn Fn(&Totals) -> Option<Cell>, href: &dyn Fn(&Links<'_>) -> String| {
            let (here, there) = (cell(&self.summary.now)?, cell(&self.summary.before)?);
            let difference = self.difference(&here, &there);
            let unit = self.page.say(unit).with("count", here.whole()).to_string();
            Some(Tile { key, unit, now: here.to(href(&now)), before: there.to(href(&before)), difference })
        };
        let tiles = [
            tile(("stats-people", "stats-unit-people"), &|it| it.people.map(Cell::count), &|it| {
                it.parties(&links::came())
            }),
            tile(("stats-parties", "stats-unit-parties"), &|it| it.parties.map(Cell::count), &|it| {
                it.parties(&links::came())
            }),
            tile(("stats-table-hours", "stats-unit-hours"), &|it| it.table_seconds.map(Cell::hours), &|it| {
                it.parties(&[])
            }),
            tile(("stats-finished", "stats-unit-matches"), &|it| Some(Cell::count(it.finished)), &|it| {
                it.finished(&[])
            }),
            tile(("stats-players", "stats-unit-seats"), &|it| Some(Cell::count(it.players)), &|it| it.finished(&[])),
            tile(("stats-guests", "stats-unit-people"), &|it| it.guests.map(Cell::count), &|it| it.players(&[])),
            tile(("stats-new", "stats-unit-people"), &|it| it.new_guests.map(Cell::count), &|it| {
                it.players(&links::new(true))
            }),
            tile(("stats-aborted", "stats-unit-matches"), &|it| Some(Cell::count(it.aborted)), &|it| {
                it.matches("aborted", &[])
            }),
            tile(("stats-expired", "stats-unit-matches"), &|it| Some(Cell::count(it.expired)), &|it| {
                it.matches("expired", &[])
            }),
        ];
        tiles.into_iter().flatten().collect()
    }

    fn difference(&self, now: &Cell, before: &Cell) -> String {
        let by = now.minus(before);
        let (key, by) = match by.amount().total_cmp(&0.0) {
            Ordering::Greater => ("stats-more", by),
            Ordering::Less => ("stats-fewer", before.minus(now)),
            Ordering::Equal => ("stats-same", by),
        };
        self.page.say(key).with("by", by.shown(&self.page)).to_string()
    }

    fn is_empty(&self) -> bool {
        let Totals { finished, aborted, expired, table_seconds, .. } = self.summary.now;
        finished + aborted + expired + table_seconds.unwrap_or(0) == 0
    }

    fn day_bars(&self) -> Vec<Bar> {
        let mark = |it: &Day| {
            let title = format!("{} {}: {}", it.day, self.weekday_of(it.day), self.page.number(it.finished));
            let href = self.links().within(Period { from: it.day, until: it.day }).finished(&[]);
            Mark::new(it.finished, title, href)
        };
        chart::bars(self.tables.days.iter().map(mark).collect())
    }

    fn weekday_of(&self, day: Date) -> String {
        self.page.t(&format!("stats-weekday-{}", day.weekday().to_monday_one_offset()))
    }

    /// What stands below the bars of days: weekdays or, of many days, where a month begins.
    fn day_marks(&self) -> Vec<(f64, String)> {
        let (bars, days) = (self.day_bars(), &self.tables.days);
        let is_few = chart::are_few(days.len());
        let mark = |(bar, it): (Bar, &Day)| {
            let text = match (is_few, it.day.day()) {
                (true, _) => self.weekday_of(it.day),
                (false, 1) => self.page.day(it.day).to_string(),
                _ => return None,
            };
            Some((bar.middle(), text))
        };
        bars.into_iter().zip(days).filter_map(mark).collect()
    }

    /// What the top and the middle line of the bars stand for.
    fn day_axis(&self) -> (i64, i64) {
        let top = chart::top(self.tables.days.iter().map(|it| it.finished));
        (top, top / 2)
    }

    fn visit_axis(&self) -> (i64, i64) {
        let top = chart::top(self.tables.returning.iter().flat_map(|it| &it.visits).map(|it| it.guests));
        (top, top / 2)
    }

    fn visit_bars(&self) -> Vec<Bar> {
        let mark = |it: &Visits| {
            let key = if tables::is_most(it.days) { "stats-visit-bar-more" } else { "stats-visit-bar" };
            let title = self.page.say(key).with("days", it.days).with("guests", it.guests).to_string();
            Mark::new(it.guests, title, self.links().players(&links::on_days(it.days)))
        };
        chart::bars(self.tables.returning.iter().flat_map(|it| &it.visits).map(mark).collect())
    }

    /// On how many days, below each bar.
    fn visit_marks(&self) -> Vec<(f64, String)> {
        let visits = self.tables.returning.iter().flat_map(|it| &it.visits);
        let mark = |(bar, it): (Bar, &Visits)| (bar.middle(), tables::visit_days(&self.page, it.days));
        self.visit_bars().into_iter().zip(visits).map(mark).collect()
    }

    /// Everybody who played, the new ones, and those who came back.
    fn came_back(&self, of: &Returning) -> [(&'static str, Cell); 3] {
        let (all, new, back) = (Cell::count(of.guests), Cell::count(of.new), Cell::count(of.returning));
        let players = |narrow: &[(&str, String)]| self.links().players(narrow);
        [
            ("stats-guests", all.to(players(&[]))),
            ("stats-new", new.to(players(&links::new(true)))),
            ("stats-came-back", back.to(players(&links::new(false)))),
        ]
    }

    /// How much of the time tables were taken, in percent.
    fn occupancy(&self) -> Week {
        let mark = |it: &TableHour| {
            // Whole percents, as the field itself says.
            let share = (it.occupancy.unwrap_or(0.0) * 100.0).round();
            let said = self.page.say("stats-occupancy-field").with("percent", self.page.lang.percent(share / 100.0, 0));
            let hours = Cell::hours(it.table_seconds).shown(&self.page);
            let said = said.with("hours", hours).with("parties", it.parties);
            Mark {
                value: share as i64,
                title: format!("{} · {said}", self.week_hour(it.weekday, it.hour)),
                // Some minutes in a month are no percent.
                href: (it.table_seconds > 0).then(|| self.links().parties(&links::at(it.weekday, it.hour))),
            }
        };
        Week::of(self.tables.table_hours.iter().flatten().map(|it| (it.weekday, it.hour, mark(it))))
    }

    /// How many matches finished.
    fn hours(&self) -> Week {
        Week::of(self.tables.hours.iter().map(|it| {
            let title = format!("{} · {}", self.week_hour(it.weekday, it.hour), self.page.number(it.finished));
            let href = self.links().finished(&links::at(it.weekday, it.hour));
            (it.weekday, it.hour, Mark::new(it.finished, title, href))
        }))
    }

    fn week_hour(&self, weekday: i16, hour: i16) -> String {
        format!("{} {hour:02}:00", self.page.t(&format!("stats-weekday-{weekday}")))
    }

    fn weekdays(&self) -> Vec<(i32, String)> {
        (1..=7).map(|weekday| (Week::y(weekday) + 20, self.page.t(&format!("stats-weekday-{weekday}")))).collect()
    }

    fn hour_marks(&self) -> Vec<(i32, i16)> {
        (0..24).map(|hour| (Week::x(hour) + 18, hour)).collect()
    }

    fn width_of(&self, value: &i64) -> f64 {
        let most = self.tables.plays.iter().map(|play| play.finished).max().unwrap_or(0).max(1);
        chart::place(*value as f64 / most as f64)
    }

    fn place(&self, share: &f64) -> f64 {
        chart::place(*share)
    }

    fn length_of(&self, seconds: &i64) -> f64 {
        let longest = self.tables.lengths.iter().map(|length| length.p90_seconds).max().unwrap_or(0).max(1);
        chart::place(*seconds as f64 / longest as f64)
    }

    fn minutes(&self, seconds: &i64) -> String {
        Cell::minutes(*seconds).shown(&self.page)
    }

    fn per_move(&self, it: &Length) -> Option<String> {
        it.seconds_per_move.map(|seconds| self.page.number(seconds.round()))
    }

    fn rules_name(&self, game: &str, variant: &Option<String>, hash: &str) -> String {
        tables::rules(&self.page, game, variant.as_deref(), hash)
    }

    fn lengths(&self, it: &Length) -> String {
        self.links().lengths(&it.game, &it.variant_hash, it.seats)
    }

    fn finished(&self, it: &Play) -> String {
        self.links().by_rules("finished", &it.game, &it.variant_hash)
    }

    fn sheets(&self) -> Vec<Sheet> {
        let mut sheets = self.tables.sheets(&self.page, &self.links());
        let place = |sheet: &Sheet| self.tab.sheets().iter().position(|id| *id == sheet.id);
        // Most games have no roles.
        let says = |sheet: &Sheet| !sheet.rows.is_empty() || !["orders", "roles"].contains(&sheet.id);
        sheets.retain(|sheet| place(sheet).is_some() && says(sheet));
        sheets.sort_by_key(place);
        sheets
    }

    fn export(&self, table: &str) -> String {
        format!("{}&table={table}", self.search.address("/admin/stats/export"))
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use play::stats::{Hour, PlaceWins, RoleWins, SeatWins};

    use super::*;
    use web_base::page::samples;

    fn totals(count: i64) -> Totals {
        Totals {
            from: date(1969, 12, 26),
            until: date(1970, 1, 1),
            finished: count,
            aborted: 1,
            expired: 1,
            players: count,
            guests: Some(count),
            new_guests: Some(1),
            parties: Some(count),
            people: Some(3 * count),
            table_seconds: Some(3_600 * count),
        }
    }

    fn tables() -> Tables {
        let (game, variant_hash, variant) = ("perudo".to_owned(), "00".repeat(32), Some("민아식".to_owned()));
        let visits = |days| Visits { days, guests: 4, new: 2 };
        let win = |seat: i16| SeatWins {
            game: game.clone(),
            variant_hash: variant_hash.clone(),
            variant: variant.clone(),
            seats: 3,
            seat,
            finished: 20,
            wins: i64::from(seat) * 5,
            share: 0.3,
            share_from: 0.2,
            share_until: 0.5,
            fair: 1.0 / 3.0,
        };
        let place = |place: i16| PlaceWins {
            game: game.clone(),
            variant_hash: variant_hash.clone(),
            variant: variant.clone(),
            seats: 3,
            place,
            finished: 20,
            wins: 5,
            share: 0.25,
            share_from: 0.2,
            share_until: 0.4,
            fair: 1.0 / 3.0,
        };
        let role = |role: &str| RoleWins {
            game: "animal-kingdom".to_owned(),
            variant_hash: variant_hash.clone(),
            variant: None,
            seats: 10,
            role: role.to_owned(),
            played: 20,
            wins: 5,
            share: 0.25,
            share_from: 0.2,
            share_until: 0.4,
            fair: 0.1,
        };
        Tables {
            days: vec![Day {
                day: date(1970, 1, 1),
                finished: 3,
                players: 9,
                guests: Some(7),
                new_guests: Some(2),
                parties: Some(3),
                people: Some(10),
                table_seconds: Some(7_200),
            }],
            table_hours: Some(vec![TableHour {
                weekday: 6,
                hour: 20,
                days: 1,
                parties: 3,
                people: 10,
                table_seconds: 7_200,
                occupancy: Some(0.5),
            }]),
            hours: vec![Hour { weekday: 6, hour: 20, days: 1, finished: 3, players: 9 }],
            plays: vec![Play {
                game: game.clone(),
                variant_hash: variant_hash.clone(),
                variant: variant.clone(),
                finished: 3,
                aborted: 1,
                expired: 1,
                players: 9,
            }],
            lengths: vec![Length {
                game: game.clone(),
                variant_hash: variant_hash.clone(),
                variant: variant.clone(),
                seats: 3,
                finished: 3,
                median_seconds: 1_200,
                p90_seconds: 1_800,
                seconds_per_move: Some(21.5),
            }],
            seats: (0..3).map(win).collect(),
            orders: (0..3).map(place).collect(),
            roles: ["lion", "crow"].map(role).into(),
            returning: Some(Returning { guests: 7, new: 2, returning: 5, visits: (1..=4).map(visits).collect() }),
        }
    }

    #[test]
    fn a_page_is_complete_with_figures_and_without() {
        let period = Period::last(7, date(1970, 1, 1));
        for (tab, is_empty) in Tab::ALL.into_iter().flat_map(|tab| [(tab, false), (tab, true)]) {
            samples::check(samples::STAFF, |page| {
                let count = if is_empty { 0 } else { 3 };
                let of_game = is_empty.then(|| "perudo".to_owned());
                let now = if is_empty { Totals { aborted: 0, expired: 0, ..totals(0) } } else { totals(count) };
                StatsPage {
                    page,
                    tab,
                    search: StatsSearch::default(),
                    filter: Filter { period, game: of_game, variant: None },
                    summary: Summary { now, before: totals(1) },
                    rules: tables().plays,
                    other_zone: is_empty.then(|| "UTC".to_owned()),
                    unlent: (!is_empty).then_some(1),
                    tables: if is_empty { Tables::default() } else { tables() },
                }
                .render()
            });
        }
    }
}
