//! Hogu Clue: the cards to be found, the open ones, everybody's hand, and who called what.

use askama::Template;
use engine::Seat;
use engine::games::hogu_clue::{Call, Card, Entry, Exchanging, Phase, View, What};

use super::{Scene, Views, id};
use base::error::internal;
use web_base::error::ApiResult;
use web_base::page::Page;

/// So many of the latest turns are in sight; the others are folded away.
const TURNS_SHOWN: usize = 8;

#[derive(Template)]
#[template(path = "boards/hogu-clue.html")]
struct Board<'a> {
    page: &'a Page,
    winners: Option<String>,
    is_final: bool,
    hidden: Vec<CardFace>,
    backs: usize,
    open: Vec<CardFace>,
    exchange: Option<ExchangeLine>,
    /// One seat alone is on turn: an arrow leads from it.
    leads: bool,
    /// In turn order, from the near seat.
    seats: Vec<SeatHand>,
    latest: Vec<Turn>,
    earlier: Vec<Turn>,
}

/// A playing card, face up.
struct CardFace {
    suit: String,
    rank: String,
    word: String,
    /// Named and turned up, or put aside to be handed over.
    is_marked: bool,
}

/// A suit or a rank that was called.
struct Called {
    suit: Option<String>,
    rank: Option<u8>,
    word: String,
}

struct ExchangeLine {
    caller: String,
    holder: String,
    call: Called,
    given: String,
}

struct SeatHand {
    number: u8,
    name: String,
    on_turn: bool,
    place: Option<u8>,
    hand: Vec<CardFace>,
    backs: usize,
    has_given: bool,
}

struct Turn {
    number: u32,
    name: String,
    call: Option<Called>,
    /// Asked in vain.
    asked: String,
    holder: Option<String>,
    answer: Option<(CardFace, bool)>,
    /// Per looking seat what went and what came.
    swaps: Vec<(String, CardFace, CardFace)>,
}

pub(super) fn draw(scene: &Scene<'_>) -> ApiResult<String> {
    let views: Views<View> = scene.views()?;
    let view = &views.public;
    let (hidden, backs) = match views.known(|it| it.hidden) {
        Some(all) => (all.iter().collect(), 0),
        None => (view.found.clone(), usize::from(view.hidden_count)),
    };
    let marked = |it: Card| CardFace { is_marked: view.found.contains(&it), ..card(scene, it) };
    let mut latest: Vec<Turn> = view.history.iter().rev().map(|it| turn(scene, &views, it)).collect();
    let earlier = latest.split_off(TURNS_SHOWN.min(latest.len()));
    let board = Board {
        page: scene.page,
        winners: scene.winners(),
        is_final: view.common.phase == Phase::Final,
        hidden: hidden.into_iter().map(marked).collect(),
        backs,
        open: view.open.iter().map(|it| card(scene, it)).collect(),
        exchange: view.exchange.as_ref().map(|it| exchange(scene, it)),
        leads: view.common.to_move.len() == 1,
        seats: scene.around().into_iter().map(|at| seat(scene, &views, at)).collect(),
        latest,
        earlier,
    };
    Ok(board.render().map_err(internal)?)
}

/// The joker has no suit: its own id stands in its place.
fn card(scene: &Scene<'_>, card: Card) -> CardFace {
    CardFace {
        suit: card.suit().map_or_else(|| id(card), id),
        rank: card.rank().map(|it| it.number().to_string()).unwrap_or_default(),
        word: scene.word(card),
        is_marked: false,
    }
}

fn called(scene: &Scene<'_>, call: Call) -> Called {
    match call {
        Call::Suit(suit) => Called { suit: Some(id(suit)), rank: None, word: scene.word(suit) },
        Call::Rank(rank) => {
            let word = scene.page.say("hogu-clue-board-rank").with("rank", rank.number()).to_string();
            Called { suit: None, rank: Some(rank.number()), word }
        }
    }
}

fn exchange(scene: &Scene<'_>, exchange: &Exchanging) -> ExchangeLine {
    ExchangeLine {
        caller: scene.name(exchange.caller).to_owned(),
        holder: scene.name(exchange.holder).to_owned(),
        call: called(scene, exchange.call),
        given: scene.named(exchange.given.iter()),
    }
}

fn seat(scene: &Scene<'_>, views: &Views<View>, at: Seat) -> SeatHand {
    let view = &views.public;
    let mine = views.own(at).and_then(|it| it.mine.as_ref());
    let give = mine.and_then(|mine| mine.my_give);
    let open = view.revealed[at].or(mine.map(|mine| mine.my_hand));
    let marked = |it: Card| CardFace { is_marked: give == Some(it), ..card(scene, it) };
    SeatHand {
        number: at.0,
        name: scene.name(at).to_owned(),
        on_turn: view.common.to_move.has(at),
        place: view.places[at],
        backs: if open.is_some() { 0 } else { view.hand_size.into() },
        hand: open.unwrap_or_default().iter().map(marked).collect(),
        has_given: view.exchange.as_ref().is_some_and(|it| it.given.has(at)),
    }
}

fn turn(scene: &Scene<'_>, views: &Views<View>, entry: &Entry) -> Turn {
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
        What::Call { call, asked, holder } => {
            turn.asked = scene.named(asked.iter().copied().filter(|seat| Some(*seat) != *holder));
            turn.call = Some(called(scene, *call));
            turn.holder = holder.map(|seat| scene.name(seat).to_owned());
            for seat in [Some(entry.seat), *holder].into_iter().flatten() {
                let exchanges = views.own(seat).and_then(|it| it.mine.as_ref()).map(|mine| &mine.my_exchanges);
                let swap = exchanges.into_iter().flatten().find(|it| it.turn == entry.turn);
                let swap = swap.map(|it| (scene.name(seat).to_owned(), card(scene, it.gave), card(scene, it.got)));
                turn.swaps.extend(swap);
            }
        }
        What::Answer { card: named, right, .. } => turn.answer = Some((card(scene, *named), *right)),
    }
    turn
}
