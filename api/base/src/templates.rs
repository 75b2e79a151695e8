//! What is made of files under `templates` and kept. A debug build reads them from the source tree and makes it again when one
//! of them has changed, so that a style, a script or a text needs no compiler: only a reload of the page.

#[cfg(debug_assertions)]
use std::sync::{OnceLock, PoisonError, RwLock};

/// Made at first use.
pub struct Made<T: 'static> {
    #[cfg(debug_assertions)]
    folder: &'static str,
    #[cfg(debug_assertions)]
    current: OnceLock<RwLock<&'static T>>,
    #[cfg(not(debug_assertions))]
    current: std::sync::OnceLock<T>,
    make: fn() -> T,
}

#[cfg(not(debug_assertions))]
impl<T> Made<T> {
    /// Of the files in this folder of `templates`.
    pub const fn of(_folder: &'static str, make: fn() -> T) -> Self {
        Self { current: std::sync::OnceLock::new(), make }
    }

    pub fn get(&'static self) -> &'static T {
        self.current.get_or_init(self.make)
    }
}

#[cfg(debug_assertions)]
impl<T: Send + Sync> Made<T> {
    /// Of the files in this folder of `templates`.
    pub const fn of(folder: &'static str, make: fn() -> T) -> Self {
        Self { folder, current: OnceLock::new(), make }
    }

    pub fn get(&'static self) -> &'static T {
        let current = self.current.get_or_init(|| {
            let seen = watch::stamps(self.folder);
            std::thread::spawn(move || self.keep_current(seen));
            RwLock::new(self.leak())
        });
        *current.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep_current(&'static self, mut seen: watch::Stamps) {
        loop {
            std::thread::sleep(watch::PAUSE);
            let now = watch::stamps(self.folder);
            if now == seen {
                continue;
            }
            seen = now;
            let made = self.leak();
            if let Some(current) = self.current.get() {
                *current.write().unwrap_or_else(PoisonError::into_inner) = made;
                tracing::info!(folder = self.folder, "reloaded templates");
            }
        }
    }

    /// Somebody may still look at what was made before, so it stays.
    fn leak(&self) -> &'static T {
        Box::leak(Box::new((self.make)()))
    }
}

#[cfg(debug_assertions)]
mod watch {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};
    use std::time::{Duration, SystemTime};
    use std::{fs, io};

    pub(super) const PAUSE: Duration = Duration::from_millis(300);

    /// When each file was changed.
    pub(super) type Stamps = BTreeMap<PathBuf, Option<SystemTime>>;

    pub(super) fn stamps(folder: &str) -> Stamps {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../templates").join(folder);
        let mut stamps = Stamps::new();
        if let Err(error) = collect(&folder, &mut stamps) {
            let folder = folder.display();
            tracing::warn!(%folder, %error, "reading templates failed: a debug build needs its source tree");
        }
        stamps
    }

    fn collect(folder: &Path, stamps: &mut Stamps) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            // A file may be gone again: editors write to another one first.
            let Ok(found) = entry.metadata() else { continue };
            if found.is_dir() {
                collect(&entry.path(), stamps)?;
            } else {
                stamps.insert(entry.path(), found.modified().ok());
            }
        }
        Ok(())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_changed_file_a_new_one_and_one_that_is_gone_are_seen() {
            let folder = std::env::temp_dir().join(format!("house-rules-stamps-{}", std::process::id()));
            fs::create_dir_all(folder.join("within")).unwrap();
            let (file, other) = (folder.join("within/a.css"), folder.join("b.css"));
            fs::write(&file, "a {}").unwrap();
            let seen = |folder: &Path| stamps(folder.to_str().unwrap());
            let first = seen(&folder);
            assert_eq!(first, seen(&folder));
            let later = SystemTime::UNIX_EPOCH + Duration::from_secs(4_000_000_000);
            fs::File::options().write(true).open(&file).unwrap().set_modified(later).unwrap();
            let second = seen(&folder);
            assert_ne!(first, second);
            fs::write(&other, "b {}").unwrap();
            assert_ne!(second, seen(&folder));
            fs::remove_file(&other).unwrap();
            assert_eq!(second, seen(&folder));
            fs::remove_dir_all(&folder).unwrap();
        }
    }
}
