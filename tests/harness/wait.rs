//! Waiting for conditions, never for time.

use std::time::{Duration, Instant};

/// How long anything may take before a test gives up; a busy machine is slow.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);
/// Before it is asked again at first. Pauses grow, since to ask takes the processor from those who are waited for.
const PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(160);

/// Asks again until there is an answer.
///
/// # Panics
/// When there is none for too long; `what` says what was waited for.
pub async fn eventually<T>(what: &str, ask: impl AsyncFnMut() -> Option<T>) -> T {
    within(PATIENCE, what, ask).await
}

/// Asks again until there is an answer, no longer than this.
///
/// # Panics
/// When there is none in time; `what` says what was waited for.
pub async fn within<T>(limit: Duration, what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let (started, mut pause) = (Instant::now(), PAUSE);
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(started.elapsed() < limit, "waited {limit:?} in vain: {what}");
        tokio::time::sleep(pause).await;
        pause = longer(pause);
    }
}

/// The same for what is not asynchronous.
pub(crate) fn block_until<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let (started, mut pause) = (Instant::now(), PAUSE);
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(started.elapsed() < PATIENCE, "waited {PATIENCE:?} in vain: {what}");
        std::thread::sleep(pause);
        pause = longer(pause);
    }
}

fn longer(pause: Duration) -> Duration {
    (pause * 4 / 3).min(LONGEST_PAUSE)
}
