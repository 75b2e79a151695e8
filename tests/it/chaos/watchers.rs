//! Somebody watches a match: they hear each version once and in order, through whatever processes.

use std::cell::Cell;
use std::time::{Duration, Instant};

use harness::{Stream, Visitor};

use super::crowd::{Crowd, PATIENCE, PAUSE};

/// Then they hang up and come again, at another address.
const FRAMES_OF_A_STREAM: u64 = 20;
const CONNECT: Duration = Duration::from_secs(5);

/// How the players tell the watcher that no more will come.
#[derive(Default)]
pub(super) struct End(Cell<Option<(u64, Instant)>>);

impl End {
    /// After so many moves.
    pub(super) fn came_after(&self, moves: usize) {
        self.0.set(Some((moves as u64, Instant::now())));
    }

    /// Whether these frames are all.
    fn is_after(&self, frames: u64) -> bool {
        let Some((moves, since)) = self.0.get() else { return false };
        assert!(since.elapsed() < PATIENCE, "of {moves} moves and the start, {frames} frames came");
        frames > moves
    }
}

pub(super) async fn watch(crowd: &Crowd, who: &Visitor, id: &str, end: &End) {
    let path = format!("/matches/{id}/stream");
    let mut heard = 0;
    while !end.is_after(heard) {
        let (who, last) = (who.at(&crowd.address()), heard.checked_sub(1).map(|it: u64| it.to_string()));
        match tokio::time::timeout(CONNECT, who.try_listen(&path, last.as_deref())).await {
            Ok(Some(stream)) => {
                crowd.tally(|it| it.streams += 1);
                heard += listen(crowd, stream, heard, end).await;
            }
            Ok(None) | Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// How many frames it brought after these.
async fn listen(crowd: &Crowd, mut stream: Stream, before: u64, end: &End) -> u64 {
    let mut count = 0;
    while count < FRAMES_OF_A_STREAM && !end.is_after(before + count) {
        let sent = match tokio::time::timeout(PAUSE, stream.next()).await {
            Ok(Some(sent)) => sent,
            Ok(None) => break,
            Err(_) => continue,
        };
        if sent.event == "frame" {
            assert_eq!(sent.id, (before + count).to_string(), "a frame is missing, or came twice");
            count += 1;
            crowd.tally(|it| it.frames += 1);
        }
    }
    count
}
