//! What the floor says, and where its buttons lead.

use std::borrow::Borrow;

use engine::catalogue;

use super::admin::Sheet;
use crate::page::Page;
use base::ids::{CallId, ClaimId, MatchId, PlayerId, ShiftNoteId, SittingId, TournamentId};
use base::undo::UndoRow;
use cafe::floor::{Floor, Play};
use play::library::CopyRow;
use play::matches::SeatRow;
use play::shift_notes::ShiftNoteRow;
use play::staff::appointments::Appointment;
use play::tables::TableRow;
use play::tables::plan::PlacedTable;

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
    pub(super) fn on_turn(&self, play: &Play) -> String {
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
    pub(super) fn cells(&self, place: &PlacedTable) -> String {
        let PlacedTable { x, y, width, height, shape, .. } = place;
        format!("x{x} y{y} w{width} h{height} {shape}")
    }

    pub(super) fn seat_path(&self, table: &TableRow) -> String {
        format!("/admin/tables/{}/sitting", table.id)
    }

    pub(super) fn service_path(&self, table: &TableRow) -> String {
        format!("/admin/tables/{}/service", table.id)
    }

    /// The floor with what can be done at this table.
    pub(super) fn panel_path(&self, table: &TableRow) -> String {
        format!("/admin?table={}", table.id)
    }

    /// Another page of the table's sheet.
    pub(super) fn sheet_path(&self, table: &TableRow, sheet: impl Borrow<Sheet>) -> String {
        format!("/admin?table={}&sheet={}", table.id, sheet.borrow())
    }

    pub(super) fn member_path(&self, sitting: &SittingId, player: &PlayerId, what: &str) -> String {
        format!("/admin/sittings/{sitting}/members/{player}/{what}")
    }

    pub(super) fn rename_path(&self, player: &PlayerId) -> String {
        format!("/admin/players/{player}/neutral-name")
    }

    /// The games that so many cannot play, and how many can.
    pub(super) fn not_for(&self, people: &i16) -> Vec<(String, u8, u8)> {
        let seats = catalogue::GAMES.iter().map(|kind| (kind.info().id, kind.info().seats.clone()));
        let others = seats.filter(|(_, seats)| !seats.clone().any(|it| i16::from(it) == *people));
        others.map(|(game, seats)| (self.game_name(game), *seats.start(), *seats.end())).collect()
    }

    pub(super) fn match_path(&self, id: &MatchId, at: &str) -> String {
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

    pub(super) fn withdraw_path(&self, id: &MatchId) -> String {
        format!("/admin/matches/{id}/withdraw")
    }

    /// So many at a table of so many seats, and how many seats are missing.
    pub(crate) fn filling(&self, people: impl Borrow<i16>, table: &TableRow) -> String {
        let (people, seats) = (*people.borrow(), table.seats);
        let key = if people > seats { "party-too-many" } else { "party-at" };
        self.say(key).with("count", people).with("seats", seats).with("short", people - seats).to_string()
    }

    pub(super) fn sitting_path(&self, id: &SittingId, what: &str) -> String {
        format!("/admin/sittings/{id}/{what}")
    }

    pub(super) fn call_path(&self, id: &CallId) -> String {
        format!("/admin/calls/{id}")
    }

    pub(super) fn claim_path(&self, id: &ClaimId) -> String {
        format!("/admin/claims/{id}")
    }

    pub(super) fn errand_path(&self, copy: &CopyRow, errand: &str) -> String {
        format!("/admin/library/copies/{}/{errand}", copy.id)
    }

    /// Who became what, and by whom.
    pub(super) fn appointment(&self, it: &Appointment) -> String {
        let key = if it.by.is_some() { "appointment-by" } else { "appointment" };
        let said = self.say(key).with("name", it.name.as_str()).with("role", self.t(it.role.key()));
        said.with("by", it.by.as_deref().unwrap_or_default()).to_string()
    }

    /// What was done, and where a party went with it.
    pub(super) fn done(&self, floor: &Floor, undo: &UndoRow) -> String {
        let done = self.word_or(&crate::audit::words::key(&undo.action), &undo.action);
        let done = undo.title(self.lang).map_or(done.clone(), |title| format!("{title}: {done}"));
        match undo.other_table_id.as_ref().and_then(|id| floor.table(id)) {
            Some(other) => format!("{done} → {}", other.name),
            None => done,
        }
    }
}
