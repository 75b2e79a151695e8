//! A series on one page: its tables, its events, and what staff do with them.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use super::{address, read};
use crate::series::view::{RulesWords, SeriesView};
use base::auth::can;
use base::ids::{SeriesId, TournamentId};
use competitions::series::{self, EventRequest, SeedingRequest, SeriesChange, SeriesStatus};
use competitions::tournaments::{Filter, TournamentRow, TournamentStatus, store};
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};
use web_base::public_url::base_url;

/// So many tournaments are offered to be added, the latest ones.
const OFFERED: i64 = 60;

#[derive(Template)]
#[template(path = "admin/series/show.html")]
struct SeriesPage<'a> {
    page: &'a Page,
    view: &'a SeriesView,
    /// Tournaments that can be added.
    others: Vec<TournamentRow>,
    guest_url: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventForm {
    tournament: TournamentId,
    /// The number of a division; blank for all.
    #[serde(default)]
    division: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RemoveForm {
    tournament: TournamentId,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatusForm {
    to: SeriesStatus,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeedForm {
    series: SeriesId,
}

#[get("/admin/series/{id}")]
pub async fn show_series(
    config: Data<Config>,
    request: HttpRequest,
    StaffPage { page, mut cx }: StaffPage<can::ViewTournaments>,
    Path(id): Path<SeriesId>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    let filter = Filter { with_drafts: true, ..Filter::default() };
    let mut others = store::list(cx.conn().await?, &filter, OFFERED).await?;
    let counts = |row: &TournamentRow| view.season.events.iter().any(|it| it.id == row.id);
    others.retain(|row| !row.sandbox && row.status != TournamentStatus::Cancelled && !counts(row));
    let guest_url = format!("{}{}", base_url(&config, &request), view.path());
    page.html(&SeriesPage { page: &page, view: &view, others, guest_url })
}

#[post("/admin/series/{id}/events")]
pub async fn add_event(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path(id): Path<SeriesId>,
    Form(form): Form<EventForm>,
) -> ApiResult<HttpResponse> {
    let request = EventRequest { division: form.division.parse().ok(), revision: None };
    let added = series::put_event(&mut cx, id, form.tournament, &request).await;
    let flash = Flash::after(added, |()| Flash::good("series-event-added", ""))?;
    Ok(page.go_with(&format!("{}#events", address(id)), flash))
}

#[post("/admin/series/{id}/events/remove")]
pub async fn remove_event(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path(id): Path<SeriesId>,
    Form(form): Form<RemoveForm>,
) -> ApiResult<HttpResponse> {
    let removed = series::remove_event(&mut cx, id, form.tournament).await;
    let flash = Flash::after(removed, |()| Flash::good("series-event-removed", ""))?;
    Ok(page.go_with(&format!("{}#events", address(id)), flash))
}

/// Shows it to everybody, hides it, ends the season or goes on with it.
#[post("/admin/series/{id}/status")]
pub async fn set_series_status(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<SeriesId>,
    Form(form): Form<StatusForm>,
) -> ApiResult<HttpResponse> {
    let change = SeriesChange { status: Some(form.to), ..SeriesChange::default() };
    let changed = series::change(&mut cx, id, &change).await;
    let flash = Flash::after(changed, |()| Flash::good("series-saved", ""))?;
    Ok(page.go_with(&address(id), flash))
}

#[post("/admin/series/{id}/delete")]
pub async fn delete_series(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<SeriesId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let mut to = address(id);
    let flash = Flash::after(series::delete(&mut cx, id).await, |()| {
        "/admin/series".clone_into(&mut to);
        Flash::good("series-deleted", "")
    })?;
    Ok(page.go_with(&to, flash))
}

/// A tournament gets its seeds from the table of a series.
#[post("/admin/tournaments/{id}/seeds/series")]
pub async fn seed_tournament(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    Form(form): Form<SeedForm>,
) -> ApiResult<HttpResponse> {
    let request = SeedingRequest { tournament_id: id, revision: None };
    let given = series::seed(&mut cx, form.series, &request).await;
    let flash = Flash::after(given, |()| Flash::good("seeds-given", ""))?;
    Ok(page.go_with(&format!("/admin/tournaments/{id}/entrants?seeding=1"), flash))
}

impl SeriesPage<'_> {
    fn is(&self, status: &SeriesStatus) -> bool {
        self.view.season.row.status == *status
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::samples::seasons;
    use crate::tournaments::samples::moments;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        let others: Vec<TournamentRow> = moments().into_iter().map(|it| it.row).take(2).collect();
        for season in seasons() {
            samples::check(samples::STAFF, |page| {
                let view = SeriesView::of(&page, season.clone()).unwrap();
                let guest_url = "https://example.org/series/BCD234".to_owned();
                SeriesPage { page: &page, view: &view, others: others.clone(), guest_url }.render()
            });
        }
    }
}
