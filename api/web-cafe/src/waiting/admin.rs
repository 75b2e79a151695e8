//! `/admin/waiting`: the list for staff, and the buttons that lead back to where they were pressed.

use std::collections::HashMap;

use actix_web::{HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use super::guest::JoinForm;
use crate::floor::waits::WaitingWords;
use base::auth::can;
use base::error::{Error, not_found};
use base::ids::TableId;
use cafe::waiting::outlook::{self, QueueEntry};
use cafe::waiting::{self, Answer, WaitingId, WaitingRow, store};
use play::sittings::{Held, PartyAt};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{BackForm, Flash, Form, Page, StaffPage};

const LIST: &str = "/admin/waiting";

#[derive(Template)]
#[template(path = "admin/waiting/list.html", blocks = ["live"])]
struct WaitingListPage<'a> {
    page: &'a Page,
    parties: Vec<QueueEntry>,
    tried: JoinForm,
    /// What is wrong, by the pointer of the field.
    wrong: HashMap<String, String>,
    /// Why nobody was put down.
    refused: Option<String>,
}

#[derive(Template)]
#[template(path = "admin/waiting/show.html")]
struct PartyPage {
    page: Page,
    row: WaitingRow,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatForm {
    table: TableId,
}

#[get("/admin/waiting")]
pub async fn show_waiting(StaffPage { page, mut cx }: StaffPage<can::RunFloor>) -> ApiResult<HttpResponse> {
    let parties = outlook::list(cx.conn().await?, page.now).await?;
    let template = WaitingListPage::of(&page, parties);
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

/// A party of the list, with the code of its own page for the guests to scan.
#[get("/admin/waiting/{id}")]
pub async fn show_party(
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<WaitingId>,
) -> ApiResult<HttpResponse> {
    let row = store::find(cx.conn().await?, id).await?.ok_or_else(|| not_found("waiting_not_found"))?;
    let template = PartyPage { page, row };
    template.page.html(&template)
}

#[post("/admin/waiting")]
pub async fn add_party(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Form(form): Form<JoinForm>,
) -> ApiResult<HttpResponse> {
    let added = match form.read() {
        Ok(request) => waiting::add(&mut cx, &request).await,
        Err(err) => Err(err),
    };
    let problem = match added {
        Ok(row) => {
            let name = row.name.unwrap_or_default();
            return Ok(page.go_with(&format!("{LIST}/{}", row.id), Flash::good("waiting-added", &name)));
        }
        Err(err @ Error::Refused(_)) => ApiError::from(err).problem(page.lang),
        Err(err) => return Err(err.into()),
    };
    let parties = outlook::list(cx.conn().await?, page.now).await?;
    let status = problem.status_code();
    let refused = problem.errors.is_empty().then_some(problem.detail);
    let wrong = problem.errors.into_iter().map(|it| (it.pointer, it.detail)).collect();
    page.html_as(status, &WaitingListPage { tried: form, wrong, refused, ..WaitingListPage::of(&page, parties) })
}

#[post("/admin/waiting/{id}/call")]
pub async fn call_party(
    _: Budget<Writes>,
    staff: StaffPage<can::RunFloor>,
    id: Path<WaitingId>,
    Form(form): Form<BackForm>,
) -> ApiResult<HttpResponse> {
    answer(staff, id, (Answer::Call, "waiting-called"), form).await
}

#[post("/admin/waiting/{id}/no-show")]
pub async fn mark_no_show(
    _: Budget<Writes>,
    staff: StaffPage<can::RunFloor>,
    id: Path<WaitingId>,
    Form(form): Form<BackForm>,
) -> ApiResult<HttpResponse> {
    answer(staff, id, (Answer::NoShow, "waiting-no-show"), form).await
}

#[post("/admin/waiting/{id}/gone")]
pub async fn mark_gone(
    _: Budget<Writes>,
    staff: StaffPage<can::RunFloor>,
    id: Path<WaitingId>,
    Form(form): Form<BackForm>,
) -> ApiResult<HttpResponse> {
    answer(staff, id, (Answer::Gone, "waiting-gone"), form).await
}

/// Seats the party at this table, whose sheet is shown then.
#[post("/admin/waiting/{id}/seat")]
pub async fn seat_party(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<WaitingId>,
    Form(form): Form<SeatForm>,
) -> ApiResult<HttpResponse> {
    let seated = waiting::seat(&mut cx, id, form.table, Held::Kept).await;
    let told = |(party, undo): (PartyAt, _)| Flash::good("sitting-open", &party.table.name).undoable(undo);
    Ok(page.go_with(&format!("/admin?table={}", form.table), Flash::after(seated, told)?))
}

async fn answer(
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<WaitingId>,
    (answer, key): (Answer, &str),
    form: BackForm,
) -> ApiResult<HttpResponse> {
    let answered = waiting::answer(&mut cx, id, answer).await;
    let flash =
        Flash::after(answered, |(row, undo)| Flash::good(key, row.name.as_deref().unwrap_or_default()).undoable(undo))?;
    Ok(page.go_with(form.path(), flash))
}

impl<'a> WaitingListPage<'a> {
    fn of(page: &'a Page, parties: Vec<QueueEntry>) -> Self {
        let (tried, wrong, refused) = Default::default();
        Self { page, parties, tried, wrong, refused }
    }

    fn wrong(&self, pointer: &str) -> Option<&String> {
        self.wrong.get(pointer)
    }
}

#[cfg(test)]
mod tests {
    use cafe::waiting::WaitingStatus;

    use super::*;
    use crate::floor::samples::waiting_party;
    use web_base::page::samples;

    #[test]
    fn the_list_is_complete_with_and_without_parties() {
        for parties in [[WaitingStatus::Waiting, WaitingStatus::Called].map(waiting_party).to_vec(), Vec::new()] {
            samples::check(samples::STAFF, |page| {
                let wrong = [("/name".to_owned(), page.t("field-empty"))].into();
                let refused = Some(page.t("error-waiting_list_full"));
                WaitingListPage { wrong, refused, ..WaitingListPage::of(&page, parties.clone()) }.render()
            });
        }
    }

    #[test]
    fn the_page_of_a_party_is_complete() {
        for status in WaitingStatus::ALL {
            samples::check(samples::STAFF, |page| PartyPage { page, row: waiting_party(*status).row }.render());
        }
    }
}
