//! How fast the rules alone are, per game: `cargo bench -p engine`, or `make bench-engine`.
//!
//! *apply* carries out matches that were played before: their outcomes of chance and their moves, nothing else.
//! *playout* plays random matches: it asks for the legal moves, chooses, draws chance and applies. Moves are those of
//! seats.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use engine::playout::{play_typed, random};
use engine::{Action, Game, games};

/// So many different matches are played over and over.
const MATCHES: u64 = 64;

fn main() {
    let seconds = std::env::var("BENCH_SECONDS").ok().and_then(|it| it.parse().ok()).unwrap_or(1.0);
    println!("Thousands per second; moves of seats, then whole matches.\n");
    println!(
        "| game | seats | moves per match | apply, 1 thread | apply, 2 threads | playout | apply, 1 | apply, 2 | playout |"
    );
    println!("| --- | --: | --: | --: | --: | --: | --: | --: | --: |");
    let long = Duration::from_secs_f64(seconds);
    measure::<games::perudo::Perudo>(long);
    measure::<games::perudo_pirates::PerudoPirates>(long);
    measure::<games::liars_dice::LiarsDice>(long);
    measure::<games::dead_mans_draw::DeadMansDraw>(long);
    measure::<games::animal_kingdom::AnimalKingdom>(long);
    measure::<games::hogu_clue::HoguClue>(long);
    measure::<games::middle_race::MiddleRace>(long);
}

type Actions<G> = Vec<Action<<G as Game>::Move, <G as Game>::Chance>>;

fn measure<G: Game>(long: Duration)
where
    G::Move: Sync,
    G::Chance: Sync,
{
    let seats = *G::INFO.seats.end();
    let mut matches: Vec<Actions<G>> = Vec::new();
    let mut moves = 0;
    for seed in 0..MATCHES {
        let mut actions = Vec::new();
        moves += play::<G>(seats, seed, |action| actions.push(action.clone()));
        matches.push(actions);
    }
    let apply_on = |threads: usize| {
        let one = || per_second(long, |turn| apply::<G>(seats, &matches[turn % matches.len()]));
        thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
            threads.into_iter().map(|it| it.join().unwrap_or_default()).sum::<f64>()
        })
    };
    let playouts = per_second(long, |turn| play::<G>(seats, turn as u64 % MATCHES, |_| {}));
    let per_match = moves as f64 / MATCHES as f64;
    let row = [apply_on(1), apply_on(2), playouts];
    let [moves, games] = [row, row.map(|moves| moves / per_match)].map(|row| row.map(thousands).join(" | "));
    println!("| {} | {seats} | {per_match:.0} | {moves} | {games} |", G::INFO.id);
}

fn thousands(per_second: f64) -> String {
    format!("{:.0}", per_second / 1000.0)
}

fn play<G: Game>(seats: u8, seed: u64, note: impl FnMut(&Action<G::Move, G::Chance>)) -> u64 {
    play_typed::<G>(&G::Options::default(), seats, &mut random(seed), note).unwrap_or_default()
}

fn apply<G: Game>(seats: u8, actions: &Actions<G>) -> u64 {
    let Ok(mut game) = G::setup(G::Options::default(), seats) else { return 0 };
    let (mut events, mut moves) = (Vec::new(), 0);
    for action in actions {
        events.clear();
        moves += u64::from(matches!(action, Action::Move(..)));
        game.apply(action.clone(), &mut events);
    }
    black_box(game);
    moves
}

/// Does it again and again for so long: how much of it per second.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn per_second(long: Duration, mut once: impl FnMut(usize) -> u64) -> f64 {
    let (start, mut done) = (Instant::now(), 0);
    for turn in 0.. {
        done += once(turn);
        if turn % 16 == 0 && start.elapsed() >= long {
            break;
        }
    }
    done as f64 / start.elapsed().as_secs_f64()
}
