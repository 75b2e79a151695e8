//! How many moves the games make in a second: `playout` chooses them too, `apply` carries out moves that were chosen before.
//! `cargo bench -p engine`; items are moves.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use engine::playout::{self, play_typed};
use engine::{Action, Game, games};

fn main() {
    divan::main();
}

/// At how many seats.
#[derive(Clone, Copy, Debug)]
enum Table {
    Smallest,
    Largest,
}

impl Table {
    fn seats<G: Game>(self) -> u8 {
        match self {
            Table::Smallest => *G::INFO.seats.start(),
            Table::Largest => *G::INFO.seats.end(),
        }
    }
}

fn play<G: Game>(seats: u8, seed: u64, note: impl FnMut(&Action<G::Move, G::Chance>)) -> u64 {
    play_typed::<G>(&G::Options::default(), seats, &mut playout::random(seed), note).unwrap_or_default()
}

macro_rules! bench_games {
    ($($game:ty),* $(,)?) => {
        #[divan::bench(types = [$($game),*], args = [Table::Smallest, Table::Largest])]
        fn playout<G: Game>(bencher: Bencher, table: Table) {
            let seats = table.seats::<G>();
            let mut seed = 0;
            bencher
                .with_inputs(|| {
                    seed += 1;
                    seed
                })
                .input_counter(move |seed| ItemsCount::new(play::<G>(seats, *seed, |_| {})))
                .bench_local_values(|seed| play::<G>(seats, black_box(seed), |_| {}));
        }

        #[divan::bench(types = [$($game),*], args = [Table::Smallest, Table::Largest])]
        fn apply<G: Game>(bencher: Bencher, table: Table) {
            let seats = table.seats::<G>();
            let mut seed = 0;
            bencher
                .with_inputs(|| {
                    seed += 1;
                    let mut actions = Vec::new();
                    play::<G>(seats, seed, |action| actions.push(action.clone()));
                    (G::setup(G::Options::default(), seats), actions)
                })
                .input_counter(|(_, actions)| {
                    ItemsCount::new(actions.iter().filter(|action| matches!(action, Action::Move(..))).count())
                })
                .bench_local_values(|(game, actions)| {
                    let Ok(mut game) = game else { return None };
                    let mut told = Vec::new();
                    for action in actions {
                        told.clear();
                        game.apply(action, &mut told);
                    }
                    Some(game)
                });
        }
    };
}

bench_games![
    games::perudo::Perudo,
    games::perudo_pirates::PerudoPirates,
    games::liars_dice::LiarsDice,
    games::hogu_clue::HoguClue,
];
