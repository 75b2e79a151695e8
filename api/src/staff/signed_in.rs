//! `/admin/staff/sessions`: where everybody who works here is signed in.

use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use jiff::Timestamp;
use serde::Deserialize;

use super::Deed;
use crate::db::Db;
use crate::error::ApiResult;
use crate::extract::{Path, Player, Search};
use crate::ids::SessionId;
use crate::list::{List, start};
use crate::page::{Desk, Flash, Form, Page};
use crate::players::PlayerRow;
use crate::sessions::{self, SessionRow};
use crate::world::World;

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
}

/// Where somebody is signed in.
struct Place {
    id: SessionId,
    who: PlayerRow,
    device: String,
    since: Timestamp,
    seen: Timestamp,
    is_here: bool,
    /// Whoever looks may end it.
    may_end: bool,
}

#[get("/admin/staff/sessions")]
pub(crate) async fn show_sessions(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Search(search): Search<SessionsSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeSessions)?;
    let before = start(search.before.as_deref())?;
    let mut conn = db.conn().await?;
    let rows = sessions::store::list_of_staff(&mut conn, before, page.now, SESSIONS_A_PAGE + 1).await?;
    let List { items, next } = List::of(rows, SESSIONS_A_PAGE, |(session, _)| session.id.to_string());
    let places = items.into_iter().map(|row| Place::of(row, &page, &staff)).collect();
    let next = next.map(|before| format!("{PAGE}?before={before}"));
    let template = SessionsPage { page, places, next };
    template.page.html(&template)
}

#[post("/admin/staff/sessions/{id}/end")]
pub(crate) async fn end_session(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<SessionId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let row = super::end_session(&mut *db.conn().await?, &world, &staff, id).await?;
    Ok(page.go_with(PAGE, Flash::good("staff-session-ended", &row.display_name)))
}

impl Place {
    fn of((session, who): (SessionRow, PlayerRow), page: &Page, staff: &Player) -> Self {
        let is_here = session.id == staff.session;
        Self {
            id: session.id,
            device: sessions::device_name(&session, page.lang),
            since: session.created_at,
            seen: session.seen_at,
            is_here,
            may_end: !is_here && super::may_sign_out(staff, &who),
            who,
        }
    }
}
