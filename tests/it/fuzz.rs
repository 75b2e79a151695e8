//! The engine is fed arbitrary moves and arbitrary saved states of every game. It may refuse them; it may not panic, and a
//! refused move may change nothing. `make fuzz` does it longer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use engine::{Kind, Match, Seat, Source, Turn, Viewer, catalogue, playout};
use serde_json::{Value, json};

const MOVES_BETWEEN: u32 = 12;

fn seconds() -> Duration {
    let given = std::env::var("FUZZ_SECONDS").ok().and_then(|it| it.parse().ok());
    Duration::from_secs(given.unwrap_or(2))
}

/// Something else in place of something in the value.
fn mutate(value: &mut Value, source: &mut dyn Source) {
    let many = match value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if many > 0 && source.below(8) != 0 {
        let which = source.below(many as u32) as usize;
        match value {
            Value::Array(items) if source.below(6) == 0 => match source.below(3) {
                0 => drop(items.remove(which)),
                1 => items.insert(which, items[which].clone()),
                _ => items.swap(0, which),
            },
            Value::Array(items) => mutate(&mut items[which], source),
            Value::Object(fields) => match source.below(12) {
                0 => fields.retain({
                    let mut at = 0;
                    move |_, _| {
                        at += 1;
                        at != which + 1
                    }
                }),
                _ => fields.values_mut().skip(which).take(1).for_each(|it| mutate(it, source)),
            },
            _ => {}
        }
        return;
    }
    *value = match (&*value, source.below(10)) {
        (Value::Number(number), 0..=3) => json!(number.as_i64().unwrap_or(0) + i64::from(source.below(5)) - 2),
        (Value::Number(_), 4..=7) => json!(source.below(300)),
        (Value::Bool(is), 0..=7) => json!(!is),
        (Value::Null, 0..=7) => json!(source.below(12)),
        (_, 0 | 8) => json!(null),
        (_, 1) => json!(-1),
        (_, 2) => json!(u64::MAX),
        (_, 3) => json!([]),
        (_, 4) => json!({}),
        (_, 5) => json!("x"),
        (_, 6) => json!(true),
        _ => json!(source.below(16)),
    };
}

fn parsed(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("a saved state is JSON")
}

/// Everything that a match can be asked.
fn ask_everything(play: &mut dyn Match, seats: u8, source: &mut dyn Source) {
    for viewer in Viewer::all(seats) {
        play.view(viewer);
    }
    for seat in (0..seats).map(Seat) {
        let legal = play.legal_moves(seat);
        play.autopilot(seat);
        if !legal.is_empty() {
            let chosen = parsed(legal[source.below(legal.len() as u32) as usize].get().as_bytes());
            let mut dealer = playout::random(u64::from(source.below(1000)));
            play.play(seat, &chosen, &mut dealer).ok();
        }
    }
    play.turn();
    play.save();
}

fn fuzz(kind: &dyn Kind, until: Instant) -> (u64, u64) {
    let mut random = playout::random(0);
    let (mut moves, mut states) = (0, 0);
    let info = kind.info();
    let span = u32::from(info.seats.end() - info.seats.start()) + 1;
    while Instant::now() < until {
        let seats = info.seats.start() + random.below(span) as u8;
        let (mut play, _) = kind.start(&json!({}), seats, &mut random).expect("the basic game can be played");
        while let Some((seat, chosen)) = playout::random_move(play.as_ref(), &mut random) {
            let chosen = parsed(chosen.get().as_bytes());
            if random.below(MOVES_BETWEEN) == 0 {
                let saved = play.save();
                let mut strange = chosen.clone();
                (0..=random.below(3)).for_each(|_| mutate(&mut strange, &mut random));
                let anyone = Seat(random.below(u32::from(u8::MAX) + 1) as u8);
                let mut dealer = playout::random(moves);
                let mut copy = kind.resume(&saved).expect("what was saved is read");
                let done = catch_unwind(AssertUnwindSafe(|| copy.play(anyone, &strange, &mut dealer).is_ok()));
                let made = done.unwrap_or_else(|_| panic!("{}: {anyone:?} {strange} in {}", info.id, parsed(&saved)));
                assert!(made || copy.save() == saved, "{}: a refused move changed something: {strange}", info.id);
                moves += 1;

                let mut state = parsed(&saved);
                (0..=random.below(3)).for_each(|_| mutate(&mut state, &mut random));
                let text = state.to_string();
                let done = catch_unwind(AssertUnwindSafe(|| {
                    if let Ok(mut strange) = kind.resume(text.as_bytes()) {
                        ask_everything(strange.as_mut(), seats, &mut random);
                    }
                }));
                assert!(done.is_ok(), "{}: panicked in state {text}", info.id);
                states += 1;
            }
            play.play(seat, &chosen, &mut random).expect("a listed move is accepted");
            if Instant::now() >= until {
                break;
            }
        }
        assert!(matches!(play.turn(), Turn::Over(_)) || Instant::now() >= until);
    }
    (moves, states)
}

#[test]
fn nothing_that_is_fed_to_a_game_makes_it_panic() {
    for kind in catalogue::GAMES {
        let (moves, states) = fuzz(*kind, Instant::now() + seconds());
        println!("{}: {moves} strange moves, {states} strange states", kind.info().id);
    }
}
