//! What the floor says, and where its buttons lead.

use std::borrow::Borrow;

use engine::catalogue;

use super::admin::Sheet;
use base::ids::{CallId, ClaimId, MatchId, PlayerId, ShiftNoteId, SittingId, TournamentId};
use base::undo::UndoRow;
use cafe::floor::{Floor, Play};
use play::library::CopyRow;
use play::shift_notes::ShiftNoteRow;
use play::staff::appointments::Appointment;
use play::tables::TableRow;
use play::tables::plan::PlacedTable;
use web_base::page::Page;

/// What the floor says of its tables, parties and matches.
pub(crate) trait FloorWords: AsRef<Page> {
    /// Whose turn it is, or how many have come.
    fn stands(&self, play: &Play) -> String {
        let page = self.as_ref();
        let seats = play.row.seat_count;
        match play.to_move().as_slice() {
            [] => page.say("seats-taken").with("taken", play.seats.taken()).with("seats", seats).to_string(),
            [seat] => page.say("turn-of").with("name", page.name(seat)).to_string(),
            many => page.say("turn-count").with("count", many.len()).to_string(),
        }
    }

    /// The same where a symbol says already that it is about the turn.
    fn on_turn(&self, play: &Play) -> String {
        match play.to_move().as_slice() {
            [seat] => self.as_ref().name(seat),
            _ => self.stands(play),
        }
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
        others.map(|(game, seats)| (self.as_ref().game_name(game), *seats.start(), *seats.end())).collect()
    }

    fn match_path(&self, id: &MatchId, at: &str) -> String {
        format!("/admin/matches/{id}{at}")
    }

    fn note_author(&self, note: &ShiftNoteRow) -> String {
        self.as_ref().name_of(&note.name, note.deleted, None)
    }

    fn note_path(&self, id: &ShiftNoteId) -> String {
        format!("/admin/shift-notes/{id}/read")
    }

    fn tournament_path(&self, id: &TournamentId) -> String {
        format!("/admin/tournaments/{id}")
    }

    fn withdraw_path(&self, id: &MatchId) -> String {
        format!("/admin/matches/{id}/withdraw")
    }

    /// So many at a table of so many seats, and how many seats are missing.
    fn filling(&self, people: impl Borrow<i16>, table: &TableRow) -> String {
        let (people, seats) = (*people.borrow(), table.seats);
        let key = if people > seats { "party-too-many" } else { "party-at" };
        self.as_ref().say(key).with("count", people).with("seats", seats).with("short", people - seats).to_string()
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
        let page = self.as_ref();
        let key = if it.by.is_some() { "appointment-by" } else { "appointment" };
        let said = page.say(key).with("name", it.name.as_str()).with("role", page.t(it.role.key()));
        said.with("by", it.by.as_deref().unwrap_or_default()).to_string()
    }

    /// What was done, and where a party went with it.
    fn done(&self, floor: &Floor, undo: &UndoRow) -> String {
        let page = self.as_ref();
        let done = page.action(&undo.action);
        let done = undo.title(page.lang).map_or(done.clone(), |title| format!("{title}: {done}"));
        match undo.other_table_id.as_ref().and_then(|id| floor.table(id)) {
            Some(other) => format!("{done} → {}", other.name),
            None => done,
        }
    }
}

impl FloorWords for Page {}
