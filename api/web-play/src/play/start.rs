//! `/t/{code}/play`: what a party can play, what fits it best first, and the match that one of them starts.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use engine::{Kind, catalogue};
use serde::Deserialize;

use crate::variants::admin::basic;
use base::db::Db;
use base::error::{invalid_fields, not_found};
use base::games::OTHER;
use base::ids::VariantId;
use base::live::Live;
use base::world::World;
use play::matches::{self, MatchName, Mode, NewMatchRequest};
use play::tables::TableRow;
use play::variants::difference::sentence;
use play::variants::{self, VariantRow, store as variant_store};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::{Path, Player, Search, Visitor};
use web_base::limits::{Budget, Creations};
use web_base::page::{Flash, Form, Page};
use web_cafe::sittings::TableState;
use web_cafe::sittings::guest::find_table;

/// So many house rules of a game are offered.
const VARIANTS: i64 = 60;
/// How long a seat may think, in seconds, besides for as long as it likes.
const CLOCKS: [i32; 3] = [30, 60, 180];

#[derive(Template)]
#[template(path = "guest/play.html")]
struct GamesPage {
    page: Page,
    table: TableRow,
    party: i16,
    games: Vec<Offer>,
}

#[derive(Template)]
#[template(path = "guest/start.html")]
struct StartPage {
    page: Page,
    table: TableRow,
    offer: Offer,
    rules: Vec<HouseRules>,
    seats: Vec<u8>,
    chosen: Chosen,
    /// Why the match was not made.
    wrong: Option<String>,
}

/// A game that a party may play.
struct Offer {
    id: &'static str,
    name: String,
    tagline: String,
    picture: &'static str,
    /// How many may play it, and for how many minutes; of another game nobody knows.
    about: Option<About>,
    fits: bool,
    /// How many house rules there are of it.
    variants: i64,
}

struct About {
    seats: (u8, u8),
    minutes: (u16, u16),
}

/// A published variant of a game.
struct HouseRules {
    variant: VariantRow,
    /// What is otherwise than in the basic game.
    differs: String,
}

/// What the form says.
struct Chosen {
    seats: i64,
    variant: Option<VariantId>,
    seconds: Option<i32>,
    is_scored: bool,
    title: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameSearch {
    /// All of them if left out.
    game: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchForm {
    game: String,
    /// Blank for the basic game.
    #[serde(default)]
    variant: String,
    seats: i64,
    /// Blank for as long as one likes.
    #[serde(default)]
    seconds: String,
    /// `scored` with real dice and cards.
    #[serde(default)]
    mode: String,
    /// What is played where it is no game of ours.
    #[serde(default)]
    title: String,
}

#[get("/t/{code}/play")]
pub async fn show_games(
    db: Data<Db>,
    page: Page,
    Visitor(visitor): Visitor,
    Path(code): Path<String>,
    Search(search): Search<GameSearch>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = find_table(&mut conn, &code).await?;
    let state = TableState::read(&mut conn, table, visitor.as_ref()).await?;
    let Some(sitting) = state.sitting.filter(|_| state.is_let_in) else {
        // Who plays here sits here.
        return Ok(page.go_to(&format!("/t/{}", state.table.code)));
    };
    let Some(game) = search.game else {
        let counts = variants::count_published(&mut conn).await?;
        let games = offers(&page, sitting.party_size, &counts);
        let template = GamesPage { table: state.table, party: sitting.party_size, games, page };
        return template.page.html(&template);
    };
    let chosen = Chosen::usual(&game, sitting.party_size);
    start_page(&mut conn, page, state.table, (&game, sitting.party_size), chosen, None).await
}

/// Makes the match and seats the one who made it.
#[post("/t/{code}/matches")]
pub async fn make_match(
    budget: Budget<Creations>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    Player(player): Player,
    Path(code): Path<String>,
    Form(form): Form<MatchForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = find_table(&mut conn, &code).await?;
    let made = match form.request(&table) {
        Ok(request) => matches::create_and_sit(&mut conn, &world, &live, &player, budget.waiting_matches(), &request)
            .await
            .map_err(ApiError::from),
        Err(err) => Err(err),
    };
    let err = match made {
        Ok(row) => return Ok(page.go_to(&format!("/m/{}", row.code))),
        Err(err) if err.is_refusal() => err,
        Err(err) => return Err(err),
    };
    let state = TableState::read(&mut conn, table, Some(&player)).await?;
    let Some(sitting) = state.sitting.filter(|_| state.is_let_in) else {
        return Ok(page.go_with(&format!("/t/{}", state.table.code), Flash::bad(err.code(), "")));
    };
    let problem = err.problem(page.lang);
    let status = problem.status_code();
    let wrong = problem.sentence();
    let (game, chosen) = (form.game.clone(), Chosen::sent(form));
    start_page(&mut conn, page, state.table, (&game, sitting.party_size), chosen, Some((status, wrong))).await
}

async fn start_page(
    conn: &mut AsyncPgConnection,
    page: Page,
    table: TableRow,
    (game, party): (&str, i16),
    chosen: Chosen,
    wrong: Option<(StatusCode, String)>,
) -> ApiResult<HttpResponse> {
    let offer = offers(&page, party, &[]).into_iter().find(|offer| offer.id == game);
    let offer = offer.ok_or_else(|| not_found("not_found"))?;
    let kind = catalogue::find(offer.id);
    let rules = match kind {
        Some(kind) => house_rules(conn, &page, kind).await?,
        None => Vec::new(),
    };
    // What is no longer offered cannot be seen to be chosen.
    let variant = chosen.variant.filter(|id| rules.iter().any(|it| it.variant.id == *id));
    let chosen = Chosen { variant, ..chosen };
    let seats = kind.map_or_else(|| (2..=12).collect(), |kind| kind.info().seats.clone().collect());
    let (status, wrong) = match wrong {
        Some((status, wrong)) => (status, Some(wrong)),
        None => (StatusCode::OK, None),
    };
    let template = StartPage { table, offer, rules, seats, chosen, wrong, page };
    template.page.html_as(status, &template)
}

/// All games, those that so many can play first; then any other game.
fn offers(page: &Page, party: i16, variants: &[(String, i64)]) -> Vec<Offer> {
    let ours = catalogue::GAMES.iter().map(|kind| {
        let info = kind.info();
        Offer {
            id: info.id,
            name: page.game_name(info.id),
            tagline: page.word_or(&format!("{}-tagline", info.id), ""),
            picture: page.asset(&format!("rules/{}.svg", info.id)),
            fits: info.seats.clone().any(|seats| i16::from(seats) == party),
            variants: variants.iter().find(|(game, _)| game == info.id).map_or(0, |(_, count)| *count),
            about: Some(About {
                seats: (*info.seats.start(), *info.seats.end()),
                minutes: (*info.minutes.start(), *info.minutes.end()),
            }),
        }
    });
    let mut games: Vec<_> = ours.collect();
    games.sort_by_key(|offer| !offer.fits);
    let (name, tagline) = (page.t("play-other"), page.t("play-other-help"));
    games.push(Offer { id: OTHER, name, tagline, picture: "", about: None, fits: true, variants: 0 });
    games
}

async fn house_rules(conn: &mut AsyncPgConnection, page: &Page, kind: &dyn Kind) -> ApiResult<Vec<HouseRules>> {
    let game = kind.info().id;
    let published = variants::list_published(conn, Some(game), VARIANTS).await?;
    let ids: Vec<VariantId> = published.iter().map(|it| it.id).collect();
    let latest = variant_store::list_latest(conn, &ids).await?;
    let played = latest.into_iter().map(|(version, _)| version).filter(|version| version.published_at.is_some());
    let options: HashMap<VariantId, _> = played.map(|version| (version.variant_id, version.options)).collect();
    let basic = basic(kind)?;
    let rules = published.into_iter().filter_map(|variant| {
        let differs = sentence(page.lang, game, &basic, options.get(&variant.id)?);
        Some(HouseRules { variant, differs })
    });
    Ok(rules.collect())
}

impl MatchForm {
    fn request(&self, table: &TableRow) -> ApiResult<NewMatchRequest> {
        let is_other = self.game == OTHER;
        let title = is_other.then(|| MatchName::parse(&self.title)).transpose();
        let mode = if is_other { Mode::Scored.as_str() } else { self.mode.as_str() };
        let seconds = Some(self.seconds.as_str()).filter(|it| !it.is_empty() && mode != Mode::Scored.as_str());
        let parse = |text: &str| text.parse().map_err(|_| base::error::bad_request("invalid_body"));
        let variant = Some(self.variant.as_str()).filter(|it| !it.is_empty());
        let variant = variant.map(|it| it.parse().map_err(|_| base::error::bad_request("invalid_body"))).transpose()?;
        Ok(NewMatchRequest {
            game: self.game.clone(),
            title: title.map_err(|refusal| invalid_fields(vec![refusal.at("/title")]))?,
            variant_id: variant,
            seats: self.seats,
            table_id: Some(table.id),
            mode: Some(mode).filter(|it| !it.is_empty()).map(str::to_owned),
            turn_seconds: seconds.map(parse).transpose()?,
            ..NewMatchRequest::default()
        })
    }
}

impl Chosen {
    /// For a party of this size.
    fn usual(game: &str, party: i16) -> Self {
        let seats = catalogue::find(game).map(|kind| kind.info().seats.clone());
        let seats = seats.map_or(i64::from(party).max(2), |seats| {
            i64::from(party).clamp(i64::from(*seats.start()), i64::from(*seats.end()))
        });
        Self { seats, variant: None, seconds: None, is_scored: false, title: String::new() }
    }

    fn sent(form: MatchForm) -> Self {
        Self {
            seats: form.seats,
            variant: form.variant.parse().ok(),
            seconds: form.seconds.parse().ok(),
            is_scored: form.mode == Mode::Scored.as_str(),
            title: form.title,
        }
    }

    fn is_variant(&self, variant: &VariantRow) -> bool {
        self.variant == Some(variant.id)
    }

    fn is_seats(&self, seats: &u8) -> bool {
        self.seats == i64::from(*seats)
    }

    fn is_seconds(&self, seconds: &i32) -> bool {
        self.seconds == Some(*seconds)
    }
}

impl StartPage {
    fn clocks(&self) -> &'static [i32] {
        &CLOCKS
    }
}

#[cfg(test)]
mod tests {
    use play::variants::VariantStatus;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_choice_of_games_is_complete() {
        let counts = [("perudo".to_owned(), 3)];
        for party in [1, 4, 12] {
            samples::check(samples::ANYBODY, |page| {
                let games = offers(&page, party, &counts);
                GamesPage { table: samples::table("1번"), party, games, page }.render()
            });
        }
    }

    #[test]
    fn a_start_is_complete_for_every_game_with_house_rules_and_with_a_refused_form() {
        let games = catalogue::GAMES.iter().map(|kind| kind.info().id).chain([OTHER]);
        for (game, is_refused) in games.flat_map(|game| [(game, false), (game, true)]) {
            samples::check(samples::ANYBODY, |page| {
                let variant = samples::variant(VariantStatus::Published);
                let chosen = Chosen {
                    variant: is_refused.then_some(variant.id),
                    seconds: is_refused.then_some(60),
                    is_scored: is_refused,
                    ..Chosen::usual(game, 4)
                };
                let differs = page.t("variant-same");
                StartPage {
                    offer: offers(&page, 4, &[]).into_iter().find(|offer| offer.id == game).unwrap(),
                    table: samples::table("1번"),
                    rules: vec![HouseRules { variant, differs }],
                    seats: (2..=6).collect(),
                    chosen,
                    wrong: is_refused.then(|| page.t("field-empty")),
                    page,
                }
                .render()
            });
        }
    }
}
