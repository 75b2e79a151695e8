//! The only clock and the only entropy of the service. Everything that depends on either receives a `World`.

use engine::{Random, playout};
use jiff::Timestamp;
use rand::TryRng;
#[expect(clippy::disallowed_types, reason = "the one place that reads the system's entropy")]
use rand::rngs::SysRng;
use uuid::Uuid;

#[derive(Clone, Copy, Debug)]
pub struct World {
    now: fn() -> Timestamp,
    fill: fn(&mut [u8]),
}

impl World {
    /// The machine's clock and the operating system's generator.
    pub fn real() -> Self {
        Self { now: clock, fill: entropy }
    }

    /// A world of one's own choosing, for tests of what time and chance decide.
    pub fn of(now: fn() -> Timestamp, fill: fn(&mut [u8])) -> Self {
        Self { now, fill }
    }

    /// In microseconds, so that a time read back from the database equals the time written.
    pub fn now(&self) -> Timestamp {
        let now = (self.now)();
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }

    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        (self.fill)(&mut bytes);
        bytes
    }

    /// Luck for what no player has to check, such as the moves of bots.
    pub fn luck(&self) -> Random<impl rand::Rng> {
        playout::random(u64::from_le_bytes(self.bytes()))
    }

    /// A UUIDv7: unique, and sorted by the time it was made.
    pub fn uuid(&self) -> Uuid {
        let millis = u64::try_from((self.now)().as_millisecond()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &self.bytes()).into_uuid()
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
fn clock() -> Timestamp {
    Timestamp::now()
}

#[expect(
    clippy::expect_used,
    reason = "without entropy no token and no die may be made; there is nothing to fall back to"
)]
fn entropy(bytes: &mut [u8]) {
    SysRng.try_fill_bytes(bytes).expect("the operating system gives random bytes");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_the_time_they_were_made() {
        let early = World::of(|| Timestamp::UNIX_EPOCH, |bytes| bytes.fill(0xff));
        let late = World::of(|| Timestamp::MAX, |bytes| bytes.fill(0));
        assert!(early.uuid() < late.uuid());
        assert_eq!(World::real().uuid().get_version_num(), 7);
    }

    #[test]
    fn two_draws_of_entropy_differ() {
        assert_ne!(World::real().bytes::<32>(), World::real().bytes::<32>());
    }
}
