//! Determinization: what is drawn, and how often.

use std::collections::BTreeMap;

use super::*;
use crate::game::Action;

type Counts = BTreeMap<String, f64>;

const DRAWS: u64 = 1_500;

/// Where the cards are and went, for the seats that the viewer does not see.
fn secrets(world: &HoguClue) -> String {
    format!("{:?} {:?} {:?}", world.hidden, world.players, world.stage)
}

/// All matches that look like this one to the seat: every deal, then every gift.
fn all_worlds(game: &HoguClue, seat: Seat) -> Counts {
    let seen = game.view(Viewer::Seat(seat));
    let mut start = HoguClue::setup(game.options.clone(), game.players.count()).expect("the same options");
    start.open = game.open;
    start.first_seat = game.first_seat;
    let dealt = Cards::ALL.but(game.open);
    let sizes = game.players.iter().map(|_| game.hand_size()).chain([game.hidden.len()]).collect::<Vec<_>>();
    let mut worlds = Counts::new();
    for places in splits(dealt, &sizes) {
        let mut world = start.clone();
        for (player, hand) in world.players.iter_mut().zip(&places) {
            player.hand = *hand;
        }
        world.hidden = *places.last().expect("the hidden cards");
        world.start_turn(game.first_seat, &mut Vec::new());
        replay(world, seat, &seen, &mut worlds);
    }
    worlds
}

fn splits(cards: Cards, sizes: &[u8]) -> Vec<Vec<Cards>> {
    let Some((size, rest)) = sizes.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for part in subsets(cards, *size) {
        for mut others in splits(cards.but(part), rest) {
            others.insert(0, part);
            all.push(others);
        }
    }
    all
}

fn subsets(cards: Cards, size: u8) -> Vec<Cards> {
    if size == 0 {
        return vec![Cards::NONE];
    }
    let Some(first) = cards.iter().next() else { return Vec::new() };
    let rest = cards.but(first.into());
    let with = subsets(rest, size - 1).into_iter().map(|it| it.and(first.into()));
    with.chain(subsets(rest, size)).collect()
}

fn replay(mut world: HoguClue, seat: Seat, seen: &View, worlds: &mut Counts) {
    let so_far = world.history.len();
    if world.history[..] != seen.history[..so_far] {
        return;
    }
    if world.view(Viewer::Seat(seat)) == *seen {
        *worlds.entry(secrets(&world)).or_default() += 1.0;
        return;
    }
    match world.turn() {
        Turn::Seats { to_move, .. } if matches!(world.stage, Stage::Exchange(_)) => {
            let given = seen.exchange.as_ref().filter(|_| so_far == seen.history.len()).map(|it| it.given);
            let giver = to_move.iter().find(|it| given.is_none_or(|given| given.has(*it)));
            let mut gifts = Vec::new();
            let Some(giver) = giver else { return };
            world.legal_moves(giver, &mut gifts);
            for gift in gifts {
                let mut next = world.clone();
                next.apply(Action::Move(giver, gift), &mut Vec::new());
                replay(next, seat, seen, worlds);
            }
        }
        Turn::Seats { to_move, .. } => {
            let Some(Entry { what, .. }) = seen.history.get(so_far) else { return };
            let chosen = match what {
                What::Call { call, .. } => Move::Call(*call),
                What::Answer { card, .. } => Move::Answer { card: *card },
            };
            world.apply(Action::Move(to_move.iter().next().expect("one seat"), chosen), &mut Vec::new());
            replay(world, seat, seen, worlds);
        }
        Turn::Chance | Turn::Over(_) => {}
    }
}

/// How far the draws are from all worlds being equally likely: half the sum of the differences. So many draws from truly
/// equal chances would be as far away as the second number, on average.
fn distance(game: &HoguClue, seat: Seat) -> (f64, f64) {
    let worlds = all_worlds(game, seat);
    assert!(worlds.contains_key(&secrets(game)), "the truth is possible");
    let view = game.view(Viewer::Seat(seat));
    let mut drawn = Counts::new();
    for seed in 0..DRAWS {
        let world = HoguClue::determinize(seat, &view, &[], &mut random(seed)).expect("there is a world");
        assert!(worlds.contains_key(&secrets(&world)), "the rules allow it");
        *drawn.entry(secrets(&world)).or_default() += 1.0;
    }
    let (count, draws) = (worlds.len() as f64, DRAWS as f64);
    let off = worlds.keys().map(|world| (drawn.get(world).unwrap_or(&0.0) / draws - 1.0 / count).abs()).sum::<f64>();
    (off / 2.0, (count / draws / (2.0 * std::f64::consts::PI)).sqrt())
}

fn three(options: Value) -> Table {
    deal(options, &["S1 H2 D3", "S2 C4 JK", "H1 D1 C2"], "S3 H4", "S4 H3 D2 D4 C1 C3", 0)
}

#[test]
fn all_possible_matches_are_drawn_equally_often() {
    let mut table = three(json!({}));
    table.calls(0, "1").gives(2, "H1").gives(0, "D3").calls(1, "D").gives(2, "D3").gives(1, "JK");
    table.calls(2, "2").gives(0, "H2").gives(2, "JK").calls(0, "S").gives(1, "S2").gives(0, "S1");
    table.calls(1, "C").gives(2, "C2").gives(1, "S1");
    for seat in [0, 1, 2].map(Seat) {
        let (off, expected) = distance(&typed(&table), seat);
        assert!(off < 1.3 * expected, "{seat:?}: {off:.3}, by chance {expected:.3}");
    }
}

#[test]
fn an_exchange_under_way_is_drawn_as_often_as_any() {
    for same_kind_back in [true, false] {
        let mut table = three(json!({"same_kind_back": same_kind_back}));
        table.calls(0, "1").gives(2, "H1").gives(0, "D3").calls(1, "1").gives(1, "JK").gives(2, "D1");
        table.calls(2, "C").gives(1, "C4");
        for (caller_gave, seats) in [(false, [0, 2]), (true, [0, 1])] {
            for seat in seats.map(Seat) {
                let (off, expected) = distance(&typed(&table), seat);
                assert!(off < 1.3 * expected, "{same_kind_back} {seat:?}: {off:.3}, by chance {expected:.3}");
            }
            if !caller_gave {
                table.gives(2, "JK");
            }
        }
    }
}
