//! Paper for the wall and the tables: flyer, entrants, pairings, slips, standings, cross tables, the bracket, certificates.

use std::cmp::Reverse;
use std::collections::HashMap;

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};
use askama::Template;
use engine::tournaments::final_places;
use serde::Deserialize;

use super::read;
use crate::tournaments::view::{Played, Round, Row, Seated, Stage, TournamentView};
use base::auth::can;
use base::error::not_found;
use base::names::fold;
use competitions::tournaments::{EntrantRow, TournamentId, TournamentStatus};
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::{Path, Search};
use web_base::page::{Page, StaffPage};
use web_base::public_url::base_url;
use web_base::qr::qr_svg;

base::text_enum! {
    /// What can be printed.
    pub enum Paper {
        Flyer = "flyer",
        Entrants = "entrants",
        Tables = "tables",
        Names = "names",
        Slips = "slips",
        Standings = "standings",
        Cross = "cross",
        Bracket = "bracket",
        Certificates = "certificates",
    }
}

/// A certificate is for the first so many places.
const CERTIFIED: u32 = 3;

#[derive(Template)]
#[template(path = "admin/tournaments/print.html")]
struct PrintPage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    /// None before the first begins.
    stage: Option<&'a Stage>,
    round: Option<&'a Round>,
    what: Paper,
    certificates: Vec<Certificate<'a>>,
    /// Where guests find the tournament, and that as a code.
    guest_url: String,
    qr: String,
}

/// Who came where, as the standings name them.
struct Certificate<'a> {
    rank: u32,
    row: &'a Row,
}

/// What everybody did against everybody, of a whole stage or of a group.
struct CrossTable {
    title: Option<String>,
    rows: Vec<CrossRow>,
}

struct CrossRow {
    name: String,
    /// Against each of the rows; none against oneself.
    cells: Vec<Option<String>>,
    points: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PrintSearch {
    what: Option<Paper>,
    stage: Option<i16>,
    round: Option<i16>,
}

#[get("/admin/tournaments/{id}/print")]
pub async fn show_print(
    StaffPage { page, mut cx }: StaffPage<can::ViewTournaments>,
    config: Data<Config>,
    request: HttpRequest,
    Path(id): Path<TournamentId>,
    Search(search): Search<PrintSearch>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    let stage = view.stage_shown(search.stage.unwrap_or(view.row.stage));
    if stage.is_none() && search.stage.is_some() {
        return Err(not_found("stage_not_found").into());
    }
    let round = match (search.round, stage) {
        (Some(round), Some(stage)) => view.find_round(stage.number, round).map(Some),
        (Some(_), None) => None,
        (None, stage) => Some(stage.and_then(usual_round)),
    };
    let round = round.ok_or_else(|| not_found("round_not_found"))?;
    let page = PrintPage::of(&page, &view, (stage, round), search.what, &base_url(&config, &request))?;
    page.page.html(&page)
}

impl Paper {
    pub(super) const OF_ROUND: [Self; 3] = [Self::Tables, Self::Names, Self::Slips];

    pub(super) fn is_of_round(&self) -> bool {
        Self::OF_ROUND.contains(self)
    }

    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Flyer => "paper-flyer",
            Self::Entrants => "entrants",
            Self::Tables => "paper-tables",
            Self::Names => "paper-names",
            Self::Slips => "paper-slips",
            Self::Standings => "standings",
            Self::Cross => "paper-cross",
            Self::Bracket => "bracket",
            Self::Certificates => "paper-certificates",
        }
    }
}

impl<'a> PrintPage<'a> {
    fn of(
        page: &'a Page,
        view: &'a TournamentView,
        (stage, round): (Option<&'a Stage>, Option<&'a Round>),
        what: Option<Paper>,
        base: &str,
    ) -> ApiResult<Self> {
        let guest_url = format!("{base}{}", view.path());
        let qr = qr_svg(&guest_url)?;
        let usual = match (stage, round) {
            (None, _) => Paper::Flyer,
            (Some(_), None) => Paper::Standings,
            (Some(_), Some(_)) => Paper::Tables,
        };
        let certificates = Certificate::all(view)?;
        Ok(Self { page, view, stage, round, what: what.unwrap_or(usual), certificates, guest_url, qr })
    }

    fn papers(&self) -> Vec<Paper> {
        let there = |it: &Paper| match it {
            Paper::Flyer => true,
            Paper::Entrants => !self.view.entrants.is_empty(),
            Paper::Tables | Paper::Names | Paper::Slips => self.round.is_some(),
            Paper::Standings => self.stage.is_some(),
            Paper::Cross => self.has_cross_tables(),
            Paper::Bracket => self.stage.is_some_and(|it| it.bracket.is_some()),
            Paper::Certificates => !self.certificates.is_empty(),
        };
        Paper::ALL.iter().copied().filter(there).collect()
    }

    /// Whether this is a code that guests scan in vain.
    fn is_flyer_for_nobody(&self) -> bool {
        self.what == Paper::Flyer && !self.view.row.is_public()
    }

    fn address(&self, what: &Paper) -> String {
        let stage = self.stage.map(|it| format!("&stage={}", it.number)).unwrap_or_default();
        let round = self.round.map(|it| format!("&round={}", it.row.round)).unwrap_or_default();
        self.view.admin(&format!("/print?what={what}{stage}{round}"))
    }

    /// Those who are in it, by name.
    fn entrants(&self) -> Vec<(String, &EntrantRow)> {
        let here = self.view.entrants.iter().filter(|it| it.status.has_place());
        let mut named: Vec<_> = here.map(|it| (self.view.name(&it.number), it)).collect();
        named.sort_by_cached_key(|(name, _)| in_order_of_letters(name));
        named
    }

    /// In the order of the tables, byes last.
    fn by_table(&self) -> Vec<&Played> {
        self.round.map(|round| round.bouts.iter().collect()).unwrap_or_default()
    }

    fn by_name(&self) -> Vec<(&Seated, &Played)> {
        let bouts = self.round.map(|round| round.bouts.iter()).into_iter().flatten();
        let mut people: Vec<_> = bouts.flat_map(|bout| bout.seated.iter().map(move |it| (it, bout))).collect();
        people.sort_by_cached_key(|(it, _)| in_order_of_letters(&it.name));
        people
    }

    /// How many slips have room on a sheet.
    fn slips_a_sheet(&self) -> usize {
        match self.by_table().iter().map(|bout| bout.seated.len()).max() {
            Some(..=2) | None => 5,
            Some(3..=4) => 3,
            Some(5..=6) => 2,
            Some(_) => 1,
        }
    }

    fn slips(&self) -> Vec<Vec<&Played>> {
        let slips: Vec<&Played> = self.by_table().into_iter().filter(|bout| !bout.is_bye()).collect();
        sheets(&slips, self.slips_a_sheet())
    }

    /// Where duels give points, and everybody plays for themselves.
    fn has_cross_tables(&self) -> bool {
        let alone = self.stage.filter(|it| it.bracket.is_none() && self.view.row.team_size.is_none());
        let bouts = || alone.into_iter().flat_map(|it| &it.rounds).flat_map(|it| &it.bouts);
        bouts().any(Played::is_duel) && bouts().all(|it| it.seated.len() <= 2)
    }

    fn cross_tables(&self) -> Vec<CrossTable> {
        let Some(stage) = self.stage.filter(|_| self.has_cross_tables()) else { return Vec::new() };
        let marks = Marks::of(stage);
        let groups = stage.table.rows.chunk_by(|_, next| next.heads.is_none());
        groups.map(|rows| CrossTable::of(rows, &marks)).collect()
    }
}

impl<'a> Certificate<'a> {
    /// The first places, the last of them first, as they are handed out. Nobody has one before the end.
    fn all(view: &'a TournamentView) -> ApiResult<Vec<Self>> {
        let Some(last) = view.now().filter(|_| view.row.status == TournamentStatus::Finished) else {
            return Ok(Vec::new());
        };
        let in_last = last.table.rows.iter().filter_map(|row| Some(Self { rank: row.rank?, row }));
        // Who did not reach the last stage follows as they stood before.
        let stages = (1..=view.row.stage).map(|it| view.standings(it)).collect::<base::error::Result<Vec<_>>>()?;
        let places = final_places(&stages);
        let before_last = places.iter().filter_map(|place| {
            let is_it = |row: &&Row| u32::try_from(row.number) == Ok(place.person);
            let is_behind = !last.table.rows.iter().any(|row| is_it(&row));
            let row = view.stages.iter().flat_map(|it| &it.table.rows).find(is_it).filter(|_| is_behind)?;
            Some(Self { rank: place.rank, row })
        });
        let mut first: Vec<Self> = in_last.chain(before_last).filter(|it| it.rank <= CERTIFIED).collect();
        first.sort_by_key(|it| Reverse(it.rank));
        Ok(first)
    }
}

/// Where people look for a name: capitals and accents do not matter, and Hangul stands in its own order already.
fn in_order_of_letters(name: &str) -> (String, String) {
    (fold(name), name.to_owned())
}

/// The latest that everybody sees; else the draft.
fn usual_round(stage: &Stage) -> Option<&Round> {
    stage.rounds.iter().find(|it| !it.is_draft()).or_else(|| stage.rounds.first())
}

/// What is printed on each sheet, so much on one: once the stack is cut, and one pile laid upon the other, all is in order.
fn sheets<T: Copy>(all: &[T], a_sheet: usize) -> Vec<Vec<T>> {
    let sheets = all.len().div_ceil(a_sheet);
    (0..sheets).map(|sheet| all.iter().skip(sheet).step_by(sheets).copied().collect()).collect()
}

/// What each did against each other, by both numbers, in the order of the rounds.
struct Marks(HashMap<(i32, i32), Vec<&'static str>>);

impl Marks {
    fn of(stage: &Stage) -> Self {
        let mut marks: HashMap<_, Vec<_>> = HashMap::new();
        for bout in stage.rounds.iter().rev().flat_map(|it| &it.bouts).filter(|it| it.has_result) {
            if let [one, other] = bout.seated.as_slice() {
                marks.entry((one.number, other.number)).or_default().push(one.score_mark());
                marks.entry((other.number, one.number)).or_default().push(other.score_mark());
            }
        }
        Self(marks)
    }

    fn of_pair(&self, own: i32, other: i32) -> String {
        self.0.get(&(own, other)).map(|it| it.join(" ")).unwrap_or_default()
    }
}

impl CrossTable {
    fn of(rows: &[Row], marks: &Marks) -> Self {
        let row = |row: &Row| CrossRow {
            name: row.name.clone(),
            cells: rows
                .iter()
                .map(|other| Some(other.number).filter(|it| *it != row.number))
                .map(|other| other.map(|it| marks.of_pair(row.number, it)))
                .collect(),
            points: row.points.clone(),
        };
        Self { title: rows.first().and_then(|it| it.heads.clone()), rows: rows.iter().map(row).collect() }
    }
}

#[cfg(test)]
mod tests {
    use competitions::tournaments::{RoundStatus, Tournament};
    use engine::tournaments::Format;

    use super::*;
    use crate::tournaments::samples::{begun, moments, moments_of, settled, with_round};
    use web_base::page::samples;

    #[test]
    fn every_paper_is_complete() {
        for tournament in moments() {
            for what in Paper::ALL {
                samples::check(&samples::STAFF[..1], |page| {
                    let view = TournamentView::of(&page, tournament.clone()).unwrap();
                    let stage = view.now();
                    let round = stage.and_then(|it| it.rounds.first());
                    PrintPage::of(&page, &view, (stage, round), Some(*what), "https://example.org").unwrap().render()
                });
            }
        }
    }

    fn print<'a>(page: &'a Page, view: &'a TournamentView) -> PrintPage<'a> {
        let stage = view.now();
        PrintPage::of(page, view, (stage, stage.and_then(usual_round)), None, "https://example.org").unwrap()
    }

    #[test]
    fn names_stand_where_people_look_for_them() {
        let page = Page::sample(base::text::Lang::Es);
        let mut tournament = with_round(begun(Format::Swiss { rounds: 3 }), RoundStatus::Published);
        for (number, name) in [(1, "zoe"), (2, "Ana"), (4, "Íñigo"), (5, "bea"), (6, "나래"), (7, "가람")] {
            let entrant = tournament.entrants.iter_mut().find(|it| it.number == number).unwrap();
            entrant.display_name = name.to_owned();
        }
        let view = TournamentView::of(&page, tournament).unwrap();
        let print = print(&page, &view);
        let wanted = ["Ana", "bea", "Íñigo", "zoe", "가람", "나래"];
        let entrants: Vec<String> = print.entrants().into_iter().map(|(name, _)| name).collect();
        let paired: Vec<String> = print.by_name().into_iter().map(|(it, _)| it.name.clone()).collect();
        for all in [entrants, paired] {
            let named: Vec<&str> = all.iter().map(String::as_str).filter(|it| wanted.contains(it)).collect();
            assert_eq!(named, wanted);
        }
    }

    #[test]
    fn who_prints_a_flyer_that_leads_guests_nowhere_is_told_so() {
        let page = Page::sample(base::text::Lang::En);
        let [draft, open] = [0, 1].map(|at| moments_of(Format::Swiss { rounds: 3 }).remove(at));
        let mut sandbox = open.clone();
        sandbox.row.sandbox = true;
        for (tournament, is_told) in [(draft, true), (open, false), (sandbox, true)] {
            let view = TournamentView::of(&page, tournament).unwrap();
            let print = PrintPage::of(&page, &view, (None, None), Some(Paper::Flyer), "https://example.org").unwrap();
            assert_eq!(print.render().unwrap().contains(&page.t("flyer-for-nobody")), is_told);
        }
    }

    #[test]
    fn paper_says_on_which_day_it_was_printed() {
        let page = Page::sample(base::text::Lang::En);
        let view = TournamentView::of(&page, moments_of(Format::Swiss { rounds: 3 }).remove(0)).unwrap();
        let printed = format!("{} 00:00</p>", page.day(page.today()));
        assert!(print(&page, &view).render().unwrap().contains(&printed));
    }

    #[test]
    fn a_draft_is_printed_only_if_asked_for_and_says_what_it_is() {
        let page = Page::sample(base::text::Lang::En);
        let first = with_round(begun(Format::Swiss { rounds: 3 }), RoundStatus::Running);
        let drafted = with_round(settled(first), RoundStatus::Draft);
        let view = TournamentView::of(&page, drafted).unwrap();
        let stage = view.now().unwrap();
        let printed = |round: Option<&Round>| {
            let what = Some(Paper::Names);
            let print = PrintPage::of(&page, &view, (Some(stage), round), what, "https://example.org").unwrap();
            print.render().unwrap()
        };
        assert_eq!(usual_round(stage).map(|it| it.row.round), Some(1));
        let says = format!("<strong>{}</strong>", page.t(RoundStatus::Draft.key()));
        assert!(!printed(usual_round(stage)).contains(&says));
        assert!(printed(stage.rounds.first()).contains(&says));
    }

    #[test]
    fn slips_are_in_order_once_the_stack_is_cut() {
        for many in 0..40 {
            let all: Vec<usize> = (0..many).collect();
            for a_sheet in [1, 2, 3, 5] {
                let sheets = sheets(&all, a_sheet);
                assert!(
                    sheets.iter().all(|it| (1..=a_sheet).contains(&it.len())) && sheets.len() == many.div_ceil(a_sheet)
                );
                let pile = |slot: usize| sheets.iter().filter_map(move |sheet| sheet.get(slot).copied());
                assert_eq!((0..a_sheet).flat_map(pile).collect::<Vec<_>>(), all);
            }
        }
    }

    #[test]
    fn a_cross_table_is_offered_where_there_is_one() {
        let page = Page::sample(base::text::Lang::En);
        let mut many = 0;
        for tournament in moments() {
            let view = TournamentView::of(&page, tournament).unwrap();
            let tables = print(&page, &view).cross_tables();
            assert_eq!(print(&page, &view).papers().contains(&Paper::Cross), !tables.is_empty());
            many += tables.len();
        }
        assert!(many > 0);
    }

    #[test]
    fn a_cross_table_says_the_same_from_both_sides() {
        let page = Page::sample(base::text::Lang::En);
        let mut marks = 0;
        for tournament in moments() {
            let view = TournamentView::of(&page, tournament).unwrap();
            for table in print(&page, &view).cross_tables() {
                for (at, row) in table.rows.iter().enumerate() {
                    assert_eq!(row.cells[at], None);
                    for (against, cell) in row.cells.iter().enumerate().filter(|(_, it)| it.is_some()) {
                        let back = table.rows[against].cells[at].as_deref().unwrap();
                        let turned: Vec<&str> = cell.as_deref().unwrap().split(' ').map(turned).collect();
                        assert_eq!(turned.join(" "), back);
                        marks += usize::from(!back.is_empty());
                    }
                }
            }
        }
        assert!(marks > 20, "{marks}");
    }

    #[test]
    fn a_result_is_printed_while_its_match_says_something_else() {
        let page = Page::sample(base::text::Lang::En);
        let mut finished = moments_of(Format::Swiss { rounds: 3 }).pop().unwrap();
        let printed = |tournament: &Tournament| {
            let view = TournamentView::of(&page, tournament.clone()).unwrap();
            let tables = print(&page, &view);
            let marks = tables.cross_tables().into_iter().flat_map(|it| it.rows).flat_map(|it| it.cells);
            (marks.collect::<Vec<_>>(), tables.render().unwrap())
        };
        let before = printed(&finished);
        assert!(before.1.contains(&page.t("mark-win")));
        for bout in &mut finished.bouts {
            bout.claim = bout.result.clone();
        }
        assert_eq!(printed(&finished), before);
    }

    fn turned(mark: &str) -> &str {
        match mark {
            "1" => "0",
            "0" => "1",
            "+" => "–",
            "–" => "+",
            same => same,
        }
    }

    #[test]
    fn certificates_wait_for_the_end() {
        let page = Page::sample(base::text::Lang::Es);
        for tournament in moments() {
            let is_finished = tournament.row.status == TournamentStatus::Finished;
            let view = TournamentView::of(&page, tournament).unwrap();
            assert_eq!(!print(&page, &view).certificates.is_empty(), is_finished);
        }
    }
}
