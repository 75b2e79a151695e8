//! One server looks after a data directory at a time. The lock is the system's, so it ends however the process ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::Context;

use super::LOOK_EVERY;

/// Stands in the lock file behind the number of a server that is about to end.
pub(super) const STOPPING: &str = ", stopping";

/// The system takes a moment to clear away a process that was killed.
const PATIENCE: Duration = Duration::from_secs(1);
const STOPPING_PATIENCE: Duration = Duration::from_secs(10);

pub(super) enum Locked {
    Ours(File),
    By(String),
}

pub(super) fn lock(data: &Path) -> anyhow::Result<Locked> {
    let path = data.join("lock");
    let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = opened.with_context(|| format!("{} cannot be opened", path.display()))?;
    let mut waited = Duration::ZERO;
    loop {
        match file.try_lock() {
            Ok(()) => {
                sign(&mut file, "")?;
                return Ok(Locked::Ours(file));
            }
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                file.rewind()?;
                file.read_to_string(&mut holder)?;
                let patience = if holder.ends_with(STOPPING) { STOPPING_PATIENCE } else { PATIENCE };
                if waited >= patience {
                    return Ok(Locked::By(holder));
                }
                std::thread::sleep(LOOK_EVERY);
                waited += LOOK_EVERY;
            }
            Err(TryLockError::Error(err)) => {
                return Err(err).with_context(|| format!("{} cannot be locked", path.display()));
            }
        }
    }
}

/// Says in the lock file who holds it.
pub(super) fn sign(lock: &mut File, state: &str) -> std::io::Result<()> {
    lock.set_len(0)?;
    lock.rewind()?;
    write!(lock, "{}{state}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_lock_on_the_same_directory_names_the_holder() {
        let dir = std::env::temp_dir().join(format!("houserules-lock-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let Locked::Ours(first) = lock(&dir).unwrap() else { panic!("nobody else is there") };
        let Locked::By(holder) = lock(&dir).unwrap() else { panic!("the first still holds it") };
        assert_eq!(holder, std::process::id().to_string());
        drop(first);
        assert!(matches!(lock(&dir).unwrap(), Locked::Ours(_)));
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
