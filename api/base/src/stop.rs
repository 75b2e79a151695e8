//! Being asked to stop: SIGTERM, SIGINT (Ctrl-C), SIGQUIT, or SIGHUP of a terminal that is closed, from the first moment of the process to
//! its last.

use std::io;
use std::time::Duration;

use anyhow::Context;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

/// Known to everything that waits for long: streams and long polls end when it is requested.
#[derive(Clone, Debug)]
pub struct Stop(watch::Receiver<bool>);

/// What SIGHUP means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hangup {
    /// The terminal was closed: stop.
    Stop,
    /// Something is to be read again, by somebody who listens for it. Before that it means nothing.
    Reload,
}

impl Stop {
    /// Listens from now on. The first signal is a request, the second ends the process.
    pub fn listen(hangup: Hangup) -> anyhow::Result<Self> {
        let (sender, stop) = watch::channel(false);
        let is_stopped_by_hangup = hangup == Hangup::Stop && !ignores_hangup(&own_status());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let guard = runtime.enter();
        let (mut signals, mut hangup) = (Signals::register()?, signal(SignalKind::hangup())?);
        drop(guard);
        let thread = std::thread::Builder::new().name("signals".to_owned());
        let listen = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = signals.next() => {}
                    _ = hangup.recv(), if is_stopped_by_hangup => {}
                }
                let _ = sender.send(true);
                // A terminal that is closed may say so twice.
                signals.next().await;
            });
            std::process::exit(130);
        };
        thread.spawn(listen).context("no thread to listen for signals")?;
        Ok(Self(stop))
    }

    /// One that never comes; for commands that are over in a moment.
    pub fn never() -> Self {
        Self(watch::channel(false).1)
    }

    pub fn is_requested(&self) -> bool {
        *self.0.borrow()
    }

    pub async fn requested(&self) {
        let mut changes = self.0.clone();
        if changes.wait_for(|requested| *requested).await.is_err() && !self.is_requested() {
            std::future::pending::<()>().await;
        }
    }

    /// Waits this long; `false` when it was cut short by the request to stop.
    pub async fn sleep(&self, duration: Duration) -> bool {
        tokio::select! {
            () = tokio::time::sleep(duration) => true,
            () = self.requested() => false,
        }
    }
}

/// Those that end a process and mean nothing else.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
    quit: Signal,
}

impl Signals {
    fn register() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            _ = self.quit.recv() => {}
        }
    }
}

fn own_status() -> String {
    std::fs::read_to_string("/proc/self/status").unwrap_or_default()
}

/// Whether the process was started to outlive its terminal, as `nohup` does it.
fn ignores_hangup(status: &str) -> bool {
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_is_to_outlive_its_terminal_is_known() {
        for (mask, expected) in [("0000000000001001", true), ("0000000000001000", false), ("?", false)] {
            let status = format!("Name:\thouserules\nSigBlk:\t0000000000000001\nSigIgn:\t{mask}\nSigCgt:\t0\n");
            assert_eq!(ignores_hangup(&status), expected, "{mask}");
        }
        assert!(!ignores_hangup(""));
    }
}
