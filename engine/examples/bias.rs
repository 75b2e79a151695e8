//! Does a bot know more or less than it should? `cargo run --release -p engine --example bias -- hogu-clue 6 100`. If the
//! worlds that `determinize` draws are as likely as the truth, a world is as like the truth as it is like another world.
//! Prints how often hidden things agree, in percent: of a world with the truth, of two worlds, and the difference with its
//! 95 % interval, for all that is hidden and for each place in the saved match. More than 0 would be a leak of the truth;
//! less, worlds that are too unlike it. Who plays the matches follows, `random` if nothing does: worlds can only be as
//! likely as the truth where players move as they are thought to.

use std::collections::{BTreeMap, BTreeSet};

use engine::bots::Level;
use engine::{Json, Match, Seat, Source, Step, Turn, Viewer, catalogue, playout};
use serde_json::{Value, json};

/// Worlds are drawn at one of so many decisions.
const LOOK: u32 = 4;
/// The place of everything together.
const ALL: &str = "";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, seats, matches, players @ ..] = arguments.as_slice() else {
        return Err("bias GAME SEATS MATCHES [random|house]".into());
    };
    let kind = catalogue::find(game).filter(|it| it.levels().contains(&Level::Hard)).ok_or("no such game searches")?;
    let (seats, matches): (u8, u64) = (seats.parse()?, matches.parse()?);
    let by_autopilot = players.first().is_some_and(|it| it == "house");
    let mut found: BTreeMap<String, Vec<[f64; 2]>> = BTreeMap::new();
    for seed in 0..matches {
        let random = &mut playout::random(seed);
        let (mut play, step) = kind.start(&json!({}), seats, random)?;
        let mut told: Vec<Vec<Json>> = vec![Vec::new(); seats.into()];
        tell(&mut told, &step);
        let mut sums = BTreeMap::new();
        while let Some((seat, chosen)) = next(play.as_ref(), by_autopilot, random) {
            if random.below(LOOK) == 0 {
                look(play.as_ref(), seat, &told[seat.index()], &mut sums, random)?;
            }
            tell(&mut told, &play.play(seat, &serde_json::from_str(chosen.get())?, random)?);
        }
        for (place, Agreement { looks, truth, another }) in sums {
            found.entry(place).or_default().push([truth / looks, another / looks]);
        }
    }
    for (place, agreed) in &found {
        let line = line(agreed);
        println!("{game} {seats}{}: {line}", if place == ALL { String::new() } else { format!(" {place}") });
    }
    Ok(())
}

fn line(agreed: &[[f64; 2]]) -> String {
    let count = agreed.len().max(1) as f64;
    let mean = |of: &dyn Fn(&[f64; 2]) -> f64| agreed.iter().map(of).sum::<f64>() / count;
    let (truth, another) = (mean(&|it| it[0]), mean(&|it| it[1]));
    let bias = truth - another;
    let variance = mean(&|it| (it[0] - it[1] - bias).powi(2));
    let half = 1.96 * (variance / count).sqrt();
    let [truth, another, bias, half] = [truth, another, bias, half].map(|it| 100.0 * it);
    format!("with the truth {truth:.1}, with another {another:.1}, bias {bias:+.1} ± {half:.1}")
}

fn next(play: &dyn Match, by_autopilot: bool, source: &mut dyn Source) -> Option<(Seat, Json)> {
    if !by_autopilot {
        return playout::random_move(play, source);
    }
    let Turn::Seats { to_move, .. } = play.turn() else { return None };
    let seat = to_move.iter().nth(source.below(to_move.len() as u32) as usize)?;
    Some((seat, play.autopilot(seat, source)?))
}

fn tell(told: &mut [Vec<Json>], step: &Step) {
    for (seat, told) in told.iter_mut().enumerate() {
        told.extend(step.events_for(Viewer::Seat(Seat(seat as u8))).cloned());
    }
}

/// How much hidden things agree, summed over looks.
#[derive(Default)]
struct Agreement {
    looks: f64,
    truth: f64,
    another: f64,
}

/// Adds, for all that differs between the truth and two worlds, the share that is equal in a world and the truth, and in
/// the two worlds.
fn look(
    play: &dyn Match,
    seat: Seat,
    told: &[Json],
    sums: &mut BTreeMap<String, Agreement>,
    source: &mut dyn Source,
) -> Result<(), Box<dyn std::error::Error>> {
    let (Some(one), Some(other)) = (play.determinize(seat, told, source)?, play.determinize(seat, told, source)?)
    else {
        return Ok(());
    };
    let [truth, one, other] = [play, one.as_ref(), other.as_ref()].map(leaves);
    // What only one of them has is hidden, too: the three are treated alike.
    let all: BTreeSet<&String> = truth.keys().chain(one.keys()).chain(other.keys()).collect();
    let is_hidden = |at: &&String| truth.get(*at) != one.get(*at) || truth.get(*at) != other.get(*at);
    let mut at_places: BTreeMap<String, Vec<&String>> = BTreeMap::new();
    for at in all.into_iter().filter(is_hidden) {
        at_places.entry(ALL.into()).or_default().push(at);
        at_places.entry(at.split('/').filter(|it| !is_number(it)).collect::<Vec<_>>().join("/")).or_default().push(at);
    }
    for (place, hidden) in at_places {
        let share = |this: &Leaves, that: &Leaves| {
            hidden.iter().filter(|at| this.get(**at) == that.get(**at)).count() as f64 / hidden.len() as f64
        };
        let sum = sums.entry(place).or_default();
        sum.looks += 1.0;
        sum.truth += (share(&truth, &one) + share(&truth, &other)) / 2.0;
        sum.another += share(&one, &other);
    }
    Ok(())
}

fn is_number(text: &str) -> bool {
    text.parse::<u32>().is_ok()
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
