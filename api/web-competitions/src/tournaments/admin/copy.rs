//! Another tournament like this one, on another day.

use actix_web::{HttpResponse, post};
use jiff::ToSpan;
use serde::Deserialize;

use super::address;
use super::draft::{read_time, written_time};
use base::auth::can;
use base::error::{invalid_field, invalid_fields};
use competitions::tournaments::{self, CopyRequest, TournamentId, TournamentName, TournamentRow};
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CopyForm {
    name: String,
    #[serde(default)]
    starts_at: String,
    /// `on` for the same people.
    entrants: Option<String>,
}

#[post("/admin/tournaments/{id}/copy")]
pub async fn copy_tournament(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    Form(form): Form<CopyForm>,
) -> ApiResult<HttpResponse> {
    let copied = match form.request(&page) {
        Ok(request) => tournaments::copy(&mut cx, id, &request).await,
        Err(err) => Err(err),
    };
    let mut to = address(id);
    let flash = Flash::after(copied, |copy| {
        to = address(copy);
        Flash::good("tournament-copied", form.name.trim())
    })?;
    Ok(page.go_with(&to, flash))
}

impl CopyForm {
    fn request(&self, page: &Page) -> base::error::Result<CopyRequest> {
        let name = TournamentName::parse(&self.name).map_err(|err| invalid_fields(vec![err.at("/name")]))?;
        let starts_at = read_time(self.starts_at.trim(), page.time_zone());
        let starts_at = starts_at.map_err(|()| invalid_field("/starts_at", "invalid"))?;
        Ok(CopyRequest { name: Some(name), starts_at, entrants: Some(self.entrants.is_some()) })
    }
}

/// The next time that is as many weeks after it as it takes; blank if it has no time.
pub(super) fn again_at(page: &Page, row: &TournamentRow) -> String {
    let Some(starts) = row.starts_at else { return String::new() };
    let weeks = (page.now.duration_since(starts).as_hours() / (24 * 7)).max(0) + 1;
    let again = starts.to_zoned(page.time_zone().clone()).checked_add(weeks.weeks());
    again.map(|it| written_time(it.timestamp(), page.time_zone())).unwrap_or_default()
}
