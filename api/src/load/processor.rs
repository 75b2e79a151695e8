//! How much processor time processes of this machine have taken.

use std::time::Duration;

use anyhow::Context;
use nix::unistd::{SysconfVar, sysconf};

/// The processes whose time is of interest, by their ids: the server alone, which may have started the other, and PostgreSQL with
/// all that it has started.
#[derive(Clone, Copy, Debug)]
pub(super) struct Processes {
    pub(super) server: Option<u32>,
    pub(super) postgres: Option<u32>,
}

/// Up to now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    pub(super) client: Duration,
    pub(super) server: Option<Duration>,
    pub(super) postgres: Option<Duration>,
}

impl Processes {
    pub(super) fn taken(self) -> anyhow::Result<Taken> {
        Ok(Taken {
            client: of_one("self")?,
            server: self.server.map(|pid| of_one(&pid.to_string())).transpose()?,
            postgres: self.postgres.map(of_tree).transpose()?,
        })
    }
}

/// Of a process and its children, those included that are over.
fn of_tree(pid: u32) -> anyhow::Result<Duration> {
    let [own, of_ended] = ticks(&pid.to_string())?;
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    // A child may end between the two looks; what it took is then its parent's.
    let of_children = children.split_whitespace().filter_map(|child| ticks(child).ok()).map(|[own, ended]| own + ended);
    duration(own + of_ended + of_children.sum::<u64>())
}

fn of_one(pid: &str) -> anyhow::Result<Duration> {
    let [own, _] = ticks(pid)?;
    duration(own)
}

/// Ticks of the process itself, and of its children that are over.
fn ticks(pid: &str) -> anyhow::Result<[u64; 2]> {
    let path = format!("/proc/{pid}/stat");
    let stat = std::fs::read_to_string(&path).with_context(|| format!("there is no {path}"))?;
    let numbers = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(4);
    let numbers: Vec<u64> = numbers.map(str::parse).collect::<Result<_, _>>()?;
    let [user, system, user_of_ended, system_of_ended] = numbers[..] else { anyhow::bail!("{path} is too short") };
    Ok([user + system, user_of_ended + system_of_ended])
}

fn duration(ticks: u64) -> anyhow::Result<Duration> {
    let a_second = sysconf(SysconfVar::CLK_TCK)?.context("a second has no ticks")?;
    Ok(Duration::from_secs_f64(ticks as f64 / a_second as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_was_taken_only_grows() {
        let processes = Processes { server: Some(std::process::id()), postgres: Some(std::process::id()) };
        let before = processes.taken().unwrap();
        let after = processes.taken().unwrap();
        assert!(after.client >= before.client && after.server >= before.server && after.postgres >= before.postgres);
        assert!(Processes { server: Some(0), postgres: None }.taken().is_err());
    }
}
