//! `/m/{code}/reactions`: what people at a match say to each other. `live` tells it to their pages.

use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use serde::Deserialize;

use super::visit::Visit;
use base::live::Live;
use base::settings::Cafe;
use base::world::World;
use play::matches::{Reaction, react, reactions};
use web_base::error::{ApiError, ApiResult};
use web_base::limits::{Budget, Reactions};
use web_base::page::Form;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReactionForm {
    reaction: Reaction,
}

/// Comes back to the page, but for a script, which has not left it.
#[post("/m/{code}/reactions")]
pub async fn send_reaction(
    _: Budget<Reactions>,
    visit: Visit,
    world: Data<World>,
    (live, cafe): (Data<Live>, Data<Cafe>),
    Form(ReactionForm { reaction }): Form<ReactionForm>,
) -> ApiResult<HttpResponse> {
    let mut act = visit.open().await?;
    let sent = async {
        let sent = reactions::Sent { player: act.player()?.id, id: act.id, reaction };
        Ok::<_, ApiError>(react(&mut act.conn, &world, &live, &cafe, sent).await?)
    };
    match sent.await {
        Ok(()) if act.page.fragment => Ok(HttpResponse::NoContent().finish()),
        sent => act.back(sent).await,
    }
}
