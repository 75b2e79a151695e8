//! `/admin`: the floor, live, and the same for a screen on the wall.

use std::borrow::Borrow;

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};
use askama::Template;
use engine::catalogue;
use serde::Deserialize;

use crate::config::Config;
use crate::error::ApiResult;
use crate::extract::Search;
use crate::page::preferences::FloorLook;
use crate::page::{Page, StaffPage};
use crate::settings::opening::Opening;
use cafe::auth::{Permission, can};
use cafe::floor::{Floor, Play, Spot, TablePanel};
use cafe::ids::{CallId, ClaimId, MatchId, PlayerId, ShiftNoteId, SittingId, TableId, TournamentId};
use cafe::library::CopyRow;
use cafe::matches::SeatRow;
use cafe::shift_notes::ShiftNoteRow;
use cafe::sittings::SittingRow;
use cafe::staff::appointments::Appointment;
use cafe::tables::TableRow;
use cafe::tables::plan::PlacedTable;
use cafe::undo::UndoRow;

#[derive(Template)]
#[template(path = "admin/floor.html", blocks = ["live"])]
struct FloorPage<'a> {
    page: &'a Page,
    floor: &'a Floor,
    look: FloorLook,
    panel: Option<&'a TablePanel>,
    sheet: Sheet,
    /// What is left of the café's first minutes, for who may do it.
    opening: Option<Opening>,
}

cafe::text_enum! {
    /// A page of a table's sheet.
    pub enum Sheet {
        /// What is there, and what can be done.
        Table = "table",
        Play = "play",
        /// A match that is only written down.
        Write = "write",
        Boxes = "boxes",
        /// The tables of the floor are where to.
        Move = "move",
        Leave = "leave",
        People = "people",
    }
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
    /// Which page of its sheet, if not the first.
    sheet: Option<Sheet>,
    /// A part of the name of the title to lend to it.
    lend: Option<String>,
}

impl FloorSearch {
    /// Titles are not longer.
    const LONGEST: usize = 80;

    fn lent(self) -> String {
        self.lend.unwrap_or_default().chars().take(Self::LONGEST).collect()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ScreenSearch {
    /// `1` for a screen on the wall.
    screen: Option<u8>,
}

#[get("/admin")]
pub(crate) async fn show_floor(
    config: Data<Config>,
    request: HttpRequest,
    StaffPage { page, mut cx }: StaffPage<can::ViewFloor>,
    Search(search): Search<FloorSearch>,
) -> ApiResult<HttpResponse> {
    let floor = Floor::read(&mut cx, page.now).await?;
    let sheet = search.sheet.unwrap_or(Sheet::Table);
    let panel = match search.table {
        Some(table) => TablePanel::read(&mut cx, &floor, page.lang, table, search.lent()).await?,
        None => None,
    };
    let has_tables = !floor.spots.is_empty();
    let opening = Opening::left(&config, &request, page.settings(), has_tables);
    let opening = opening.filter(|_| page.may(&Permission::ChangeSettings));
    let look = FloorLook::of(&request);
    let template = FloorPage { page: &page, floor: &floor, look, panel: panel.as_ref(), sheet, opening };
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

/// For a screen on the wall: large, without a name of anybody, without anything to press.
#[get("/admin/floor")]
pub(crate) async fn show_screen(
    StaffPage { page, mut cx }: StaffPage<can::ViewFloor>,
    Search(search): Search<ScreenSearch>,
) -> ApiResult<HttpResponse> {
    if search.screen != Some(1) {
        return Ok(page.go_to("/admin"));
    }
    let floor = Floor::read(&mut cx, page.now).await?;
    let template = ScreenPage { page: &page, floor: &floor };
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

impl FloorPage<'_> {
    /// What is shown, without what is typed into it: refreshing adds that by itself.
    fn path(&self) -> String {
        let spot = self.panel.and_then(|panel| self.floor.spot(panel));
        match spot {
            Some(spot) if self.sheet.is_first() => self.page.panel_path(&spot.table),
            Some(spot) => self.page.sheet_path(&spot.table, self.sheet),
            None => "/admin".to_owned(),
        }
    }

    /// Whether tables are drawn where they stand.
    fn is_plan(&self) -> bool {
        self.look == FloorLook::Plan && self.floor.has_plan()
    }

    /// The party that is to move, and from where: then tables are targets.
    fn moving(&self) -> Option<(&Spot, &SittingRow)> {
        let panel = self.panel.filter(|_| self.sheet == Sheet::Move && self.page.may(&Permission::RunFloor))?;
        let spot = self.floor.spot(panel)?;
        Some((spot, spot.sitting.as_ref()?))
    }
}

impl Sheet {
    fn is_first(self) -> bool {
        self == Self::Table
    }

    /// Also where nobody sits.
    fn lends(self) -> bool {
        self == Self::Boxes
    }

    /// Of its title in the catalogues.
    fn key(self) -> &'static str {
        match self {
            Self::Table => "tables",
            Self::Play => "start-match",
            Self::Write => "start-scored",
            Self::Boxes => "box-lend",
            Self::Move => "move-or-merge",
            Self::Leave => "leave-and-pay",
            Self::People => "sitting-people",
        }
    }
}

impl Page {
    /// What is played: a game of the catalogue, or any other by its title.
    pub(crate) fn played(&self, game: &str, title: &Option<String>) -> String {
        title.clone().unwrap_or_else(|| self.game_name(game))
    }

    /// Whose turn it is, or how many have come.
    pub(crate) fn stands(&self, play: &Play) -> String {
        let seats = play.row.seat_count;
        match play.to_move().as_slice() {
            [] => self.say("seats-taken").with("taken", play.seats.taken()).with("seats", seats).to_string(),
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
        let players = play.seats.players.iter().map(|seat| (seat.seat, self.name(seat)));
        let bots = play.seats.bots().map(|bot| (bot.seat, self.bot_name(bot.seat)));
        let mut names: Vec<_> = players.chain(bots).collect();
        names.sort_by_key(|(seat, _)| *seat);
        names.into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(", ")
    }

    /// What the bot on this seat is called.
    pub(crate) fn bot_name(&self, seat: i16) -> String {
        self.say("bot-name").with("number", seat + 1).to_string()
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

    /// The floor as it was when its button was pressed.
    pub(crate) fn floor_again(&self) -> String {
        if self.has_sheet() { self.path.clone() } else { "/admin".to_owned() }
    }

    /// Whether the sheet of a table is open.
    pub(crate) fn has_sheet(&self) -> bool {
        self.path.starts_with("/admin?table=")
    }

    /// The classes that say where on its plan a table stands.
    fn cells(&self, place: &PlacedTable) -> String {
        let PlacedTable { x, y, width, height, shape, .. } = place;
        format!("x{x} y{y} w{width} h{height} {shape}")
    }

    fn seat_path(&self, table: &TableRow) -> String {
        format!("/admin/tables/{}/sitting", table.id)
    }

    fn service_path(&self, table: &TableRow) -> String {
        format!("/admin/tables/{}/service", table.id)
    }

    /// The floor with what can be done at this table.
    fn panel_path(&self, table: &TableRow) -> String {
        format!("/admin?table={}", table.id)
    }

    /// Another page of the table's sheet.
    fn sheet_path(&self, table: &TableRow, sheet: impl Borrow<Sheet>) -> String {
        format!("/admin?table={}&sheet={}", table.id, sheet.borrow())
    }

    fn member_path(&self, sitting: &SittingId, player: &PlayerId, what: &str) -> String {
        format!("/admin/sittings/{sitting}/members/{player}/{what}")
    }

    fn rename_path(&self, player: &PlayerId) -> String {
        format!("/admin/players/{player}/neutral-name")
    }

    /// The games that so many cannot play, and how many can.
    fn not_for(&self, people: &i16) -> Vec<(String, u8, u8)> {
        let seats = catalogue::GAMES.iter().map(|kind| (kind.info().id, kind.info().seats.clone()));
        let others = seats.filter(|(_, seats)| !seats.clone().any(|it| i16::from(it) == *people));
        others.map(|(game, seats)| (self.game_name(game), *seats.start(), *seats.end())).collect()
    }

    fn match_path(&self, id: &MatchId, at: &str) -> String {
        format!("/admin/matches/{id}{at}")
    }

    pub(crate) fn note_author(&self, note: &ShiftNoteRow) -> String {
        self.name_of(&note.name, note.deleted, None)
    }

    pub(crate) fn note_path(&self, id: &ShiftNoteId) -> String {
        format!("/admin/shift-notes/{id}/read")
    }

    pub(crate) fn tournament_path(&self, id: &TournamentId) -> String {
        format!("/admin/tournaments/{id}")
    }

    fn withdraw_path(&self, id: &MatchId) -> String {
        format!("/admin/matches/{id}/withdraw")
    }

    /// So many at a table of so many seats, and how many seats are missing.
    pub(crate) fn filling(&self, people: impl Borrow<i16>, table: &TableRow) -> String {
        let (people, seats) = (*people.borrow(), table.seats);
        let key = if people > seats { "party-too-many" } else { "party-at" };
        self.say(key).with("count", people).with("seats", seats).with("short", people - seats).to_string()
    }

    fn sitting_path(&self, id: &SittingId, what: &str) -> String {
        format!("/admin/sittings/{id}/{what}")
    }

    fn call_path(&self, id: &CallId) -> String {
        format!("/admin/calls/{id}")
    }

    fn claim_path(&self, id: &ClaimId) -> String {
        format!("/admin/claims/{id}")
    }

    fn errand_path(&self, copy: &CopyRow, errand: &str) -> String {
        format!("/admin/library/copies/{}/{errand}", copy.id)
    }

    /// Who became what, and by whom.
    fn appointment(&self, it: &Appointment) -> String {
        let key = if it.by.is_some() { "appointment-by" } else { "appointment" };
        let said = self.say(key).with("name", it.name.as_str()).with("role", self.t(it.role.key()));
        said.with("by", it.by.as_deref().unwrap_or_default()).to_string()
    }

    /// What was done, and where a party went with it.
    fn done(&self, floor: &Floor, undo: &UndoRow) -> String {
        let done = self.word_or(&crate::audit::words::key(&undo.action), &undo.action);
        let done = undo.title(self.lang).map_or(done.clone(), |title| format!("{title}: {done}"));
        match undo.other_table_id.as_ref().and_then(|id| floor.table(id)) {
            Some(other) => format!("{done} → {}", other.name),
            None => done,
        }
    }
}

#[cfg(test)]
mod tests {
    use cafe::auth::Role;
    use cafe::floor::{AttentionItem, Cause, Due, Spot};
    use cafe::ids::TournamentId;
    use cafe::library::CopyState;
    use cafe::tables::plan::Shape;
    use cafe::tables::store::Hold;
    use cafe::waiting::WaitingStatus;
    use cafe::waiting::outlook::QueueEntry;
    use uuid::Uuid;

    use super::*;
    use crate::page::samples;

    #[test]
    fn pages_are_complete() {
        for (screen, look) in [(false, FloorLook::Plan), (false, FloorLook::Grid), (true, FloorLook::Grid)] {
            samples::check(samples::STAFF, |page| {
                let out = TableRow { out_of_service_reason: Some("다리".to_owned()), ..samples::table("3번") };
                let sitting = samples::sitting(out.id);
                let play =
                    Play { row: samples::waiting_match(), seats: samples::seats(0), title: None, attention: None };
                let boxes = vec![(samples::copy(CopyState::Table), samples::title())];
                let spot = |table| Spot {
                    table,
                    place: None,
                    sitting: None,
                    play: None,
                    others: 0,
                    boxes: Vec::new(),
                    hold: None,
                    due: None,
                };
                let due = Due { key: "due-long-turn", icon: "clock", since: page.now, is_call: false };
                let place = PlacedTable {
                    table_id: samples::table("1번").id,
                    x: 2,
                    y: 3,
                    width: 3,
                    height: 3,
                    shape: Shape::Round,
                };
                let busy = Spot {
                    place: Some(place),
                    sitting: Some(sitting),
                    play: Some(play),
                    others: 1,
                    boxes,
                    due: Some(due),
                    ..spot(samples::table("1번"))
                };
                let hold = Hold {
                    table_id: samples::table("4번").id,
                    tournament_id: TournamentId(Uuid::from_u128(8)),
                    tournament: "금요일 대회".to_owned(),
                    stage: 1,
                    key: "main-1-1".to_owned(),
                    round: 1,
                    tournament_code: "XYZ234".to_owned(),
                    since: Some(page.now),
                    match_id: None,
                };
                let held = Spot { hold: Some(hold), ..spot(samples::table("4번")) };
                let spots = vec![busy, spot(samples::table("2번")), held, spot(out)];
                let mut floor = Floor::default();
                floor.spots = spots;
                floor.waiting = [WaitingStatus::Waiting, WaitingStatus::Called].map(samples::waiting).into();
                let free = |party: &QueueEntry| AttentionItem {
                    since: page.now,
                    waiting: page.now,
                    table: party.ready,
                    cause: Cause::Waiting(Box::new(party.clone())),
                };
                floor.needs = floor.waiting.iter().map(free).collect();
                floor.new_devices = vec![page.now];
                floor.appointments = [None, Some("민아".to_owned())]
                    .map(|by| Appointment { at: page.now, name: "준".to_owned(), role: Role::Owner, by })
                    .into();
                match screen {
                    true => ScreenPage { page: &page, floor: &floor }.render(),
                    false => FloorPage {
                        page: &page,
                        floor: &floor,
                        look,
                        panel: None,
                        sheet: Sheet::Table,
                        opening: Some(Opening::default()),
                    }
                    .render(),
                }
            });
        }
    }
}
