//! Being asked to stop: SIGTERM, SIGINT (Ctrl-C) or SIGQUIT, from the first moment of the process to its last.

use std::time::Duration;

use anyhow::Context;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Known to everything that waits for long: streams and long polls end when it is requested.
#[derive(Clone, Debug)]
pub struct Stop(watch::Receiver<bool>);

impl Stop {
    /// Listens from now on. The first signal is a request, the second ends the process.
    pub fn listen() -> anyhow::Result<Self> {
        let (sender, stop) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::Builder::new().name("signals".to_owned());
        let listen = move || {
            runtime.block_on(async move {
                if next_signal().await.is_ok() {
                    let _ = sender.send(true);
                    if next_signal().await.is_ok() {
                        std::process::exit(130);
                    }
                }
            });
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

async fn next_signal() -> std::io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut quit = signal(SignalKind::quit())?;
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        _ = quit.recv() => {}
    }
    Ok(())
}
