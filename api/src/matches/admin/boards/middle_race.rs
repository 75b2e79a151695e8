//! Middle Race: the track with its pawns, the places, and everybody's character and move cards.

use askama::Template;
use serde::Deserialize;

use super::Scene;
use crate::error::{ApiResult, internal};
use crate::page::Page;

/// In the order of their numbers.
const CHARACTERS: [&str; 10] =
    ["gravity", "push", "delete", "offer", "with", "union", "mirror", "copy", "reset", "silence"];

#[derive(Deserialize)]
struct View {
    to_move: Vec<usize>,
    options: Options,
    draft_order: Option<Vec<usize>>,
    available: Vec<String>,
    characters: Vec<Option<String>>,
    turn_order: Option<Vec<usize>>,
    turn_seat: Option<usize>,
    positions: Vec<Option<u8>>,
    places: Vec<Option<u8>>,
    card_counts: Vec<usize>,
    used_cards: Vec<Vec<u8>>,
    hands: Option<Vec<Vec<u8>>>,
    copied: Option<String>,
    silences: Vec<Silence>,
    pending: Option<Pending>,
}

#[derive(Deserialize)]
struct Options {
    track_length: u8,
    winner: String,
}

#[derive(Deserialize)]
struct Silence {
    by: usize,
    seat: usize,
}

#[derive(Deserialize)]
struct Pending {
    seat: usize,
    ability: String,
    step: String,
    seats: Option<Vec<usize>>,
    target: Option<usize>,
    pawn: Option<usize>,
    spaces: Option<i16>,
}

#[derive(Deserialize)]
struct Mine {
    my_cards: Option<Vec<u8>>,
    my_look: Option<Look>,
}

#[derive(Deserialize)]
struct Look {
    seat: usize,
    cards: Vec<u8>,
    kept: Option<u8>,
}

#[derive(Template)]
#[template(path = "boards/middle-race.html")]
struct Board<'a> {
    page: &'a Page,
    winners: Option<String>,
    track: Vec<Space>,
    podium: Vec<Step>,
    choice: Option<Choice>,
    available: Vec<Character>,
    runners: Vec<Runner>,
}

/// A space of the track; the lines before the first and behind the last are the ends of it.
struct Space {
    number: u8,
    is_start: bool,
    is_finish: bool,
    pawns: Vec<Character>,
}

/// A character, with its pawn's number.
#[derive(Clone)]
struct Character {
    number: usize,
    word: String,
}

/// A place in the order of arrival, and who took it.
struct Step {
    place: u8,
    wins: bool,
    taken: Option<(Character, String)>,
}

struct Choice {
    name: String,
    ability: String,
    step: String,
    /// Whom it is about, or who may be named.
    about: Option<String>,
    seats: Option<String>,
    spaces: Option<i16>,
}

struct Runner {
    name: String,
    character: Option<Character>,
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
    let view: View = scene.public()?;
    let all = (0..view.positions.len()).collect();
    let order = view.turn_order.as_ref().or(view.draft_order.as_ref()).unwrap_or(&all);
    let board = Board {
        page: scene.page,
        winners: scene.winners(),
        track: track(scene, &view),
        podium: podium(scene, &view),
        choice: view.pending.as_ref().map(|it| choice(scene, it)),
        available: view.available.iter().map(|id| character(scene, id)).collect(),
        runners: order.iter().map(|seat| runner(scene, &view, *seat)).collect::<ApiResult<_>>()?,
    };
    board.render().map_err(internal)
}

fn character(scene: &Scene<'_>, id: &str) -> Character {
    let number = CHARACTERS.iter().position(|it| *it == id).map_or(0, |at| at + 1);
    Character { number, word: scene.word(id) }
}

fn character_of(scene: &Scene<'_>, view: &View, seat: usize) -> Option<Character> {
    view.characters.get(seat)?.as_deref().map(|id| character(scene, id))
}

fn track(scene: &Scene<'_>, view: &View) -> Vec<Space> {
    let finish = view.options.track_length + 1;
    let space = |number| {
        let here = |seat: &usize| view.positions[*seat].unwrap_or(finish) == number;
        let mut pawns: Vec<Character> =
            (0..view.positions.len()).filter(here).filter_map(|seat| character_of(scene, view, seat)).collect();
        pawns.sort_by_key(|pawn| pawn.number);
        Space { number, is_start: number == 0, is_finish: number == finish, pawns }
    };
    (0..=finish).map(space).collect()
}

/// Whether this place wins among so many.
fn wins(view: &View, place: u8) -> bool {
    let seats = view.positions.len();
    let place = usize::from(place);
    match view.options.winner.as_str() {
        "not_ends" => place > 1 && place < seats,
        _ => place == seats.div_ceil(2) || place == seats / 2 + 1,
    }
}

fn podium(scene: &Scene<'_>, view: &View) -> Vec<Step> {
    let step = |place: u8| {
        let seat = view.places.iter().position(|it| *it == Some(place));
        let taken = seat.and_then(|seat| Some((character_of(scene, view, seat)?, scene.name(seat).to_owned())));
        Step { place, wins: wins(view, place), taken }
    };
    (1..=u8::try_from(view.places.len()).unwrap_or(0)).map(step).collect()
}

fn choice(scene: &Scene<'_>, pending: &Pending) -> Choice {
    Choice {
        name: scene.name(pending.seat).to_owned(),
        ability: scene.word(&pending.ability),
        step: scene.word(&pending.step),
        about: pending.target.or(pending.pawn).map(|seat| scene.name(seat).to_owned()),
        seats: pending.seats.as_deref().map(|seats| scene.named(seats)),
        spaces: pending.spaces,
    }
}

fn runner(scene: &Scene<'_>, view: &View, seat: usize) -> ApiResult<Runner> {
    let mine = scene.own::<Mine>(seat)?;
    let (own, look) = mine.map_or((None, None), |mine| (mine.my_cards, mine.my_look));
    let open = view.hands.as_ref().and_then(|hands| hands.get(seat)).cloned().or(own);
    let place = view.places.get(seat).copied().flatten();
    let held = view.card_counts.get(seat).copied().unwrap_or_default();
    let is_copy = view.characters.get(seat).is_some_and(|it| it.as_deref() == Some("copy"));
    Ok(Runner {
        name: scene.name(seat).to_owned(),
        character: character_of(scene, view, seat),
        on_turn: view.turn_seat == Some(seat),
        to_move: view.to_move.contains(&seat),
        position: view.positions.get(seat).copied().flatten(),
        place,
        wins: place.is_some_and(|place| wins(view, place)),
        backs: if open.is_some() { 0 } else { held },
        cards: open.unwrap_or_default(),
        used: view.used_cards.get(seat).cloned().unwrap_or_default(),
        silenced_by: silenced_by(scene, view, seat),
        copied: view.copied.as_deref().filter(|_| is_copy).map(|id| scene.word(id)),
        look: look.map(|it| (scene.name(it.seat).to_owned(), it.cards, it.kept)),
    })
}

fn silenced_by(scene: &Scene<'_>, view: &View, seat: usize) -> Option<String> {
    let by: Vec<usize> = view.silences.iter().filter(|it| it.seat == seat).map(|it| it.by).collect();
    (!by.is_empty()).then(|| scene.named(&by))
}
