//! `/api/v1/games/…`

use actix_web::web::Json;
use actix_web::{HttpRequest, get};
use engine::{Kind, catalogue};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use base::error::{internal, not_found};
use base::games::shapes::{GameOptions, JsonSchema};
use base::list::List;
use base::text::Lang;
use play::matches::BotLevel;
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::lang::lang_of;

/// A game on offer.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Game {
    #[schema(example = "perudo")]
    id: &'static str,
    /// In the caller's language.
    name: String,
    tagline: Option<String>,
    /// How many may play.
    seats: Span,
    /// How long it usually takes.
    minutes: Span,
    /// Of the rules as this server plays them.
    revision: u32,
    /// The rule switches as they are if nothing is chosen.
    #[schema(value_type = GameOptions)]
    default_options: Value,
    /// The JSON Schema of the rule switches.
    #[schema(value_type = JsonSchema)]
    options_schema: Value,
    /// How strong its bots may be.
    bots: Vec<BotLevel>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GameSpan)]
pub(crate) struct Span {
    min: u16,
    max: u16,
}

/// A game, and the shapes of all that is said in a match of it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GameDetails {
    #[serde(flatten)]
    game: Game,
    /// The JSON Schema of its moves.
    #[schema(value_type = JsonSchema)]
    move_schema: Value,
    /// The JSON Schema of its events.
    #[schema(value_type = JsonSchema)]
    event_schema: Value,
    /// The JSON Schema of its views.
    #[schema(value_type = JsonSchema)]
    view_schema: Value,
    /// Why a move may be refused: the codes, in the order in which they are checked.
    refusals: Vec<&'static str>,
    phases: &'static [&'static str],
}

/// The games on offer.
#[utoipa::path(tag = "games", responses((status = 200, body = List<Game>)), security(()))]
#[get("/games")]
pub async fn list_games(request: HttpRequest) -> ApiResult<Json<List<Game>>> {
    let lang = lang_of(&request);
    let items = catalogue::GAMES.iter().map(|kind| game(*kind, lang)).collect::<ApiResult<_>>()?;
    Ok(Json(List { items, next: None }))
}

/// One game, with the JSON Schemas of its moves, events and views.
#[utoipa::path(
    tag = "games",
    params(("game" = String, Path, example = "perudo")),
    responses((status = 200, body = GameDetails)),
    security(())
)]
#[get("/games/{game}")]
pub async fn find_game(request: HttpRequest, Path(id): Path<String>) -> ApiResult<Json<GameDetails>> {
    let kind = catalogue::find(&id).ok_or_else(|| not_found("unknown_game"))?;
    let (info, schemas) = (kind.info(), kind.schemas());
    Ok(Json(GameDetails {
        game: game(kind, lang_of(&request))?,
        move_schema: schemas.moves.into(),
        event_schema: schemas.event.into(),
        view_schema: schemas.view.into(),
        refusals: engine::Refusal::COMMON
            .iter()
            .map(|refusal| refusal.0)
            .chain(info.refusals.iter().copied())
            .collect(),
        phases: info.phases,
    }))
}

fn game(kind: &dyn Kind, lang: Lang) -> ApiResult<Game> {
    let info = kind.info();
    let say = |what: &str| lang.find_with(&format!("{}-{what}", info.id), &[]);
    Ok(Game {
        id: info.id,
        name: say("name").unwrap_or_else(|| info.id.to_owned()),
        tagline: say("tagline"),
        seats: Span { min: (*info.seats.start()).into(), max: (*info.seats.end()).into() },
        minutes: Span { min: *info.minutes.start(), max: *info.minutes.end() },
        revision: info.revision,
        default_options: kind.normalize_options(&Value::Object(Map::new()), *info.seats.start()).map_err(internal)?,
        options_schema: kind.options_schema().into(),
        bots: BotLevel::of_game(info.id),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_defaults() {
        for kind in catalogue::GAMES {
            let game = game(*kind, Lang::En).unwrap();
            assert!(game.default_options.is_object(), "{}", game.id);
            assert!(game.seats.min <= game.seats.max);
        }
    }
}
