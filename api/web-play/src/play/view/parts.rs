//! The parts of a match's page.

use std::hash::{DefaultHasher, Hash, Hasher};

use engine::{Seat, catalogue};
use serde_json::Value;

use cafe::player_stats::store::MatchStatsRow;
use play::matches::access::Access;
use play::matches::{BotLevel, MatchRow, SeatRow, Seats};
use web_base::page::Page;

/// A form that was not taken: what it said, and why.
#[derive(Default)]
pub(in crate::play) struct Tried {
    pub refused: Option<String>,
    pub name: String,
    pub name_wrong: Option<String>,
    pub nonce: String,
    pub nonce_wrong: Option<String>,
    /// The name of who plays on the same phone.
    pub other: String,
    pub other_wrong: Option<String>,
}

/// The other person who plays on this phone.
pub(in crate::play) struct Other {
    pub name: String,
    /// Their seat in this match.
    pub seat: Option<i16>,
}

/// What a player's bluffs did in a match of bids.
pub(in crate::play) struct Bluffs {
    /// Wrong bids that nobody doubted, and those that somebody did.
    pub believed: i32,
    pub caught: i32,
    /// Their own calls.
    pub right: i32,
    pub wrong: i32,
}

pub(in crate::play) struct TableLink {
    pub name: String,
    pub path: String,
}

/// What a seat holds and can do.
pub(in crate::play) struct Tray {
    pub html: String,
    /// The same as long as it is the same decision and looks the same: then what is half chosen stays.
    pub id: String,
}

/// A seat, taken or free.
pub(in crate::play) struct SeatLine {
    pub number: i16,
    pub name: Option<String>,
    pub is_mine: bool,
    pub on_turn: bool,
    /// A bot sits here, and how strong it is: also where it plays on for a player who left.
    pub is_bot: bool,
    pub bot: Option<BotLevel>,
    pub has_left: bool,
    /// They left only because the time ran out: they may play on.
    pub may_return: bool,
    /// The server made the last move, as the time ran out.
    pub was_late: bool,
    pub stand_in: Option<String>,
    pub rank: Option<u64>,
    pub score: Option<String>,
}

/// Whose turn it is, as who looks is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::play) enum Whose {
    Mine,
    /// It is another's, and they may act all the same.
    MayInterrupt,
    Others,
    Nobody,
}

/// Something that happened.
pub(in crate::play) struct Line {
    pub text: String,
    /// The server moved for a player.
    pub by_autopilot: bool,
}

impl Tray {
    pub(super) fn of(html: String, version: i32, decision_since: i32) -> Self {
        let without_version = html.replace(&format!("page-{version}"), "").replace(&format!("\"{version}\""), "");
        let mut hasher = DefaultHasher::new();
        without_version.hash(&mut hasher);
        Self { id: format!("tray-{decision_since}-{:016x}", hasher.finish()), html }
    }
}

impl SeatLine {
    pub(in crate::play) fn label(&self, page: &Page) -> String {
        let otherwise = || page.say("seat-number").with("number", self.number + 1).to_string();
        self.stand_in.clone().or_else(|| self.name.clone()).unwrap_or_else(otherwise)
    }
}

impl Bluffs {
    /// None where nobody bids, as what else a game counts is no bluff and no doubt; nor where nothing was counted.
    pub(super) fn of(row: &MatchStatsRow) -> Option<Self> {
        catalogue::find(&row.game).filter(|it| it.info().phases.contains(&"bidding"))?;
        let bluffs = Self {
            believed: row.bluffs_uncalled,
            caught: row.bluffs_called,
            right: row.calls_right,
            wrong: row.calls_wrong,
        };
        let Self { believed, caught, right, wrong } = bluffs;
        (believed + caught + right + wrong > 0).then_some(bluffs)
    }
}

impl Whose {
    /// Of its look.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Mine => "mine",
            Self::MayInterrupt => "may",
            Self::Others | Self::Nobody => "others",
        }
    }
}

pub(super) fn seat_lines(
    page: &Page,
    row: &MatchRow,
    taken: &Seats,
    (mine, access): (Option<Seat>, Access),
) -> Vec<SeatLine> {
    let of_outcome = |field: &str, seat: i16| {
        let seat = usize::try_from(seat).ok()?;
        row.outcome.as_ref()?.get(field)?.get(seat).filter(|it| !it.is_null())
    };
    let line = |number| {
        let player = taken.players.iter().find(|it| it.seat == number);
        let bot = taken.bots.iter().find(|it| it.seat == number).map(|it| it.level);
        let is_bot = player.is_none() && bot.is_some();
        SeatLine {
            number,
            name: player.map(|it| page.name(it)).or_else(|| is_bot.then(|| page.bot_name(number))),
            is_bot,
            bot,
            is_mine: mine.is_some_and(|it| i16::from(it.0) == number),
            on_turn: access.is_up_to_date() && row.to_move >> number & 1 == 1,
            has_left: row.has_resigned(number) && !is_bot,
            may_return: row.has_resigned(number) && player.is_some_and(SeatRow::may_be_taken_back),
            was_late: false,
            stand_in: player.and_then(|it| it.stand_in_name.clone()),
            rank: of_outcome("ranks", number).and_then(Value::as_u64),
            score: of_outcome("scores", number).map(|score| page.number(score)),
        }
    };
    (0..row.seat_count).map(line).collect()
}

#[cfg(test)]
mod tests {
    use base::ids::PlayerId;
    use jiff::Timestamp;
    use play::matches::MatchId;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn only_games_of_bids_have_bluffs() {
        let tells = |game: &str| {
            let row = MatchStatsRow {
                match_id: MatchId(Uuid::nil()),
                seat: 0,
                player_id: PlayerId(Uuid::nil()),
                game: game.to_owned(),
                finished_at: Timestamp::UNIX_EPOCH,
                place: 1,
                seats: 3,
                left_early: false,
                calls_right: 0,
                calls_wrong: 1,
                bluffs_called: 0,
                bluffs_uncalled: 0,
                luck_had: 0,
                luck_expected: 0,
            };
            Bluffs::of(&row).is_some()
        };
        let with_bluffs = catalogue::GAMES.iter().map(|kind| kind.info().id).filter(|game| tells(game));
        assert_eq!(with_bluffs.collect::<Vec<_>>(), ["perudo", "perudo-pirates", "liars-dice"]);
    }
}
