//! What guests see without signing in: the front door, and the page that a table's code leads to.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use engine::catalogue;

use super::{TableRow, store};
use crate::db::Db;
use crate::error::{ApiResult, not_found};
use crate::extract::Path;
use crate::floor::Play;
use crate::matches::{self, Filter, Reader, Status, normal_code};
use crate::page::Page;

const MOST: i64 = 10;

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

#[derive(Template)]
#[template(path = "guest/table.html")]
struct TablePage {
    page: Page,
    table: TableRow,
    plays: Vec<Play>,
}

#[get("/")]
pub(crate) async fn show_home(page: Page) -> ApiResult<HttpResponse> {
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

#[get("/t/{code}")]
pub(crate) async fn show_table(db: Data<Db>, page: Page, Path(code): Path<String>) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = store::find_by_code(&mut conn, &normal_code(&code)).await?;
    let table = table.filter(|table| table.archived_at.is_none()).ok_or_else(|| not_found("table_not_found"))?;
    let mut plays = Vec::new();
    for status in [Status::Waiting, Status::Running] {
        let filter =
            Filter { reader: Reader::Anybody, status: Some(status), table: Some(table.id), ..Filter::default() };
        for row in matches::store::list(&mut conn, &filter, MOST).await? {
            let seats = matches::store::list_seats(&mut conn, &[row.id]).await?;
            plays.push(Play { row, seats, attention: None });
        }
    }
    let template = TablePage { page, table, plays };
    template.page.html(&template)
}
