//! The screen on the wall: page after page without scripts, so that everybody's name is seen within a minute.

use std::time::Duration;

use actix_web::HttpResponse;
use askama::Template;

use super::view::{Arena, Bracket, OneSide, Played, Row, Table, TournamentView};
use web_base::error::ApiResult;
use web_base::page::Page;
use web_base::qr::qr_svg;

/// So many fit on one page of a screen of 1920 by 1080.
const BOUTS: usize = 12;
/// Beside those who wait.
const ARENA_BOUTS: usize = 8;
const LINES: usize = 14;
const COLUMNS: usize = 2;
const NAMES: usize = 60;
/// Rounds of a bracket with more bouts are told by their pairings.
const BRACKET_BOUTS: usize = 8;
const ROUND: Duration = Duration::from_secs(60);
const LONGEST: Duration = Duration::from_secs(15);
const SHORTEST: Duration = Duration::from_secs(2);

#[derive(Template)]
#[template(path = "guest/tournament-screen.html", blocks = ["live"])]
struct ScreenPage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    part: Option<Part<'a>>,
    /// From 1, and of how many.
    number: usize,
    count: usize,
    guest_url: String,
    qr: String,
}

/// What is on the wall at one time.
enum Part<'a> {
    /// Before the first round: who has entered.
    Names(Vec<String>),
    Bouts {
        title: &'a str,
        bouts: &'a [Played],
    },
    /// Of an arena: who plays where, as far as there is room, who waits, and how to join.
    Arena {
        bouts: &'a [Played],
        arena: Arena,
    },
    Standings(Vec<Table>),
    Side(OneSide),
}

/// A page of the screen; the page after the last is the first.
pub(super) fn show(page: &Page, view: &TournamentView, base: &str, number: usize) -> ApiResult<HttpResponse> {
    let template = ScreenPage::of(page, view, base, number)?;
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

/// All parts in the order in which they are shown.
fn parts<'a>(page: &Page, view: &'a TournamentView) -> ApiResult<Vec<Part<'a>>> {
    let Some(stage) = view.now() else {
        let here = view.entrants.iter().filter(|it| it.status.has_place());
        let names: Vec<String> = here.map(|it| view.name(&it.number)).collect();
        return Ok(names.chunks(NAMES).map(|names| Part::Names(names.to_vec())).collect());
    };
    let mut parts = Vec::new();
    let mut arena = view.arena_now(page);
    for round in view.rounds_now() {
        let round_bouts = round.bouts.as_slice();
        if let Some(arena) = arena.take() {
            let open = round_bouts.partition_point(|it| !it.is_over());
            let (first, more) = round_bouts[..open].split_at(open.min(ARENA_BOUTS));
            parts.push(Part::Arena { bouts: first, arena });
            parts.extend(more.chunks(BOUTS).map(|bouts| Part::Bouts { title: &round.title, bouts }));
            continue;
        }
        parts.extend(round.bouts.chunks(BOUTS).map(|bouts| Part::Bouts { title: &round.title, bouts }));
    }
    if stage.bracket.is_some() {
        // Drawn again, for the rounds that do not fit are left out.
        let sides = Bracket::of(page, view, stage.number)?.sides.into_iter().map(OneSide::of_late_rounds);
        parts.extend(sides.filter(|side| !side.rounds.is_empty()).map(Part::Side));
    }
    parts.extend(
        columns(&stage.table.rows)
            .chunks(COLUMNS)
            .map(|tables| Part::Standings(tables.iter().map(|rows| stage.table.part(rows)).collect())),
    );
    Ok(parts)
}

/// The rows of each column, as many as fit, where each member of a team has a line.
fn columns(rows: &[Row]) -> Vec<&[Row]> {
    let mut columns = Vec::new();
    let (mut first, mut lines) = (0, 0);
    for (at, row) in rows.iter().enumerate() {
        let more = 1 + row.members.len();
        if at > first && lines + more > LINES {
            columns.push(&rows[first..at]);
            (first, lines) = (at, 0);
        }
        lines += more;
    }
    if first < rows.len() {
        columns.push(&rows[first..]);
    }
    columns
}

/// How long each part is shown, so that all are within a minute.
fn time(count: usize) -> Duration {
    let count = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
    (ROUND / count).clamp(SHORTEST, LONGEST)
}

impl<'a> ScreenPage<'a> {
    fn of(page: &'a Page, view: &'a TournamentView, base: &str, number: usize) -> ApiResult<Self> {
        let guest_url = format!("{base}{}", view.path());
        let qr = qr_svg(&guest_url)?;
        let mut parts = parts(page, view)?;
        let count = parts.len();
        let at = number.saturating_sub(1).checked_rem(count).unwrap_or(0);
        let part = (at < count).then(|| parts.swap_remove(at));
        Ok(Self { page, view, part, number: at + 1, count, guest_url, qr })
    }

    fn address(&self, number: usize) -> String {
        format!("{}?screen=1&part={number}", self.view.path())
    }

    /// Whether somebody who scans the code can join at once.
    fn takes_arrivals(&self) -> bool {
        self.view.takes_arrivals(self.page.now)
    }

    fn here(&self) -> String {
        self.address(self.number)
    }

    /// What is shown after this.
    fn next(&self) -> String {
        self.address(if self.number >= self.count { 1 } else { self.number + 1 })
    }

    /// How long this is shown.
    fn seconds(&self) -> u64 {
        time(self.count).as_secs()
    }
}

impl OneSide {
    fn of_late_rounds(mut self) -> Self {
        self.rounds.retain(|round| round.bouts.len() <= BRACKET_BOUTS);
        self
    }
}

#[cfg(test)]
mod tests {
    use competitions::tournaments::TournamentStatus;
    use engine::tournaments::Format;

    use super::*;
    use crate::tournaments::samples::{moments, moments_of};
    use web_base::page::samples;

    fn public() -> impl Iterator<Item = competitions::tournaments::Tournament> {
        moments().into_iter().filter(|it| it.row.status != TournamentStatus::Draft && it.draft().is_none())
    }

    #[test]
    fn a_screen_is_complete_at_every_moment() {
        for tournament in public() {
            samples::check(samples::ANYBODY, |page| {
                let view = TournamentView::of(&page, tournament.clone()).unwrap();
                ScreenPage::of(&page, &view, "https://example.org", 1).unwrap().render()
            });
        }
    }

    #[test]
    fn a_wall_that_has_one_page_can_turn_it_once_there_are_more() {
        let page = Page::sample(base::text::Lang::En);
        for tournament in public() {
            let view = TournamentView::of(&page, tournament).unwrap();
            let wall = ScreenPage::of(&page, &view, "https://example.org", 1).unwrap();
            let (whole, live) = (wall.render().unwrap(), wall.as_live().render().unwrap());
            assert!(whole.contains(page.asset("wall.js")) && whole.contains("<noscript>"));
            assert!(live.contains("data-next=\"/tournaments/XYZ234?"), "{live}");
            assert!(live.contains(&format!("data-after=\"{}\" data-count=\"{}\"", wall.seconds(), wall.count)));
        }
    }

    #[test]
    fn everybody_is_on_the_wall_within_a_minute() {
        let page = Page::sample(base::text::Lang::Ko);
        for tournament in public() {
            let view = TournamentView::of(&page, tournament).unwrap();
            let first = ScreenPage::of(&page, &view, "https://example.org", 1).unwrap();
            assert!(time(first.count) * u32::try_from(first.count).unwrap() <= ROUND);
            let shown = |number| ScreenPage::of(&page, &view, "https://example.org", number).unwrap().render().unwrap();
            let wall: String = (1..=first.count).map(shown).collect();
            let here = view.entrants.iter().filter(|it| it.status.has_place()).map(|it| view.name(&it.number));
            let missing: Vec<String> = here.filter(|name| !wall.contains(name)).collect();
            assert!(missing.is_empty(), "{missing:?}");
        }
        assert!(time(20) * 20 <= ROUND, "20 pages are 280 lines of standings and 240 bouts");
    }

    #[test]
    fn the_losers_side_has_a_page_of_its_own() {
        let page = Page::sample(base::text::Lang::En);
        let running =
            moments_of(Format::DoubleElimination {}).into_iter().rfind(|it| it.row.status == TournamentStatus::Running);
        let view = TournamentView::of(&page, running.unwrap()).unwrap();
        let sides = parts(&page, &view).unwrap().into_iter().filter(|part| matches!(part, Part::Side(_))).count();
        assert_eq!(sides, 3, "winners, losers and the final");
    }
}
