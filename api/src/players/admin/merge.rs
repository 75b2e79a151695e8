//! `/admin/players/{id}/merge`: choosing the player that a guest is, seeing what would follow, and doing it.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use super::show::address;
use crate::db::Db;
use crate::error::{ApiError, ApiResult};
use crate::extract::{Path, Search};
use crate::ids::PlayerId;
use crate::live::Live;
use crate::page::{Desk, Flash, Form, Page};
use crate::players::{self, MergePlan, PlayerRow, Sought};
use crate::staff::Deed;
use crate::world::World;

const FOUND: i64 = 10;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MergeSearch {
    q: Option<String>,
    into: Option<PlayerId>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MergeForm {
    into: PlayerId,
}

#[derive(Template)]
#[template(path = "admin/players/merge.html")]
struct MergePage {
    page: Page,
    guest: PlayerRow,
    q: String,
    /// Who was looked for.
    found: Option<Vec<PlayerRow>>,
    /// What would follow, once somebody is chosen.
    plan: Option<MergePlan>,
    /// Or why it cannot be.
    wrong: Option<String>,
}

#[get("/admin/players/{id}/merge")]
pub(crate) async fn choose_merge(
    (db, world): (Data<Db>, Data<World>),
    Desk { page, staff }: Desk,
    Path(id): Path<PlayerId>,
    Search(search): Search<MergeSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepPlayers)?;
    let mut conn = db.conn().await?;
    let guest = players::find(&mut conn, id).await?;
    let text = search.q.as_deref().filter(|text| !text.trim().is_empty());
    let found = match text {
        Some(_) => {
            let sought = Sought { text, ..Sought::default() };
            let found = players::search(&mut conn, &sought, FOUND).await?;
            Some(found.into_iter().filter(|it| it.id != id).collect())
        }
        None => None,
    };
    let planned = match search.into {
        Some(into) => Some(players::plan_merge(&mut conn, &world, id, into).await),
        None => None,
    };
    let (status, plan, wrong) = match planned {
        None => (StatusCode::OK, None, None),
        Some(Ok(plan)) => (StatusCode::OK, Some(plan), None),
        Some(Err(err @ ApiError::Refused(_))) => {
            let problem = err.problem(page.lang);
            (StatusCode::CONFLICT, None, Some(problem.detail))
        }
        Some(Err(err)) => return Err(err),
    };
    let template = MergePage { q: search.q.unwrap_or_default(), guest, found, plan, wrong, page };
    template.page.html_as(status, &template)
}

#[post("/admin/players/{id}/merge")]
pub(crate) async fn merge_player(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Desk { page, staff }: Desk,
    Path(id): Path<PlayerId>,
    Form(form): Form<MergeForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepPlayers)?;
    players::merge(&mut *db.conn().await?, &world, &live, &staff, (id, form.into)).await?;
    Ok(page.go_with(&address(form.into), Flash::good("player-merged", "")))
}
