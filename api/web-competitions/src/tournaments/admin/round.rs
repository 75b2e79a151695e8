//! A round: its draft with the reasons for every pairing, then its bouts, its clock and their results.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use super::log::WayBack;
use super::print::Paper;
use super::steps::Step;
use super::{address, read};
use crate::tournaments::view::TournamentWords;
use crate::tournaments::view::{Leaf, Played, Round, TournamentView};
use base::auth::{Permission, can};
use base::error::{invalid_field, not_found};
use competitions::tournaments::store::{BoutKey, BoutRow};
use competitions::tournaments::{
    self, BoutId, BoxCount, Conflict, EntrantHistory, PartyInTheWay, RoundKey, Swap, SwapPreview, TournamentId,
    UnmetNeed,
};
use web_base::error::ApiResult;
use web_base::extract::{Path, Search};
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage, live_part};

#[derive(Template)]
#[template(path = "admin/tournaments/round.html")]
struct RoundPage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    round: &'a Round,
    leaf: Leaf,
    step: Option<Step>,
    back: Option<WayBack>,
    may_swap: bool,
    /// Of a draft whose people can be dragged to other bouts.
    histories: Vec<EntrantHistory>,
    /// A swap that waits for a deliberate word.
    asked: Option<AskedSwap>,
    /// Of a draft: who has to move from tables that the tournament keeps, and whether the boxes suffice.
    parties: Vec<PartyInTheWay>,
    boxes: Option<BoxCount>,
    /// Who has to play at a table at which their bout is not, or would not be.
    unmet: Vec<UnmetNeed>,
}

live_part!(RoundPageLive of RoundPage, "admin/tournaments/round-live.html");

/// A swap with its conflicts before and after.
struct AskedSwap {
    one: i32,
    other: String,
    revision: Option<i64>,
    before: Vec<Tried>,
    after: Vec<Tried>,
}

/// A bout as a swap finds or leaves it.
struct Tried {
    names: String,
    conflicts: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SwapForm {
    one: i32,
    /// With the bout in which they were seen, as in `7@main-2-3`.
    other: String,
    revision: Option<i64>,
    /// `yes` once the conflicts were seen.
    force: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MinutesForm {
    minutes: i64,
    /// `desk` to come back to the page of the tournament.
    back: Option<String>,
}

base::text_enum! {
    /// What becomes of the clock.
    pub enum ClockAct {
        Pause = "pause",
        Resume = "resume",
        Break = "break",
        EndBreak = "end_break",
    }
}

#[derive(Deserialize)]
pub(crate) struct ClockForm {
    act: ClockAct,
    /// Of a break.
    minutes: Option<i64>,
    /// `desk` to come back to the page of the tournament.
    back: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LockForm {
    is_locked: bool,
    /// Where to come back to.
    round: i16,
}

/// Which part of a long round.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartSearch {
    pub(super) part: Option<usize>,
}

#[get("/admin/tournaments/{id}/rounds/{stage}/{round}")]
pub async fn show_round(
    StaffPage { page, mut cx }: StaffPage<can::ViewTournaments>,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
    Search(search): Search<PartSearch>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    let found = view.find_round(stage, round).ok_or_else(|| not_found("round_not_found"))?;
    let mut template = RoundPage::of(&page, &view, found)?;
    template.leaf = Leaf::of(&page.path, search.part, Round::BOUTS, found.bouts.len());
    template.back = WayBack::find(&mut cx, &page, &view).await?;
    template.unmet = tournaments::list_unmet_needs(cx.conn().await?, &view, stage, round).await?;
    if found.is_draft() {
        let conn = cx.conn().await?;
        template.parties = tournaments::list_parties_in_the_way(conn, &view).await?;
        template.boxes = tournaments::count_boxes(conn, &view).await?;
    }
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

#[post("/admin/tournaments/{id}/rounds/{stage}/{round}/swap")]
pub async fn swap_entrants(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
    Form(form): Form<SwapForm>,
) -> ApiResult<HttpResponse> {
    let swap = form.swap()?;
    let swapped = tournaments::swap(&mut cx, id, swap, form.revision).await;
    if let Err(err) = &swapped
        && err.code() == "swap_conflicts"
    {
        let view = read(&mut cx, &page, id).await?;
        let found = view.find_round(stage, round).ok_or_else(|| not_found("round_not_found"))?;
        let asked = Some(AskedSwap::of(&page, &view, &form, swap)?);
        return page.html_as(StatusCode::CONFLICT, &RoundPage { asked, ..RoundPage::of(&page, &view, found)? });
    }
    let flash = Flash::after(swapped, |()| Flash::good("entrants-swapped", ""))?;
    Ok(page.go_with(&round_address(id, stage, round), flash))
}

#[post("/admin/tournaments/{id}/rounds/{stage}/{round}/minutes")]
pub async fn add_round_minutes(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
    Form(form): Form<MinutesForm>,
) -> ApiResult<HttpResponse> {
    let key = RoundKey { tournament: id, stage, round };
    let added = tournaments::add_minutes(&mut cx, key, form.minutes, None).await;
    let flash = Flash::after(added, |()| Flash::good("minutes-added", ""))?;
    Ok(page.go_with(&back_to(form.back.as_deref(), key), flash))
}

#[post("/admin/tournaments/{id}/bouts/{stage}/{key}/lock")]
pub async fn lock_bout(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path((id, stage, key)): Path<(TournamentId, i16, BoutKey)>,
    Form(form): Form<LockForm>,
) -> ApiResult<HttpResponse> {
    let done = tournaments::lock_bout(&mut cx, BoutId { tournament: id, stage, key }, form.is_locked).await;
    let flash = Flash::after(done, |()| Flash::good(if form.is_locked { "bout-locked" } else { "bout-unlocked" }, ""))?;
    Ok(page.go_with(&round_address(id, stage, form.round), flash))
}

#[post("/admin/tournaments/{id}/rounds/{stage}/{round}/clock")]
pub async fn set_round_clock(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path((id, stage, round)): Path<(TournamentId, i16, i16)>,
    Form(form): Form<ClockForm>,
) -> ApiResult<HttpResponse> {
    let key = RoundKey { tournament: id, stage, round };
    let (done, flash) = match form.act {
        ClockAct::Pause => (tournaments::pause_clock(&mut cx, key, None).await, "clock-stands"),
        ClockAct::Resume => (tournaments::resume_clock(&mut cx, key).await, "clock-goes"),
        ClockAct::Break => {
            let minutes = Some(form.minutes.unwrap_or_default());
            (tournaments::set_break(&mut cx, key, minutes, None).await, "break-set")
        }
        ClockAct::EndBreak => (tournaments::set_break(&mut cx, key, None, None).await, "break-ended"),
    };
    let flash = Flash::after(done, |()| Flash::good(flash, ""))?;
    Ok(page.go_with(&back_to(form.back.as_deref(), key), flash))
}

fn back_to(back: Option<&str>, RoundKey { tournament, stage, round }: RoundKey) -> String {
    match back {
        Some("desk") => address(tournament),
        _ => round_address(tournament, stage, round),
    }
}

pub(super) fn round_address(id: TournamentId, stage: i16, round: i16) -> String {
    format!("{}/rounds/{stage}/{round}", address(id))
}

impl<'a> RoundPage<'a> {
    fn of(page: &'a Page, view: &'a TournamentView, round: &'a Round) -> ApiResult<Self> {
        let step = Step::of_round(page, view, round)?;
        let may_swap = view.takes_swaps(round.row.stage);
        let is_moved = round.is_draft() && page.may(&Permission::ManageTournaments);
        let histories = if is_moved { view.draft_histories() } else { Vec::new() };
        let (parties, boxes, unmet) = (Vec::new(), None, Vec::new());
        let leaf = Leaf::of(&view.round_path(round), None, Round::BOUTS, round.bouts.len());
        Ok(Self { page, view, round, leaf, step, back: None, may_swap, histories, asked: None, parties, boxes, unmet })
    }

    /// The bouts of this part.
    fn bouts(&self) -> &[Played] {
        self.round.bouts.get(self.leaf.range()).unwrap_or_default()
    }

    /// What speaks against other bouts for an entrant of this one who can be dragged there.
    fn history(&self, bout: &Played, number: &i32) -> Option<&EntrantHistory> {
        self.histories.iter().find(|it| it.entrant == *number && !bout.is_locked)
    }

    /// Everybody in the round who can be exchanged, in the order in which they are paired.
    fn people(&self) -> Vec<(i32, BoutKey, &str)> {
        let open = self.round.bouts.iter().filter(|bout| !bout.is_locked);
        let seated = open.flat_map(|bout| bout.seated.iter().map(|it| (it, bout.key)));
        seated.map(|(it, key)| (it.number, key, it.name.as_str())).collect()
    }
}

impl SwapForm {
    fn swap(&self) -> ApiResult<Swap> {
        let wrong = || invalid_field("/other", "invalid");
        let (other, into) = match self.other.split_once('@') {
            Some((other, key)) => (other, Some(key.parse::<BoutKey>().map_err(|_| wrong())?)),
            None => (self.other.as_str(), None),
        };
        let other = other.parse().map_err(|_| wrong())?;
        Ok(Swap { one: self.one, other, into, force: self.force.as_deref() == Some("yes") })
    }
}

impl AskedSwap {
    fn of(page: &Page, view: &TournamentView, form: &SwapForm, swap: Swap) -> ApiResult<Self> {
        let SwapPreview { before, after } = view.preview_swap(swap.one, swap.other)?;
        let tried = |(bout, conflicts): &(BoutRow, Vec<Conflict>)| {
            let names: Vec<_> = bout.entrants.iter().map(|it| view.name(it)).collect();
            let conflicts = conflicts.iter().map(|it| view.conflict(page, it)).collect();
            Tried { names: names.join(" – "), conflicts }
        };
        let (before, after) = (before.iter().map(tried).collect(), after.iter().map(tried).collect());
        Ok(Self { one: form.one, other: form.other.clone(), revision: form.revision, before, after })
    }
}

#[cfg(test)]
mod tests {
    use competitions::tournaments::TableNeed;

    use super::*;
    use crate::tournaments::samples::moments;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete_at_every_moment() {
        for tournament in moments().into_iter().filter(|it| !it.rounds.is_empty()) {
            samples::check(samples::STAFF, |page| {
                let view = TournamentView::of(&page, tournament.clone()).unwrap();
                let party = PartyInTheWay { table: samples::table("7번").id, table_name: "7번".to_owned(), size: 3 };
                let boxes = Some(BoxCount { bouts: 8, boxes: 5 });
                let unmet = UnmetNeed {
                    bout: BoutKey(engine::tournaments::BoutKey::main(1, 1)),
                    entrant: 4,
                    need: TableNeed::Area("홀".to_owned()),
                    place: "홀".to_owned(),
                };
                RoundPage {
                    parties: vec![party],
                    boxes,
                    unmet: vec![unmet],
                    ..RoundPage::of(&page, &view, view.rounds_now()[0]).unwrap()
                }
                .render()
            });
        }
    }

    #[test]
    fn a_swap_with_conflicts_is_asked_about_with_what_was_and_what_would_be() {
        let drafted = moments().into_iter().find(|it| it.draft().is_some()).unwrap();
        samples::check(samples::MANAGERS, |page| {
            let view = TournamentView::of(&page, drafted.clone()).unwrap();
            let round = view.rounds_now()[0];
            let form = SwapForm { one: 1, other: "2@main-1-1".to_owned(), revision: Some(1), force: None };
            let asked = AskedSwap::of(&page, &view, &form, form.swap().unwrap()).unwrap();
            assert!(!asked.before.is_empty() && asked.before.len() == asked.after.len());
            RoundPage { asked: Some(asked), ..RoundPage::of(&page, &view, round).unwrap() }.render()
        });
    }
}
