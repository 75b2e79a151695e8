//! File descriptors: each connection and each stream takes one, and most systems allow a process few of them unless it asks.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// More than this many connections a process does not serve anyway.
const ENOUGH: u64 = 65_536;

/// Allows this process as many as the system lets it have: how many these are.
pub(crate) fn raise() -> anyhow::Result<u64> {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    let wanted = hard.min(ENOUGH);
    if soft >= wanted {
        return Ok(soft);
    }
    setrlimit(Resource::RLIMIT_NOFILE, wanted, hard)?;
    tracing::info!(from = soft, to = wanted, "raised the limit of file descriptors");
    Ok(wanted)
}
