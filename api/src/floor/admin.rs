//! `/admin`: the floor, live.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;

use super::{Attention, Floor, Play};
use crate::db::Db;
use crate::error::ApiResult;
use crate::page::{Desk, Page};
use crate::tables::TableRow;

#[derive(Template)]
#[template(path = "admin/floor.html")]
struct FloorPage<'a> {
    page: &'a Page,
    floor: &'a Floor,
}

/// What changes of it while it is open.
#[derive(Template)]
#[template(path = "admin/floor.html", block = "live")]
struct FloorNow<'a> {
    page: &'a Page,
    floor: &'a Floor,
}

#[get("/admin")]
pub(crate) async fn show_floor(db: Data<Db>, Desk { page, .. }: Desk) -> ApiResult<HttpResponse> {
    let floor = Floor::read(&mut *db.conn().await?, page.now).await?;
    if page.fragment {
        page.html(&FloorNow { page: &page, floor: &floor })
    } else {
        page.html(&FloorPage { page: &page, floor: &floor })
    }
}

impl Page {
    /// Whose turn it is, or how many have come.
    pub(crate) fn stands(&self, play: &Play) -> String {
        let seats = play.row.seat_count;
        match play.to_move().as_slice() {
            [] => self.say("seats-taken").with("taken", play.seats.len()).with("seats", seats).to_string(),
            [name] => self.say("turn-of").with("name", *name).to_string(),
            many => self.say("turn-count").with("count", many.len()).to_string(),
        }
    }

    /// The same where a symbol says already that it is about the turn.
    fn on_turn(&self, play: &Play) -> String {
        match play.to_move().as_slice() {
            [name] => (*name).to_owned(),
            _ => self.stands(play),
        }
    }

    fn where_is(&self, table: &TableRow) -> String {
        let seats = self.say("table-seats").with("seats", table.seats).to_string();
        table.area.as_ref().map_or(seats.clone(), |area| format!("{area} · {seats}"))
    }

    fn why(&self, attention: &Attention) -> String {
        match attention {
            Attention::LongTurn => self.t("attention-long-turn"),
            Attention::LongWait => self.t("attention-long-wait"),
        }
    }
}
