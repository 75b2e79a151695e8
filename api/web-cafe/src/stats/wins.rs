//! Who wins: by seat, by order of play and by role, each as a line with its interval.

use super::chart;
use super::show::StatsPage;
use super::tables;
use base::games::words::word;
use play::stats::{PlaceWins, RoleWins, SeatWins};

/// So many lines of wins are drawn, a screen of a phone for each table; the table has them all.
const DRAWN: usize = 8;
/// Of fewer matches nothing is said about who wins.
const ENOUGH: i64 = 20;

/// How often somebody won of so many matches.
#[derive(Clone)]
pub(super) struct Wins<'a> {
    pub game: &'a str,
    pub variant: Option<&'a str>,
    pub variant_hash: &'a str,
    pub seats: i16,
    pub who: Who<'a>,
    played: i64,
    wins: i64,
    pub share: f64,
    pub share_from: f64,
    pub share_until: f64,
    fair: f64,
}

#[derive(Clone, Copy)]
pub(super) enum Who<'a> {
    /// 0 is the first.
    Seat(i16),
    /// 0 is the first to play.
    Place(i16),
    Role(&'a str),
}

impl Wins<'_> {
    fn rules(&self) -> (&str, &str, i16) {
        (self.game, self.variant_hash, self.seats)
    }

    /// Whether enough was played to say that it is no chance that this is not the fair share.
    fn is_known_unfair(&self) -> bool {
        self.played >= ENOUGH && (self.share_from > self.fair || self.share_until < self.fair)
    }

    /// How many times the fair share it is, or the fair share of it.
    fn apart(&self) -> f64 {
        (self.share / self.fair).max(f64::EPSILON).ln().abs()
    }
}

impl<'a> From<&'a SeatWins> for Wins<'a> {
    fn from(it: &'a SeatWins) -> Self {
        Self {
            game: &it.game,
            variant: it.variant.as_deref(),
            variant_hash: &it.variant_hash,
            seats: it.seats,
            who: Who::Seat(it.seat),
            played: it.finished,
            wins: it.wins,
            share: it.share,
            share_from: it.share_from,
            share_until: it.share_until,
            fair: it.fair,
        }
    }
}

impl<'a> From<&'a PlaceWins> for Wins<'a> {
    fn from(it: &'a PlaceWins) -> Self {
        Self {
            game: &it.game,
            variant: it.variant.as_deref(),
            variant_hash: &it.variant_hash,
            seats: it.seats,
            who: Who::Place(it.place),
            played: it.finished,
            wins: it.wins,
            share: it.share,
            share_from: it.share_from,
            share_until: it.share_until,
            fair: it.fair,
        }
    }
}

impl<'a> From<&'a RoleWins> for Wins<'a> {
    fn from(it: &'a RoleWins) -> Self {
        Self {
            game: &it.game,
            variant: it.variant.as_deref(),
            variant_hash: &it.variant_hash,
            seats: it.seats,
            who: Who::Role(&it.role),
            played: it.played,
            wins: it.wins,
            share: it.share,
            share_from: it.share_from,
            share_until: it.share_until,
            fair: it.fair,
        }
    }
}

impl StatsPage {
    fn wins(&self, sheet: &str) -> Vec<Wins<'_>> {
        match sheet {
            "seats" => self.tables.seats.iter().map(Wins::from).collect(),
            "orders" => self.tables.orders.iter().map(Wins::from).collect(),
            "roles" => self.tables.roles.iter().map(Wins::from).collect(),
            _ => Vec::new(),
        }
    }

    /// Those that are drawn: of as many rules as there is room for, at least of one. What is no chance comes first.
    pub(super) fn drawn_wins(&self, sheet: &str) -> Vec<Wins<'_>> {
        let wins = self.wins(sheet);
        let mut rules: Vec<_> = wins.chunk_by(|one, other| one.rules() == other.rules()).collect();
        rules.sort_by_key(|of_rules| !of_rules.iter().any(Wins::is_known_unfair));
        let mut room = DRAWN;
        let fits = |of_rules: &&[Wins<'_>]| {
            let is_first = room == DRAWN;
            let left = room.checked_sub(of_rules.len());
            room = left.unwrap_or(0);
            is_first || left.is_some()
        };
        rules.into_iter().take_while(fits).flatten().cloned().collect()
    }

    /// Where the fair share is drawn.
    pub(super) fn fair(&self, it: &Wins<'_>) -> f64 {
        chart::place(it.fair)
    }

    pub(super) fn rules_of(&self, it: &Wins<'_>) -> String {
        tables::rules(&self.page, it.game, it.variant, it.variant_hash)
    }

    /// Which seat, place or role of how many this is.
    pub(super) fn winner(&self, it: &Wins<'_>) -> String {
        let of = |key, name, number: i16| self.page.say(key).with(name, number + 1).with("count", it.seats).to_string();
        match it.who {
            Who::Seat(seat) => of("stats-seat-of", "seat", seat),
            Who::Place(place) => of("stats-place-of", "place", place),
            Who::Role(role) => self.role_of(it, role),
        }
    }

    fn role_of(&self, it: &Wins<'_>, role: &str) -> String {
        let said = self.page.say("stats-role-of").with("role", word(self.page.lang, it.game, role));
        said.with("count", it.seats).to_string()
    }

    /// The matches behind it: those that this seat won, or else all that were played there.
    pub(super) fn behind_wins(&self, it: &Wins<'_>) -> String {
        match it.who {
            Who::Seat(seat) if it.wins > 0 => self.links().won(it.game, it.variant_hash, it.seats, seat),
            Who::Seat(_) | Who::Place(_) | Who::Role(_) => self.links().at_seats(it.game, it.variant_hash, it.seats),
        }
    }

    /// Who is furthest from winning as often as the others, if that is no chance.
    pub(super) fn unfair(&self, sheet: &str) -> Option<String> {
        let mut known = self.wins(sheet);
        let said = Said::of(sheet)?;
        if known.is_empty() {
            return None;
        }
        known.retain(|it| it.played >= ENOUGH);
        if known.is_empty() {
            return Some(self.page.t(said.few));
        }
        let unfair = known.iter().filter(|it| it.is_known_unfair());
        let Some(it) = unfair.max_by(|one, other| one.apart().total_cmp(&other.apart())) else {
            return Some(self.page.t(said.fair));
        };
        let percent = |share| self.page.lang.percent(share, 0);
        let text = self.page.say(said.unfair).with("game", self.page.game_name(it.game)).with("count", it.seats);
        let text = match it.who {
            Who::Seat(seat) => text.with("seat", seat + 1),
            Who::Place(place) => text.with("place", place + 1),
            Who::Role(role) => text.with("role", word(self.page.lang, it.game, role)),
        };
        Some(text.with("share", percent(it.share)).with("fair", percent(it.fair)).to_string())
    }
}

/// The sentences about one of the tables.
struct Said {
    unfair: &'static str,
    fair: &'static str,
    few: &'static str,
}

impl Said {
    fn of(sheet: &str) -> Option<Self> {
        let said = |[unfair, fair, few]: [&'static str; 3]| Self { unfair, fair, few };
        match sheet {
            "seats" => Some(said(["stats-says-seats", "stats-says-seats-fair", "stats-says-seats-few"])),
            "orders" => Some(said(["stats-says-orders", "stats-says-orders-fair", "stats-says-orders-few"])),
            "roles" => Some(said(["stats-says-roles", "stats-says-roles-fair", "stats-says-roles-few"])),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_winners_of_four_seats_are_no_unfair_seat() {
        let seat = |share: f64, fair: f64| SeatWins {
            game: "middle-race".to_owned(),
            variant_hash: "00".repeat(32),
            variant: None,
            seats: 4,
            seat: 0,
            finished: 100,
            wins: (share * 100.0) as i64,
            share,
            share_from: share - 0.1,
            share_until: share + 0.1,
            fair,
        };
        let is_unfair = |share, fair| Wins::from(&seat(share, fair)).is_known_unfair();
        assert_eq!([is_unfair(0.52, 0.5), is_unfair(0.25, 0.5), is_unfair(0.25, 0.25)], [false, true, false]);
    }
}
