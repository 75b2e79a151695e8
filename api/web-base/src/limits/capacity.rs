//! How many connections and streams a process holds, by the file descriptors that it may have.

/// For files, listeners and what the operating system wants.
const OWN: u64 = 112;
/// For everybody who wants no stream: pages, moves, sign-ins.
const KEPT: u64 = 256;
/// More than this no process was tried with.
const MOST_STREAMS: u64 = 20_000;

/// How much a process holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// The file descriptors that the process may have.
    pub descriptors: u64,
    /// The connections that are accepted. Beyond these, clients wait to be let in, and the process can still open files.
    pub connections: u64,
    /// The streams and long polls among these.
    pub streams: u32,
}

impl Capacity {
    /// `pool` connections to the database take descriptors, too. Of very few descriptors, others get their share all the same.
    pub fn of(descriptors: u64, pool: usize) -> Self {
        let own = (OWN + pool as u64).min(descriptors / 2);
        let connections = descriptors - own;
        let streams = connections - KEPT.min(connections / 2);
        Self { descriptors, connections, streams: streams.min(MOST_STREAMS) as u32 }
    }
}

/// How many file descriptors the process has. 0 where the system does not tell.
pub fn open_descriptors() -> u64 {
    std::fs::read_dir("/proc/self/fd").map_or(0, |open| open.count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_limit_some_connections_are_kept_for_those_who_want_no_stream() {
        for descriptors in [16, 64, 256, 1024, 4096, 65_536] {
            let Capacity { connections, streams, .. } = Capacity::of(descriptors, 16);
            assert!(streams > 0 && connections > u64::from(streams) && descriptors > connections, "{descriptors}");
        }
        assert_eq!(Capacity::of(1024, 16), Capacity { descriptors: 1024, connections: 896, streams: 640 });
    }
}
