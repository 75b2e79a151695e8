//! Dice under cups: Perudo and Liar's Dice. The public view has no hidden die, so the cups show backs.

use askama::Template;
use serde::Deserialize;

use super::Scene;
use crate::error::{ApiResult, internal};
use crate::page::Page;

#[derive(Deserialize)]
struct View {
    dice: Vec<u8>,
    total_dice: u8,
    to_move: Vec<usize>,
    opener: Option<usize>,
    bid: Option<Bid>,
    bids: Vec<Bid>,
    #[serde(default)]
    palifico_round: bool,
    last_reveal: Option<LastReveal>,
    #[serde(default)]
    options: Options,
}

#[derive(Default, Deserialize)]
struct Options {
    track: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
struct Bid {
    seat: usize,
    count: u8,
    face: u8,
}

#[derive(Deserialize)]
struct LastReveal {
    round: u32,
    call: String,
    caller: usize,
    bid: Bid,
    actual: u8,
    wild: bool,
    dice: Vec<Vec<u8>>,
    changes: Vec<i8>,
}

#[derive(Template)]
#[template(path = "boards/dice.html")]
struct DiceBoard<'a> {
    page: &'a Page,
    total: u8,
    palifico: bool,
    bid: Option<Claim>,
    bids: Vec<Claim>,
    cups: Vec<Cup>,
    track: Vec<Space>,
    reveal: Option<Reveal>,
}

/// A bid: who, how many, of what.
struct Claim {
    name: String,
    count: u8,
    die: Die,
}

/// A die that lies open.
struct Die {
    /// Of its symbol, `die-4` or `die-helm`.
    symbol: String,
    word: String,
    /// Of the bid's face, or wild; none where nothing is compared.
    hit: Option<bool>,
}

struct Cup {
    name: String,
    dice: u8,
    on_turn: bool,
    is_opener: bool,
    is_bidder: bool,
}

/// One on which a bid can stand.
struct Space {
    count: u8,
    is_wild: bool,
    is_passed: bool,
    here: Option<Die>,
}

struct Reveal {
    round: u32,
    caller: String,
    call: String,
    bid: Claim,
    actual: u8,
    rows: Vec<RevealRow>,
}

struct RevealRow {
    name: String,
    dice: Vec<Die>,
    change: i8,
}

pub(super) fn draw(scene: &Scene<'_>) -> ApiResult<String> {
    let view = View::deserialize(scene.view).map_err(internal)?;
    let claim = |bid: &Bid| Claim {
        name: scene.name(bid.seat).to_owned(),
        count: bid.count,
        die: die(scene, bid.face, None),
    };
    let board = DiceBoard {
        page: scene.page,
        total: view.total_dice,
        palifico: view.palifico_round,
        bid: view.bid.as_ref().map(claim),
        bids: view.bids.iter().map(claim).collect(),
        cups: cups(scene, &view),
        track: track(scene, &view),
        reveal: view.last_reveal.as_ref().map(|it| reveal(scene, it)),
    };
    board.render().map_err(internal)
}

fn die(scene: &Scene<'_>, face: u8, hit: Option<bool>) -> Die {
    let (symbol, word) = match (face, scene.game) {
        (1, "perudo") => ("die-paco".to_owned(), scene.page.t("die-paco")),
        (1, _) => ("die-helm".to_owned(), scene.page.t("die-helm")),
        _ => (format!("die-{face}"), face.to_string()),
    };
    Die { symbol, word, hit }
}

fn cups(scene: &Scene<'_>, view: &View) -> Vec<Cup> {
    let cup = |(seat, dice): (usize, &u8)| Cup {
        name: scene.name(seat).to_owned(),
        dice: *dice,
        on_turn: view.to_move.contains(&seat),
        is_opener: view.opener == Some(seat) && view.bids.is_empty(),
        is_bidder: view.bid.is_some_and(|bid| bid.seat == seat),
    };
    view.dice.iter().enumerate().map(cup).collect()
}

/// The spaces up to the dice in the game. In a Palífico round nothing is wild and the track is left out.
fn track(scene: &Scene<'_>, view: &View) -> Vec<Space> {
    if view.palifico_round {
        return Vec::new();
    }
    let wild_first = view.options.track.as_deref() == Some("bluff");
    let mut spaces = Vec::new();
    for count in 1..=view.total_dice {
        let wild = match (wild_first, count % 2) {
            (true, 1) => Some(count.div_ceil(2)),
            (false, 0) => Some(count / 2),
            _ => None,
        };
        spaces.push((count, false));
        spaces.extend(wild.map(|wild| (wild, true)));
    }
    let stands = |bid: &Bid, (count, is_wild): (u8, bool)| bid.count == count && (bid.face == 1) == is_wild;
    let here = view.bid.and_then(|bid| spaces.iter().position(|space| stands(&bid, *space)));
    let space = |(at, (count, is_wild)): (usize, &(u8, bool))| Space {
        count: *count,
        is_wild: *is_wild,
        is_passed: here.is_some_and(|here| at < here),
        here: view.bid.filter(|_| here == Some(at)).map(|bid| die(scene, bid.face, None)),
    };
    spaces.iter().enumerate().map(space).collect()
}

fn reveal(scene: &Scene<'_>, last: &LastReveal) -> Reveal {
    let counts = |face: u8| face == last.bid.face || (last.wild && face == 1);
    let row = |(seat, dice): (usize, &Vec<u8>)| RevealRow {
        name: scene.name(seat).to_owned(),
        dice: dice.iter().map(|face| die(scene, *face, Some(counts(*face)))).collect(),
        change: last.changes.get(seat).copied().unwrap_or_default(),
    };
    Reveal {
        round: last.round,
        caller: scene.name(last.caller).to_owned(),
        call: scene.words.word(&last.call),
        bid: Claim {
            name: scene.name(last.bid.seat).to_owned(),
            count: last.bid.count,
            die: die(scene, last.bid.face, None),
        },
        actual: last.actual,
        rows: last.dice.iter().enumerate().map(row).filter(|row| !row.dice.is_empty()).collect(),
    }
}
