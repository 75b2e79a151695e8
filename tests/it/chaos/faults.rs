//! What goes wrong, and for how long.

use std::fmt;
use std::time::{Duration, Instant};

use engine::Source;
use harness::{Fault as LineFault, end};

use super::cafe::{Cafe, FIRST, OTHERS};
use super::crowd::{Crowd, PAUSE};

/// So far off may a clock be, in seconds, either way. From one end to the other it is less than an access token lives, and more
/// than a player has for a move.
const MOST_OFF: u32 = 240;
/// How long a full disk waits for somebody to be told of it.
const FULL_FOR: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    KillServer,
    KillFirst,
    KillPostgres,
    KillBackend,
    KillAll,
    FreezeServer,
    FreezePostgres,
    Silence,
    FullDisk,
    ClockJump,
}

impl Fault {
    /// The clock jumps ahead and back.
    pub(super) const EACH: [Fault; 11] = [
        Fault::KillServer,
        Fault::KillFirst,
        Fault::KillPostgres,
        Fault::KillBackend,
        Fault::KillAll,
        Fault::FreezeServer,
        Fault::FreezePostgres,
        Fault::Silence,
        Fault::FullDisk,
        Fault::ClockJump,
        Fault::ClockJump,
    ];

    /// Strikes, and is over.
    pub(super) async fn strike(self, cafe: &mut Cafe, crowd: &Crowd, chance: &mut impl Source) {
        crowd.note(self);
        let other = OTHERS.start + chance.below(OTHERS.len() as u32) as usize;
        match self {
            Fault::KillServer => {
                cafe.kill(other);
                // The others go on.
                crowd.play_for(1 + chance.below(20)).await;
                start_again(cafe, crowd, [other]).await;
            }
            Fault::KillFirst => {
                cafe.kill(FIRST);
                start_again(cafe, crowd, [FIRST]).await;
            }
            Fault::KillPostgres => end("KILL", cafe.postgres().await[0]),
            Fault::KillBackend => end("KILL", any(&cafe.postgres().await[1..], chance)),
            Fault::KillAll => {
                end("KILL", cafe.postgres().await[0]);
                let all = [FIRST].into_iter().chain(OTHERS);
                all.clone().for_each(|which| cafe.kill(which));
                start_again(cafe, crowd, all).await;
            }
            Fault::FreezeServer => freeze(cafe.pid(chance.below(OTHERS.end as u32) as usize), chance).await,
            Fault::FreezePostgres => freeze(any(&cafe.postgres().await, chance), chance).await,
            Fault::Silence => {
                cafe.line(other).suffers(LineFault::Asleep);
                a_while(chance).await;
                if chance.below(2) == 0 {
                    cafe.line(other).suffers(LineFault::Cut);
                }
                cafe.line(other).suffers(LineFault::None);
            }
            Fault::FullDisk => {
                let told = crowd.told_full();
                cafe.disk().fill();
                let filled = Instant::now();
                // Nobody is, where Postgres gives up first.
                while crowd.told_full() == told && filled.elapsed() < FULL_FOR {
                    tokio::time::sleep(PAUSE).await;
                }
                a_while(chance).await;
                cafe.disk().relieve();
            }
            Fault::ClockJump => cafe.jump(i64::from(1 + chance.below(MOST_OFF))),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::KillServer => "kill a server",
            Fault::KillFirst => "kill the server that looks after Postgres",
            Fault::KillPostgres => "kill Postgres",
            Fault::KillBackend => "kill a process of Postgres",
            Fault::KillAll => "kill all servers and Postgres",
            Fault::FreezeServer => "freeze a server",
            Fault::FreezePostgres => "freeze a process of Postgres",
            Fault::Silence => "silent connections",
            Fault::FullDisk => "full disk",
            Fault::ClockJump => "jump of the clock",
        })
    }
}

async fn start_again(cafe: &mut Cafe, crowd: &Crowd, which: impl IntoIterator<Item = usize>) {
    for it in which {
        cafe.start_again(it).await;
        crowd.find(cafe.addresses());
    }
}

async fn freeze(pid: u32, chance: &mut impl Source) {
    let frozen = Frozen::new(pid);
    a_while(chance).await;
    drop(frozen);
}

/// A process that does nothing, for as long as this is there: also where a test ends before its time.
struct Frozen(u32);

impl Frozen {
    fn new(pid: u32) -> Self {
        end("STOP", pid);
        Frozen(pid)
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        end("CONT", self.0);
    }
}

async fn a_while(chance: &mut impl Source) {
    tokio::time::sleep(Duration::from_millis(200 + u64::from(chance.below(2300)))).await;
}

fn any(pids: &[u32], chance: &mut impl Source) -> u32 {
    pids[chance.below(pids.len() as u32) as usize]
}
