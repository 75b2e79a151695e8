//! A tournament on one page: what to do next, what is played now, the bracket and the standings, live.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use super::copy::again_at;
use super::log::WayBack;
use super::steps::{About, Step, Word};
use super::{address, read};
use crate::tournaments::embed;
use crate::tournaments::export::viewer;
use crate::tournaments::view::TournamentWords;
use crate::tournaments::view::{Stage, TournamentView};
use base::auth::can;
use base::error::invalid_field;
use base::inputs::tidy_text;
use competitions::tournaments::{self, RoundKey, TournamentId, TournamentStatus};
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage, live_part};
use web_base::public_url::base_url;
use web_base::qr::qr_svg;

const REASON_MOST: usize = 200;

#[derive(Template)]
#[template(path = "admin/tournaments/show.html")]
struct TournamentPage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    step: Option<Step>,
    back: Option<WayBack>,
    guest_url: String,
    /// The code of the guests' page.
    qr: String,
    /// When a copy of it could begin, as its field says it.
    again_at: String,
    /// What shows it on another site.
    snippet: String,
    /// Whether any site may.
    may_be_embedded: bool,
}

live_part!(TournamentPageLive of TournamentPage, "admin/tournaments/show-live.html");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepForm {
    step: Word,
    /// Which one, as in `1-3`: its stage and its number.
    round: Option<String>,
    reason: Option<String>,
}

#[get("/admin/tournaments/{id}")]
pub async fn show_tournament(
    config: Data<Config>,
    request: HttpRequest,
    StaffPage { page, mut cx }: StaffPage<can::ViewTournaments>,
    Path(id): Path<TournamentId>,
) -> ApiResult<HttpResponse> {
    let mut view = read(&mut cx, &page, id).await?;
    view.find_series(cx.conn().await?, true).await?;
    let step = Step::of(&page, &view)?;
    let base = base_url(&config, &request);
    let guest_url = format!("{base}{}", view.entry_path());
    let (snippet, may_be_embedded) = (embed::snippet(&base, &view), !config.embedding_origins.is_empty());
    let qr = qr_svg(&guest_url)?;
    let back = WayBack::find(&mut cx, &page, &view).await?;
    let again_at = again_at(&page, &view.row);
    let template =
        TournamentPage { page: &page, view: &view, step, back, guest_url, qr, again_at, snippet, may_be_embedded };
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

#[post("/admin/tournaments/{id}/steps")]
pub async fn take_step(
    _: Budget<Writes>,
    StaffPage { page, cx }: StaffPage<can::ViewTournaments>,
    Path(id): Path<TournamentId>,
    Form(form): Form<StepForm>,
) -> ApiResult<HttpResponse> {
    let taken = match form.about(id) {
        // A missing permission is refused on a page of its own, as everywhere else.
        Ok(about) => form.step.take(cx, &about).await?,
        Err(err) => Err(err),
    };
    let mut to = address(id);
    let flash = Flash::after(taken, |path| {
        to = path;
        Flash::good(form.step.flash(), "")
    })?;
    Ok(page.go_with(&to, flash))
}

/// The plan becomes one by which those who are there can begin.
#[post("/admin/tournaments/{id}/fit")]
pub async fn fit_tournament(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let fitted = tournaments::make_fit(&mut cx, id).await;
    Ok(page.go_with(&page.path, Flash::after(fitted, |()| Flash::good("tournament-fitted", ""))?))
}

impl TournamentPage<'_> {
    /// What can be taken home: the key of what it is, the stage where there are several, and the address.
    fn files(&self) -> Vec<(&'static str, Option<&str>, String)> {
        let row = &self.view.row;
        let base = format!("/api/v1/tournaments/{}", row.id);
        let mut files = vec![("export-json", None, format!("{base}/export"))];
        let has_begun = !self.view.stages.is_empty();
        if has_begun && self.view.stages.iter().all(|it| self.is_duel(it)) {
            files.push(("export-open-bracket", None, format!("{base}/open-bracket")));
        }
        for stage in &self.view.stages {
            let title = (row.stages.len() > 1).then_some(stage.title.as_str());
            let mut add = |key, file: &str| files.push((key, title, format!("{base}/stages/{}/{file}", stage.number)));
            add("export-standings", "standings.csv");
            add("export-pairings", "pairings.csv");
            if self.view.has_trf(stage.number) {
                add("export-trf26", "report.trf?edition=trf26");
                add("export-trf16", "report.trf?edition=trf16");
            }
            if self.view.plan_of(stage.number).is_ok_and(|plan| viewer::can_draw(&plan.format)) {
                add("export-brackets-viewer", "brackets-viewer");
            }
        }
        files
    }

    fn is_duel(&self, stage: &Stage) -> bool {
        self.view.plan_of(stage.number).is_ok_and(|plan| plan.format.is_duel())
    }
}

impl StepForm {
    fn about(&self, id: TournamentId) -> ApiResult<About> {
        let round = self.round.as_deref().map(|text| {
            let (stage, round) = text.split_once('-')?;
            Some(RoundKey { tournament: id, stage: stage.parse().ok()?, round: round.parse().ok()? })
        });
        let round = match round {
            None => None,
            Some(round) => Some(round.ok_or_else(|| invalid_field("/round", "invalid"))?),
        };
        let reason = self.reason.as_deref().map(str::trim).filter(|it| !it.is_empty());
        let reason = reason.map(|it| tidy_text(it, REASON_MOST)).transpose();
        let reason = reason.map_err(|err| base::error::invalid_fields(vec![err.at("/reason")]))?;
        Ok(About { tournament: id, round, reason })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournaments::samples::moments;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete_at_every_moment() {
        let guest_url = "https://example.org/tournaments/XYZ234".to_owned();
        for tournament in moments() {
            samples::check(samples::STAFF, |page| {
                let mut view = TournamentView::of(&page, tournament.clone()).unwrap();
                view.series = vec![("가을 시즌".to_owned(), "/admin/series/1".to_owned())];
                let step = Step::of(&page, &view).unwrap();
                let (guest_url, qr) = (guest_url.clone(), qr_svg(&guest_url).unwrap());
                let back = Some(WayBack { step: 3, action: page.t("action-tournament-pair") });
                let again_at = again_at(&page, &view.row);
                let (snippet, may_be_embedded) = (embed::snippet("https://example.org", &view), view.row.stage > 1);
                TournamentPage {
                    page: &page,
                    view: &view,
                    step,
                    back,
                    guest_url,
                    qr,
                    again_at,
                    snippet,
                    may_be_embedded,
                }
                .render()
            });
        }
    }
}
