//! One WAL segment, or one file of the history of timelines, compressed by `gzip`, encrypted if there are recipients, and signed.

use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Archive, wal_dir};
use crate::backup::label::{Contents, Found};
use crate::backup::{Trust, feed, pour};
use crate::files::{Draft, remove};
use cafe::ids::hex;

#[derive(Debug, Serialize, Deserialize)]
struct Label {
    format: u32,
    /// Of PostgreSQL's file: signed, so that none can be put in the place of another.
    name: String,
    archived_at: Timestamp,
    /// The hash of PostgreSQL's file.
    plain: String,
    encrypted: bool,
    bytes: u64,
    sha256: String,
}

impl Contents for Label {
    const FORMAT: u32 = 3;

    fn format(&self) -> u32 {
        self.format
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn sha256(&self) -> &str {
        &self.sha256
    }

    fn is_encrypted(&self) -> bool {
        self.encrypted
    }
}

/// Moves this file of the spool into the archive.
pub(super) fn store(archive: &Archive, spooled: &Path) -> anyhow::Result<()> {
    let name = name(spooled)?;
    let path = wal_dir(&archive.dir).join(name);
    let content = fs::read(spooled).with_context(|| format!("{} cannot be read", spooled.display()))?;
    let plain = hex(&Sha256::digest(&content));
    if path.exists() {
        // PostgreSQL hands over again what it does not know to be here.
        let there = Found::<Label>::read(&mut open(&path)?)?.label;
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
    let (bytes, sha256) = pour((&mut compress, "gzip"), &archive.recipients, &draft.file)?;
    let label = Label {
        format: Label::FORMAT,
        name: name(spooled)?.to_owned(),
        archived_at: archive.world.now(),
        plain,
        encrypted: !archive.recipients.is_empty(),
        bytes,
        sha256: hex(&sha256),
    };
    (&draft.file).write_all(label.line(&archive.key)?.as_bytes())?;
    draft.finish_first()
}

/// Writes it to this file, still compressed, after checking that it is whole and ours.
pub(super) fn fetch(path: &Path, trust: &Trust, identity: Option<&Path>, output: &Path) -> anyhow::Result<()> {
    let mut file = open(path)?;
    let found = Found::<Label>::read(&mut file)?;
    found.check_signature(trust)?;
    let label = found.label;
    ensure!(label.name == name(path)?, "it is another file, {}", label.name);
    label.check_content(&mut file)?;
    let output = File::create_new(output).with_context(|| format!("{} cannot be made", output.display()))?;
    // PostgreSQL's user, who may be another one than this process's, reads it. Nobody else enters the directory.
    output.set_permissions(Permissions::from_mode(0o644))?;
    feed(file, &label, (Command::new("cat").stdout(Stdio::from(output)), "cat"), identity)
}

fn open(path: &Path) -> anyhow::Result<File> {
    File::open(path).with_context(|| format!("{} cannot be opened", path.display()))
}

pub(super) fn name(path: &Path) -> anyhow::Result<&str> {
    path.file_name().and_then(|name| name.to_str()).context("a segment has a name")
}
