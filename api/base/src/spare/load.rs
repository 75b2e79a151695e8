//! How busy others keep the machine, and when spare work rests for that.

use std::convert::Infallible;
use std::fs::read_to_string;
use std::time::Duration;

use super::Gate;
use crate::world::World;

/// What Linux says of its processors' time. On other systems there is none.
const STAT: &str = "/proc/stat";
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);
/// Others are busy if they take more of the machine than this …
const BUSY: f64 = 0.4;
/// … until they take less than this.
const QUIET: f64 = 0.25;
/// While others are busy, spare work rests for so many looks, then it has its turn.
const RESTS: u32 = 4;
/// A turn lasts until spare work has had the whole machine for so much of the time between two looks, and no shorter than
/// that time: where its priority leaves it little, it does not rest so often.
const TURN: f64 = 0.25;

/// Keeps the gate shut while others need the machine, for as long as it is polled. Where nobody knows, it stays open.
pub async fn make_way(gate: &Gate, world: &World) -> Infallible {
    let (mut pace, mut before) = (Pace::default(), read());
    loop {
        tokio::time::sleep(BETWEEN_LOOKS).await;
        let now = read();
        let share = now.zip(before).and_then(|(now, before)| now.since(before));
        let next = share.map_or(Pace::Works, |share| pace.next(share));
        if (next == Pace::Works) != (pace == Pace::Works) {
            let others = share.map(|it| it.others);
            match next {
                Pace::Works => tracing::debug!(others, "resuming spare work"),
                Pace::Rests(_) | Pace::HasTurn(_) => tracing::debug!(others, "pausing spare work, the machine is busy"),
            }
        }
        (pace, before) = (next, now);
        gate.set(!pace.rests(), world.now());
    }
}

fn read() -> Option<Spent> {
    Spent::read(&read_to_string(STAT).ok()?)
}

/// The time of all processors since the machine started, in Linux's ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spent {
    others: u64,
    /// By programs and threads of a lower priority, as spare work is.
    spare: u64,
    idle: u64,
}

/// Of the time that the machine had.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Share {
    others: f64,
    spare: f64,
}

impl Spent {
    /// From the text of `/proc/stat`. What another machine on the same processors took from this one, it did not have.
    fn read(stat: &str) -> Option<Self> {
        let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
        let mut ticks = line.split_ascii_whitespace().map(|it| it.parse::<u64>().ok());
        let mut next = || ticks.next().flatten();
        let (user, nice, system, idle, waiting) = (next()?, next()?, next()?, next()?, next()?);
        let interrupts = next()?.saturating_add(next()?);
        let others = user.saturating_add(system).saturating_add(interrupts);
        Some(Self { others, spare: nice, idle: idle.saturating_add(waiting) })
    }

    /// None if no time has passed. Linux's numbers may go back a little.
    fn since(self, before: Self) -> Option<Share> {
        let spent = |of: fn(Self) -> u64| of(self).saturating_sub(of(before)) as f64;
        let (others, spare) = (spent(|it| it.others), spent(|it| it.spare));
        let all = others + spare + spent(|it| it.idle);
        (all > 0.0).then(|| Share { others: others / all, spare: spare / all })
    }
}

/// What spare work does until the next look.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Pace {
    #[default]
    Works,
    /// For so many looks now.
    Rests(u32),
    /// Although others are busy. It has had so much of the machine.
    HasTurn(f64),
}

impl Pace {
    fn next(self, share: Share) -> Self {
        let bar = if self == Self::Works { BUSY } else { QUIET };
        match self {
            _ if share.others <= bar => Self::Works,
            Self::Rests(looks) if looks < RESTS => Self::Rests(looks + 1),
            Self::Rests(_) => Self::HasTurn(0.0),
            Self::HasTurn(had) if had + share.spare < TURN => Self::HasTurn(had + share.spare),
            Self::Works | Self::HasTurn(_) => Self::Rests(1),
        }
    }

    fn rests(self) -> bool {
        matches!(self, Self::Rests(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "cpu  4328101 276673 588600 597087 17779 5 9444 33149 7 3\n\
                        cpu0 2114790 144542 289014 353028 4421 0 3330 16321 0 0\n\
                        intr 29360902 0 0\n";

    #[test]
    fn the_first_line_tells_the_time_of_others_and_of_spare_work() {
        let others = 4_328_101 + 588_600 + 5 + 9_444;
        let told = Spent { others, spare: 276_673, idle: 597_087 + 17_779 };
        assert_eq!(Spent::read(STAT), Some(told));
        for other in ["", "intr 1 2 3", "cpu  1 2 3 4 5 6", "cpu  1 2 x 4 5 6 7", "cpu0 1 2 3 4 5 6 7"] {
            assert_eq!(Spent::read(other), None, "{other:?}");
        }
    }

    fn spent(others: u64, spare: u64, idle: u64) -> Spent {
        Spent { others, spare, idle }
    }

    #[test]
    fn shares_are_of_the_time_between_two_looks() {
        let before = Spent::read(STAT).unwrap();
        // User and system 10, nice 5, idle 20 and waiting 5; 60 taken by another machine.
        let after = Spent::read("cpu  4328107 276678 588604 597107 17784 5 9444 33209 7 3\n").unwrap();
        assert_eq!(after.since(before), Some(Share { others: 0.25, spare: 0.125 }));
        assert_eq!(before.since(before), None);
        assert_eq!(spent(3, 1, 0).since(spent(2, 0, 1)), Some(Share { others: 0.5, spare: 0.5 }), "the idle went back");
    }

    /// What it does after each look at others that take so much of the machine, while it gets so much if it works.
    fn paces(looks: &[f64], gets: f64) -> String {
        let mut pace = Pace::default();
        let look = |others: &f64| {
            let spare = if pace.rests() { 0.0 } else { gets };
            pace = pace.next(Share { others: *others, spare });
            match pace {
                Pace::Works => 'w',
                Pace::Rests(_) => 'r',
                Pace::HasTurn(_) => 't',
            }
        };
        looks.iter().map(look).collect()
    }

    #[test]
    fn it_rests_while_others_are_busy_and_a_lull_is_no_end() {
        assert_eq!(paces(&[0.1, 0.39, 0.41, 0.9, 0.39, 0.26, 0.24, 0.39, 0.41], 0.5), "wwrrrrwwr");
    }

    #[test]
    fn however_busy_others_are_it_has_its_turn() {
        assert_eq!(paces(&[1.0; 25], 0.5), "rrrrtrrrrtrrrrtrrrrtrrrrt");
    }

    #[test]
    fn where_it_gets_little_its_turn_is_longer() {
        assert_eq!(paces(&[0.9; 25], 0.1), "rrrrtttrrrrtttrrrrtttrrrr");
        assert_eq!(paces(&[1.0; 14], 0.0), "rrrrtttttttttt");
    }

    #[test]
    fn a_quiet_look_ends_its_turn_as_well() {
        assert_eq!(paces(&[0.9, 0.9, 0.9, 0.9, 0.9, 0.2, 0.3], 0.5), "rrrrtww");
    }
}
