//! `houserules restore DIRECTORY --until TIME`: the database as it was at that time, from the base backup before it and the WAL since.

use std::path::Path;
use std::process::Stdio;

use anyhow::Context;
use jiff::Timestamp;

use super::base::{Base, Checked};
use super::place::is_needed;
use super::{list, segment, wal_dir};
use crate::backup::{Label, Trust, feed};
use crate::cluster::Recovery;
use base::stop::Stop;

/// What came back.
pub(crate) struct Restored {
    pub base: Label<Base>,
    /// When the last change was made that came back; none if nothing changed since the base backup.
    pub last_change: Option<Timestamp>,
}

/// An archive to restore from.
pub(crate) struct Source<'a> {
    pub dir: &'a Path,
    pub trust: &'a Trust,
    /// The file that opens what is encrypted.
    pub identity: Option<&'a Path>,
}

impl Source<'_> {
    /// Brings back its database in a data directory that has none. All of it or nothing.
    pub(crate) fn restore(&self, until: Option<Timestamp>, data: &Path, stop: &Stop) -> anyhow::Result<Restored> {
        let base = Checked::newest(self.dir, until, self.trust)?;
        let recovery = Recovery::prepare(data)?;
        let restored = self.recover(base, until, &recovery, stop);
        if restored.is_err() {
            recovery.discard()?;
        }
        restored
    }

    fn recover(
        &self,
        base: Checked,
        until: Option<Timestamp>,
        recovery: &Recovery,
        stop: &Stop,
    ) -> anyhow::Result<Restored> {
        let Checked { file, label } = base;
        feed(file, &label, (recovery.unpack().stdout(Stdio::null()), "tar"), self.identity)?;
        for path in list(&wal_dir(self.dir))? {
            let name = segment::name(&path)?;
            if is_needed(name, label.content.first_segment.as_deref()) {
                let fetched = segment::fetch(&path, self.trust, self.identity, &recovery.wal_file(name));
                fetched.with_context(|| format!("{} cannot be used", path.display()))?;
            }
        }
        let last_change = recovery.run(until, stop)?;
        Ok(Restored { base: label, last_change })
    }
}
