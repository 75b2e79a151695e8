//! Dice under cups: Perudo, its pirate edition, and Liar's Dice. The public view has no hidden die, so a cup shows backs; the
//! dice of those through whose eyes one looks lie open.

use askama::Template;
use serde::Deserialize;
use serde_json::Value;

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
    outcome: Option<Value>,
    /// Dice that lie open beside their cup.
    #[serde(default)]
    set_aside: Vec<Vec<u8>>,
    showdown_by: Option<usize>,
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

#[derive(Deserialize)]
struct Mine {
    my_dice: Vec<u8>,
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
    game: &'a str,
    total: u8,
    palifico: bool,
    showdown: bool,
    is_over: bool,
    winners: Option<String>,
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
    hidden: usize,
    open: Vec<Die>,
    is_out: bool,
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
    let view: View = scene.public()?;
    let claim =
        |bid: &Bid| Claim { name: scene.name(bid.seat).to_owned(), count: bid.count, die: die(scene, bid.face, None) };
    let board = DiceBoard {
        page: scene.page,
        game: scene.game,
        total: view.total_dice,
        palifico: view.palifico_round,
        showdown: view.showdown_by.is_some(),
        is_over: view.outcome.is_some(),
        winners: scene.winners(),
        bid: view.bid.as_ref().map(claim),
        bids: view.bids.iter().map(claim).collect(),
        cups: cups(scene, &view)?,
        track: track(scene, &view),
        reveal: view.last_reveal.as_ref().map(|it| reveal(scene, it)),
    };
    board.render().map_err(internal)
}

fn die(scene: &Scene<'_>, face: u8, hit: Option<bool>) -> Die {
    let (symbol, word) = match (face, scene.game) {
        (1, "perudo") => ("die-paco".to_owned(), scene.page.t("die-paco")),
        (1, "perudo-pirates") => ("die-skull".to_owned(), scene.page.t("die-skull")),
        (1, _) => ("die-helm".to_owned(), scene.page.t("die-helm")),
        _ => (format!("die-{face}"), face.to_string()),
    };
    Die { symbol, word, hit }
}

fn cups(scene: &Scene<'_>, view: &View) -> ApiResult<Vec<Cup>> {
    let cup = |(seat, dice): (usize, &u8)| {
        let mut open = view.set_aside.get(seat).cloned().unwrap_or_default();
        open.extend(scene.own::<Mine>(seat)?.into_iter().flat_map(|mine| mine.my_dice));
        Ok(Cup {
            name: scene.name(seat).to_owned(),
            hidden: usize::from(*dice).saturating_sub(open.len()),
            open: open.iter().map(|face| die(scene, *face, None)).collect(),
            is_out: *dice == 0,
            on_turn: view.to_move.contains(&seat),
            is_opener: view.opener == Some(seat) && view.bids.is_empty(),
            is_bidder: view.bid.is_some_and(|bid| bid.seat == seat),
        })
    };
    view.dice.iter().enumerate().map(cup).collect()
}

/// The spaces up to the dice in the game. In a Palífico round nothing is wild and the track is left out.
fn track(scene: &Scene<'_>, view: &View) -> Vec<Space> {
    if view.palifico_round || view.outcome.is_some() {
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

#[cfg(test)]
mod tests {
    use engine::catalogue;
    use serde_json::json;

    use super::*;
    use crate::matches::admin::words::Words;
    use crate::text::Lang;

    fn drawn(lang: Lang, game: &str, view: &Value) -> String {
        let page = Page::sample(lang);
        let names = ["하늘", "José", "<b>"].map(str::to_owned);
        let words = Words::new(lang, catalogue::find(game).unwrap(), game, &names);
        draw(&Scene { page: &page, game, view, own: &[], names: &names, words: &words }).unwrap()
    }

    fn view() -> Value {
        json!({
            "dice": [5, 4, 0], "total_dice": 9, "to_move": [1], "opener": 0, "outcome": null, "options": { "track": "bluff" },
            "bid": { "seat": 0, "count": 3, "face": 1 }, "bids": [{ "seat": 0, "count": 3, "face": 1 }],
            "last_reveal": {
                "round": 2, "call": "dudo", "caller": 1, "bid": { "seat": 0, "count": 2, "face": 4 }, "actual": 3, "wild": true,
                "dice": [[1, 4, 6], [4], []], "changes": [0, -1, 0],
            },
        })
    }

    #[test]
    fn a_cup_shows_as_many_backs_as_it_hides_dice() {
        for lang in Lang::ALL {
            for game in ["perudo", "liars-dice"] {
                let html = drawn(lang, game, &view());
                assert_eq!(html.matches("#die-back").count(), 9, "{game}");
                assert!(!html.contains("<b>"), "names are text");
            }
        }
    }

    #[test]
    fn the_guess_die_stands_on_the_space_of_the_bid() {
        let html = drawn(Lang::En, "liars-dice", &view());
        let here = html.split("here\">").nth(1).unwrap();
        assert!(here.starts_with('3') && here.split("</li>").next().unwrap().contains("die-helm"), "{here}");
        // Wild space 3 stands after number space 5 with the track of Bluff: seven spaces are behind.
        assert_eq!(html.matches("passed").count(), 7);
    }

    #[test]
    fn dice_that_counted_are_told_from_those_that_did_not() {
        let html = drawn(Lang::En, "perudo", &view());
        assert_eq!((html.matches("die hit").count(), html.matches("die miss").count()), (3, 1));
    }

    #[test]
    fn the_end_names_the_winner() {
        let mut view = view();
        view["outcome"] = json!({ "ranks": [2, 1, 3], "scores": null, "reason": "last_standing" });
        view["bid"] = Value::Null;
        assert!(drawn(Lang::En, "perudo", &view).contains("Winner: José"));
    }
}
