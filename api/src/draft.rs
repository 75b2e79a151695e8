//! A file that is there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;

use cafe::ids::hex;
use cafe::world::World;

/// A file that is not there yet: removed again unless it is finished.
pub(crate) struct Draft<'a> {
    pub(crate) file: File,
    draft: PathBuf,
    path: &'a Path,
    done: bool,
}

impl<'a> Draft<'a> {
    pub(crate) fn create(world: &World, path: &'a Path) -> anyhow::Result<Self> {
        let mut name = path.file_name().context("a file needs a name")?.to_owned();
        name.push(format!(".{}.part", hex(&world.bytes::<4>())));
        let draft = path.with_file_name(name);
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft);
        let file = opened.with_context(|| format!("{} cannot be made", draft.display()))?;
        Ok(Self { file, draft, path, done: false })
    }

    /// In place of what may be there.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.draft, self.path).with_context(|| format!("{} cannot be made", self.path.display()))?;
        self.done = true;
        sync_folder_of(self.path)
    }

    /// Unless another process was quicker: its file stays.
    pub(crate) fn finish_first(self) -> anyhow::Result<()> {
        self.file.sync_all()?;
        match fs::hard_link(&self.draft, self.path) {
            Err(err) if err.kind() != ErrorKind::AlreadyExists => {
                Err(err).with_context(|| format!("{} cannot be made", self.path.display()))
            }
            _ => sync_folder_of(self.path),
        }
    }
}

/// Without this, a file that was made, renamed or removed may be as it was after a power cut.
pub(crate) fn sync_folder_of(path: &Path) -> anyhow::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(File::open(parent)?.sync_all()?)
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.done {
            // What cannot be removed is at least not under the final name.
            let _ = fs::remove_file(&self.draft);
        }
    }
}
