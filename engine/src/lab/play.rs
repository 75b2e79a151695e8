//! One match of bots, and what it was like.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::mem::{Discriminant, discriminant};

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Serialize;
use serde_json::Value;

use super::{Barred, Odd, Setting, Watch};
use crate::bots::{self, Knowledge, Policy};
use crate::chance::{Random, Source};
use crate::game::{Action, Addressed, Game, Turn, Viewer};
use crate::seats::{PerSeat, Seat, SeatSet};

/// A match that has not ended after so many moves does not end in time.
const LONGEST: u32 = 5_000;
/// So many random outcomes in a row do not end.
const MOST_CHANCE: u32 = 10_000;
/// In so many matches of each policy it is noted what could have been chosen: that takes longer than the match.
const NOTED: u64 = 64;

/// What one match was like.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Played {
    /// The seat that was the first to be asked alone; none where all choose at once.
    pub(super) first: Option<Seat>,
    /// The seats with the best rank; none if the match did not end in time.
    pub(super) winners: SeatSet,
    /// Why it ended; none if it did not end in time.
    pub(super) reason: Option<String>,
    pub(super) moves: u32,
    /// Moves of seats that had no other.
    pub(super) forced: u32,
    /// The legal moves at each move, summed.
    pub(super) choices: u64,
    /// Seats that were neither asked nor out, summed over the moves.
    pub(super) waiting: u64,
    /// Seats that were out, summed over the moves.
    pub(super) out: u64,
    /// How often another seat came to lead alone; none in games that cannot tell.
    pub(super) lead_changes: Option<u32>,
    /// Did a seat win that was last when half of the moves were made?
    pub(super) comeback: bool,
    /// What each seat played.
    pub(super) roles: Vec<Option<String>>,
    /// Which moves each seat made: a bit for each of [`Moves::types`].
    pub(super) made: Vec<u64>,
    /// Did every seat know what it plays before the first move?
    pub(super) are_cast: bool,
    /// How often each value of a move's field could be chosen, and was; only in some matches.
    pub(super) picks: Picks,
}

/// By the type of the move, its field and the field's value as JSON: how often it could be chosen, and was.
pub(super) type Picks = BTreeMap<(String, String, String), (u64, u64)>;

impl Played {
    /// The types of moves that anybody made.
    pub(super) fn made_by_anybody(&self) -> u64 {
        self.made.iter().fold(0, |all, made| all | made)
    }

    /// Notes a decision between several moves: what each could have been, and what it was.
    fn note_picks<M: Serialize>(&mut self, legal: &[M], chosen: &M) {
        if legal.len() < 2 {
            return;
        }
        let offered: BTreeSet<_> = legal.iter().flat_map(values).collect();
        let chosen = values(chosen);
        for value in offered {
            let is_chosen = u64::from(chosen.contains(&value));
            let pick = self.picks.entry(value).or_default();
            *pick = (pick.0 + 1, pick.1 + is_chosen);
        }
    }
}

/// The words and numbers of a move, with its type and their fields.
fn values<M: Serialize>(chosen: &M) -> Vec<(String, String, String)> {
    let Ok(Value::Object(fields)) = serde_json::to_value(chosen) else { return Vec::new() };
    let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
    let plain = fields.iter().filter(|(field, it)| *field != "type" && (it.is_string() || it.is_u64()));
    plain.map(|(field, value)| (kind.to_owned(), field.clone(), value.to_string())).collect()
}

/// The types of a game's moves, by name. A move's type is read from its JSON once per kind.
pub(super) struct Moves<G: Game> {
    types: Vec<String>,
    known: HashMap<Discriminant<G::Move>, usize>,
}

impl<G: Game> Moves<G> {
    pub(super) fn new() -> Self {
        Moves { types: super::move_types::<G>(), known: HashMap::new() }
    }

    /// The index of the move's type among [`super::move_types`].
    fn index(&mut self, chosen: &G::Move) -> usize {
        *self.known.entry(discriminant(chosen)).or_insert_with(|| {
            let value = serde_json::to_value(chosen).unwrap_or_default();
            let named = value.get("type").and_then(Value::as_str).unwrap_or_default();
            self.types.iter().position(|it| it == named).unwrap_or(0)
        })
    }
}

/// The luck of a match: chance and the players' whims come from streams of their own, so that the same match under other
/// rules has the same dice for as long as it asks for the same.
fn stream(seed: u64, index: u64, which: u64) -> Random<Xoshiro256PlusPlus> {
    Random(Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(2 * index + which)))
}

/// Plays the match with this number.
pub(super) fn play<G: Game>(new: &G, setting: &Setting, index: u64, types: &mut Moves<G>, watch: &dyn Watch) -> Played {
    let (mut luck, mut whims) = (stream(setting.seed, index, 0), stream(setting.seed, index, 1));
    let seats = setting.seats;
    let odd = setting.odd.as_ref().map(|odd| (Seat((index % u64::from(seats)) as u8), odd));
    let remembers = std::iter::once(setting.policy).chain(odd.iter().map(|(_, odd)| odd.policy)).any(Policy::searches);
    let mut told: PerSeat<Vec<G::Event>> = PerSeat::new(seats, |_| Vec::new());
    let (mut legal, mut events) = (Vec::new(), Vec::new());
    let (mut game, mut lead, mut chance) = (new.clone(), Lead::default(), 0);
    let mut played = Played { made: vec![0; seats.into()], ..Played::default() };
    let policy_of = |seat: Seat| match odd {
        Some((is, odd)) if is == seat => odd.policy,
        _ => setting.policy,
    };
    let mut phases = Phases::default();
    loop {
        watch.make_way();
        events.clear();
        let action = match game.turn() {
            Turn::Over(outcome) => {
                played.winners = outcome.ranks.which(|rank| *rank == 1);
                played.reason = Some(outcome.reason);
                break;
            }
            Turn::Chance if chance < MOST_CHANCE => {
                chance += 1;
                Action::Chance(game.draw(&mut luck))
            }
            Turn::Seats { to_move, interrupt } if played.moves < LONGEST => {
                chance = 0;
                if played.moves == 0 {
                    played.are_cast = (0..seats).all(|seat| game.role(Seat(seat)).is_some());
                }
                if phases.begins(to_move) {
                    lead.look(&game, seats, played.moves);
                }
                let out_of_turn = interrupt
                    .iter()
                    .find_map(|seat| interruption(&game, seat, &told[seat], policy_of(seat), &mut whims, watch));
                if let Some((seat, chosen)) = out_of_turn {
                    played.interrupts(seat, types.index(&chosen));
                    game.apply(Action::Move(seat, chosen), &mut events);
                    if remembers {
                        remember(&events, &mut told);
                    }
                    continue;
                }
                let seat = bots::one_of(to_move, &mut whims);
                legal.clear();
                game.legal_moves(seat, &mut legal);
                played.note(seats, to_move, (0..seats).filter(|it| game.is_out(Seat(*it))).count(), legal.len());
                let is_blind = restrict(&game, seat, odd, &mut legal, types);
                let policy = if is_blind { Policy::Random } else { policy_of(seat) };
                let chosen = choose(&game, seat, &told[seat], &legal, policy, &mut whims, watch);
                played.makes(seat, types.index(&chosen));
                if index < NOTED && setting.notes {
                    played.note_picks(&legal, &chosen);
                }
                Action::Move(seat, chosen)
            }
            Turn::Chance | Turn::Seats { .. } => break,
        };
        game.apply(action, &mut events);
        if remembers {
            remember(&events, &mut told);
        }
    }
    lead.look(&game, seats, played.moves);
    played.first = phases.first();
    played.lead_changes = lead.is_known.then_some(lead.changes);
    played.comeback = lead.was_last_at(played.moves / 2).iter().any(|seat| played.winners.has(seat));
    played.roles = (0..seats).map(|seat| game.role(Seat(seat))).collect();
    played
}

/// Takes from the legal moves what the odd seat may not choose, unless it has no other. Returns whether it has to use a
/// role that it may not use, which it then does blindly.
fn restrict<G: Game>(
    game: &G,
    seat: Seat,
    odd: Option<(Seat, &Odd)>,
    legal: &mut Vec<G::Move>,
    types: &mut Moves<G>,
) -> bool {
    let Some((is, Odd { barred: Some(barred), .. })) = odd else { return false };
    let is_left: Vec<bool> = match barred {
        Barred::Move(without) if is == seat => legal.iter().map(|it| types.name(it) != without).collect(),
        Barred::Taking(role) if is == seat => legal.iter().map(|it| !takes(game, seat, it, role)).collect(),
        Barred::Using(role, own) if game.role(seat).as_ref() == Some(role) => {
            legal.iter().map(|it| own >> types.index(it).min(63) & 1 == 0).collect()
        }
        Barred::Move(_) | Barred::Taking(_) | Barred::Using(..) => return false,
    };
    if !is_left.contains(&true) {
        return matches!(barred, Barred::Using(..));
    }
    let mut is_left = is_left.into_iter();
    legal.retain(|_| is_left.next().unwrap_or(true));
    false
}

/// Would the seat play this role after the move?
fn takes<G: Game>(game: &G, seat: Seat, chosen: &G::Move, role: &str) -> bool {
    if game.role(seat).is_some() {
        return false;
    }
    let mut after = game.clone();
    after.apply(Action::Move(seat, chosen.clone()), &mut Vec::new());
    after.role(seat).as_deref() == Some(role)
}

fn interruption<G: Game>(
    game: &G,
    seat: Seat,
    told: &[G::Event],
    policy: Policy,
    whims: &mut dyn Source,
    watch: &dyn Watch,
) -> Option<(Seat, G::Move)> {
    if policy == Policy::Random {
        return None;
    }
    let mut legal = Vec::new();
    game.legal_moves(seat, &mut legal);
    let view = game.view(Viewer::Seat(seat));
    let knowledge = Knowledge::<G> { seat, view: &view, told, legal: &legal };
    bots::interrupt(&knowledge, policy, &mut || makes_way(watch), whims).map(|chosen| (seat, chosen))
}

fn choose<G: Game>(
    game: &G,
    seat: Seat,
    told: &[G::Event],
    legal: &[G::Move],
    policy: Policy,
    whims: &mut dyn Source,
    watch: &dyn Watch,
) -> G::Move {
    // A random move needs no view, and views cost more than the rest of a random match.
    if policy == Policy::Random {
        return legal[whims.below(legal.len() as u32) as usize].clone();
    }
    let view = game.view(Viewer::Seat(seat));
    bots::choose(&Knowledge::<G> { seat, view: &view, told, legal }, policy, &mut || makes_way(watch), whims)
}

/// Then a search always goes on.
fn makes_way(watch: &dyn Watch) -> bool {
    watch.make_way();
    true
}

fn remember<E: Clone>(events: &[Addressed<E>], told: &mut PerSeat<Vec<E>>) {
    for (seat, told) in told.seats().zip(told.iter_mut()) {
        let heard = events.iter().filter(|it| it.to.includes(Viewer::Seat(seat)));
        told.extend(heard.map(|it| it.event.clone()));
    }
}

impl<G: Game> Moves<G> {
    fn name(&mut self, chosen: &G::Move) -> &str {
        let index = self.index(chosen);
        self.types.get(index).map_or("", String::as_str)
    }
}

impl Played {
    fn makes(&mut self, seat: Seat, which: usize) {
        if let Some(made) = self.made.get_mut(seat.index()) {
            *made |= 1 << which.min(63);
        }
    }

    /// Makes a move out of turn.
    fn interrupts(&mut self, seat: Seat, which: usize) {
        self.moves += 1;
        self.makes(seat, which);
    }

    fn note(&mut self, seats: u8, to_move: SeatSet, out: usize, legal: usize) {
        self.moves += 1;
        self.forced += u32::from(legal == 1);
        self.choices += legal as u64;
        self.out += out as u64;
        self.waiting += usize::from(seats).saturating_sub(out + to_move.len()) as u64;
    }
}

/// Tells whose turn begins: several seats that are asked at once answer one after the other, which is one phase.
#[derive(Debug, Default)]
pub struct Phases {
    asked: SeatSet,
    count: u32,
    first: Option<Seat>,
}

impl Phases {
    /// Is another seat asked than before?
    pub fn begins(&mut self, to_move: SeatSet) -> bool {
        let goes_on = self.count > 0 && to_move.iter().all(|seat| self.asked.has(seat));
        if !goes_on {
            self.count += 1;
            if self.first.is_none() && self.count <= 2 && to_move.len() == 1 {
                self.first = to_move.iter().next();
            }
        }
        self.asked = to_move;
        !goes_on
    }

    /// The seat that was the first to be asked alone, in the first two phases; none where all choose at once.
    pub fn first(&self) -> Option<Seat> {
        self.first
    }
}

/// Who leads and who is last in the course of a match.
#[derive(Default)]
struct Lead {
    is_known: bool,
    leader: Option<Seat>,
    changes: u32,
    /// Since which move which seats are last.
    last: Vec<(u32, SeatSet)>,
}

impl Lead {
    fn look<G: Game>(&mut self, game: &G, seats: u8, moves: u32) {
        let Some(standings) = (0..seats).map(|seat| game.standing(Seat(seat))).collect::<Option<Vec<i32>>>() else {
            return;
        };
        self.is_known = true;
        let (Some(most), Some(least)) = (standings.iter().max(), standings.iter().min()) else { return };
        let with = |points: &i32| -> SeatSet {
            (0..seats).map(Seat).filter(|seat| standings.get(seat.index()) == Some(points)).collect()
        };
        let front = with(most);
        if front.len() == 1 {
            let leader = front.iter().next();
            self.changes += u32::from(self.leader.is_some() && self.leader != leader);
            self.leader = leader;
        }
        let last = if most == least { SeatSet::none() } else { with(least) };
        if self.last.last().is_none_or(|(_, before)| *before != last) {
            self.last.push((moves, last));
        }
    }

    fn was_last_at(&self, moves: u32) -> SeatSet {
        self.last.iter().rev().find(|(since, _)| *since <= moves).map(|(_, last)| *last).unwrap_or_default()
    }
}
