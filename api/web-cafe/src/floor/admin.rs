//! `/admin`: the floor, live, and the same for a screen on the wall.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};
use askama::Template;
use serde::Deserialize;

use super::parts::{Card, TableSheet};
use crate::floor::parts::FloorParts;
use crate::floor::waits::WaitingWords;
use crate::floor::words::FloorWords;
use crate::settings::opening::Opening;
use base::auth::{Permission, can};
use base::ids::TableId;
use cafe::floor::{Floor, Spot, TablePanel};
use play::sittings::SittingRow;
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::page::preferences::FloorLook;
use web_base::page::{Page, StaffPage, live_part};

#[derive(Template)]
#[template(path = "admin/floor.html")]
struct FloorPage<'a> {
    page: &'a Page,
    floor: &'a Floor,
    look: FloorLook,
    panel: Option<&'a TablePanel>,
    sheet: Sheet,
    /// What is left of the café's first minutes, for who may do it.
    opening: Option<Opening>,
}

live_part!(FloorPageLive of FloorPage, "admin/floor-live.html");

base::text_enum! {
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
pub async fn show_floor(
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
pub async fn show_screen(
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

    fn card<'a>(&'a self, spot: &'a Spot, cells: impl Into<String>) -> Card<'a> {
        Card { page: self.page, floor: self.floor, spot, from: self.moving(), cells: cells.into() }
    }

    fn table_sheet(&self) -> Option<TableSheet<'_>> {
        let (page, floor, panel) = (self.page, self.floor, self.panel?);
        Some(TableSheet { page, floor, panel, spot: floor.spot(panel)?, sheet: self.sheet })
    }

    /// The party that is to move, and from where: then tables are targets.
    fn moving(&self) -> Option<(&Spot, &SittingRow)> {
        let panel = self.panel.filter(|_| self.sheet == Sheet::Move && self.page.may(&Permission::RunFloor))?;
        let spot = self.floor.spot(panel)?;
        Some((spot, spot.sitting.as_ref()?))
    }
}

impl Sheet {
    pub(super) fn is_first(self) -> bool {
        self == Self::Table
    }

    /// Also where nobody sits.
    pub(super) fn lends(self) -> bool {
        self == Self::Boxes
    }

    /// Of its title in the catalogues.
    pub(super) fn key(self) -> &'static str {
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

#[cfg(test)]
mod tests {
    use base::auth::Role;
    use base::ids::TournamentId;
    use cafe::floor::{AttentionItem, Cause, Due, Play, Spot};
    use cafe::waiting::WaitingStatus;
    use cafe::waiting::outlook::QueueEntry;
    use play::library::CopyState;
    use play::staff::appointments::Appointment;
    use play::tables::TableRow;
    use play::tables::plan::{PlacedTable, Shape};
    use play::tables::store::Hold;
    use uuid::Uuid;

    use super::*;
    use crate::floor::samples::waiting_party;
    use web_base::page::samples;

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
                floor.waiting = [WaitingStatus::Waiting, WaitingStatus::Called].map(waiting_party).into();
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
