//! A file that is there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;

use cafe::ids::hex;
use cafe::world::World;

/// A file that is not there yet: removed again unless it is finished.
pub(super) struct Draft<'a> {
    pub(super) file: File,
    draft: PathBuf,
    path: &'a Path,
    done: bool,
}

impl<'a> Draft<'a> {
    pub(super) fn create(world: &World, path: &'a Path) -> anyhow::Result<Self> {
        let mut name = path.file_name().context("the backup needs a file's name")?.to_owned();
        name.push(format!(".{}.part", hex(&world.bytes::<4>())));
        let draft = path.with_file_name(name);
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft);
        let file = opened.with_context(|| format!("{} cannot be made", draft.display()))?;
        Ok(Self { file, draft, path, done: false })
    }

    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.draft, self.path).with_context(|| format!("{} cannot be made", self.path.display()))?;
        self.done = true;
        let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(File::open(parent)?.sync_all()?)
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.done {
            // What cannot be removed is at least not under the backup's name.
            let _ = fs::remove_file(&self.draft);
        }
    }
}
