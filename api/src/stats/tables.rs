//! All figures of a page or a file, and each as a table in words.

use super::sheet::{Cell, Row, Sheet};
use super::{Day, Figures, Hour, Length, Play, Returning, SeatWins};
use crate::error::ApiResult;
use crate::page::Page;

pub(super) struct Tables {
    pub days: Vec<Day>,
    pub hours: Vec<Hour>,
    pub plays: Vec<Play>,
    pub lengths: Vec<Length>,
    pub seats: Vec<SeatWins>,
    /// None where only one game is asked about.
    pub returning: Option<Returning>,
}

impl Tables {
    pub(super) async fn read(figures: &mut Figures<'_>) -> ApiResult<Self> {
        Ok(Self {
            days: figures.days().await?,
            hours: figures.hours().await?,
            plays: figures.plays().await?,
            lengths: figures.lengths().await?,
            seats: figures.seats().await?,
            returning: if figures.filter.is_of_all() { Some(figures.returning().await?) } else { None },
        })
    }

    pub(super) fn sheets(&self, page: &Page) -> Vec<Sheet> {
        let sheet = |id: &'static str, head: &[&str], rows: Vec<Row>| {
            let head = head.iter().map(|key| page.t(key)).collect();
            Sheet { id, name: page.t(&format!("stats-{id}")), head, rows }
        };
        let mut sheets = vec![
            sheet(
                "days",
                &["stats-day", "stats-finished", "stats-players", "stats-guests", "stats-new"],
                self.day_rows(),
            ),
            sheet("hours", &["stats-weekday", "stats-hour", "stats-finished", "stats-players"], self.hour_rows(page)),
            sheet(
                "games",
                &["game", "stats-rules", "stats-finished", "stats-players", "stats-aborted", "stats-expired"],
                self.play_rows(page),
            ),
            sheet(
                "length",
                &["game", "stats-rules", "stats-seat-count", "stats-finished", "stats-median", "stats-p90"],
                self.length_rows(page),
            ),
            sheet(
                "seats",
                &[
                    "game",
                    "stats-rules",
                    "stats-seat-count",
                    "stats-seat",
                    "stats-finished",
                    "stats-wins",
                    "stats-share",
                    "stats-share-from",
                    "stats-share-until",
                ],
                self.seat_rows(page),
            ),
        ];
        if let Some(returning) = &self.returning {
            let visits = returning.visits.iter().map(|it| {
                let cells = [it.days, it.guests, it.new].map(Cell::count);
                Row { cells: cells.into(), href: None }
            });
            sheets.push(sheet("returning", &["stats-visit-days", "stats-guests", "stats-new"], visits.collect()));
        }
        sheets
    }

    fn day_rows(&self) -> Vec<Row> {
        let row = |it: &Day| {
            let known = |count: Option<i64>| count.map_or_else(|| Cell::Text(String::new()), Cell::count);
            let day = Cell::Text(it.day.to_string());
            let cells =
                vec![day, Cell::count(it.finished), Cell::count(it.players), known(it.guests), known(it.new_guests)];
            Row { cells, href: Some(format!("/admin/matches?from={0}&to={0}", it.day)) }
        };
        self.days.iter().map(row).collect()
    }

    fn hour_rows(&self, page: &Page) -> Vec<Row> {
        let row = |it: &Hour| {
            let weekday = Cell::Text(page.t(&format!("stats-weekday-{}", it.weekday)));
            let hour = Cell::Text(format!("{:02}:00", it.hour));
            Row { cells: vec![weekday, hour, Cell::count(it.finished), Cell::count(it.players)], href: None }
        };
        self.hours.iter().filter(|it| it.finished > 0).map(row).collect()
    }

    fn play_rows(&self, page: &Page) -> Vec<Row> {
        let row = |it: &Play| {
            let mut cells = names(page, &it.game, it.variant.as_deref(), &it.variant_hash);
            cells.extend([it.finished, it.players, it.aborted, it.expired].map(Cell::count));
            Row { cells, href: Some(format!("/admin/matches?game={}", it.game)) }
        };
        self.plays.iter().map(row).collect()
    }

    fn length_rows(&self, page: &Page) -> Vec<Row> {
        let row = |it: &Length| {
            let mut cells = names(page, &it.game, it.variant.as_deref(), &it.variant_hash);
            cells.extend([Cell::count(it.seats.into()), Cell::count(it.finished)]);
            cells.extend([it.median_seconds, it.p90_seconds].map(Cell::minutes));
            Row { cells, href: None }
        };
        self.lengths.iter().map(row).collect()
    }

    fn seat_rows(&self, page: &Page) -> Vec<Row> {
        let row = |it: &SeatWins| {
            let mut cells = names(page, &it.game, it.variant.as_deref(), &it.variant_hash);
            cells.extend([i64::from(it.seats), i64::from(it.seat) + 1, it.finished, it.wins].map(Cell::count));
            cells.extend([it.share, it.share_from, it.share_until].map(Cell::percent));
            Row { cells, href: None }
        };
        self.seats.iter().map(row).collect()
    }
}

fn names(page: &Page, game: &str, variant: Option<&str>, hash: &str) -> Vec<Cell> {
    vec![Cell::Text(page.game_name(game)), Cell::Text(rules(page, game, variant, hash))]
}

/// What these rules are called: by their variant's name, as the basic game, or by the beginning of their hash.
pub(super) fn rules(page: &Page, game: &str, variant: Option<&str>, hash: &str) -> String {
    match variant {
        Some(name) => name.to_owned(),
        None if super::figures::is_basic(game, hash) => page.t("stats-basic"),
        None => page.say("stats-other").with("hash", hash.chars().take(6).collect::<String>()).to_string(),
    }
}
