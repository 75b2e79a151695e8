//! Hogu Clue: the cards to be found, the open ones, everybody's hand, and who called what.

use askama::Template;
use serde::Deserialize;

use super::Scene;
use crate::error::{ApiResult, internal};
use crate::page::Page;

/// So many of the latest turns are in sight; the others are folded away.
const TURNS_SHOWN: usize = 8;

#[derive(Deserialize)]
struct View {
    phase: String,
    to_move: Vec<usize>,
    hand_size: usize,
    open: Vec<String>,
    hidden_count: usize,
    found: Vec<String>,
    places: Vec<Option<u8>>,
    revealed: Vec<Option<Vec<String>>>,
    exchange: Option<Exchange>,
    history: Vec<Entry>,
}

#[derive(Deserialize)]
struct Exchange {
    caller: usize,
    holder: usize,
    #[serde(flatten)]
    call: Called,
    given: Vec<usize>,
}

#[derive(Deserialize)]
struct Called {
    suit: Option<String>,
    rank: Option<u8>,
}

#[derive(Deserialize)]
struct Entry {
    turn: u32,
    seat: usize,
    #[serde(flatten)]
    what: What,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum What {
    Call {
        #[serde(flatten)]
        call: Called,
        asked: Vec<usize>,
        holder: Option<usize>,
    },
    Answer {
        card: String,
        right: bool,
    },
}

#[derive(Deserialize)]
struct Mine {
    my_hand: Vec<String>,
    my_give: Option<String>,
    my_exchanges: Vec<Swap>,
}

#[derive(Deserialize)]
struct Swap {
    turn: u32,
    gave: String,
    got: String,
}

#[derive(Template)]
#[template(path = "boards/hogu-clue.html")]
struct Board<'a> {
    page: &'a Page,
    winners: Option<String>,
    is_final: bool,
    hidden: Vec<Card>,
    backs: usize,
    open: Vec<Card>,
    exchange: Option<Exchanging>,
    seats: Vec<Seat>,
    latest: Vec<Turn>,
    earlier: Vec<Turn>,
}

/// A playing card, face up.
struct Card {
    suit: String,
    rank: String,
    word: String,
    /// Named and turned up, or put aside to be handed over.
    is_marked: bool,
}

/// A suit or a rank that was called.
struct Call {
    suit: Option<String>,
    rank: Option<u8>,
    word: String,
}

struct Exchanging {
    caller: String,
    holder: String,
    call: Call,
    given: String,
}

struct Seat {
    name: String,
    on_turn: bool,
    place: Option<u8>,
    hand: Vec<Card>,
    backs: usize,
    has_given: bool,
}

struct Turn {
    number: u32,
    name: String,
    call: Option<Call>,
    /// Asked in vain.
    asked: String,
    holder: Option<String>,
    answer: Option<(Card, bool)>,
    /// Per looking seat what went and what came.
    swaps: Vec<(String, Card, Card)>,
}

pub(super) fn draw(scene: &Scene<'_>) -> ApiResult<String> {
    let view: View = scene.public()?;
    let (hidden, backs) = match scene.known::<Vec<String>>("hidden")? {
        Some(all) => (all, 0),
        None => (view.found.clone(), view.hidden_count),
    };
    let marked = |id: &String| Card { is_marked: view.found.contains(id), ..card(scene, id) };
    let mut latest: Vec<Turn> = view.history.iter().rev().map(|it| turn(scene, it)).collect::<ApiResult<_>>()?;
    let earlier = latest.split_off(TURNS_SHOWN.min(latest.len()));
    let board = Board {
        page: scene.page,
        winners: scene.winners(),
        is_final: view.phase == "final",
        hidden: hidden.iter().map(marked).collect(),
        backs,
        open: view.open.iter().map(|id| card(scene, id)).collect(),
        exchange: view.exchange.as_ref().map(|it| exchanging(scene, it)),
        seats: (0..view.places.len()).map(|at| seat(scene, &view, at)).collect::<ApiResult<_>>()?,
        latest,
        earlier,
    };
    board.render().map_err(internal)
}

fn card(scene: &Scene<'_>, id: &str) -> Card {
    let (suit, rank) = if id == "JK" { (id, "") } else { id.split_at(id.len().min(1)) };
    Card { suit: suit.to_owned(), rank: rank.to_owned(), word: scene.word(id), is_marked: false }
}

fn call(scene: &Scene<'_>, called: &Called) -> Call {
    let rank = || scene.page.say("hogu-clue-board-rank").with("rank", called.rank.unwrap_or_default()).to_string();
    let word = called.suit.as_deref().map_or_else(rank, |suit| scene.word(suit));
    Call { suit: called.suit.clone(), rank: called.rank, word }
}

fn exchanging(scene: &Scene<'_>, exchange: &Exchange) -> Exchanging {
    Exchanging {
        caller: scene.name(exchange.caller).to_owned(),
        holder: scene.name(exchange.holder).to_owned(),
        call: call(scene, &exchange.call),
        given: scene.named(&exchange.given),
    }
}

fn seat(scene: &Scene<'_>, view: &View, at: usize) -> ApiResult<Seat> {
    let mine = scene.own::<Mine>(at)?;
    let give = mine.as_ref().and_then(|mine| mine.my_give.clone());
    let open = view.revealed.get(at).cloned().flatten().or(mine.map(|mine| mine.my_hand));
    let marked = |id: &String| Card { is_marked: give.as_ref() == Some(id), ..card(scene, id) };
    Ok(Seat {
        name: scene.name(at).to_owned(),
        on_turn: view.to_move.contains(&at),
        place: view.places.get(at).copied().flatten(),
        backs: if open.is_some() { 0 } else { view.hand_size },
        hand: open.iter().flatten().map(marked).collect(),
        has_given: view.exchange.as_ref().is_some_and(|it| it.given.contains(&at)),
    })
}

fn turn(scene: &Scene<'_>, entry: &Entry) -> ApiResult<Turn> {
    let mut turn = Turn {
        number: entry.turn,
        name: scene.name(entry.seat).to_owned(),
        call: None,
        asked: String::new(),
        holder: None,
        answer: None,
        swaps: Vec::new(),
    };
    match &entry.what {
        What::Call { call: called, asked, holder } => {
            let in_vain: Vec<usize> = asked.iter().copied().filter(|seat| Some(*seat) != *holder).collect();
            turn.asked = scene.named(&in_vain);
            turn.call = Some(call(scene, called));
            turn.holder = holder.map(|seat| scene.name(seat).to_owned());
            for seat in [Some(entry.seat), *holder].into_iter().flatten() {
                let swaps = scene.own::<Mine>(seat)?.map(|mine| mine.my_exchanges).unwrap_or_default();
                let swap = swaps.iter().find(|it| it.turn == entry.turn);
                turn.swaps
                    .extend(swap.map(|it| (scene.name(seat).to_owned(), card(scene, &it.gave), card(scene, &it.got))));
            }
        }
        What::Answer { card: named, right } => turn.answer = Some((card(scene, named), *right)),
    }
    Ok(turn)
}
