//! Random playouts of Liar's Dice by two seats, for `scripts/openspiel`: moves per second of processor time, and moves of a match.

use std::fs;

use engine::Game;
use engine::games::liars_dice::LiarsDice;
use engine::playout::{play_typed, random};

const SEATS: u8 = 2;
/// Between two looks at the clock.
const AT_ONCE: u64 = 256;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds: f64 = std::env::var("BENCH_SECONDS").ok().and_then(|it| it.parse().ok()).unwrap_or(3.0);
    let options = <LiarsDice as Game>::Options::default();
    let (start, mut matches, mut moves) = (processor_seconds()?, 0, 0);
    loop {
        for _ in 0..AT_ONCE {
            moves += play_typed::<LiarsDice>(&options, SEATS, &mut random(matches), |_| {})?;
            matches += 1;
        }
        let used = processor_seconds()? - start;
        if used >= seconds {
            println!("{:.0} {:.2}", moves as f64 / used, moves as f64 / matches as f64);
            return Ok(());
        }
    }
}

/// What this process has used.
fn processor_seconds() -> Result<f64, Box<dyn std::error::Error>> {
    let nanoseconds = fs::read_to_string("/proc/self/schedstat")?;
    let used: u64 = nanoseconds.split(' ').next().unwrap_or_default().parse()?;
    Ok(used as f64 / 1e9)
}
