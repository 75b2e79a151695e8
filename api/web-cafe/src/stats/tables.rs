//! The figures of a page or a file, and each as a table in words.

use diesel_async::AsyncPgConnection;

use super::links::{self, Links};
use super::sheet::{Cell, Sheet, Value};
use base::games::OTHER;
use base::games::words::word;
use base::ids::hex;
use play::stats::figures::MOST_DAYS;
use play::stats::store;
use play::stats::{
    Day, Figures, Hour, Length, Period, PlaceWins, Play, Returning, RoleWins, SeatWins, TableHour, Visits,
};
use web_base::error::ApiResult;
use web_base::page::Page;

/// In the order of a file.
pub(super) const ALL: [&str; 9] =
    ["days", "tables", "hours", "games", "length", "seats", "orders", "roles", "returning"];

#[derive(Default)]
pub(super) struct Tables {
    pub days: Vec<Day>,
    /// None where only one game is asked about, as with those who come back.
    pub table_hours: Option<Vec<TableHour>>,
    pub hours: Vec<Hour>,
    pub plays: Vec<Play>,
    pub lengths: Vec<Length>,
    pub seats: Vec<SeatWins>,
    pub orders: Vec<PlaceWins>,
    pub roles: Vec<RoleWins>,
    pub returning: Option<Returning>,
}

impl Tables {
    /// These of them; what is played always, since rules are chosen from it.
    pub(super) async fn read(figures: &mut Figures<'_>, wanted: &[&str]) -> ApiResult<Self> {
        let is_of_all = figures.filter.is_of_all();
        let mut tables = Self { plays: figures.plays().await?, ..Self::default() };
        for table in wanted {
            match *table {
                "days" => tables.days = figures.days().await?,
                "tables" if is_of_all => tables.table_hours = Some(figures.table_hours().await?),
                "hours" => tables.hours = figures.hours().await?,
                "length" => tables.lengths = figures.lengths().await?,
                "seats" => tables.seats = figures.seats().await?,
                "orders" => tables.orders = figures.orders().await?,
                "roles" => tables.roles = figures.roles().await?,
                "returning" if is_of_all => tables.returning = Some(figures.returning().await?),
                _ => (),
            }
        }
        Ok(tables)
    }

    pub(super) fn sheets(&self, page: &Page, links: &Links<'_>) -> Vec<Sheet> {
        let writer = Writer { page, links };
        let days = self.days.iter().map(|it| writer.day(it)).collect();
        let hours = self.hours.iter().filter(|it| it.finished > 0).map(|it| writer.hour(it)).collect();
        let plays = self.plays.iter().map(|it| writer.play(it)).collect();
        let lengths = self.lengths.iter().map(|it| writer.length(it)).collect();
        let seats = self.seats.iter().map(|it| writer.seat(it)).collect();
        let orders = self.orders.iter().map(|it| writer.place(it)).collect();
        let roles = self.roles.iter().map(|it| writer.role(it)).collect();
        let mut sheets = vec![writer.sheet("days", self.day_head(), days)];
        if let Some(table_hours) = &self.table_hours {
            let used = table_hours.iter().filter(|it| it.table_seconds > 0 || it.parties > 0);
            sheets.push(writer.sheet("tables", TABLE_HEAD, used.map(|it| writer.table_hour(it)).collect()));
        }
        sheets.push(writer.sheet("hours", HOUR_HEAD, hours));
        sheets.push(writer.sheet("games", PLAY_HEAD, plays));
        sheets.push(writer.sheet("length", LENGTH_HEAD, lengths));
        sheets.push(writer.sheet("seats", SEAT_HEAD, seats));
        sheets.push(writer.sheet("orders", ORDER_HEAD, orders));
        sheets.push(writer.sheet("roles", ROLE_HEAD, roles));
        if let Some(returning) = &self.returning {
            let visits = returning.visits.iter().map(|it| writer.visits(it)).collect();
            sheets.push(writer.sheet("returning", VISITS_HEAD, visits));
        }
        sheets
    }

    fn day_head(&self) -> &'static [&'static str] {
        if self.table_hours.is_some() { DAY_HEAD } else { &DAY_HEAD[..3] }
    }
}

const DAY_HEAD: &[&str] = &[
    "stats-day",
    "stats-finished",
    "stats-players",
    "stats-guests",
    "stats-new",
    "stats-parties",
    "stats-people",
    "stats-table-hours",
];
const TABLE_HEAD: &[&str] =
    &["stats-weekday", "stats-hour", "stats-occupancy", "stats-table-hours", "stats-parties", "stats-people"];
const HOUR_HEAD: &[&str] = &["stats-weekday", "stats-hour", "stats-finished", "stats-players"];
const PLAY_HEAD: &[&str] =
    &["game", "stats-rules", "stats-finished", "stats-players", "stats-aborted", "stats-expired"];
const LENGTH_HEAD: &[&str] =
    &["game", "stats-rules", "stats-seat-count", "stats-finished", "stats-median", "stats-p90", "stats-per-move"];
const SEAT_HEAD: &[&str] = &[
    "game",
    "stats-rules",
    "stats-seat-count",
    "stats-seat",
    "stats-finished",
    "stats-wins",
    "stats-share",
    "stats-share-from",
    "stats-share-until",
];
const ORDER_HEAD: &[&str] = &[
    "game",
    "stats-rules",
    "stats-seat-count",
    "stats-place",
    "stats-finished",
    "stats-wins",
    "stats-share",
    "stats-share-from",
    "stats-share-until",
];
const ROLE_HEAD: &[&str] = &[
    "game",
    "stats-rules",
    "stats-seat-count",
    "stats-role",
    "stats-played",
    "stats-wins",
    "stats-share",
    "stats-share-from",
    "stats-share-until",
];
const VISITS_HEAD: &[&str] = &["stats-visit-days", "stats-guests", "stats-new"];

struct Writer<'a> {
    page: &'a Page,
    links: &'a Links<'a>,
}

impl Writer<'_> {
    fn sheet(&self, id: &'static str, head: &[&str], rows: Vec<Vec<Cell>>) -> Sheet {
        let head = head.iter().map(|key| self.page.t(key)).collect();
        Sheet { id, name: self.page.t(&format!("stats-{id}")), head, rows }
    }

    fn day(&self, it: &Day) -> Vec<Cell> {
        let links = self.links.within(Period { from: it.day, until: it.day });
        let mut cells = vec![
            Value::Day(it.day).into(),
            Cell::count(it.finished).to(links.finished(&[])),
            Cell::count(it.players).to(links.finished(&[])),
        ];
        let counts = [
            (it.guests.map(Cell::count), links.players(&[])),
            (it.new_guests.map(Cell::count), links.players(&links::new(true))),
            (it.parties.map(Cell::count), links.parties(&links::came())),
            (it.people.map(Cell::count), links.parties(&links::came())),
            (it.table_seconds.map(Cell::hours), links.parties(&[])),
        ];
        cells.extend(counts.into_iter().filter_map(|(cell, href)| Some(cell?.to(href))));
        cells
    }

    fn table_hour(&self, it: &TableHour) -> Vec<Cell> {
        let hour = links::at(it.weekday, it.hour);
        let there = self.links.parties(&hour);
        let came = self.links.parties(&[hour.as_slice(), &links::came()].concat());
        let mut cells = Vec::from(self.week_hour(it.weekday, it.hour));
        cells.extend([
            it.occupancy.map_or_else(|| Value::Nothing.into(), Cell::percent).to(there.clone()),
            Cell::hours(it.table_seconds).to(there),
            Cell::count(it.parties).to(came.clone()),
            Cell::count(it.people).to(came),
        ]);
        cells
    }

    fn hour(&self, it: &Hour) -> Vec<Cell> {
        let href = self.links.finished(&links::at(it.weekday, it.hour));
        let [weekday, hour] = self.week_hour(it.weekday, it.hour);
        vec![weekday, hour, Cell::count(it.finished).to(href.clone()), Cell::count(it.players).to(href)]
    }

    fn play(&self, it: &Play) -> Vec<Cell> {
        let ended = |status| self.links.by_rules(status, &it.game, &it.variant_hash);
        let [game, rules] = self.names(&it.game, it.variant.as_deref(), &it.variant_hash);
        vec![
            game,
            rules,
            Cell::count(it.finished).to(ended("finished")),
            Cell::count(it.players).to(ended("finished")),
            Cell::count(it.aborted).to(ended("aborted")),
            Cell::count(it.expired).to(ended("expired")),
        ]
    }

    fn length(&self, it: &Length) -> Vec<Cell> {
        let href = self.links.lengths(&it.game, &it.variant_hash, it.seats);
        let [game, rules] = self.names(&it.game, it.variant.as_deref(), &it.variant_hash);
        let finished = Cell::count(it.finished).to(href.clone());
        let [median, p90] = [it.median_seconds, it.p90_seconds].map(|seconds| Cell::minutes(seconds).to(href.clone()));
        let per_move = it.seconds_per_move.map_or(Value::Nothing, |seconds| Value::Number(seconds, 1));
        let per_move = Cell::from(per_move).to(href);
        vec![game, rules, Cell::count(it.seats), finished, median, p90, per_move]
    }

    fn seat(&self, it: &SeatWins) -> Vec<Cell> {
        let all = self.links.at_seats(&it.game, &it.variant_hash, it.seats);
        let won = self.links.won(&it.game, &it.variant_hash, it.seats, it.seat);
        let [game, rules] = self.names(&it.game, it.variant.as_deref(), &it.variant_hash);
        vec![
            game,
            rules,
            Cell::count(it.seats),
            Cell::count(it.seat + 1),
            Cell::count(it.finished).to(all.clone()),
            Cell::count(it.wins).to(won.clone()),
            Cell::percent(it.share).to(won),
            // The range is computed from all of them.
            Cell::percent(it.share_from).to(all.clone()),
            Cell::percent(it.share_until).to(all),
        ]
    }

    fn place(&self, it: &PlaceWins) -> Vec<Cell> {
        let [game, rules] = self.names(&it.game, it.variant.as_deref(), &it.variant_hash);
        let shares = [it.share, it.share_from, it.share_until].map(Cell::percent);
        let counts = [it.finished, it.wins].map(Cell::count);
        [game, rules, Cell::count(it.seats), Cell::count(it.place + 1)]
            .into_iter()
            .chain(counts)
            .chain(shares)
            .collect()
    }

    fn role(&self, it: &RoleWins) -> Vec<Cell> {
        let [game, rules] = self.names(&it.game, it.variant.as_deref(), &it.variant_hash);
        let role = Cell::text(word(self.page.lang, &it.game, &it.role));
        let shares = [it.share, it.share_from, it.share_until].map(Cell::percent);
        let counts = [it.played, it.wins].map(Cell::count);
        [game, rules, Cell::count(it.seats), role].into_iter().chain(counts).chain(shares).collect()
    }

    fn visits(&self, it: &Visits) -> Vec<Cell> {
        let days = links::on_days(it.days);
        let guests = Cell::count(it.guests).to(self.links.players(&days));
        let new = Cell::count(it.new).to(self.links.players(&[days, links::new(true)].concat()));
        let days = if is_most(it.days) { Cell::text(visit_days(self.page, it.days)) } else { Cell::count(it.days) };
        vec![days, guests, new]
    }

    fn week_hour(&self, weekday: i16, hour: i16) -> [Cell; 2] {
        [Cell::text(self.page.t(&format!("stats-weekday-{weekday}"))), Cell::text(format!("{hour:02}:00"))]
    }

    fn names(&self, game: &str, variant: Option<&str>, hash: &str) -> [Cell; 2] {
        [Cell::text(self.page.game_name(game)), Cell::text(rules(self.page, game, variant, hash))]
    }
}

/// On how many days somebody came; the last stands for all that are more.
pub(super) fn visit_days(page: &Page, days: i64) -> String {
    if is_most(days) { page.say("stats-visit-more").with("days", days).to_string() } else { days.to_string() }
}

pub(super) fn is_most(days: i64) -> bool {
    days == i64::from(MOST_DAYS)
}

/// What these rules are called: by their variant's name, as the basic game, or by the beginning of their hash.
pub(super) fn rules(page: &Page, game: &str, variant: Option<&str>, hash: &str) -> String {
    match variant {
        Some(name) => name.to_owned(),
        None if play::stats::figures::is_basic(game, hash) => page.t("stats-basic"),
        None => page.say("stats-other").with("hash", hash.chars().take(6).collect::<String>()).to_string(),
    }
}

/// The same for rules of which perhaps only the hash is known.
pub async fn rules_name(
    conn: &mut AsyncPgConnection,
    page: &Page,
    game: Option<&str>,
    hash: &[u8],
) -> ApiResult<String> {
    let names = match game {
        Some(OTHER) => store::titles(conn, vec![hash]).await?,
        _ => store::names(conn, vec![hash]).await?,
    };
    let variant = names.get(hash).cloned();
    Ok(rules(page, game.unwrap_or_default(), variant.as_deref(), &hex(hash)))
}
