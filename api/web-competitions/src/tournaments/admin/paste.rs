//! Many entrants at once: pasted, looked at, and let in.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use super::{address, read};
use crate::tournaments::view::TournamentView;
use base::auth::{Permission, can};
use competitions::tournaments::{self, Found, Listed, TournamentId, TournamentStatus};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

#[derive(Template)]
#[template(path = "admin/tournaments/paste.html")]
struct PastePage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    names: String,
    /// What will become of each line, once they were sent.
    listed: Vec<Listed>,
    wrong: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PasteForm {
    names: String,
    /// `yes` once what will happen was seen.
    agreed: Option<String>,
}

#[get("/admin/tournaments/{id}/paste")]
pub async fn show_paste(
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path(id): Path<TournamentId>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    page.html(&PastePage { page: &page, view: &view, names: String::new(), listed: Vec::new(), wrong: None })
}

/// What is sent first is shown with what will become of it.
#[post("/admin/tournaments/{id}/paste")]
pub async fn paste_entrants(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path(id): Path<TournamentId>,
    Form(form): Form<PasteForm>,
) -> ApiResult<HttpResponse> {
    if form.agreed.as_deref() == Some("yes") {
        let added = tournaments::add_listed(&mut cx, id, &form.names, None).await;
        let flash = Flash::after(added, |numbers| Flash::good("entrants-added", &numbers.len().to_string()))?;
        return Ok(page.go_with(&format!("{}/entrants", address(id)), flash));
    }
    let view = read(&mut cx, &page, id).await?;
    let (listed, wrong) = match tournaments::preview(&view, &form.names) {
        Ok(listed) => (listed, None),
        Err(err) => (Vec::new(), Some(ApiError::from(err).problem(page.lang).sentence())),
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    page.html_as(status, &PastePage { page: &page, view: &view, names: form.names, listed, wrong })
}

impl PastePage<'_> {
    /// Each line with what will become of it, and whether that is good.
    fn lines(&self) -> Vec<(&str, String, bool)> {
        let line = |it: &Listed| match &it.found {
            Found::New { team, rating, .. } => {
                let enters = match team {
                    Some(team) => self.page.say("paste-new-in-team").with("team", team.0.as_str()).to_string(),
                    None => self.page.t("paste-new"),
                };
                let rated = rating.filter(|_| self.takes_ratings());
                let rating = rated.map(|it| format!(" · {}", self.page.say("rating-short").with("rating", it)));
                (enters + &rating.unwrap_or_default(), true)
            }
            Found::Entered => (self.page.t("paste-entered"), false),
            Found::Twice => (self.page.t("paste-twice"), false),
            Found::Invalid(wrong) => {
                let said = self.page.say("paste-invalid").with("line", it.line);
                (said.with("why", wrong.detail(self.page.lang)).to_string(), false)
            }
        };
        self.listed
            .iter()
            .map(|it| {
                let (said, good) = line(it);
                (it.typed.as_str(), said, good)
            })
            .collect()
    }

    /// Whether ratings of a list are written down: before the start, by those who may.
    fn takes_ratings(&self) -> bool {
        let has_begun = self.view.row.status == TournamentStatus::Running;
        !has_begun && self.page.may(&Permission::ManageTournaments)
    }

    fn good(&self) -> usize {
        self.listed.iter().filter(|it| matches!(it.found, Found::New { .. })).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournaments::samples::moments;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete_before_and_after_names_were_sent() {
        let open = moments().remove(1);
        let report = format!("001    1      {:<33} 1850\n001    x      {:<33}", "Kim, Mina", "Ana");
        for names in ["", "민아\n준\n준\n\u{1}", &report] {
            samples::check(samples::STAFF, |page| {
                let view = TournamentView::of(&page, open.clone()).unwrap();
                let listed = tournaments::preview(&view, names).unwrap();
                let wrong = Some(page.t("field-empty"));
                PastePage { page: &page, view: &view, names: names.to_owned(), listed, wrong }.render()
            });
        }
    }
}
