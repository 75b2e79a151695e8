//! `/admin/matches/{id}/bots`: where bots sit, and for whom they play on.

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Deserialize;

use base::auth::{Actor, can};
use play::matches::{self, Autopilot, BotLevel, MatchId};
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, StaffPage};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BotForm {
    pub bot: BotLevel,
    /// The lowest free one if left out.
    pub seat: Option<i64>,
}

#[post("/admin/matches/{id}/bots")]
pub async fn seat_bot(
    _: Budget<Writes>,
    autopilot: Data<Autopilot>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path(id): Path<MatchId>,
    Form(BotForm { bot, seat }): Form<BotForm>,
) -> ApiResult<HttpResponse> {
    let (conn, Actor { world, live, staff }) = cx.parts().await?;
    let seated = matches::seat_bot(conn, (world, live), &autopilot, staff, id, seat, bot).await;
    let flash = Flash::after(seated, |_| Flash::good("bot-seated", ""))?;
    Ok(page.go_with(&format!("/admin/matches/{id}"), flash))
}

#[post("/admin/matches/{id}/bots/{seat}/remove")]
pub async fn remove_bot(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Path((id, seat)): Path<(MatchId, i64)>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let (conn, Actor { world, live, staff }) = cx.parts().await?;
    let removed = matches::remove_bot(conn, world, live, staff, id, seat).await;
    Ok(page.go_with(&format!("/admin/matches/{id}"), Flash::after(removed, |()| Flash::good("bot-removed", ""))?))
}
