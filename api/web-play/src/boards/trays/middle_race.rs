//! Middle Race: the own cards and where each would bring the pawn, under the cover; characters, abilities and whom they may
//! name are open to all.

use std::borrow::Borrow;

use askama::Template;
use engine::Seat;
use engine::games::middle_race::{Character, Direction, Hand as Cards, Move, Pending, PendingStep, Phase, View};

use super::Hand;
use super::seen::Named;
use base::error::internal;
use web_base::error::ApiResult;
use web_base::page::Page;

#[derive(Template)]
#[template(path = "boards/trays/middle-race.html")]
struct Tray<'a> {
    hand: &'a Hand<'a>,
    page: &'a Page,
    prompt: Option<String>,
    ability: Option<Pawn>,
    help: String,
    me: Option<Runner>,
    /// Under the cover: what may be played, discarded, or chosen for an ability; else the hand alone.
    plays: Vec<CardKey<'a>>,
    discards: Vec<CardKey<'a>>,
    choices: Vec<CardKey<'a>>,
    cards: Vec<u8>,
    look: Option<(&'a str, Vec<u8>, Option<u8>)>,
    people: Vec<PersonKey<'a>>,
    ways: Vec<Way<'a>>,
    accept: Option<(&'a str, Goes)>,
    decline: Option<&'a str>,
    characters: Vec<CharacterKey<'a>>,
    waits_for: String,
}

#[derive(Clone)]
struct Pawn {
    number: u8,
    word: String,
}

/// This seat in the race.
struct Runner {
    pawn: Pawn,
    help: String,
    is_silenced: bool,
    copied: Option<Named>,
}

struct CardKey<'a> {
    card: u8,
    value: &'a str,
    lands: Option<Landing>,
}

/// Where a pawn would come to.
enum Landing {
    Space { number: u8, others: Vec<Pawn> },
    Finish { place: u8, wins: bool },
}

/// From which space to which.
struct Goes {
    pawn: Option<Pawn>,
    from: u8,
    lands: Landing,
}

struct Ghost {
    space: u8,
    pawn: u8,
}

struct PersonKey<'a> {
    value: &'a str,
    name: &'a str,
    pawn: Option<Pawn>,
    from: u8,
    lands: Option<Landing>,
}

struct Way<'a> {
    value: &'a str,
    word: String,
    is_back: bool,
    goes: Option<Goes>,
}

struct CharacterKey<'a> {
    value: &'a str,
    pawn: Pawn,
    help: String,
}

pub(super) fn draw(hand: &Hand<'_>) -> ApiResult<String> {
    let (view, moves): (View, Vec<(Move, &str)>) = (hand.read_view()?, hand.read_moves()?);
    let pending = view.pending.as_ref().filter(|it| it.seat == hand.seat);
    let is_mine = view.common.to_move.has(hand.seat);
    let look = view.my_look.as_ref().map(|it| (hand.name_of(it.seat), it.cards.cards().collect(), it.kept));
    let mut tray = Tray {
        hand,
        page: hand.page,
        prompt: is_mine.then(|| prompt(hand, &view, pending)),
        ability: pending.map(|it| pawn(hand, it.ability)),
        help: pending
            .filter(|it| view.characters[hand.seat] != Some(it.ability))
            .map(|it| help(hand, it.ability))
            .unwrap_or_default(),
        me: me(hand, &view),
        plays: Vec::new(),
        discards: Vec::new(),
        choices: Vec::new(),
        cards: view.my_cards.map(Cards::cards).into_iter().flatten().collect(),
        look,
        people: Vec::new(),
        ways: Vec::new(),
        accept: None,
        decline: None,
        characters: Vec::new(),
        waits_for: if is_mine { String::new() } else { hand.names_of(view.common.to_move.iter()) },
    };
    for (chosen, value) in &moves {
        tray.offer(hand, &view, *chosen, value);
    }
    Ok(tray.render().map_err(internal)?)
}

impl<'a> Tray<'a> {
    /// The start line or a space.
    fn space(&self, number: impl Borrow<u8>) -> String {
        match *number.borrow() {
            0 => self.page.t("middle-race-board-line"),
            number => self.page.say("middle-race-board-space").with("number", number).to_string(),
        }
    }

    /// Where a pawn would come to, in words.
    fn goal(&self, lands: &Landing) -> String {
        match lands {
            Landing::Space { number, .. } => self.space(number),
            Landing::Finish { place, .. } => self.page.say("middle-race-tray-finish").with("place", *place).to_string(),
        }
    }

    fn of_card(&self, key: &CardKey<'_>) -> String {
        match &key.lands {
            Some(lands) => format!("{} → {}", key.card, self.goal(lands)),
            None => key.card.to_string(),
        }
    }

    /// The space on which the track shows where the card leads.
    fn ghost(&self, key: &CardKey<'_>) -> Option<Ghost> {
        match (&key.lands, &self.me) {
            (Some(Landing::Space { number, .. }), Some(me)) => Some(Ghost { space: *number, pawn: me.pawn.number }),
            _ => None,
        }
    }

    fn of_person(&self, key: &PersonKey<'_>) -> String {
        match &key.lands {
            Some(lands) => format!("{} → {}", key.name, self.goal(lands)),
            None => key.name.to_owned(),
        }
    }

    fn offer(&mut self, hand: &Hand<'a>, view: &View, chosen: Move, value: &'a str) {
        let pending = view.pending.as_ref();
        let pawn_at_work = pending.and_then(|it| it.pawn);
        match chosen {
            Move::Pick { character } => {
                let (pawn, help) = (pawn(hand, character), help(hand, character));
                self.characters.push(CharacterKey { value, pawn, help });
            }
            Move::Play { card } => {
                self.plays.push(CardKey { card, value, lands: lands(hand, view, hand.seat, card.cast_signed()) });
            }
            Move::Discard { card } => self.discards.push(CardKey { card, value, lands: None }),
            Move::ChooseCard { card } => self.choices.push(CardKey { card, value, lands: None }),
            Move::ChooseSeat { seat } => {
                let spaces = pending.and_then(|it| it.spaces);
                self.people.push(PersonKey {
                    value,
                    name: hand.name_of(seat),
                    pawn: pawn_of(hand, view, seat),
                    from: view.positions[seat].unwrap_or_default(),
                    lands: spaces.and_then(|spaces| lands(hand, view, seat, spaces)),
                });
            }
            Move::ChooseDirection { direction } => {
                let is_back = direction == Direction::Back;
                let step = if is_back { -1 } else { 1 };
                let goes = pawn_at_work.and_then(|seat| goes(hand, view, seat, step));
                // Back is on the left.
                self.ways.insert(0, Way { value, word: hand.named(direction).word, is_back, goes });
            }
            Move::Accept {} => {
                let goes = pawn_at_work.and_then(|seat| goes(hand, view, seat, -1));
                self.accept = goes.map(|goes| (value, goes));
            }
            Move::Decline {} => self.decline = Some(value),
        }
    }
}

fn pawn(hand: &Hand<'_>, character: Character) -> Pawn {
    Pawn { number: character.number(), word: hand.named(character).word }
}

fn pawn_of(hand: &Hand<'_>, view: &View, seat: Seat) -> Option<Pawn> {
    view.characters[seat].map(|it| pawn(hand, it))
}

fn help(hand: &Hand<'_>, character: Character) -> String {
    hand.tell("ability", &hand.named(character).id)
}

fn me(hand: &Hand<'_>, view: &View) -> Option<Runner> {
    let character = view.characters[hand.seat]?;
    Some(Runner {
        pawn: pawn(hand, character),
        help: help(hand, character),
        is_silenced: view.silences.iter().any(|it| it.seat == hand.seat),
        copied: view.copied.filter(|_| character == Character::Copy).map(|it| hand.named(it)),
    })
}

/// What this seat is asked.
fn prompt(hand: &Hand<'_>, view: &View, pending: Option<&Pending>) -> String {
    let Some(pending) = pending else {
        let key = if view.common.phase == Phase::Draft { "pick" } else { "play" };
        return hand.tell("ask", key);
    };
    let ability = hand.named(pending.ability).id;
    match pending.step {
        PendingStep::Card => hand.tell("ask-card", &ability),
        PendingStep::Seat | PendingStep::Direction | PendingStep::Accept => hand.tell("ask", &ability),
    }
}

/// Where a pawn would come to by so many spaces; nowhere if it has finished.
fn lands(hand: &Hand<'_>, view: &View, seat: Seat, spaces: i8) -> Option<Landing> {
    let options = &view.common.options;
    let number = view.positions[seat]?.saturating_add_signed(spaces);
    if number > options.track_length {
        let place = view.positions.which(Option::is_none).len() as u8 + 1;
        return Some(Landing::Finish { place, wins: options.winner.wins(place, view.common.seats) });
    }
    let there = view.positions.which(|position| *position == Some(number)).without(seat);
    Some(Landing::Space { number, others: there.iter().filter_map(|seat| pawn_of(hand, view, seat)).collect() })
}

fn goes(hand: &Hand<'_>, view: &View, seat: Seat, spaces: i8) -> Option<Goes> {
    let (from, lands) = (view.positions[seat]?, lands(hand, view, seat, spaces)?);
    Some(Goes { pawn: pawn_of(hand, view, seat), from, lands })
}
