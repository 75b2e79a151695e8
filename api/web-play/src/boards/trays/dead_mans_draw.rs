//! Dead Man's Draw: what the next card may do and the two keys; a choice is made by tapping the cards themselves.

use askama::Template;
use engine::Seat;
use engine::games::dead_mans_draw::{Card, Cards, Kind, Move, Pending, Phase, Suit, Trait, Variant, View};

use super::Hand;
use super::seen::Named;
use crate::boards::id;
use base::error::internal;
use web_base::error::ApiResult;
use web_base::page::Page;

#[derive(Template)]
#[template(path = "boards/trays/dead-mans-draw.html")]
struct Tray<'a> {
    hand: &'a Hand<'a>,
    page: &'a Page,
    /// The traits to choose from; the hand's own until all are open.
    traits: Vec<(&'a str, TraitCard)>,
    chosen: Option<TraitCard>,
    open: Option<TraitCard>,
    risks: Option<Risks>,
    keys: Option<Keys>,
    ask: Option<Ask<'a>>,
    waits_for: String,
}

struct TraitCard {
    word: String,
    rule: String,
}

/// What the next card may do.
struct Risks {
    kinds: Vec<Risk>,
    /// So many of so many cards bust.
    chance: Option<(usize, usize)>,
    next: Option<Next>,
    /// Only the seat on turn has seen the next card.
    is_secret: bool,
}

/// A suit, or in the Strange Lands a value.
struct Risk {
    suit: Option<String>,
    word: String,
    busts: bool,
    left: Option<usize>,
}

struct Next {
    face: Face,
    busts: bool,
}

/// A loot card, face up.
struct Face {
    suit: String,
    value: u8,
    word: String,
}

struct Keys {
    can_draw: bool,
    /// Why it can't be collected.
    held_back: Option<String>,
    row: usize,
}

/// A choice that this seat owes.
struct Ask<'a> {
    what: String,
    how: String,
    left: usize,
    /// Nobody else may see what it chooses from.
    is_secret: bool,
    /// Under the names of those whose cards they are.
    cards: Vec<(String, Vec<Pick<'a>>)>,
    seats: Vec<SeatPick<'a>>,
}

struct Pick<'a> {
    value: &'a str,
    face: Face,
    busts: bool,
}

struct SeatPick<'a> {
    value: &'a str,
    name: &'a str,
    score: i32,
}

pub(super) fn draw(hand: &Hand<'_>) -> ApiResult<String> {
    let (view, moves): (View, Vec<(Move, &str)>) = (hand.read_view()?, hand.read_moves()?);
    let is_mine = view.common.to_move.has(hand.seat);
    let open = view.traits[hand.seat];
    let chosen = view.mine.as_ref().and_then(|mine| mine.my_trait).filter(|_| open.is_none());
    let traits = moves.iter().filter_map(|(chosen, value)| match chosen {
        Move::ChooseTrait { kept } => Some((*value, trait_card(hand, *kept))),
        _ => None,
    });
    let others = view.common.to_move.iter().filter(|seat| *seat != hand.seat);
    let in_turn = matches!(view.common.phase, Phase::Turn | Phase::Choosing);
    let tray = Tray {
        hand,
        page: hand.page,
        traits: traits.collect(),
        chosen: chosen.map(|it| trait_card(hand, it)),
        open: open.map(|it| trait_card(hand, it)),
        risks: in_turn.then(|| risks(hand, &view)),
        keys: (is_mine && view.common.phase == Phase::Turn).then(|| keys(hand, &view, &moves)),
        ask: view.pending.as_ref().filter(|it| it.seat == hand.seat).map(|it| ask(hand, &view, it, &moves)),
        waits_for: if is_mine { String::new() } else { hand.names_of(others) },
    };
    Ok(tray.render().map_err(internal)?)
}

fn trait_card(hand: &Hand<'_>, kept: Trait) -> TraitCard {
    let Named { id, word } = hand.named(kept);
    TraitCard { word, rule: hand.tell("trait", &id) }
}

fn face(hand: &Hand<'_>, card: Card) -> Face {
    Face { suit: id(card.suit()), value: card.value(), word: hand.named(card).word }
}

fn risks(hand: &Hand<'_>, view: &View) -> Risks {
    let pile = view.draw_pile();
    let next = view.revealed.as_ref().and_then(|cards| cards.first().copied());
    let all = Cards::all(view.common.options.mermaid_rules);
    let risk = |suit: Option<String>, word: String, cards: Cards| Risk {
        suit,
        word,
        busts: cards.iter().any(|card| view.busts_when_drawn(card)),
        left: pile.map(|pile| pile.len() - pile.without(cards).len()),
    };
    let kinds = match view.game_variant {
        Some(Variant::StrangeLands) => (2..=9)
            .map(|value| (value, all.iter().filter(|card| card.value() == value).collect::<Cards>()))
            .filter(|(_, cards)| !cards.is_empty())
            .map(|(value, cards)| risk(None, value.to_string(), cards))
            .collect(),
        _ => Suit::ALL.into_iter().map(|suit| risk(Some(id(suit)), hand.named(suit).word, all.stack(suit))).collect(),
    };
    Risks {
        kinds,
        chance: pile
            .filter(|pile| !pile.is_empty() && next.is_none())
            .map(|pile| (pile.iter().filter(|card| view.busts_when_drawn(*card)).count(), pile.len())),
        next: next.map(|card| Next { face: face(hand, card), busts: view.busts_when_drawn(card) }),
        is_secret: view.common.options.oracle_secret,
    }
}

fn keys(hand: &Hand<'_>, view: &View, moves: &[(Move, &str)]) -> Keys {
    let can = |wanted: Move| moves.iter().any(|(chosen, _)| *chosen == wanted);
    let why = || match view.drawn {
        0 => hand.page.t("dead-mans-draw-tray-first"),
        _ => hand.page.say("dead-mans-draw-board-must-draw").with("count", view.must_draw).to_string(),
    };
    Keys { can_draw: can(Move::Draw {}), held_back: (!can(Move::Collect {})).then(why), row: view.play_area.len() }
}

fn ask<'a>(hand: &Hand<'a>, view: &View, pending: &Pending, moves: &[(Move, &'a str)]) -> Ask<'a> {
    let Named { id, word } = hand.named(pending.kind);
    // What a hook, sword or map brings is played.
    let is_played = matches!(pending.kind, Kind::Hook | Kind::Sword | Kind::Map);
    let (mut cards, mut seats) = (Vec::<(String, Vec<Pick<'a>>)>::new(), Vec::new());
    for (chosen, value) in moves {
        match chosen {
            Move::ChooseCard { card } => {
                let owner = owner(view, *card).filter(|seat| *seat != hand.seat);
                let owner = owner.map(|seat| hand.name_of(seat).to_owned()).unwrap_or_default();
                let pick = Pick { value, face: face(hand, *card), busts: is_played && view.busts(*card) };
                match cards.iter_mut().find(|(name, _)| *name == owner) {
                    Some((_, picks)) => picks.push(pick),
                    None => cards.push((owner, vec![pick])),
                }
            }
            Move::ChooseSeat { seat } => {
                seats.push(SeatPick { value, name: hand.name_of(*seat), score: view.scores[*seat] });
            }
            Move::Draw {} | Move::Collect {} | Move::ChooseTrait { .. } => {}
        }
    }
    Ask {
        what: word,
        how: hand.tell("how", &id),
        left: pending.left,
        is_secret: pending.kind == Kind::Map && view.traits[hand.seat] == Some(Trait::Navigator),
        cards,
        seats,
    }
}

/// In whose bank the card lies.
fn owner(view: &View, card: Card) -> Option<Seat> {
    view.banks
        .entries()
        .find(|(_, bank)| bank.get(&card.suit()).is_some_and(|it| it.contains(&card)))
        .map(|(seat, _)| seat)
}
