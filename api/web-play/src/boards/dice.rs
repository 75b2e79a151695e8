//! Dice under cups: Perudo, its pirate edition, and Liar's Dice. The public view has no hidden die, so a cup shows backs. The
//! page shows the dice of the seats whose views it has.

use askama::Template;
use engine::games::{liars_dice, perudo, perudo_pirates};
use engine::pieces::bids::{Bid, Claim, Reveal, Track};
use engine::pieces::dice::{Dice, Face};
use engine::{PerSeat, Seat, SeatSet};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Scene, Views};
use base::error::internal;
use web_base::error::ApiResult;
use web_base::page::Page;

/// Everybody begins with so many.
const DICE_AT_FIRST: usize = 5;

/// What the board needs of a view of any of the three games.
pub(super) trait DiceView: DeserializeOwned {
    /// The symbol of the wild face.
    const WILD: &'static str;

    fn table(&self, scene: &Scene<'_>) -> Table;
    fn my_dice(&self) -> Option<Dice>;
}

/// What all see of a table with dice.
pub(super) struct Table {
    dice: PerSeat<u8>,
    total_dice: u8,
    to_move: SeatSet,
    opener: Option<Seat>,
    bid: Option<Bid>,
    bids: Vec<Bid>,
    is_over: bool,
    /// The dice beside the cups, in the game that has them.
    set_aside: Option<PerSeat<Dice>>,
    showdown: bool,
    /// No track in a round without a wild face.
    track: Option<Track>,
    reveal: Option<RevealTable>,
}

impl DiceView for perudo::View {
    const WILD: &'static str = "die-paco";

    fn table(&self, scene: &Scene<'_>) -> Table {
        Table {
            dice: self.dice.clone(),
            total_dice: self.total_dice,
            to_move: self.common.to_move,
            opener: self.opener,
            bid: self.bid,
            bids: self.bids.clone(),
            is_over: self.common.outcome.is_some(),
            set_aside: None,
            showdown: false,
            track: (!self.palifico_round).then_some(Track::Classic),
            reveal: self.last_reveal.as_ref().map(|it| reveal(scene, Self::WILD, it)),
        }
    }

    fn my_dice(&self) -> Option<Dice> {
        self.mine.as_ref().map(|mine| mine.my_dice)
    }
}

impl DiceView for perudo_pirates::View {
    const WILD: &'static str = "die-skull";

    fn table(&self, scene: &Scene<'_>) -> Table {
        Table {
            dice: self.dice.clone(),
            total_dice: self.total_dice,
            to_move: self.common.to_move,
            opener: self.opener,
            bid: self.bid,
            bids: self.bids.iter().map(|it| it.bid()).collect(),
            is_over: self.common.outcome.is_some(),
            set_aside: Some(self.set_aside.clone()),
            showdown: self.showdown_by.is_some(),
            track: Some(self.common.options.track),
            reveal: self.last_reveal.as_ref().map(|it| reveal(scene, Self::WILD, it)),
        }
    }

    fn my_dice(&self) -> Option<Dice> {
        self.mine.as_ref().map(|mine| mine.my_dice)
    }
}

impl DiceView for liars_dice::View {
    const WILD: &'static str = "die-helm";

    fn table(&self, scene: &Scene<'_>) -> Table {
        Table {
            dice: self.dice.clone(),
            total_dice: self.total_dice,
            to_move: self.common.to_move,
            opener: self.opener,
            bid: self.bid,
            bids: self.bids.clone(),
            is_over: self.common.outcome.is_some(),
            set_aside: None,
            showdown: false,
            track: Some(self.common.options.track),
            reveal: self.last_reveal.as_ref().map(|it| reveal(scene, Self::WILD, it)),
        }
    }

    fn my_dice(&self) -> Option<Dice> {
        self.mine.as_ref().map(|mine| mine.my_dice)
    }
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
    bid: Option<BidLine>,
    bids: Vec<BidLine>,
    /// In turn order, from the seat at the near side.
    cups: Vec<Cup>,
    track: Vec<Space>,
    reveal: Option<RevealTable>,
}

/// A bid: who, how many, of what.
struct BidLine {
    name: String,
    count: u8,
    die: DieFace,
}

/// A die that lies open.
pub(super) struct DieFace {
    pub pips: u8,
    /// Of its symbol, `die-4` or `die-helm`.
    pub symbol: String,
    pub word: String,
    /// Of the bid's face, or wild; none where nothing is compared.
    pub hit: Option<bool>,
}

struct Cup {
    seat: u8,
    name: String,
    hidden: usize,
    open: Vec<DieFace>,
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
    /// There are not so many dice any more.
    is_gone: bool,
    here: Option<DieFace>,
}

struct RevealTable {
    round: u32,
    caller: String,
    call: String,
    bid: BidLine,
    actual: u8,
    rows: Vec<RevealRow>,
}

struct RevealRow {
    seat: u8,
    name: String,
    dice: Vec<DieFace>,
    change: i8,
}

pub(super) fn draw<V: DiceView>(scene: &Scene<'_>) -> ApiResult<String> {
    let views: Views<V> = scene.views()?;
    let table = views.public.table(scene);
    let line = |it: &Bid| bid(scene, V::WILD, it);
    let board = DiceBoard {
        page: scene.page,
        game: scene.game,
        total: table.total_dice,
        palifico: table.track.is_none(),
        showdown: table.showdown,
        is_over: table.is_over,
        winners: scene.winners(),
        bid: table.bid.as_ref().map(line),
        bids: table.bids.iter().map(line).collect(),
        cups: scene.around().into_iter().map(|seat| cup(scene, &views, &table, seat)).collect(),
        track: track(scene, V::WILD, &table),
        reveal: table.reveal,
    };
    Ok(board.render().map_err(internal)?)
}

fn bid(scene: &Scene<'_>, wild: &str, bid: &Bid) -> BidLine {
    BidLine { name: scene.name(bid.seat).to_owned(), count: bid.count, die: die(scene, wild, bid.face, None) }
}

fn die(scene: &Scene<'_>, wild: &str, face: Face, hit: Option<bool>) -> DieFace {
    DieFace { hit, ..face_of(scene.page, wild, face) }
}

/// A die with this face up, where 1 shows the wild symbol.
pub(super) fn face_of(page: &Page, wild: &str, face: Face) -> DieFace {
    let (symbol, word) = match face {
        Face::ONE => (wild.to_owned(), page.t(wild)),
        _ => (format!("die-{}", face.pips()), face.pips().to_string()),
    };
    DieFace { pips: face.pips(), symbol, word, hit: None }
}

fn cup<V: DiceView>(scene: &Scene<'_>, views: &Views<V>, table: &Table, seat: Seat) -> Cup {
    let dice = table.dice[seat];
    let aside = table.set_aside.as_ref().map(|dice| dice[seat]);
    let mine = views.own(seat).and_then(V::my_dice);
    let open = aside.into_iter().chain(mine).flat_map(Dice::faces).collect::<Vec<_>>();
    Cup {
        seat: seat.0,
        name: scene.name(seat).to_owned(),
        hidden: usize::from(dice).saturating_sub(open.len()),
        open: open.into_iter().map(|face| die(scene, V::WILD, face, None)).collect(),
        is_out: dice == 0,
        on_turn: table.to_move.has(seat),
        is_opener: table.opener == Some(seat) && table.bids.is_empty(),
        is_bidder: table.bid.is_some_and(|bid| bid.seat == seat),
    }
}

/// The spaces for all dice of a new match, so that nothing moves when dice are lost. In a Palífico round nothing is wild and
/// the track counts for nothing.
fn track(scene: &Scene<'_>, wild: &str, table: &Table) -> Vec<Space> {
    let track = table.track.unwrap_or(Track::Classic);
    let at_first = u8::try_from(scene.names.len() * DICE_AT_FIRST).unwrap_or(u8::MAX);
    let spaces = track.spaces(at_first.max(table.total_dice));
    let stands = |bid: &Bid, space: Claim| track.height(bid.claim()).0 == track.height(space).0;
    let bid = table.bid.filter(|_| table.track.is_some());
    let here = bid.and_then(|bid| spaces.iter().position(|space| stands(&bid, *space)));
    let space = |(at, space): (usize, &Claim)| Space {
        count: space.count,
        is_wild: space.face == Face::ONE,
        is_passed: here.is_some_and(|here| at < here),
        is_gone: space.count > table.total_dice,
        here: bid.filter(|_| here == Some(at)).map(|bid| die(scene, wild, bid.face, None)),
    };
    spaces.iter().enumerate().map(space).collect()
}

fn reveal<C: Serialize>(scene: &Scene<'_>, wild: &str, last: &Reveal<C>) -> RevealTable {
    let counts = |face: Face| face == last.bid.face || (last.wild && face == Face::ONE);
    let row = |(seat, dice): (Seat, &Dice)| RevealRow {
        seat: seat.0,
        name: scene.name(seat).to_owned(),
        dice: dice.faces().map(|face| die(scene, wild, face, Some(counts(face)))).collect(),
        change: last.changes[seat],
    };
    RevealTable {
        round: last.round,
        caller: scene.name(last.caller).to_owned(),
        call: scene.word(&last.call),
        bid: bid(scene, wild, &last.bid),
        actual: last.actual,
        rows: last.dice.entries().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::games::words::Words;
    use base::text::Lang;

    fn drawn(lang: Lang, game: &str, view: &Value) -> String {
        let page = Page::sample(lang);
        let names = ["하늘", "José", "<b>"].map(str::to_owned);
        let words = Words::new(lang, game, &names);
        crate::boards::draw(&Scene { page: &page, game, view, own: &[], near: Seat(0), names: &names, words: &words })
            .unwrap()
    }

    fn view(game: &str) -> Value {
        let (call, options) = match game {
            "perudo" => ("dudo", json!({})),
            _ => ("challenge", json!({ "track": "bluff" })),
        };
        json!({
            "game": game, "options": options, "seats": 3, "phase": "bidding", "round": 3, "to_move": [1], "interrupt": [],
            "outcome": null, "dice": [5, 4, 0], "total_dice": 9, "opener": 0, "start_rolls": [], "palifico_round": false,
            "been_palifico": [false, false, false], "last_loser": 1,
            "bid": { "seat": 0, "count": 3, "face": 1 }, "bids": [{ "seat": 0, "count": 3, "face": 1 }],
            "last_reveal": {
                "round": 2, "call": call, "caller": 1, "bid": { "seat": 0, "count": 2, "face": 4 }, "actual": 3, "wild": true,
                "dice": [[1, 4, 6], [4], []], "changes": [0, -1, 0],
            },
        })
    }

    #[test]
    fn a_cup_shows_as_many_backs_as_it_hides_dice() {
        for lang in Lang::ALL {
            for game in ["perudo", "liars-dice"] {
                let html = drawn(lang, game, &view(game));
                assert_eq!(html.matches("#die-back").count(), 9, "{game}");
                assert!(!html.contains("<b>"), "names are text");
            }
        }
    }

    #[test]
    fn the_guess_die_stands_on_the_space_of_the_bid() {
        let html = drawn(Lang::En, "liars-dice", &view("liars-dice"));
        let here = html.split("here\">").nth(1).unwrap();
        assert!(here.starts_with('3') && here.split("</li>").next().unwrap().contains("die-helm"), "{here}");
        // Wild space 3 stands after number space 5 with the track of Bluff: seven spaces are behind.
        assert_eq!(html.matches("passed").count(), 7);
    }

    #[test]
    fn dice_that_counted_are_told_from_those_that_did_not() {
        let html = drawn(Lang::En, "perudo", &view("perudo"));
        assert_eq!((html.matches("die hit").count(), html.matches("die miss").count()), (3, 1));
    }

    #[test]
    fn the_end_names_the_winner() {
        let mut view = view("perudo");
        view["outcome"] = json!({ "ranks": [2, 1, 3], "scores": null, "reason": "last_standing" });
        view["bid"] = Value::Null;
        assert!(drawn(Lang::En, "perudo", &view).contains("Winner: José"));
    }
}
