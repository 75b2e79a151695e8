//! Dead Man's Draw: the river of cards between the two piles, and everybody's bank.

use std::collections::BTreeMap;

use askama::Template;
use serde::Deserialize;

use super::Scene;
use crate::error::{ApiResult, internal};
use crate::page::Page;

const SUITS: [&str; 10] = ["anchor", "hook", "cannon", "key", "chest", "map", "oracle", "sword", "kraken", "mermaid"];

#[derive(Deserialize)]
struct View {
    phase: String,
    to_move: Vec<usize>,
    options: Options,
    game_variant: Option<String>,
    draw_count: usize,
    discard_count: usize,
    discard: Option<Vec<String>>,
    play_area: Vec<InRow>,
    must_draw: u8,
    revealed_count: usize,
    banks: Vec<BTreeMap<String, Vec<String>>>,
    scores: Vec<i32>,
    traits: Vec<Option<String>>,
    guardian_target: Option<usize>,
    last_turn: Option<LastTurn>,
}

#[derive(Deserialize)]
struct Options {
    traits: bool,
    trait_deal: usize,
}

#[derive(Deserialize)]
struct InRow {
    card: String,
    safe: bool,
}

#[derive(Deserialize)]
struct Pending {
    seat: usize,
    kind: String,
    cards: Option<Vec<String>>,
    seats: Option<Vec<usize>>,
}

#[derive(Deserialize)]
struct LastTurn {
    seat: usize,
    how: String,
    kept: Vec<String>,
    lost: Vec<String>,
    lost_to: Option<usize>,
    bonus: Vec<String>,
    bonus_from: Option<usize>,
}

#[derive(Deserialize)]
struct Mine {
    my_dealt: Vec<String>,
    my_trait: Option<String>,
    pending: Option<Pending>,
}

#[derive(Template)]
#[template(path = "boards/dead-mans-draw.html")]
struct Board<'a> {
    page: &'a Page,
    winners: Option<String>,
    game_variant: Option<String>,
    draw_count: usize,
    /// On top of the draw pile, turned up; none are known of those that only another may see.
    revealed: Vec<Card>,
    unseen: usize,
    row: Vec<Card>,
    must_draw: u8,
    discard_count: usize,
    discard: Vec<Card>,
    choice: Option<Choice>,
    seats: Vec<Seat>,
    last: Option<Last>,
}

/// A loot card, face up.
struct Card {
    suit: String,
    value: String,
    word: String,
    is_safe: bool,
}

/// What somebody has to choose.
struct Choice {
    name: String,
    what: String,
    cards: Vec<Card>,
    seats: String,
}

struct Seat {
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
    suit: &'static str,
    word: String,
    top: Option<String>,
    below: Vec<String>,
}

struct Last {
    name: String,
    is_bust: bool,
    kept: Vec<Card>,
    lost: Vec<Card>,
    lost_to: Option<String>,
    bonus: Vec<Card>,
    bonus_from: Option<String>,
}

pub(super) fn draw(scene: &Scene<'_>) -> ApiResult<String> {
    let view: View = scene.public()?;
    let revealed: Vec<String> = scene.known("revealed")?.unwrap_or_default();
    let board = Board {
        page: scene.page,
        winners: scene.winners(),
        game_variant: view.game_variant.as_deref().map(|it| scene.word(it)),
        draw_count: view.draw_count,
        unseen: view.revealed_count.saturating_sub(revealed.len()),
        revealed: cards(scene, &revealed),
        row: view.play_area.iter().map(|it| Card { is_safe: it.safe, ..card(scene, &it.card) }).collect(),
        must_draw: view.must_draw,
        discard_count: view.discard_count,
        discard: cards(scene, view.discard.as_deref().unwrap_or_default()),
        choice: choice(scene)?,
        seats: (0..view.banks.len()).map(|at| seat(scene, &view, at)).collect::<ApiResult<_>>()?,
        last: view.last_turn.as_ref().map(|it| last(scene, it)),
    };
    board.render().map_err(internal)
}

fn card(scene: &Scene<'_>, id: &str) -> Card {
    let (suit, value) = id.rsplit_once('-').unwrap_or((id, ""));
    Card { suit: suit.to_owned(), value: value.to_owned(), word: scene.word(id), is_safe: false }
}

fn cards(scene: &Scene<'_>, ids: &[String]) -> Vec<Card> {
    ids.iter().map(|id| card(scene, id)).collect()
}

/// As the one who chooses sees it, if one looks through those eyes: the public may know less.
fn choice(scene: &Scene<'_>) -> ApiResult<Option<Choice>> {
    let Some(public) = scene.known::<Pending>("pending")? else { return Ok(None) };
    let own = scene.own::<Mine>(public.seat)?.and_then(|mine| mine.pending);
    let pending = own.unwrap_or(public);
    Ok(Some(Choice {
        name: scene.name(pending.seat).to_owned(),
        what: scene.word(&pending.kind),
        cards: cards(scene, pending.cards.as_deref().unwrap_or_default()),
        seats: scene.named(pending.seats.as_deref().unwrap_or_default()),
    }))
}

fn seat(scene: &Scene<'_>, view: &View, at: usize) -> ApiResult<Seat> {
    let bank = &view.banks[at];
    let mine = scene.own::<Mine>(at)?;
    let open = view.traits.get(at).cloned().flatten();
    let chosen = mine.as_ref().and_then(|mine| mine.my_trait.clone());
    let (is_choosing, has_traits) = (view.to_move.contains(&at), view.options.traits && view.phase == "traits");
    let backs = match (has_traits, is_choosing) {
        (true, true) => view.options.trait_deal,
        (true, false) => 1,
        (false, _) => 0,
    };
    let dealt = mine.filter(|_| is_choosing && has_traits).map(|mine| mine.my_dealt).unwrap_or_default();
    let held = open.or(chosen).map(|it| scene.word(&it));
    Ok(Seat {
        name: scene.name(at).to_owned(),
        on_turn: is_choosing,
        score: view.scores.get(at).copied().unwrap_or_default(),
        stacks: SUITS.iter().map(|suit| stack(scene, suit, bank.get(*suit))).collect(),
        is_empty: bank.is_empty(),
        backs: if held.is_some() || !dealt.is_empty() { 0 } else { backs },
        dealt: dealt.iter().map(|it| scene.word(it)).collect(),
        held,
        is_target: view.guardian_target == Some(at),
    })
}

fn stack(scene: &Scene<'_>, suit: &'static str, cards: Option<&Vec<String>>) -> Stack {
    let value = |id: &String| id.rsplit_once('-').map_or("", |(_, value)| value).to_owned();
    let mut values = cards.into_iter().flatten().map(value);
    Stack { suit, word: scene.word(suit), top: values.next(), below: values.collect() }
}

fn last(scene: &Scene<'_>, last: &LastTurn) -> Last {
    Last {
        name: scene.name(last.seat).to_owned(),
        is_bust: last.how == "bust",
        kept: cards(scene, &last.kept),
        lost: cards(scene, &last.lost),
        lost_to: last.lost_to.map(|seat| scene.name(seat).to_owned()),
        bonus: cards(scene, &last.bonus),
        bonus_from: last.bonus_from.map(|seat| scene.name(seat).to_owned()),
    }
}
