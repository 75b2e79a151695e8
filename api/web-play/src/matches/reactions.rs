//! `/api/v1/reactions`, and `/api/v1/matches/{id}/reactions` to send one: those who listen to the match's stream hear it.

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, get, post};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use base::db::Db;
use base::list::List;
use base::live::Live;
use base::settings::Cafe;
use base::text::Lang;
use base::world::World;
use play::matches::{MatchId, Reaction, reactions};
use web_base::error::ApiResult;
use web_base::extract::{Body, Path, Player, Search};
use web_base::lang::lang_of;
use web_base::limits::{Budget, Reactions};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PhraseQuery {
    /// The language, if not the caller's.
    lang: Option<Lang>,
}

/// A reaction, and what it says.
#[derive(Serialize, ToSchema)]
#[schema(as = ReactionPhrase)]
pub(crate) struct PhraseAnswer {
    reaction: Reaction,
    /// In one language, with a picture in front of it.
    #[schema(example = "👏 잘했어요!")]
    text: String,
}

/// What people at a match may say to each other.
#[utoipa::path(
    tag = "matches",
    params(PhraseQuery),
    responses((status = 200, body = List<PhraseAnswer>)),
    security(())
)]
#[get("/reactions")]
pub async fn list_reactions(
    request: HttpRequest,
    Search(query): Search<PhraseQuery>,
) -> ApiResult<Json<List<PhraseAnswer>>> {
    let lang = query.lang.unwrap_or_else(|| lang_of(&request));
    let phrase = |reaction: &Reaction| PhraseAnswer { reaction: *reaction, text: lang.text(&reaction.key()) };
    Ok(Json(List { items: Reaction::ALL.iter().map(phrase).collect(), next: None }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReactionRequest {
    reaction: Reaction,
}

/// Sends a reaction to all who see the match as it is. They hear it through their streams now or never: it is in no log. For people
/// with a seat, until ten minutes after the end.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path)),
    request_body = ReactionRequest,
    responses((status = 204, description = "It is on its way"))
)]
#[post("/matches/{id}/reactions")]
pub async fn send_reaction(
    _: Budget<Reactions>,
    db: Data<Db>,
    world: Data<World>,
    (live, cafe): (Data<Live>, Data<Cafe>),
    Player(player): Player,
    Path(id): Path<MatchId>,
    Body(ReactionRequest { reaction }): Body<ReactionRequest>,
) -> ApiResult<HttpResponse> {
    let sent = reactions::Sent { player: player.id, id, reaction };
    play::matches::react(&mut *db.conn().await?, &world, &live, &cafe, sent).await?;
    Ok(HttpResponse::NoContent().finish())
}
