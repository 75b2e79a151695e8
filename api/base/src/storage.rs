//! Whether there is room to write: for the database as far as this process was told, and on a disk.

use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use nix::sys::statvfs::statvfs;
use tokio::time::Instant;

/// Room is not made faster. After so long without a complaint there may be some again.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

static FULL_AT: Mutex<Option<Instant>> = Mutex::new(None);

/// Of a file system, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    pub free: u64,
    pub size: u64,
}

/// On the file system that holds this path, for users without privileges.
pub fn room_at(path: &Path) -> std::io::Result<Room> {
    let found = statvfs(path)?;
    let unit = found.fragment_size();
    Ok(Room { free: found.blocks_available() * unit, size: found.blocks() * unit })
}

/// A statement failed for want of room. Gives whether that is news.
pub(crate) fn note_full() -> bool {
    let is_news = !is_full();
    if let Ok(mut at) = FULL_AT.lock() {
        *at = Some(Instant::now());
    }
    is_news
}

/// Whether a statement has failed for want of room in the last half minute.
pub fn is_full() -> bool {
    FULL_AT.lock().is_ok_and(|at| at.is_some_and(|at| at.elapsed() < PATIENCE))
}

/// SQLSTATE 53100 and 58030, which diesel keeps to itself: what the disk said stands at the end of the message.
pub(crate) fn is_told(message: &str) -> bool {
    ["No space left on device", "Disk quota exceeded", "Input/output error"].iter().any(|said| message.contains(said))
}
