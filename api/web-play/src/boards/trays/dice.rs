//! Dice under cups: Perudo, its pirate edition, and Liar's Dice. A row of faces and a ruler of counts make a bid; in Liar's
//! Dice the ruler is the track. Every count says for which faces it is legal.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use engine::games::{liars_dice, perudo, perudo_pirates};
use engine::pieces::bids::{Bid, Claim, Track};
use engine::pieces::dice::{Dice, Face};
use engine::{PerSeat, Seat, SeatSet};
use serde::Deserialize;
use serde_json::json;

use super::Hand;
use crate::boards::dice::{DiceView, DieFace, face_of};
use base::error::internal;
use web_base::error::ApiResult;

/// What the tray needs of a view of any of the three games.
pub(super) trait DiceHand: DiceView {
    /// What all see.
    fn seen(&self) -> TrayTable;
    /// Why no count of this face can be bid.
    fn refusal(&self, face: Face) -> &'static str;
}

pub(super) struct TrayTable {
    dice: PerSeat<u8>,
    to_move: SeatSet,
    bid: Option<Bid>,
    is_over: bool,
    /// The track, in the game where a bid is a space of it.
    track: Option<Track>,
}

impl DiceHand for perudo::View {
    fn seen(&self) -> TrayTable {
        TrayTable {
            dice: self.dice.clone(),
            to_move: self.common.to_move,
            bid: self.bid,
            is_over: self.common.outcome.is_some(),
            track: None,
        }
    }

    fn refusal(&self, face: Face) -> &'static str {
        match self.bid {
            None if face == Face::ONE => "paco_opening",
            Some(bid) if self.palifico_round && bid.face != face => "face_locked",
            _ => "bid_too_high",
        }
    }
}

impl DiceHand for perudo_pirates::View {
    fn seen(&self) -> TrayTable {
        TrayTable {
            dice: self.dice.clone(),
            to_move: self.common.to_move,
            bid: self.bid,
            is_over: self.common.outcome.is_some(),
            track: None,
        }
    }

    fn refusal(&self, face: Face) -> &'static str {
        match self.bid {
            Some(bid) if self.showdown_by.is_some() && bid.face != face => "face_locked",
            _ => "bid_too_high",
        }
    }
}

impl DiceHand for liars_dice::View {
    fn seen(&self) -> TrayTable {
        TrayTable {
            dice: self.dice.clone(),
            to_move: self.common.to_move,
            bid: self.bid,
            is_over: self.common.outcome.is_some(),
            track: Some(self.common.options.track),
        }
    }

    fn refusal(&self, _: Face) -> &'static str {
        "bid_too_high"
    }
}

/// A move of any of the three games.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Legal {
    Bid(Claim),
    Reroll {},
    Stand {},
    Dudo {},
    Calza {},
    Challenge {},
    Exact {},
    Showdown {},
}

#[derive(Template)]
#[template(path = "boards/trays/dice.html")]
struct DiceTray<'a> {
    hand: &'a Hand<'a>,
    own: Vec<DieFace>,
    is_over: bool,
    is_out: bool,
    /// Whom it waits for, where that is somebody else.
    waits_for: Option<String>,
    bids: Option<Bids>,
    calls: Vec<Call>,
    showdown: bool,
    may_reroll: bool,
    may_stand: bool,
}

/// The bids that can be made.
struct Bids {
    /// A space of the track chooses first, and then a face; otherwise a face does, and then a count.
    on_track: bool,
    faces: Vec<FaceKey>,
    counts: Vec<Count>,
}

struct FaceKey {
    die: DieFace,
    pips: u8,
    /// The lowest count of it; none if there is none.
    least: Option<u8>,
    why_not: String,
    /// The face in a sentence, of one die and of more.
    one: String,
    many: String,
    checked: bool,
}

/// A count on the ruler, or a space of the track.
struct Count {
    number: u8,
    word: String,
    /// How it is posted.
    name: &'static str,
    value: String,
    /// The faces for which it is legal, each a class.
    faces: String,
    /// The whole sentence, where the face is settled, too.
    said: Option<String>,
    checked: bool,
}

/// What ends the round.
struct Call {
    named: &'static str,
    hint: &'static str,
    tone: &'static str,
    floats: bool,
}

pub(super) fn draw<V: DiceHand>(hand: &Hand<'_>) -> ApiResult<String> {
    let view = V::deserialize(hand.view).map_err(internal)?;
    let table = view.seen();
    let legal = hand.moves.iter().map(|it| serde_json::from_str(it.get())).collect::<Result<Vec<Legal>, _>>();
    let legal = legal.map_err(internal)?;
    let has = |wanted: fn(&Legal) -> bool| legal.iter().any(wanted);
    let is_out = table.dice[hand.seat] == 0;
    let on_turn = table.to_move.has(hand.seat);
    let tray = DiceTray {
        hand,
        own: dice::<V>(hand, view.my_dice().unwrap_or_default()),
        is_over: table.is_over,
        is_out,
        waits_for: (!on_turn && !table.is_over).then(|| named(hand, table.to_move)),
        bids: bids(hand, &view, &table, &legal),
        calls: calls(&legal, on_turn),
        showdown: has(|it| matches!(it, Legal::Showdown {})),
        may_reroll: has(|it| matches!(it, Legal::Reroll {})),
        may_stand: has(|it| matches!(it, Legal::Stand {})),
    };
    Ok(tray.render().map_err(internal)?)
}

fn dice<V: DiceHand>(hand: &Hand<'_>, dice: Dice) -> Vec<DieFace> {
    dice.faces().map(|face| face_of(hand.page, V::WILD, face)).collect()
}

fn named(hand: &Hand<'_>, seats: SeatSet) -> String {
    let name = |seat: Seat| hand.names.get(seat.index()).map_or("?", String::as_str);
    seats.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn calls(legal: &[Legal], on_turn: bool) -> Vec<Call> {
    let call = |it: &Legal| {
        let (named, hint, tone) = match it {
            Legal::Dudo {} => ("dudo", "dudo-hint", "no"),
            Legal::Challenge {} => ("challenge", "challenge-hint", "no"),
            Legal::Calza {} => ("calza", "calza-hint", "yes"),
            Legal::Exact {} => ("exact", "exact-hint", "yes"),
            _ => return None,
        };
        Some(Call { named, hint, tone, floats: !on_turn })
    };
    legal.iter().filter_map(call).collect()
}

fn bids<V: DiceHand>(hand: &Hand<'_>, view: &V, table: &TrayTable, legal: &[Legal]) -> Option<Bids> {
    let claims: Vec<Claim> = legal
        .iter()
        .filter_map(|it| match it {
            Legal::Bid(claim) => Some(*claim),
            _ => None,
        })
        .collect();
    let lowest = *claims.first()?;
    let same_face = table.bid.and_then(|bid| claims.iter().find(|it| it.face == bid.face));
    let preset = *match table.track {
        Some(track) => claims.iter().min_by_key(|it| track.height(**it)).unwrap_or(&lowest),
        None => same_face.unwrap_or(&lowest),
    };
    let counts = match table.track {
        Some(track) => spaces(hand, track, &claims, preset),
        None => ruler(hand, &claims, preset),
    };
    let offered = Face::all().filter(|face| table.track.is_none() || *face != Face::ONE);
    let least = |face: Face| claims.iter().filter(|it| it.face == face).map(|it| it.count).min();
    let faces: Vec<FaceKey> = offered.map(|face| face_key(hand, view, face, least(face))).collect();
    Some(Bids { on_track: table.track.is_some(), faces: with_preset(faces, preset.face), counts })
}

/// With this face chosen, or the first that can be.
fn with_preset(mut faces: Vec<FaceKey>, preset: Face) -> Vec<FaceKey> {
    let can = |it: &FaceKey| it.least.is_some();
    let at = faces.iter().position(|it| can(it) && it.pips == preset.pips()).or_else(|| faces.iter().position(can));
    if let Some(chosen) = at.and_then(|at| faces.get_mut(at)) {
        chosen.checked = true;
    }
    faces
}

fn face_key<V: DiceHand>(hand: &Hand<'_>, view: &V, face: Face, least: Option<u8>) -> FaceKey {
    let page = hand.page;
    let said = |count: u8| match face {
        Face::ONE => wild(hand, count),
        _ => page.say("tray-face").with("face", face.pips()).with("count", count).to_string(),
    };
    FaceKey {
        die: face_of(page, V::WILD, face),
        pips: face.pips(),
        least,
        why_not: page.t(&format!("{}-refused-{}", hand.game, view.refusal(face))),
        one: said(1),
        many: said(2),
        checked: false,
    }
}

/// Every count that some face can have, and those between them.
fn ruler(hand: &Hand<'_>, claims: &[Claim], preset: Claim) -> Vec<Count> {
    let mut faces = BTreeMap::<u8, BTreeSet<u8>>::new();
    for claim in claims {
        faces.entry(claim.count).or_default().insert(claim.face.pips());
    }
    let count = |(number, faces): (u8, BTreeSet<u8>)| Count {
        number,
        word: word(hand, number),
        name: "count",
        value: number.to_string(),
        faces: classes(&faces),
        said: None,
        checked: number == preset.count,
    };
    faces.into_iter().map(count).collect()
}

/// The spaces of the track that can be reached, in its order.
fn spaces(hand: &Hand<'_>, track: Track, claims: &[Claim], preset: Claim) -> Vec<Count> {
    let mut spaces = BTreeMap::<u16, Vec<Claim>>::new();
    for claim in claims {
        spaces.entry(track.height(*claim).0).or_default().push(*claim);
    }
    let count = |(height, claims): (u16, Vec<Claim>)| {
        let first = claims.first()?;
        let is_wild = first.face == Face::ONE;
        let value = match is_wild {
            true => json!({ "type": "bid", "count": first.count, "face": first.face }),
            false => json!({ "type": "bid", "count": first.count }),
        };
        Some(Count {
            number: first.count,
            word: word(hand, first.count),
            name: "move",
            value: value.to_string(),
            faces: classes(&claims.iter().map(|it| it.face.pips()).collect()),
            said: is_wild.then(|| claim(hand, &wild(hand, first.count), &word(hand, first.count))),
            checked: height == track.height(preset).0,
        })
    };
    spaces.into_iter().filter_map(count).collect()
}

fn word(hand: &Hand<'_>, count: u8) -> String {
    hand.page.say("tray-count").with("count", count).to_string()
}

fn wild(hand: &Hand<'_>, count: u8) -> String {
    hand.page.say(&format!("{}-tray-wild", hand.game)).with("count", count).to_string()
}

fn claim(hand: &Hand<'_>, face: &str, count: &str) -> String {
    hand.page.say("tray-claim").with("face", face).with("count", count).to_string()
}

fn classes(faces: &BTreeSet<u8>) -> String {
    faces.iter().map(|pips| format!("f{pips}")).collect::<Vec<_>>().join(" ")
}

impl DiceTray<'_> {
    /// A text of this game's own.
    fn said(&self, named: &str) -> String {
        self.hand.page.t(&format!("{}-tray-{named}", self.hand.game))
    }

    fn bid_word(&self) -> String {
        self.hand.page.t(&format!("{}-move-bid", self.hand.game))
    }

    /// How a claim is said, with places for the face and the count.
    fn pattern(&self) -> String {
        claim(self.hand, "#f", "#c")
    }

    /// How a choice of dice is said, with places for the kept and the rolled.
    fn keep_pattern(&self) -> String {
        self.hand.page.say("perudo-pirates-tray-keep").with("kept", "#k").with("rolled", "#r").to_string()
    }
}
