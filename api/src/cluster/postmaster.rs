//! PostgreSQL's process: started, watched and stopped, and what an earlier life of it left behind.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};

use super::binaries::Binaries;
use super::home::{Home, SOCKET};
use crate::files::remove;

/// Left over from a server that was killed: how long they may take to end by themselves.
const ORPHANS_PATIENCE: Duration = Duration::from_secs(20);
/// How long a stop may take before open transactions are cut off. What was committed is safe either way.
const STOP_SECONDS: &str = "3";
const LOG_MAX: u64 = 10 * 1024 * 1024;

pub(super) struct Postmaster {
    home: Home,
    binaries: Binaries,
    socket_dir: PathBuf,
    /// Beside those that every private PostgreSQL has.
    settings: Vec<String>,
    child: Option<Child>,
}

impl Postmaster {
    pub(super) fn new(home: Home, binaries: Binaries, socket_dir: PathBuf, settings: Vec<String>) -> Self {
        Self { home, binaries, socket_dir, settings, child: None }
    }

    pub(super) fn start(&mut self) -> anyhow::Result<()> {
        self.end_orphans()?;
        let log = self.open_log()?;
        let program = self.binaries.program("postgres");
        let mut command = match death_signal_helper() {
            // So that PostgreSQL stops by itself when the server is killed.
            Some(helper) => {
                let mut command = self.home.command(helper);
                command.args(["--pdeathsig", "INT", "--"]).arg(&program);
                command
            }
            None => self.home.command(&program),
        };
        let socket_dirs = format!("unix_socket_directories={}", self.socket_dir.display());
        command.arg("-D").arg(self.home.cluster());
        let settings = [
            "listen_addresses=",
            &socket_dirs,
            "unix_socket_permissions=0700",
            "port=5432",
            "cluster_name=houserules",
            // Rows that a constraint refused would show up in the log's details.
            "log_error_verbosity=terse",
            "log_checkpoints=off",
        ];
        for setting in settings.into_iter().chain(self.settings.iter().map(String::as_str)) {
            command.arg("-c").arg(setting);
        }
        command.stdout(log.try_clone()?).stderr(log);
        self.child = Some(command.spawn().context("PostgreSQL does not run")?);
        Ok(())
    }

    /// How it ended, if it did.
    pub(super) fn ended(&mut self) -> Option<String> {
        let Some(child) = &mut self.child else { return Some("not running".to_owned()) };
        let status: ExitStatus = child.try_wait().ok()??;
        self.child = None;
        Some(status.to_string())
    }

    pub(super) fn stop(&mut self) {
        let Some(child) = &mut self.child else { return };
        let fast = control(&self.home, &self.binaries, "fast", STOP_SECONDS);
        if !fast {
            tracing::warn!(
                "stopping the private PostgreSQL takes too long: ending it at once, it recovers at the next start"
            );
            control(&self.home, &self.binaries, "immediate", "1");
        }
        if !matches!(child.try_wait(), Ok(Some(_))) && !fast {
            let _ = child.kill();
        }
        let _ = child.wait();
        self.child = None;
    }

    /// The end of its log.
    pub(super) fn last_words(&self) -> String {
        let log = fs::read(self.home.log()).unwrap_or_default();
        let log = String::from_utf8_lossy(&log[log.len().saturating_sub(2000)..]).into_owned();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(10)..].join("\n")
    }

    /// Whatever still runs on this data is from before: its server is gone, or we would not hold the lock.
    pub(super) fn end_orphans(&self) -> anyhow::Result<()> {
        let pid_file = self.home.cluster().join("postmaster.pid");
        let recorded = || fs::read_to_string(&pid_file).ok()?.lines().next()?.parse::<u32>().ok();
        if let Some(pid) = recorded().filter(|pid| self.home.processes().contains(pid)) {
            tracing::warn!(pid, "stopping the private PostgreSQL that an earlier server left running");
            if !control(&self.home, &self.binaries, "fast", "15") {
                control(&self.home, &self.binaries, "immediate", "15");
            }
        }
        self.await_orphans()?;
        // Nothing runs here now. The number in these files may be a zombie's by now, or have been given to
        // somebody else, and PostgreSQL would take either for its earlier self and refuse to start.
        for stale in [pid_file, self.socket_dir.join(SOCKET), self.socket_dir.join(format!("{SOCKET}.lock"))] {
            remove(&stale)?;
        }
        Ok(())
    }

    /// Children of a postmaster that was killed notice soon, and end.
    fn await_orphans(&self) -> anyhow::Result<()> {
        let pause = Duration::from_millis(50);
        let mut waited = Duration::ZERO;
        loop {
            let orphans = self.home.processes();
            if orphans.is_empty() {
                return Ok(());
            }
            if waited == ORPHANS_PATIENCE {
                let pids: Vec<String> = orphans.iter().map(u32::to_string).collect();
                let _ = Command::new("/bin/sh").arg("-c").arg(format!("kill -QUIT {}", pids.join(" "))).status();
            }
            if waited >= 2 * ORPHANS_PATIENCE {
                bail!("processes of an earlier PostgreSQL do not end: {orphans:?}");
            }
            std::thread::sleep(pause);
            waited += pause;
        }
    }

    fn open_log(&self) -> anyhow::Result<fs::File> {
        let path = self.home.log();
        if fs::metadata(path).is_ok_and(|log| log.len() > LOG_MAX) {
            fs::rename(path, path.with_extension("log.1"))?;
        }
        let opened = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
        opened.with_context(|| format!("{} cannot be written", path.display()))
    }
}

/// Stops in this mode; whether it did in time.
fn control(home: &Home, binaries: &Binaries, mode: &str, seconds: &str) -> bool {
    let mut command = home.command(&binaries.program("pg_ctl"));
    command.args(["stop", "--silent", "--wait", "--mode", mode, "--timeout", seconds, "--pgdata"]).arg(home.cluster());
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn death_signal_helper() -> Option<&'static std::path::Path> {
    let helper = std::path::Path::new("/usr/bin/setpriv");
    let help = Command::new(helper).arg("--help").output().ok()?;
    String::from_utf8_lossy(&help.stdout).contains("--pdeathsig").then_some(helper)
}
