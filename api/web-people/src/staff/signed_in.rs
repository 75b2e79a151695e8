//! `/admin/staff/sessions`: where everybody who works here is signed in.

use actix_web::{HttpResponse, get, post};
use askama::Template;
use jiff::Timestamp;
use serde::Deserialize;

use base::audit::{self, store::LineRow};
use base::auth::{Identity, Permission, StaffContext, can};
use base::ids::SessionId;
use base::list::{List, start};
use play::players::PlayerRow;
use play::sessions::{self, SessionRow, sign_in_log};
use web_base::error::ApiResult;
use web_base::extract::{Path, Search};
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage, action_key};

const PAGE: &str = "/admin/staff/sessions";
const SESSIONS_A_PAGE: i64 = 50;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SessionsSearch {
    /// Those opened before this one.
    before: Option<String>,
}

#[derive(Template)]
#[template(path = "admin/staff/sessions.html")]
struct SessionsPage {
    page: Page,
    places: Vec<Place>,
    next: Option<String>,
    /// For owners: what failed or was refused within a day.
    failures: Option<Vec<Failure>>,
}

/// Something that failed or was refused.
struct Failure {
    at: Timestamp,
    action: String,
    /// Whose account it was, if that is one of staff.
    name: Option<String>,
    times: i64,
}

/// Where somebody is signed in.
struct Place {
    id: SessionId,
    who: PlayerRow,
    device: String,
    since: Timestamp,
    seen: Timestamp,
    is_here: bool,
    /// Whether the reader may end it.
    may_end: bool,
}

#[get("/admin/staff/sessions")]
pub async fn show_sessions(
    StaffPage { page, mut cx }: StaffPage<can::ViewSessions>,
    Search(search): Search<SessionsSearch>,
) -> ApiResult<HttpResponse> {
    let before = start(search.before.as_deref())?;
    let rows = sessions::store::list_of_staff(cx.conn().await?, before, page.now, SESSIONS_A_PAGE + 1).await?;
    let List { items, next } = List::of(rows, SESSIONS_A_PAGE, |(session, _)| session.id.to_string());
    let places = items.into_iter().map(|(session, who)| Place::of(session, who, &page, &cx.staff)).collect();
    let next = next.map(|before| format!("{PAGE}?before={before}"));
    let failures =
        if page.may(&Permission::AppointManagers) { Some(Failure::list(&mut cx, &page).await?) } else { None };
    let template = SessionsPage { page, places, next, failures };
    template.page.html(&template)
}

#[post("/admin/staff/sessions/{id}/end")]
pub async fn end_session(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageStaff>,
    Path(id): Path<SessionId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let row = play::staff::end_session(&mut cx, id).await?;
    Ok(page.go_with(PAGE, Flash::good("staff-session-ended", &row.display_name)))
}

impl Failure {
    async fn list(cx: &mut StaffContext<'_, can::ViewSessions>, page: &Page) -> ApiResult<Vec<Self>> {
        let conn = cx.conn().await?;
        let rows = sign_in_log::list_failures(conn, page.now).await?;
        let names = audit::store::names(conn, &rows).await.map_err(base::error::Error::from)?;
        let failure = |row: LineRow| Self {
            at: row.at,
            action: action_key(&row.action),
            name: row.subject_id.and_then(|id| names.get(&id).cloned()),
            times: row.details["times"].as_i64().unwrap_or(1),
        };
        Ok(rows.into_iter().map(failure).collect())
    }
}

impl Place {
    fn of(session: SessionRow, who: PlayerRow, page: &Page, staff: &Identity) -> Self {
        let is_here = session.id == staff.session;
        Self {
            id: session.id,
            device: sessions::device_name(&session, page.lang),
            since: session.created_at,
            seen: session.seen_at,
            is_here,
            may_end: !is_here && play::staff::may_sign_out(staff, &who),
            who,
        }
    }
}

#[cfg(test)]
mod tests {
    use base::auth::Role;
    use uuid::Uuid;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::MANAGERS, |page| {
            let place = |is_here| Place {
                id: SessionId(Uuid::from_u128(u128::from(is_here))),
                who: samples::player("준", Role::Staff),
                device: "Firefox".to_owned(),
                since: Timestamp::UNIX_EPOCH,
                seen: Timestamp::UNIX_EPOCH,
                is_here,
                may_end: true,
            };
            let failure = |name| Failure { at: page.now, action: action_key("door.refused"), name, times: 2 };
            let failures = Some(vec![failure(None), failure(Some("준".to_owned()))]);
            let places = vec![place(true), place(false)];
            SessionsPage { failures, page, places, next: Some("/".to_owned()) }.render()
        });
    }
}
