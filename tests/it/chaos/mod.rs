//! Whatever can break breaks while guests play and staff run a tournament: servers and Postgres are killed and frozen, a
//! connection falls silent, the disk fills up, the clock jumps. Nothing that was acknowledged is lost, nothing counts twice, and
//! every match can be replayed. `make chaos` does it for as long as one likes.

mod cafe;
mod crowd;
mod faults;
mod phones;
mod played;
mod tables;
mod tournaments;
mod watchers;

use std::hash::{BuildHasher, RandomState};
use std::time::Instant;

use engine::{Source, playout};
use futures_util::future::join_all;

use cafe::Cafe;
use crowd::{Crowd, Tally};
use faults::Fault;

const TABLES: u64 = 6;
/// Then everything is checked, and the next evening begins in an empty café: so a long run needs no more room than a short one.
const FAULTS_OF_AN_EVENING: u64 = 50;
const FAULTS: u64 = 40;

#[tokio::test]
async fn kills_lose_nothing_and_play_nothing_twice() {
    Evening::of(number("CHAOS_SEED").unwrap_or(99)).survive(Plan::EachFault).await;
}

#[tokio::test]
#[ignore = "long"]
async fn many_faults_lose_nothing_either() {
    let seed = number("CHAOS_SEED").unwrap_or_else(|| RandomState::new().hash_one(0) >> 40);
    let faults = number("CHAOS_KILLS").unwrap_or(FAULTS);
    let began = Instant::now();
    let mut whole = Tally::default();
    for before in (0..faults).step_by(FAULTS_OF_AN_EVENING as usize) {
        let now = FAULTS_OF_AN_EVENING.min(faults - before);
        let evening = Evening::of(seed + before / FAULTS_OF_AN_EVENING);
        whole += evening.survive(Plan::So { many: now, before, of: faults }).await;
    }
    println!("{whole}\nlost 0, doubled 0, after {:?}", began.elapsed());
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Which faults strike.
#[derive(Clone, Copy)]
enum Plan {
    /// Each that is possible here, in an order of chance.
    EachFault,
    /// Any of them, of which so many came before.
    So { many: u64, before: u64, of: u64 },
}

impl Plan {
    fn faults(self, possible: &[Fault], chance: &mut dyn Source) -> Vec<Fault> {
        let below = |chance: &mut dyn Source, count: usize| chance.below(count as u32) as usize;
        match self {
            Plan::EachFault => {
                let mut left = possible.to_vec();
                (0..left.len()).map(|_| left.swap_remove(below(chance, left.len()))).collect()
            }
            Plan::So { many, .. } => (0..many).map(|_| possible[below(chance, possible.len())]).collect(),
        }
    }

    fn progress(self, faults: usize) -> String {
        match self {
            Plan::EachFault => format!("{faults}"),
            Plan::So { before, of, .. } => format!("{} of {of}", before + faults as u64),
        }
    }
}

/// By this seed chance decides what strikes, whom and for how long, and what guests play.
struct Evening {
    seed: u64,
}

impl Evening {
    fn of(seed: u64) -> Self {
        println!("CHAOS_SEED={seed}");
        Evening { seed }
    }

    async fn survive(&self, plan: Plan) -> Tally {
        let mut cafe = Cafe::open();
        let crowd = Crowd::at(cafe.addresses());
        let table = crowd.set_table().await;
        let guests = join_all((0..TABLES).map(|number| tables::play(&crowd, self.chance(number))));
        let phones = phones::play(&crowd, &table, self.chance(TABLES));
        let staff = tournaments::run(&crowd, self.chance(TABLES + 1));
        let chaos = self.strike(plan, &mut cafe, &crowd);
        let (_, _, tournaments, ()) = tokio::join!(guests, phones, staff, chaos);
        cafe.calm();
        let owner = cafe.owner().await;
        for played in crowd.take_played() {
            played.holds(&owner).await;
        }
        for tournament in tournaments {
            tournament.holds(&owner).await;
        }
        cafe.close(&owner).await;
        println!("checked: lost 0, doubled 0");
        crowd.into_tally()
    }

    async fn strike(&self, plan: Plan, cafe: &mut Cafe, crowd: &Crowd) {
        let mut chance = self.chance(u64::MAX);
        for (fault, count) in plan.faults(&cafe.possible(), &mut chance).into_iter().zip(1..) {
            // Now and then before all have recovered from the one before.
            if chance.below(4) > 0 {
                crowd.play_for(1 + chance.below(60)).await;
            }
            fault.strike(cafe, crowd, &mut chance).await;
            println!("{}: {fault}; {}", plan.progress(count), crowd.progress());
        }
        crowd.play_for(20).await;
        crowd.go_home().await;
    }

    fn chance(&self, whose: u64) -> impl Source + Send + use<> {
        playout::random(self.seed.wrapping_mul(1000).wrapping_add(whose))
    }
}

impl Drop for Evening {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("to have the same happen again: CHAOS_SEED={} make chaos", self.seed);
        }
    }
}
