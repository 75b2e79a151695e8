//! Dead Man's Draw: the river of cards between the two piles, and everybody's bank.

use askama::Template;
use engine::Seat;
use engine::games::dead_mans_draw::{Card, Cards, How, Kind, LastTurn, Phase, Stacks, Suit, View};

use super::ring::{Place, Ring};
use super::{Scene, Views, id};
use base::error::internal;
use web_base::error::ApiResult;
use web_base::page::Page;

#[derive(Template)]
#[template(path = "boards/dead-mans-draw.html")]
struct Board<'a> {
    page: &'a Page,
    winners: Option<String>,
    game_variant: Option<String>,
    draw_count: usize,
    /// On top of the draw pile, turned up; none are known of those that only another may see.
    revealed: Vec<CardFace>,
    unseen: usize,
    row: Vec<CardFace>,
    must_draw: u8,
    discard_count: usize,
    /// What a map turned up of it.
    found: Vec<CardFace>,
    discard: Vec<CardFace>,
    choice: Option<Choice>,
    ring: Ring,
    /// In turn order, from the near seat.
    seats: Vec<SeatBank>,
    last: Option<Last>,
}

/// A loot card, face up.
struct CardFace {
    suit: String,
    value: String,
    word: String,
    is_safe: bool,
    /// It may be chosen.
    is_lit: bool,
}

/// What somebody has to choose.
struct Choice {
    name: String,
    what: String,
    seats: String,
}

struct SeatBank {
    name: String,
    on_turn: bool,
    score: i32,
    /// Per suit its cards, the highest first.
    stacks: Vec<Stack>,
    is_empty: bool,
    /// Open to all, or to those who look.
    held: Option<String>,
    /// Dealt to choose from: open to those who look.
    dealt: Vec<String>,
    backs: usize,
    is_target: bool,
}

struct Stack {
    suit: String,
    /// Its top card may be chosen.
    is_lit: bool,
    word: String,
    top: Option<String>,
    below: Vec<String>,
}

struct Last {
    name: String,
    is_bust: bool,
    kept: Vec<CardFace>,
    lost: Vec<CardFace>,
    lost_to: Option<String>,
    bonus: Vec<CardFace>,
    bonus_from: Option<String>,
}

pub(super) fn draw(scene: &Scene<'_>) -> ApiResult<String> {
    let views: Views<View> = scene.views()?;
    let view = &views.public;
    let revealed = views.known(|it| it.revealed.clone()).unwrap_or_default();
    let choices = view.pending.as_ref().and_then(|it| it.cards).unwrap_or_default();
    let row = view.play_area.iter().map(|it| CardFace {
        is_safe: it.safe,
        is_lit: choices.has(it.card),
        ..card(scene, it.card)
    });
    let board = Board {
        page: scene.page,
        winners: scene.winners(),
        game_variant: view.game_variant.map(|it| scene.word(it)),
        draw_count: view.draw_count,
        unseen: usize::from(view.revealed_count).saturating_sub(revealed.len()),
        revealed: cards(scene, revealed),
        row: row.collect(),
        must_draw: view.must_draw,
        discard_count: view.discard_count,
        found: cards(scene, found(&views).iter()),
        discard: cards(scene, view.discard.unwrap_or_default().iter()),
        choice: choice(scene, &views),
        ring: Ring::of(scene, scene.around(), |at| place(scene, view, at)),
        seats: scene.around().into_iter().map(|at| seat(scene, &views, at)).collect(),
        last: view.last_turn.as_ref().map(|it| last(scene, it)),
    };
    Ok(board.render().map_err(internal)?)
}

fn place(scene: &Scene<'_>, view: &View, at: Seat) -> Place {
    Place {
        seat: at.0,
        name: scene.name(at).to_owned(),
        note: scene.page.say("board-points").with("points", view.scores[at]).to_string(),
        pawn: None,
        on_turn: view.common.to_move.has(at),
        is_out: false,
    }
}

fn card(scene: &Scene<'_>, card: Card) -> CardFace {
    CardFace {
        suit: id(card.suit()),
        value: card.value().to_string(),
        word: scene.word(card),
        is_safe: false,
        is_lit: false,
    }
}

fn cards(scene: &Scene<'_>, all: impl IntoIterator<Item = Card>) -> Vec<CardFace> {
    all.into_iter().map(|it| card(scene, it)).collect()
}

fn found(views: &Views<View>) -> Cards {
    let pending = views.known(|it| it.pending.clone().filter(|it| it.kind == Kind::Map && it.cards.is_some()));
    pending.and_then(|it| it.cards).unwrap_or_default()
}

/// The choice as the seat that owes it sees it, if the page shows what that seat sees: the public may know less.
fn choice(scene: &Scene<'_>, views: &Views<View>) -> Option<Choice> {
    let public = views.known(|it| it.pending.clone())?;
    let own = views.own(public.seat).and_then(|it| it.pending.clone());
    let pending = own.unwrap_or(public);
    Some(Choice {
        name: scene.name(pending.seat).to_owned(),
        what: scene.word(pending.kind),
        seats: scene.named(pending.seats.unwrap_or_default().iter()),
    })
}

fn seat(scene: &Scene<'_>, views: &Views<View>, at: Seat) -> SeatBank {
    let view = &views.public;
    let bank = &view.banks[at];
    let choices = view.pending.as_ref().and_then(|it| it.cards).unwrap_or_default();
    let mine = views.own(at).and_then(|it| it.mine.as_ref());
    let options = &view.common.options;
    let is_choosing = view.common.to_move.has(at);
    let has_traits = options.traits && view.common.phase == Phase::Traits;
    let backs = match (has_traits, is_choosing) {
        (true, true) => options.trait_deal.into(),
        (true, false) => 1,
        (false, _) => 0,
    };
    let dealt = mine.filter(|_| is_choosing && has_traits).map(|mine| mine.my_dealt.clone()).unwrap_or_default();
    let held = view.traits[at].or(mine.and_then(|mine| mine.my_trait)).map(|it| scene.word(it));
    SeatBank {
        name: scene.name(at).to_owned(),
        on_turn: is_choosing,
        score: view.scores[at],
        stacks: Suit::ALL.into_iter().map(|suit| stack(scene, suit, bank, choices)).collect(),
        is_empty: bank.is_empty(),
        backs: if held.is_some() || !dealt.is_empty() { 0 } else { backs },
        dealt: dealt.into_iter().map(|it| scene.word(it)).collect(),
        held,
        is_target: view.guardian_target == Some(at),
    }
}

fn stack(scene: &Scene<'_>, suit: Suit, bank: &Stacks, choices: Cards) -> Stack {
    let cards = bank.get(&suit).map(Vec::as_slice).unwrap_or_default();
    let mut values = cards.iter().map(|card| card.value().to_string());
    Stack {
        suit: id(suit),
        is_lit: cards.first().is_some_and(|top| choices.has(*top)),
        word: scene.word(suit),
        top: values.next(),
        below: values.collect(),
    }
}

fn last(scene: &Scene<'_>, last: &LastTurn) -> Last {
    let faces = |all: &[Card]| cards(scene, all.iter().copied());
    Last {
        name: scene.name(last.seat).to_owned(),
        is_bust: last.how == How::Bust,
        kept: faces(&last.kept),
        lost: faces(&last.lost),
        lost_to: last.lost_to.map(|seat| scene.name(seat).to_owned()),
        bonus: faces(&last.bonus),
        bonus_from: last.bonus_from.map(|seat| scene.name(seat).to_owned()),
    }
}
