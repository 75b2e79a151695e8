//! One WAL segment, or one file of the history of timelines, compressed by `gzip`, encrypted if there are recipients, and signed.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Archive, SECRET_LOST, UNSIGNED, wal_dir};
use crate::backup::label::{Found, Kind, Label};
use crate::backup::{Trust, feed, pour};
use crate::files::{Draft, remove};
use base::ids::hex;

/// A segment, as its label tells of it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Segment {
    /// Of PostgreSQL's file: signed, so that none can be put in the place of another.
    name: String,
    pub(super) archived_at: Timestamp,
    /// The hash of PostgreSQL's file.
    plain: String,
}

impl Kind for Segment {
    const FORMAT: u32 = 3;
    const UNSIGNED: &str = UNSIGNED;
    const SECRET_LOST: &str = SECRET_LOST;
}

/// Moves this file of the spool into the archive.
pub(super) fn store(archive: &Archive, spooled: &Path) -> anyhow::Result<()> {
    let name = name(spooled)?;
    let path = wal_dir(&archive.dir).join(name);
    let content = fs::read(spooled).with_context(|| format!("{} cannot be read", spooled.display()))?;
    let plain = hex(&Sha256::digest(&content));
    if path.exists() {
        // PostgreSQL hands over again what it does not know to be here.
        let there = Found::<Segment>::read(&mut open(&path)?)?.label.content;
        ensure!(there.plain == plain, "{} holds the WAL of another database", archive.dir.display());
    } else {
        write(archive, spooled, &path, plain)?;
    }
    remove(spooled)
}

fn write(archive: &Archive, spooled: &Path, path: &Path, plain: String) -> anyhow::Result<()> {
    let draft = Draft::create(&archive.world, path)?;
    let mut compress = Command::new("gzip");
    compress.args(["--stdout", "--fast"]).arg(spooled);
    let written = pour((&mut compress, "gzip"), &archive.recipients, &draft.file)?;
    let content = Segment { name: name(spooled)?.to_owned(), archived_at: archive.world.now(), plain };
    Label::seal(content, &written, &archive.key, &draft.file)?;
    draft.finish_first()
}

/// Writes it to this file, still compressed, after checking that it is whole and ours. Gives what its label says.
pub(super) fn fetch(path: &Path, trust: &Trust, identity: Option<&Path>, output: &Path) -> anyhow::Result<Segment> {
    let mut file = open(path)?;
    let found = Found::<Segment>::read(&mut file)?;
    found.check_signature(trust)?;
    let label = found.label;
    ensure!(label.content.name == name(path)?, "it is another file, {}", label.content.name);
    label.check_content(&mut file)?;
    let output = File::create_new(output).with_context(|| format!("{} cannot be made", output.display()))?;
    // PostgreSQL's user, who may be another one than this process's, reads it. Nobody else enters the directory.
    output.set_permissions(Permissions::from_mode(0o644))?;
    feed(file, &label, (Command::new("cat").stdout(Stdio::from(output)), "cat"), identity)?;
    Ok(label.content)
}

fn open(path: &Path) -> anyhow::Result<File> {
    File::open(path).with_context(|| format!("{} cannot be opened", path.display()))
}

pub(super) fn name(path: &Path) -> anyhow::Result<&str> {
    path.file_name().and_then(|name| name.to_str()).context("a segment has a name")
}
