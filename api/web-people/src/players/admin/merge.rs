//! `/admin/players/{id}/merge`: choosing the player that a guest is, seeing what would follow, and doing it.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use super::show::address;
use base::auth::can;
use base::error::Error;
use base::ids::PlayerId;
use cafe::accounts::{self, Merge, MergePlan};
use play::players::{self, PlayerRow, Sought};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::{Path, Search};
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

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
pub async fn choose_merge(
    StaffPage { page, mut cx }: StaffPage<can::ManagePlayers>,
    Path(id): Path<PlayerId>,
    Search(search): Search<MergeSearch>,
) -> ApiResult<HttpResponse> {
    let guest = players::find(cx.conn().await?, id).await?;
    let text = search.q.as_deref().filter(|text| !text.trim().is_empty());
    let found = match text {
        Some(_) => {
            let sought = Sought { text, ..Sought::default() };
            let found = players::search(cx.conn().await?, &sought, FOUND).await?;
            Some(found.into_iter().filter(|it| it.id != id).collect())
        }
        None => None,
    };
    let planned = match search.into {
        Some(player) => Some(accounts::plan_merge(&mut cx, Merge { guest: id, player }).await),
        None => None,
    };
    let (status, plan, wrong) = match planned {
        None => (StatusCode::OK, None, None),
        Some(Ok(plan)) => (StatusCode::OK, Some(plan), None),
        Some(Err(err @ Error::Refused(_))) => {
            let problem = ApiError::from(err).problem(page.lang);
            (StatusCode::CONFLICT, None, Some(problem.detail))
        }
        Some(Err(err)) => return Err(err.into()),
    };
    let template = MergePage { q: search.q.unwrap_or_default(), guest, found, plan, wrong, page };
    template.page.html_as(status, &template)
}

#[post("/admin/players/{id}/merge")]
pub async fn merge_player(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManagePlayers>,
    Path(id): Path<PlayerId>,
    Form(form): Form<MergeForm>,
) -> ApiResult<HttpResponse> {
    accounts::merge(&mut cx, Merge { guest: id, player: form.into }).await?;
    Ok(page.go_with(&address(form.into), Flash::good("player-merged", "")))
}

#[cfg(test)]
mod tests {
    use base::auth::Role;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn each_step_is_complete() {
        let guest = || PlayerRow { registered_at: None, email: None, ..samples::player("하늘", Role::Player) };
        let plan = || MergePlan {
            guest: guest(),
            player: samples::player("하늘", Role::Player),
            over: 12,
            open: 1,
            sessions: 2,
        };
        let founds = [None, Some(Vec::new()), Some(vec![samples::player("하늘", Role::Player), guest()])];
        for found in founds {
            samples::check(samples::STAFF, |page| {
                let wrong = Some(page.t("error-not_found"));
                MergePage { page, guest: guest(), q: "하".to_owned(), found: found.clone(), plan: None, wrong }.render()
            });
        }
        samples::check(samples::STAFF, |page| {
            MergePage { page, guest: guest(), q: String::new(), found: None, plan: Some(plan()), wrong: None }.render()
        });
    }
}
