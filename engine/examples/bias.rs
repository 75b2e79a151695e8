//! Does a bot know more or less than it should? `cargo run --release -p engine --example bias -- hogu-clue 6 100`. If the
//! worlds that `determinize` draws are as likely as the truth, a world is as like the truth as it is like another world.
//! Prints how often hidden things agree, in percent: of a world with the truth, of two worlds, and the difference with its
//! 95 % interval. More than 0 would be a leak of the truth; less, worlds that are too unlike it.

use std::collections::BTreeMap;

use engine::bots::Level;
use engine::{Json, Match, Seat, Source, Step, Viewer, catalogue, playout};
use serde_json::{Value, json};

/// Worlds are drawn at one of so many decisions.
const LOOK: u32 = 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, seats, matches] = arguments.as_slice() else { return Err("bias GAME SEATS MATCHES".into()) };
    let kind = catalogue::find(game).filter(|it| it.levels().contains(&Level::Hard)).ok_or("no such game searches")?;
    let (seats, matches): (u8, u64) = (seats.parse()?, matches.parse()?);
    let (mut with_truth, mut with_another, mut differences) = (0.0, 0.0, Vec::new());
    for seed in 0..matches {
        let random = &mut playout::random(seed);
        let (mut play, step) = kind.start(&json!({}), seats, random)?;
        let mut told: Vec<Vec<Json>> = vec![Vec::new(); seats.into()];
        tell(&mut told, &step);
        let (mut looks, mut truth, mut another) = (0.0, 0.0, 0.0);
        while let Some((seat, chosen)) = playout::random_move(play.as_ref(), random) {
            if random.below(LOOK) == 0
                && let Some([of_truth, of_another]) = agreement(play.as_ref(), seat, &told[seat.index()], random)?
            {
                (looks, truth, another) = (looks + 1.0, truth + of_truth, another + of_another);
            }
            tell(&mut told, &play.play(seat, &serde_json::from_str(chosen.get())?, random)?);
        }
        if looks > 0.0 {
            with_truth += truth / looks;
            with_another += another / looks;
            differences.push((truth - another) / looks);
        }
    }
    let count = differences.len().max(1) as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let variance = differences.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / count;
    let half = 1.96 * (variance / count).sqrt();
    let [truth, another] = [with_truth, with_another].map(|it| 100.0 * it / count);
    let [mean, half] = [mean, half].map(|it| 100.0 * it);
    println!("{game} {seats}: with the truth {truth:.1}, with another {another:.1}, bias {mean:+.1} ± {half:.1}");
    Ok(())
}

fn tell(told: &mut [Vec<Json>], step: &Step) {
    for (seat, told) in told.iter_mut().enumerate() {
        told.extend(step.events_for(Viewer::Seat(Seat(seat as u8))).cloned());
    }
}

/// Of what differs between the truth and two worlds, the share that is equal in a world and the truth, and in the two
/// worlds. None where nothing differs.
fn agreement(
    play: &dyn Match,
    seat: Seat,
    told: &[Json],
    source: &mut dyn Source,
) -> Result<Option<[f64; 2]>, Box<dyn std::error::Error>> {
    let (Some(one), Some(other)) = (play.determinize(seat, told, source)?, play.determinize(seat, told, source)?)
    else {
        return Ok(None);
    };
    let [truth, one, other] = [play, one.as_ref(), other.as_ref()].map(leaves);
    let hidden: Vec<&String> =
        truth.keys().filter(|at| truth.get(*at) != one.get(*at) || truth.get(*at) != other.get(*at)).collect();
    if hidden.is_empty() {
        return Ok(None);
    }
    let share = |this: &Leaves, that: &Leaves| {
        hidden.iter().filter(|at| this.get(**at) == that.get(**at)).count() as f64 / hidden.len() as f64
    };
    Ok(Some([(share(&truth, &one) + share(&truth, &other)) / 2.0, share(&one, &other)]))
}

type Leaves = BTreeMap<String, Value>;

fn leaves(play: &dyn Match) -> Leaves {
    let mut found = Leaves::new();
    gather(String::new(), serde_json::from_slice(&play.save()).unwrap_or_default(), &mut found);
    found
}

fn gather(at: String, value: Value, found: &mut Leaves) {
    match value {
        Value::Object(fields) => fields.into_iter().for_each(|(key, it)| gather(format!("{at}/{key}"), it, found)),
        Value::Array(items) => {
            items.into_iter().enumerate().for_each(|(key, it)| gather(format!("{at}/{key}"), it, found));
        }
        value => _ = found.insert(at, value),
    }
}
