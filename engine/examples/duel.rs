//! Lets two policies play each other: `cargo run --release -p engine --example duel -- perudo 4 house random 1000`. The
//! first sits alone among the others, on every seat in turn. Prints its share of the wins, ties split, and the 95 %
//! interval; a fair share is one in as many as there are seats. Options may follow as JSON.

use engine::bots::Policy;
use engine::{catalogue, playout};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, seats, one, others, matches, options @ ..] = arguments.as_slice() else {
        return Err(
            "duel GAME SEATS POLICY OTHERS MATCHES [OPTIONS]; a policy is random, house, search:ROLLOUTS or search-on-turn:ROLLOUTS".into()
        );
    };
    let options: Value = options.first().map_or(Ok(json!({})), |it| serde_json::from_str(it))?;
    let kind = catalogue::find(game).ok_or("there is no such game")?;
    let (seats, matches): (usize, u64) = (seats.parse()?, matches.parse()?);
    let (one, others) = (policy(one)?, policy(others)?);
    let mut share = 0.0;
    for seed in 0..matches {
        let mine = seed as usize % seats;
        let policies: Vec<Policy> = (0..seats).map(|seat| if seat == mine { one } else { others }).collect();
        let outcome = kind.play_out(&options, &policies, &mut playout::random(seed))?;
        let winners = outcome.ranks.iter().filter(|rank| **rank == 1).count();
        let won = outcome.ranks.iter().nth(mine).is_some_and(|rank| *rank == 1);
        share += if won { 1.0 / winners as f64 } else { 0.0 };
    }
    let [low, high] = wilson(share, matches as f64);
    let [share, low, high, fair] = [share / matches as f64, low, high, 1.0 / seats as f64].map(|it| 100.0 * it);
    println!("{game} {seats}: {share:.1} % [{low:.1}, {high:.1}], fair {fair:.1}; {matches} matches");
    Ok(())
}

fn policy(text: &str) -> Result<Policy, Box<dyn std::error::Error>> {
    Ok(match text.split_once(':') {
        None if text == "random" => Policy::Random,
        None if text == "house" => Policy::Autopilot,
        Some(("search", rollouts)) => Policy::Search { rollouts: rollouts.parse()? },
        Some(("search-on-turn", rollouts)) => Policy::SearchOnTurn { rollouts: rollouts.parse()? },
        _ => return Err(format!("{text} is no policy").into()),
    })
}

/// Wilson's score interval at 95 %.
fn wilson(won: f64, of: f64) -> [f64; 2] {
    const Z: f64 = 1.96;
    let share = won / of;
    let middle = share + Z * Z / (2.0 * of);
    let half = Z * (share * (1.0 - share) / of + Z * Z / (4.0 * of * of)).sqrt();
    [-1.0, 1.0].map(|sign| (middle + sign * half) / (1.0 + Z * Z / of))
}
