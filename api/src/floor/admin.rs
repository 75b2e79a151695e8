//! `/admin`: the floor, live.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;

use super::{Attention, Floor, Play};
use crate::db::Db;
use crate::error::ApiResult;
use crate::matches::SeatRow;
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
            [seat] => self.say("turn-of").with("name", self.name(seat)).to_string(),
            many => self.say("turn-count").with("count", many.len()).to_string(),
        }
    }

    /// The same where a symbol says already that it is about the turn.
    fn on_turn(&self, play: &Play) -> String {
        match play.to_move().as_slice() {
            [seat] => self.name(seat),
            _ => self.stands(play),
        }
    }

    /// Everybody in a seat.
    pub(crate) fn names(&self, play: &Play) -> String {
        play.seats.iter().map(|seat| self.name(seat)).collect::<Vec<_>>().join(", ")
    }

    /// The player in this seat, told from others of that name.
    pub(crate) fn name(&self, seat: &SeatRow) -> String {
        let name = if seat.deleted { self.t("someone") } else { seat.display_name.clone() };
        match &seat.tag {
            Some(tag) => self.say("name-and-tag").with("name", name).with("tag", tag).to_string(),
            None => name,
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
