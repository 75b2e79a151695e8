//! The write-ahead archive of the private PostgreSQL, in a directory that belongs on another disk: base backups, and its WAL
//! (the log of every change) since the oldest of these. PostgreSQL puts each finished WAL segment into the spool beside its data,
//! at least once a minute; the server compresses, encrypts and signs it, and moves it into the archive.

mod base;
mod continuity;
mod keeper;
mod place;
pub(crate) mod restore;
mod segment;
mod timeline;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::files::create_private_dir;
use ::base::auth::SigningKey;
use ::base::db::Address;
use ::base::world::World;
pub(crate) use continuity::look;
pub(crate) use keeper::Keeper;
#[cfg(test)]
pub(crate) use {base::Base, segment::Segment};

/// What to tell an operator about a file of an archive that is not signed, or that nobody has the secret of.
const UNSIGNED: &str = "somebody removed the signature. Put the file as the server wrote it in its place";
const SECRET_LOST: &str = "If that secret is lost, the archive cannot be used: restore a backup instead";

/// Where it is, and what writing to it takes.
#[derive(Clone)]
pub(crate) struct Archive {
    pub dir: PathBuf,
    /// How many base backups are kept, with the WAL segments that these need.
    pub keep: usize,
    pub world: World,
    pub key: SigningKey,
    pub recipients: Vec<String>,
    /// Of the private PostgreSQL: nobody else may copy its files.
    pub superuser: Address,
}

impl Archive {
    /// Makes its directories where there are none.
    pub(crate) fn prepare(&self) -> anyhow::Result<()> {
        [base_dir(&self.dir), wal_dir(&self.dir)].iter().try_for_each(|dir| create_private_dir(dir))
    }
}

fn base_dir(dir: &Path) -> PathBuf {
    dir.join("base")
}

fn wal_dir(dir: &Path) -> PathBuf {
    dir.join("wal")
}

/// The finished files of this directory, by name. One that is not there has none.
fn list(dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(dir) {
        Err(err) if err.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(|| format!("{} cannot be read", dir.display()))?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "part") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
