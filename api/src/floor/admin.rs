//! `/admin`: the floor, live, and the same for a screen on the wall.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use serde::Deserialize;

use super::{Floor, Play, Sheet};
use crate::audit;
use crate::db::Db;
use crate::error::ApiResult;
use crate::extract::Search;
use crate::ids::{CallId, SittingId, TableId};
use crate::library::CopyRow;
use crate::matches::SeatRow;
use crate::page::{Desk, Page};
use crate::staff::Deed;
use crate::tables::TableRow;
use crate::undo::UndoRow;

#[derive(Template)]
#[template(path = "admin/floor.html", blocks = ["live"])]
struct FloorPage<'a> {
    page: &'a Page,
    floor: &'a Floor,
    sheet: Option<&'a Sheet>,
}

#[derive(Template)]
#[template(path = "admin/screen.html", blocks = ["live"])]
struct ScreenPage<'a> {
    page: &'a Page,
    floor: &'a Floor,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FloorSearch {
    /// The table that is chosen.
    table: Option<TableId>,
    /// A part of the name of what is to be lent to it.
    lend: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScreenSearch {
    /// `1` for a screen on the wall.
    screen: Option<u8>,
}

#[get("/admin")]
pub(crate) async fn show_floor(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Search(search): Search<FloorSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeFloor)?;
    let mut conn = db.conn().await?;
    let floor = Floor::read(&mut conn, page.now).await?;
    let sheet = match search.table {
        Some(table) => Sheet::read(&mut conn, &floor, page.lang, (table, search.lend.unwrap_or_default())).await?,
        None => None,
    };
    let template = FloorPage { page: &page, floor: &floor, sheet: sheet.as_ref() };
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

/// For a screen on the wall: large, without a name of anybody, without anything to press.
#[get("/admin/floor")]
pub(crate) async fn show_screen(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Search(search): Search<ScreenSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeFloor)?;
    if search.screen != Some(1) {
        return Ok(page.go_to("/admin"));
    }
    let floor = Floor::read(&mut *db.conn().await?, page.now).await?;
    let template = ScreenPage { page: &page, floor: &floor };
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

impl Page {
    /// What is played: a game of ours, or any other by its title.
    pub(crate) fn played(&self, game: &str, title: &Option<String>) -> String {
        title.clone().unwrap_or_else(|| self.game_name(game))
    }

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
        self.name_of(&seat.display_name, seat.deleted, seat.tag.as_deref())
    }

    pub(crate) fn name_of(&self, name: &str, deleted: bool, tag: Option<&str>) -> String {
        let name = if deleted { self.t("someone") } else { name.to_owned() };
        match tag {
            Some(tag) => self.say("name-and-tag").with("name", name).with("tag", tag).to_string(),
            None => name,
        }
    }

    fn seat_path(&self, table: &TableRow) -> String {
        format!("/admin/tables/{}/sitting", table.id)
    }

    fn service_path(&self, table: &TableRow) -> String {
        format!("/admin/tables/{}/service", table.id)
    }

    /// The floor with what can be done at this table.
    fn sheet_path(&self, table: &TableRow) -> String {
        format!("/admin?table={}", table.id)
    }

    fn sitting_path(&self, id: &SittingId, what: &str) -> String {
        format!("/admin/sittings/{id}/{what}")
    }

    fn call_path(&self, id: &CallId) -> String {
        format!("/admin/calls/{id}")
    }

    fn errand_path(&self, copy: &CopyRow, errand: &str) -> String {
        format!("/admin/library/copies/{}/{errand}", copy.id)
    }

    /// What was done, and where a party went with it.
    fn done(&self, floor: &Floor, undo: &UndoRow) -> String {
        let done = self.word_or(&audit::words::key(&undo.action), &undo.action);
        let done = undo.title(self.lang).map_or(done.clone(), |title| format!("{title}: {done}"));
        match undo.other_table_id.as_ref().and_then(|id| floor.table(id)) {
            Some(other) => format!("{done} → {}", other.name),
            None => done,
        }
    }
}
