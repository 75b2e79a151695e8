//! Files and directories as all of the program makes and removes them: files are there whole or not at all, and for their user
//! alone.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf};

use anyhow::Context;

use base::ids::hex;
use base::world::World;

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

/// Makes the directory where there is none, for this user alone.
pub(crate) fn create_private_dir(dir: &Path) -> anyhow::Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(dir);
    made.with_context(|| format!("{} cannot be made", dir.display()))
}

/// Gives what root has made to the user and the group of the other one: a server of that user is to read it.
pub(crate) fn give_like(made: &File, like: &Metadata) -> anyhow::Result<()> {
    let found = made.metadata()?;
    if nix::unistd::geteuid().is_root() && (found.uid(), found.gid()) != (like.uid(), like.gid()) {
        let given = fchown(made, Some(like.uid()), Some(like.gid()));
        given.context("what was made cannot be given to the user of the server")?;
    }
    Ok(())
}

/// If it is there.
pub(crate) fn remove(file: &Path) -> anyhow::Result<()> {
    expect_gone(file, fs::remove_file(file))
}

/// With all that is in it, if it is there.
pub(crate) fn remove_dir(dir: &Path) -> anyhow::Result<()> {
    expect_gone(dir, fs::remove_dir_all(dir))
}

fn expect_gone(path: &Path, removed: io::Result<()>) -> anyhow::Result<()> {
    match removed {
        Err(err) if err.kind() != ErrorKind::NotFound => {
            Err(err).with_context(|| format!("{} cannot be removed", path.display()))
        }
        _ => Ok(()),
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.done {
            // What cannot be removed is at least not under the final name.
            let _ = fs::remove_file(&self.draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::chown;

    use super::*;

    /// A directory of this test's own.
    fn folder() -> PathBuf {
        std::env::temp_dir().join(format!("house-rules-files-{}", hex(&World::real().bytes::<8>())))
    }

    #[test]
    fn a_private_directory_is_for_its_user_alone_and_goes_with_all_in_it() {
        let folder = folder();
        let (inner, file) = (folder.join("inner"), folder.join("inner/file"));
        for _ in 0..2 {
            create_private_dir(&inner).unwrap();
        }
        for dir in [&folder, &inner] {
            assert_eq!(fs::metadata(dir).unwrap().mode() & 0o777, 0o700, "{}", dir.display());
        }
        fs::write(&file, "").unwrap();
        assert!(create_private_dir(&file).is_err() && remove(&inner).is_err());
        for _ in 0..2 {
            remove(&file).unwrap();
        }
        assert!(!file.exists());
        for _ in 0..2 {
            remove_dir(&folder).unwrap();
        }
        assert!(!folder.exists());
    }

    #[test]
    fn what_root_makes_goes_to_the_user_of_the_other_file() {
        let folder = folder();
        create_private_dir(&folder).unwrap();
        let (made, like) = (File::create(folder.join("made")).unwrap(), File::create(folder.join("like")).unwrap());
        if nix::unistd::geteuid().is_root() {
            chown(folder.join("like"), Some(65_534), Some(65_533)).unwrap();
        }
        give_like(&made, &like.metadata().unwrap()).unwrap();
        let owner = |file: &File| file.metadata().map(|it| (it.uid(), it.gid())).unwrap();
        assert_eq!(owner(&made), owner(&like));
        remove_dir(&folder).unwrap();
    }
}
