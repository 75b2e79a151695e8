//! Middle Race: the track with its pawns, the places, and everybody's character and move cards.

use askama::Template;
use engine::Seat;
use engine::games::middle_race::{Character, Hand, Pending, View};

use super::ring::{Place, Ring, from_near};
use super::{Scene, Views};
use base::error::internal;
use web_base::error::ApiResult;
use web_base::page::Page;

#[derive(Template)]
#[template(path = "boards/middle-race.html")]
struct Board<'a> {
    page: &'a Page,
    winners: Option<String>,
    start: Vec<Pawn>,
    legs: Vec<Vec<Space>>,
    /// In the order of arrival.
    finish: Vec<Pawn>,
    podium: Vec<Step>,
    choice: Option<Choice>,
    available: Vec<Pawn>,
    ring: Ring,
    /// In turn order, from the near seat.
    runners: Vec<Runner>,
}

struct Space {
    number: u8,
    pawns: Vec<Pawn>,
}

/// A leg of the track has as many spaces as fit a phone: of these numbers, the one that fills the last leg best.
const LEGS: [usize; 3] = [8, 7, 6];

/// A character, with its pawn's number.
#[derive(Clone)]
struct Pawn {
    number: u8,
    word: String,
    /// The player who has to choose may name its runner.
    is_lit: bool,
}

/// A place in the order of arrival, and who took it.
struct Step {
    place: u8,
    wins: bool,
    taken: Option<(Pawn, String)>,
}

struct Choice {
    name: String,
    ability: String,
    step: String,
    /// Whom it is about, or who may be named.
    about: Option<String>,
    seats: Option<String>,
    spaces: Option<i8>,
}

struct Runner {
    name: String,
    character: Option<Pawn>,
    on_turn: bool,
    to_move: bool,
    position: Option<u8>,
    place: Option<u8>,
    wins: bool,
    cards: Vec<u8>,
    backs: usize,
    used: Vec<u8>,
    silenced_by: Option<String>,
    copied: Option<String>,
    look: Option<(String, Vec<u8>, Option<u8>)>,
}

pub(super) fn draw(scene: &Scene<'_>) -> ApiResult<String> {
    let views: Views<View> = scene.views()?;
    let view = &views.public;
    let order = view.turn_order.clone().or_else(|| view.draft_order.clone());
    let order = from_near(scene.near, order.unwrap_or_else(|| view.positions.seats().collect()));
    let mut finished: Vec<Seat> = view.positions.which(Option::is_none).iter().collect();
    finished.sort_by_key(|seat| view.places[*seat]);
    let board = Board {
        page: scene.page,
        winners: scene.winners(),
        start: pawns_on(scene, view, 0),
        legs: legs(scene, view),
        finish: finished.into_iter().filter_map(|seat| pawn_of(scene, view, seat)).collect(),
        podium: podium(scene, view),
        choice: view.pending.as_ref().map(|it| choice(scene, it)),
        available: view.available.iter().map(|it| pawn(scene, *it)).collect(),
        ring: Ring::of(scene, order.clone(), |seat| place(scene, view, seat)),
        runners: order.into_iter().map(|seat| runner(scene, &views, seat)).collect(),
    };
    Ok(board.render().map_err(internal)?)
}

fn pawn(scene: &Scene<'_>, character: Character) -> Pawn {
    Pawn { number: character.number(), word: scene.word(character), is_lit: false }
}

fn pawn_of(scene: &Scene<'_>, view: &View, seat: Seat) -> Option<Pawn> {
    let is_lit = view.pending.as_ref().and_then(|it| it.seats).is_some_and(|seats| seats.has(seat));
    view.characters[seat].map(|it| Pawn { is_lit, ..pawn(scene, it) })
}

/// The pawns of a space by their numbers.
fn pawns_on(scene: &Scene<'_>, view: &View, space: u8) -> Vec<Pawn> {
    let here = view.positions.which(|position| *position == Some(space));
    let mut pawns: Vec<Pawn> = here.iter().filter_map(|seat| pawn_of(scene, view, seat)).collect();
    pawns.sort_by_key(|pawn| pawn.number);
    pawns
}

fn legs(scene: &Scene<'_>, view: &View) -> Vec<Vec<Space>> {
    let length = view.common.options.track_length;
    let last_leg = |spaces: &usize| (usize::from(length) - 1) % spaces + 1;
    let fullest = LEGS.into_iter().max_by_key(|spaces| last_leg(spaces) * 100 / spaces);
    let mut spaces = (1..=length).map(|number| Space { number, pawns: pawns_on(scene, view, number) }).peekable();
    let mut legs = Vec::new();
    while spaces.peek().is_some() {
        legs.push(spaces.by_ref().take(fullest.unwrap_or(LEGS[0])).collect());
    }
    legs
}

fn wins(view: &View, place: u8) -> bool {
    view.common.options.winner.wins(place, view.common.seats)
}

fn podium(scene: &Scene<'_>, view: &View) -> Vec<Step> {
    let step = |place: u8| {
        let seat = view.places.seats().find(|seat| view.places[*seat] == Some(place));
        let taken = seat.and_then(|seat| Some((pawn_of(scene, view, seat)?, scene.name(seat).to_owned())));
        Step { place, wins: wins(view, place), taken }
    };
    (1..=view.places.count()).map(step).collect()
}

fn choice(scene: &Scene<'_>, pending: &Pending) -> Choice {
    Choice {
        name: scene.name(pending.seat).to_owned(),
        ability: scene.word(pending.ability),
        step: scene.word(pending.step),
        about: pending.target.or(pending.pawn).map(|seat| scene.name(seat).to_owned()),
        seats: pending.seats.map(|seats| scene.named(seats.iter())),
        spaces: pending.spaces,
    }
}

fn place(scene: &Scene<'_>, view: &View, seat: Seat) -> Place {
    let crossed = |place| scene.page.say("middle-race-board-place").with("place", place).to_string();
    Place {
        seat: seat.0,
        name: scene.name(seat).to_owned(),
        note: view.places[seat].map(crossed).unwrap_or_default(),
        pawn: view.characters[seat].map(Character::number),
        on_turn: view.turn_seat == Some(seat) || view.turn_seat.is_none() && view.common.to_move.has(seat),
        is_out: view.places[seat].is_some(),
    }
}

fn runner(scene: &Scene<'_>, views: &Views<View>, seat: Seat) -> Runner {
    let view = &views.public;
    let mine = views.own(seat);
    let open: Option<Hand> = view.hands.as_ref().map(|hands| hands[seat]).or(mine.and_then(|mine| mine.my_cards));
    let look = mine.and_then(|mine| mine.my_look.as_ref());
    let place = view.places[seat];
    let is_copy = view.characters[seat] == Some(Character::Copy);
    Runner {
        name: scene.name(seat).to_owned(),
        character: pawn_of(scene, view, seat),
        on_turn: view.turn_seat == Some(seat),
        to_move: view.common.to_move.has(seat),
        position: view.positions[seat],
        place,
        wins: place.is_some_and(|place| wins(view, place)),
        backs: if open.is_some() { 0 } else { view.card_counts[seat].into() },
        cards: open.unwrap_or_default().cards().collect(),
        used: view.used_cards[seat].clone(),
        silenced_by: silenced_by(scene, view, seat),
        copied: view.copied.filter(|_| is_copy).map(|it| scene.word(it)),
        look: look.map(|it| (scene.name(it.seat).to_owned(), it.cards.cards().collect(), it.kept)),
    }
}

fn silenced_by(scene: &Scene<'_>, view: &View, seat: Seat) -> Option<String> {
    let mut by = view.silences.iter().filter(|it| it.seat == seat).map(|it| it.by).peekable();
    by.peek().is_some().then(|| scene.named(by))
}
