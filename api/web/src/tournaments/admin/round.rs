//! A round: its draft with the reasons for every pairing, then its bouts, its clock and their results.

use actix_web::{HttpResponse, get, post};
use askama::Template;
use engine::tournaments::Format;
use serde::Deserialize;

use super::print::Paper;
use super::steps::Step;
use super::{address, read};
use crate::error::ApiResult;
use crate::extract::Path;
use crate::limits::{Budget, Writes};
use crate::page::{Flash, Form, Page, StaffPage};
use crate::tournaments::view::{Round, TournamentView};
use cafe::auth::can;
use cafe::error::not_found;
use cafe::tournaments::{self, RoundKey, Swap, TournamentId};

#[derive(Template)]
#[template(path = "admin/tournaments/round.html", blocks = ["live"])]
struct RoundPage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    round: &'a Round,
    step: Option<Step>,
    may_swap: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SwapForm {
    one: i32,
    other: i32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MinutesForm {
    minutes: i64,
}

#[get("/admin/tournaments/{id}/rounds/{stage}/{round}")]
pub(crate) async fn show_round(
    StaffPage { page, mut cx }: StaffPage<can::ViewTournaments>,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    let found = view.find_round(stage, round).ok_or_else(|| not_found("round_not_found"))?;
    let template = RoundPage::of(&page, &view, found)?;
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

#[post("/admin/tournaments/{id}/rounds/{stage}/{round}/swap")]
pub(crate) async fn swap_entrants(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
    Form(form): Form<SwapForm>,
) -> ApiResult<HttpResponse> {
    let swapped = tournaments::swap(&mut cx, id, Swap { one: form.one, other: form.other }, None).await;
    let flash = Flash::after(swapped, |()| Flash::good("entrants-swapped", ""))?;
    Ok(page.go_with(&round_address(id, stage, round), flash))
}

#[post("/admin/tournaments/{id}/rounds/{stage}/{round}/minutes")]
pub(crate) async fn add_round_minutes(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
    Form(form): Form<MinutesForm>,
) -> ApiResult<HttpResponse> {
    let key = RoundKey { tournament: id, stage, round };
    let added = tournaments::add_minutes(&mut cx, key, form.minutes, None).await;
    let flash = Flash::after(added, |()| Flash::good("minutes-added", ""))?;
    Ok(page.go_with(&round_address(id, stage, round), flash))
}

pub(super) fn round_address(id: TournamentId, stage: i16, round: i16) -> String {
    format!("{}/rounds/{stage}/{round}", address(id))
}

impl<'a> RoundPage<'a> {
    fn of(page: &'a Page, view: &'a TournamentView, round: &'a Round) -> ApiResult<Self> {
        let step = Step::of_round(page, view, round)?;
        let may_swap = matches!(view.plan_of(round.row.stage)?.format, Format::Swiss { .. } | Format::Pods { .. });
        Ok(Self { page, view, round, step, may_swap })
    }

    /// Everybody in the round, in the order in which they are paired.
    fn people(&self) -> Vec<(i32, &str)> {
        let seated = self.round.bouts.iter().flat_map(|bout| &bout.seated);
        seated.map(|it| (it.number, it.name.as_str())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::samples;
    use crate::tournaments::samples::moments;

    #[test]
    fn a_page_is_complete_at_every_moment() {
        for tournament in moments().into_iter().filter(|it| !it.rounds.is_empty()) {
            samples::check(samples::STAFF, |page| {
                let view = TournamentView::of(&page, tournament.clone()).unwrap();
                RoundPage::of(&page, &view, view.rounds_now()[0]).unwrap().render()
            });
        }
    }
}
