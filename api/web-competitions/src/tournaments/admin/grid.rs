//! The results of a whole round on one page: a key and Enter for a duel, or a tap; each is written down in its place.

use actix_web::{HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use super::result;
use super::round::PartSearch;
use super::{address, read};
use crate::tournaments::view::{BoutState, Leaf, Played, Round, TournamentView};
use base::auth::can;
use base::error::{invalid_field, not_found};
use competitions::tournaments::store::BoutKey;
use competitions::tournaments::{self, BoutId, TournamentId, WrittenResult};
use engine::tournaments::Points;
use web_base::error::{ApiError, ApiResult};
use web_base::extract::{Path, Search};
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

#[derive(Template)]
#[template(path = "admin/tournaments/grid.html")]
struct GridPage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    round: &'a Round,
    lines: Vec<Line<'a>>,
    leaf: Leaf,
}

/// A line alone, for those who wrote into it.
#[derive(Template)]
#[template(path = "admin/tournaments/grid-line.html")]
struct LinePage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    line: Line<'a>,
}

/// A bout with what can be written into it.
struct Line<'a> {
    bout: &'a Played,
    takes_result: bool,
    takes_draws: bool,
    takes_presses: bool,
    /// What was typed, if that says nothing.
    typed: String,
    wrong: Option<String>,
    /// The revision of the result that was just written, to take it back.
    written: Option<i64>,
    has_focus: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LineForm {
    bout: BoutKey,
    result: String,
    /// `desk` to come back to the page of the tournament.
    back: Option<String>,
}

type Address = (TournamentId, i16, i16);

#[get("/admin/tournaments/{id}/rounds/{stage}/{round}/grid")]
pub async fn show_grid(
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path((id, stage, round)): Path<Address>,
    Search(search): Search<PartSearch>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    let round = view.find_round(stage, round).ok_or_else(|| not_found("round_not_found"))?;
    page.html(&GridPage::of(&page, &view, round, search.part)?)
}

#[post("/admin/tournaments/{id}/rounds/{stage}/{round}/grid")]
pub async fn write_grid_line(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path((id, stage, round)): Path<Address>,
    Form(form): Form<LineForm>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    let key = form.bout;
    let written = match finishes(&view, stage, &form) {
        Ok(finishes) => {
            let result = WrittenResult { finishes: &finishes, reason: None };
            let bout = BoutId { tournament: id, stage, key };
            tournaments::write_result(&mut cx, bout, result, None).await.map_err(ApiError::from)
        }
        Err(err) => Err(err),
    };
    let here = match form.back.as_deref() {
        Some("desk") => address(id),
        _ => {
            let bouts = view.find_round(stage, round).into_iter().flat_map(|it| &it.bouts).filter(|it| !it.is_bye());
            let part = bouts.take_while(|it| it.key != key).count() / Round::BOUTS + 1;
            let part = if part > 1 { format!("?part={part}") } else { String::new() };
            format!("{}/rounds/{stage}/{round}/grid{part}#l-{key}", address(id))
        }
    };
    if form.back.is_some() || !page.fragment {
        return Ok(page.go_with(&here, Flash::after(written, |()| Flash::good("bout-settled", ""))?));
    }
    let (wrong, typed) = match written {
        Ok(()) => (None, String::new()),
        Err(err) if err.is_refusal() => (Some(err.problem(page.lang).sentence()), form.result),
        Err(err) => return Err(err),
    };
    let view = read(&mut cx, &page, id).await?;
    let found = view.find_round(stage, round).ok_or_else(|| not_found("round_not_found"))?;
    let bout = found.bouts.iter().find(|it| it.key == key).ok_or_else(|| not_found("bout_not_found"))?;
    let written = wrong.is_none().then_some(view.row.revision);
    let line = Line { wrong, typed, written, ..Line::of(&view, bout)? };
    page.html(&LinePage { page: &page, view: &view, line })
}

fn finishes(view: &TournamentView, stage: i16, form: &LineForm) -> ApiResult<Vec<tournaments::Finish>> {
    let bout = view.bout(stage, form.bout).ok_or_else(|| not_found("bout_not_found"))?;
    let points = &view.plan_of(stage)?.scoring.points;
    let several = view.games_of(stage, form.bout).and_then(|_| result::by_games(&bout.entrants, &form.result));
    let finishes = several.or_else(|| result::typed(&bout.entrants, points, &form.result));
    Ok(finishes.ok_or_else(|| invalid_field("/finishes", "unreadable_result"))?)
}

impl<'a> GridPage<'a> {
    fn of(page: &'a Page, view: &'a TournamentView, round: &'a Round, part: Option<usize>) -> ApiResult<Self> {
        let bouts: Vec<&Played> = round.bouts.iter().filter(|it| !it.is_bye()).collect();
        let leaf = Leaf::of(&page.path, part, Round::BOUTS, bouts.len());
        let here = bouts.get(leaf.range()).unwrap_or_default();
        let mut lines = here.iter().map(|bout| Line::of(view, bout)).collect::<ApiResult<Vec<_>>>()?;
        if let Some(first) = lines.iter_mut().find(|it| it.takes_result) {
            first.has_focus = true;
        }
        Ok(Self { page, view, round, lines, leaf })
    }
}

impl<'a> Line<'a> {
    fn of(view: &TournamentView, bout: &'a Played) -> ApiResult<Self> {
        let plan = view.plan_of(bout.stage)?;
        let takes_result = match bout.state {
            BoutState::Waiting
            | BoutState::Playing
            | BoutState::Reported
            | BoutState::Disputed
            | BoutState::Deserted => !view.is_own(bout),
            BoutState::Bye | BoutState::Drafted | BoutState::Claimed | BoutState::Over => false,
        };
        Ok(Self {
            takes_result,
            takes_draws: !plan.format.is_knockout(),
            takes_presses: bout.is_duel() && bout.limit.is_none() && plan.scoring.points != Points::Scores,
            bout,
            typed: String::new(),
            wrong: None,
            written: None,
            has_focus: false,
        })
    }

    fn id(&self) -> String {
        format!("l-{}", self.bout.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournaments::samples::moments;
    use web_base::page::samples;

    #[test]
    fn a_grid_is_complete_at_every_moment() {
        for tournament in moments().into_iter().filter(|it| !it.rounds.is_empty()) {
            samples::check(samples::MANAGERS, |page| {
                let view = TournamentView::of(&page, tournament.clone()).unwrap();
                GridPage::of(&page, &view, view.rounds_now()[0], None).unwrap().render()
            });
        }
    }

    #[test]
    fn a_line_says_what_is_wrong_or_offers_the_way_back() {
        let running = moments().into_iter().find(|it| it.open_rounds().next().is_some()).unwrap();
        samples::check(samples::MANAGERS, |page| {
            let view = TournamentView::of(&page, running.clone()).unwrap();
            let bout = &view.rounds_now()[0].bouts[0];
            let wrong = Some(page.t("field-unreadable_result"));
            let line = Line { wrong, typed: "x".to_owned(), written: Some(3), ..Line::of(&view, bout).unwrap() };
            LinePage { page: &page, view: &view, line }.render()
        });
    }
}
