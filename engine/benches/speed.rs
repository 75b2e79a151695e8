//! How fast the rules alone are, per game: `cargo bench -p engine`, or `make bench-engine`.
//!
//! *apply* carries out matches that were played before: their outcomes of chance and their moves, nothing else.
//! *playout* plays random matches: it asks for the legal moves, chooses, draws chance and applies. Moves are those of
//! seats. The second table says how fast bots that search draw worlds and play them out.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use engine::bots::{Policy, Table};
use engine::playout::{play_typed, random};
use engine::{Action, Game, Seat, Turn, Viewer, games};

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

    println!("\nThousands per second and thread, in the middle of matches; a rollout draws a world of its own.\n");
    println!("| game | seats | worlds drawn | rollouts |");
    println!("| --- | --: | --: | --: |");
    think::<games::perudo::Perudo>(4, long);
    think::<games::perudo_pirates::PerudoPirates>(4, long);
    think::<games::liars_dice::LiarsDice>(4, long);
    think::<games::dead_mans_draw::DeadMansDraw>(4, long);
    think::<games::animal_kingdom::AnimalKingdom>(10, long);
    think::<games::hogu_clue::HoguClue>(4, long);
    think::<games::middle_race::MiddleRace>(4, long);
}

/// How fast bots draw worlds, and play them out.
fn think<G: Game>(seats: u8, long: Duration) {
    const ROLLOUTS: u32 = 32;
    let middles: Vec<Table<G>> = (0..MATCHES).filter_map(|seed| middle(seats, seed)).collect();
    let source = &mut random(1);
    let worlds = per_second(long, |turn| {
        let table = &middles[turn % middles.len()];
        let Some(seat) = on_turn(&table.game) else { return 0 };
        let view = table.game.view(Viewer::Seat(seat));
        u64::from(black_box(G::determinize(seat, &view, &table.told[seat], source)).is_some())
    });
    let rollouts = per_second(long, |turn| {
        let table = &middles[turn % middles.len()];
        let Some(seat) = on_turn(&table.game) else { return 0 };
        black_box(table.choose(seat, Policy::Search { rollouts: ROLLOUTS }, source));
        ROLLOUTS.into()
    });
    println!("| {} | {seats} | {:.1} | {:.1} |", G::INFO.id, worlds / 1000.0, rollouts / 1000.0);
}

/// A match of autopilots, half of its moves made, where there is something to choose.
fn middle<G: Game>(seats: u8, seed: u64) -> Option<Table<G>> {
    let play_on = |moves: u64| {
        let (mut table, source) = (Table::<G>::new(G::Options::default(), seats).ok()?, &mut random(seed));
        let mut made = 0;
        while made < moves && !matches!(table.game.turn(), Turn::Over(_)) {
            let action = match on_turn(&table.game) {
                Some(seat) => Action::Move(seat, table.choose(seat, Policy::Autopilot, source)),
                None => Action::Chance(table.game.draw(source)),
            };
            made += u64::from(matches!(action, Action::Move(..)));
            table.apply(action);
        }
        while table.game.turn() == Turn::Chance {
            table.apply(Action::Chance(table.game.draw(source)));
        }
        Some((table, made))
    };
    let (_, made) = play_on(u64::MAX)?;
    play_on(made / 2).map(|(table, _)| table).filter(|table| on_turn(&table.game).is_some())
}

fn on_turn<G: Game>(game: &G) -> Option<Seat> {
    match game.turn() {
        Turn::Seats { to_move, .. } => to_move.iter().next(),
        Turn::Chance | Turn::Over(_) => None,
    }
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
