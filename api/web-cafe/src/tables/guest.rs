//! What guests see without signing in: the front page. The page that a table's code leads to is the sittings'.

use actix_web::{HttpResponse, get};
use askama::Template;
use engine::catalogue;

use web_base::error::ApiResult;
use web_base::page::Page;

#[derive(Template)]
#[template(path = "guest/home.html")]
struct HomePage {
    page: Page,
    games: Vec<Game>,
}

/// A game on offer, in a line.
struct Game {
    id: &'static str,
    picture: &'static str,
    name: String,
    tagline: String,
    least: u8,
    most: u8,
}

#[get("/")]
pub async fn show_home(page: Page) -> ApiResult<HttpResponse> {
    let game = |kind: &&dyn engine::Kind| {
        let info = kind.info();
        Game {
            id: info.id,
            picture: page.asset(&format!("rules/{}.svg", info.id)),
            name: page.game_name(info.id),
            tagline: page.word_or(&format!("{}-tagline", info.id), ""),
            least: *info.seats.start(),
            most: *info.seats.end(),
        }
    };
    let games = catalogue::GAMES.iter().map(game).collect();
    let template = HomePage { page, games };
    template.page.html(&template)
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::ANYBODY, |page| {
            let name = page.game_name("perudo");
            let tagline = page.t("perudo-tagline");
            let games = vec![Game { id: "perudo", picture: "", name, tagline, least: 2, most: 6 }];
            HomePage { page, games }.render()
        });
    }
}
