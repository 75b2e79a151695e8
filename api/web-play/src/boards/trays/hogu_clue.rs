//! Hogu Clue: a notebook that fills itself from what this seat knows. Its heads call a suit or a rank, its cells answer; a card
//! of the own hand is given by tapping it. All of it lies under the cover: what is no answer betrays the hand.

use askama::Template;
use engine::Seat;
use engine::games::hogu_clue::{Call, Card, Move, Phase, Rank, Suit, View, What};

use super::Hand;
use crate::boards::id;
use base::error::internal;
use web_base::error::ApiResult;
use web_base::page::Page;

#[derive(Template)]
#[template(path = "boards/trays/hogu-clue.html")]
struct Tray<'a> {
    hand: &'a Hand<'a>,
    page: &'a Page,
    prompt: Option<(&'static str, String)>,
    cards: Vec<OwnCard<'a>>,
    may_give: bool,
    may_call: bool,
    may_answer: bool,
    columns: Vec<Head<'a>>,
    rows: Vec<(Head<'a>, Vec<Cell<'a>>)>,
    joker: Option<Cell<'a>>,
    absent: Vec<(Head<'a>, String)>,
    swaps: Vec<Swap<'a>>,
    waits_for: String,
}

/// A playing card, face up.
struct Face {
    suit: String,
    rank: Option<u8>,
    word: String,
}

struct OwnCard<'a> {
    face: Face,
    /// It may be given.
    value: Option<&'a str>,
    is_given: bool,
}

/// A suit or a rank, which may be called.
struct Head<'a> {
    suit: Option<String>,
    rank: Option<u8>,
    word: String,
    value: Option<&'a str>,
}

struct Cell<'a> {
    face: Face,
    note: Note,
    /// With whom it was last.
    with: Option<&'a str>,
    /// It may be named as an answer.
    value: Option<&'a str>,
}

/// What this seat knows of a card.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Note {
    Own,
    Open,
    Laid,
    Found,
    Hidden,
    /// It was in somebody's hand, so it is not hidden.
    Seen,
    /// It was named as an answer in vain.
    Wrong,
    Unknown,
}

struct Swap<'a> {
    turn: u32,
    with: &'a str,
    gave: Face,
    got: Face,
}

pub(super) fn draw(hand: &Hand<'_>) -> ApiResult<String> {
    let (view, moves): (View, Vec<(Move, &str)>) = (hand.read_view()?, hand.read_moves()?);
    let posted = |wanted: Move| moves.iter().find(|(chosen, _)| *chosen == wanted).map(|(_, value)| *value);
    let head = |call: Call| head(hand, call, posted(Move::Call(call)));
    let cell = |card: Card| cell(hand, &view, card, posted(Move::Answer { card }));
    let row = |suit: Suit| {
        let cards = Card::all().filter(|card| card.suit() == Some(suit));
        (head(Call::Suit(suit)), cards.map(cell).collect())
    };
    let absent = Call::all().filter_map(|call| {
        let seats = absent(&view, hand.seat, call);
        (!seats.is_empty()).then(|| (self::head(hand, call, None), hand.names_of(seats)))
    });
    let mine = view.mine.as_ref();
    let own = mine.into_iter().flat_map(|mine| mine.my_hand.iter()).map(|card| OwnCard {
        face: face(hand, card),
        value: posted(Move::Give { card }),
        is_given: mine.and_then(|mine| mine.my_give) == Some(card),
    });
    let swaps = mine.into_iter().flat_map(|mine| mine.my_exchanges.iter().rev()).map(|it| Swap {
        turn: it.turn,
        with: hand.name_of(it.with),
        gave: face(hand, it.gave),
        got: face(hand, it.got),
    });
    let has = |wanted: fn(&Move) -> bool| moves.iter().any(|(chosen, _)| wanted(chosen));
    let others = view.common.to_move.without(hand.seat);
    let tray = Tray {
        hand,
        page: hand.page,
        prompt: prompt(hand, &view),
        cards: own.collect(),
        may_give: has(|it| matches!(it, Move::Give { .. })),
        may_call: has(|it| matches!(it, Move::Call(_))),
        may_answer: has(|it| matches!(it, Move::Answer { .. })),
        columns: Rank::all().map(|rank| head(Call::Rank(rank))).collect(),
        rows: Suit::ALL.into_iter().map(row).collect(),
        joker: Some(cell(Card::JOKER)),
        absent: absent.collect(),
        swaps: swaps.collect(),
        waits_for: if view.common.to_move.has(hand.seat) { String::new() } else { hand.names_of(others.iter()) },
    };
    Ok(tray.render().map_err(internal)?)
}

/// What is asked of this seat, and what was called.
fn prompt(hand: &Hand<'_>, view: &View) -> Option<(&'static str, String)> {
    if !view.common.to_move.has(hand.seat) {
        return None;
    }
    let called = view.exchange.as_ref().map(|it| head(hand, it.call, None).word).unwrap_or_default();
    let is_holder = view.exchange.as_ref().is_some_and(|it| it.holder == hand.seat);
    let key = match view.common.phase {
        Phase::Turn => "hogu-clue-tray-turn",
        Phase::Final => "hogu-clue-tray-final",
        Phase::Exchange if is_holder => "hogu-clue-tray-give-called",
        Phase::Exchange => "hogu-clue-tray-give-any",
        Phase::Finished => return None,
    };
    Some((key, called))
}

/// The joker has no suit: its own id stands in its place.
fn face(hand: &Hand<'_>, card: Card) -> Face {
    Face {
        suit: card.suit().map_or_else(|| id(card), id),
        rank: card.rank().map(Rank::number),
        word: hand.named(card).word,
    }
}

fn head<'a>(hand: &Hand<'_>, call: Call, value: Option<&'a str>) -> Head<'a> {
    match call {
        Call::Suit(suit) => Head { suit: Some(id(suit)), rank: None, word: hand.named(suit).word, value },
        Call::Rank(rank) => {
            let word = hand.page.say("hogu-clue-board-rank").with("rank", rank.number()).to_string();
            Head { suit: None, rank: Some(rank.number()), word, value }
        }
    }
}

fn cell<'a>(hand: &Hand<'a>, view: &View, card: Card, value: Option<&'a str>) -> Cell<'a> {
    let (note, with) = note(view, hand.seat, card);
    Cell { face: face(hand, card), note, with: with.map(|seat| hand.name_of(seat)), value }
}

/// What this seat knows of a card, and with whom it last was, for all that it knows.
fn note(view: &View, seat: Seat, card: Card) -> (Note, Option<Seat>) {
    let laid = view.revealed.entries().find(|(_, open)| open.is_some_and(|open| open.has(card)));
    let exchanges = view.mine.iter().flat_map(|mine| mine.my_exchanges.iter().rev());
    let seen = exchanges.into_iter().find(|it| it.gave == card || it.got == card);
    let is_wrong = |what: &What| matches!(what, What::Answer { card: named, right: false, .. } if *named == card);
    match (laid, seen) {
        (Some((owner, _)), _) if owner != seat => (Note::Laid, Some(owner)),
        _ if view.mine.as_ref().is_some_and(|mine| mine.my_hand.has(card)) => (Note::Own, None),
        _ if view.open.has(card) => (Note::Open, None),
        _ if view.found.contains(&card) => (Note::Found, None),
        _ if view.hidden.is_some_and(|hidden| hidden.has(card)) => (Note::Hidden, None),
        (_, Some(it)) => (Note::Seen, Some(it.with)),
        _ if view.history.iter().any(|it| is_wrong(&it.what)) => (Note::Wrong, None),
        _ => (Note::Unknown, None),
    }
}

/// Who was asked for this in vain and has exchanged nothing since: they still have none.
fn absent(view: &View, own: Seat, wanted: Call) -> Vec<Seat> {
    let mut absent = Vec::new();
    for entry in &view.history {
        let What::Call { call, asked, holder } = &entry.what else { continue };
        if *call == wanted {
            absent.extend(
                asked
                    .iter()
                    .copied()
                    .filter(|seat| Some(*seat) != *holder && !absent.contains(seat))
                    .collect::<Vec<_>>(),
            );
        }
        if holder.is_some() {
            absent.retain(|seat| *seat != entry.seat && Some(*seat) != *holder);
        }
    }
    absent.retain(|seat| view.places[*seat].is_none() && *seat != own);
    absent
}

impl Note {
    /// The key of its word, its class, and its symbol.
    fn key(self) -> &'static str {
        match self {
            Note::Own => "hogu-clue-tray-note-own",
            Note::Open => "hogu-clue-tray-note-open",
            Note::Laid => "hogu-clue-tray-note-laid",
            Note::Found => "hogu-clue-tray-note-found",
            Note::Hidden => "hogu-clue-tray-note-hidden",
            Note::Seen => "hogu-clue-tray-note-seen",
            Note::Wrong => "hogu-clue-tray-note-wrong",
            Note::Unknown => "hogu-clue-tray-note-unknown",
        }
    }

    fn class(self) -> &'static str {
        match self {
            Note::Own => "own",
            Note::Open | Note::Laid => "open",
            Note::Found | Note::Hidden => "found",
            Note::Seen | Note::Wrong => "seen",
            Note::Unknown => "unknown",
        }
    }

    fn symbol(self) -> &'static str {
        match self {
            Note::Own => "person",
            Note::Open | Note::Laid => "book",
            Note::Found | Note::Hidden => "seal",
            Note::Seen | Note::Wrong => "cross",
            Note::Unknown => "search",
        }
    }
}
