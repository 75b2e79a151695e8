//! Tampered saved states. A game refuses such a state, or continues from it as from any other. A state must not cause a
//! panic, an endless match, or a saved state that the game itself refuses.

use serde_json::{Value, json};

use crate::chance::Source;
use crate::erased::{Kind, Match};
use crate::game::{Turn, Viewer};
use crate::playout::{self, may_act, random_move};
use crate::record::value;
use crate::seats::Seat;

/// No match of any game is longer.
const MOST_MOVES: usize = 20_000;

/// The saved states of one match at random moments.
pub fn saved_states(kind: &dyn Kind, options: &Value, seats: u8, many: usize, source: &mut dyn Source) -> Vec<Value> {
    let mut dealer = playout::random(u64::from(source.below(u32::MAX)));
    let Ok((mut play, _)) = kind.start(options, seats, &mut dealer) else { return Vec::new() };
    let mut states = vec![play.save()];
    while let Some((seat, chosen)) = random_move(play.as_ref(), source) {
        if play.play(seat, &value(&chosen), &mut dealer).is_err() {
            break;
        }
        states.push(play.save());
    }
    // Final states are rare, since a match ends once: one is always kept.
    let last = states.len() - 1;
    let mut kept = vec![parsed(&states[last])];
    kept.extend((1..many).map(|_| parsed(&states[source.below(states.len() as u32) as usize])));
    kept
}

/// Changes a state in one place or several, sometimes with parts of another state of the same game.
pub fn tamper(state: &mut Value, other: &Value, source: &mut dyn Source) {
    for _ in 0..=source.below(3) {
        change(state, Some(other), source);
    }
}

/// Changes a random part of the value. `like` is the same part of another state.
fn change(here: &mut Value, like: Option<&Value>, source: &mut dyn Source) {
    let many = match here {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if many == 0 || source.below(12) == 0 {
        return replace(here, like, source);
    }
    let which = source.below(many as u32) as usize;
    match here {
        Value::Array(items) => match source.below(10) {
            0 => drop(items.remove(which)),
            1 => items.insert(which, items[which].clone()),
            2 => items.swap(0, which),
            3 => items.clear(),
            _ => change(&mut items[which], like.and_then(|like| like.get(which)), source),
        },
        Value::Object(fields) => {
            let name = fields.keys().nth(which).cloned().unwrap_or_default();
            match source.below(16) {
                0 => drop(fields.remove(&name)),
                1 => drop(fields.insert("extra".into(), json!(1))),
                _ => {
                    let like = like.and_then(|like| like.get(&name));
                    fields.values_mut().skip(which).take(1).for_each(|it| change(it, like, source));
                }
            }
        }
        _ => {}
    }
}

/// Replaces the value by a near one, a distant one, or one of another type.
fn replace(here: &mut Value, like: Option<&Value>, source: &mut dyn Source) {
    const NUMBERS: [u64; 9] = [0, 1, 15, 16, 99, 127, 255, u32::MAX as u64, u64::MAX];
    let number = |source: &mut dyn Source| match source.below(6) {
        0 => json!(-1),
        1 | 2 => json!(NUMBERS[source.below(NUMBERS.len() as u32) as usize]),
        _ => json!(source.below(20)),
    };
    *here = match (&*here, like) {
        (_, Some(like)) if source.below(2) == 0 => like.clone(),
        (Value::Number(number), _) if source.below(2) == 0 => {
            json!(number.as_i64().unwrap_or(0).saturating_add(i64::from(source.below(5)) - 2))
        }
        (Value::Number(_) | Value::Null, _) if source.below(5) != 0 => number(source),
        (Value::Bool(is), _) => json!(!is),
        (Value::String(_), _) if source.below(3) == 0 => json!({ "word": null }),
        _ => match source.below(7) {
            0 => json!(null),
            1 => json!([]),
            2 => json!({}),
            3 => json!("x"),
            4 => json!(true),
            5 => json!(1.5),
            _ => number(source),
        },
    };
}

/// Resumes the state and, if the game accepts it, plays to the end and calls every method on the way. Returns whether
/// the game accepted the state.
///
/// # Panics
/// If the game panics, if the match does not end, or if the game refuses a state that it saved.
pub fn try_state(kind: &dyn Kind, saved: &[u8], source: &mut dyn Source) -> bool {
    let Ok(mut play) = kind.resume(saved) else { return false };
    let seats = value(&play.view(Viewer::Public))["seats"].as_u64().and_then(|seats| u8::try_from(seats).ok());
    let seats = seats.expect("a view says how many seats there are");
    assert!(kind.info().seats.contains(&seats), "{seats} seats");
    let mut dealer = playout::random(u64::from(source.below(u32::MAX)));
    for moves in 0..MOST_MOVES {
        // Calling everything takes long, and most faults show in the first moves.
        if moves < 3 || source.below(16) == 0 {
            ask_everything(kind, play.as_ref(), seats, source);
        }
        let Some((seat, chosen)) = random_move(play.as_ref(), source) else {
            assert!(matches!(play.turn(), Turn::Over(_)), "nobody has a move, but the match is not over");
            return true;
        };
        play.play(seat, &value(&chosen), &mut dealer).expect("a listed move is accepted");
    }
    panic!("the match does not end");
}

fn ask_everything(kind: &dyn Kind, play: &dyn Match, seats: u8, source: &mut dyn Source) {
    let saved = play.save();
    for viewer in Viewer::all(seats) {
        play.view(viewer);
        play.resample(viewer, source);
    }
    let may = may_act(&play.turn());
    for seat in (0..=u8::MAX).map(Seat).filter(|seat| seat.0 < seats + 2 || seat.0 == u8::MAX) {
        let legal = if seat.0 < seats { play.legal_moves(seat) } else { Vec::new() };
        assert_eq!(!legal.is_empty(), may.has(seat), "{seat:?} is awaited or not, but has moves or none");
        for chosen in &legal {
            let mut copy = kind.resume(&saved).expect("what was saved is resumed");
            let mut dealer = playout::random(u64::from(source.below(u32::MAX)));
            copy.play(seat, &value(chosen), &mut dealer).expect("a listed move is accepted");
            copy.turn();
        }
        if seat.0 < seats {
            play.autopilot(seat, &mut playout::random(1));
        }
        play.check(seat, &json!({ "type": "no_such_move" })).expect_err("there is no such move");
    }
}

fn parsed(saved: &[u8]) -> Value {
    serde_json::from_slice(saved).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::catalogue::GAMES;
    use crate::conformance::some_options;
    use crate::playout::random;

    /// Matches per game, unless the environment variable `RULES_TAMPER_MATCHES` says otherwise.
    const MATCHES: u64 = 5;
    const STATES: usize = 8;
    const TAMPERED: usize = 12;

    fn tampering_is_survived(kind: &dyn Kind) {
        let matches = std::env::var("RULES_TAMPER_MATCHES").ok().and_then(|it| it.parse().ok()).unwrap_or(MATCHES);
        let id = kind.info().id;
        let (mut random, mut accepted, mut refused) = (random(matches), 0, 0);
        let (fewest, most) = (u32::from(*kind.info().seats.start()), u32::from(*kind.info().seats.end()));
        for round in 0..matches {
            let seats = (fewest + random.below(most - fewest + 1)) as u8;
            let options = some_options(kind, seats, &mut random, round);
            let states = saved_states(kind, &options, seats, STATES, &mut random);
            for state in &states {
                for _ in 0..TAMPERED {
                    let mut tampered = state.clone();
                    tamper(&mut tampered, &states[random.below(STATES as u32) as usize], &mut random);
                    let text = tampered.to_string();
                    let tried = catch_unwind(AssertUnwindSafe(|| try_state(kind, text.as_bytes(), &mut random)));
                    match tried.unwrap_or_else(|_| panic!("{id}: tampered state {text}")) {
                        true => accepted += 1,
                        false => refused += 1,
                    }
                }
            }
        }
        println!("{id}: {refused} tampered states refused, {accepted} played on from");
        assert!(refused > 0 && accepted > 0, "{id}: tampering tries nothing");
    }

    #[test]
    fn a_tampered_state_is_refused_or_played_on_from() {
        std::thread::scope(|scope| {
            GAMES.iter().for_each(|kind| drop(scope.spawn(|| tampering_is_survived(*kind))));
        });
    }
}
