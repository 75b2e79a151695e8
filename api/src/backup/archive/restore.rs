//! `houserules restore DIRECTORY --until TIME`: the database as it was at that time, from the base backup before it and the WAL since.

use std::path::Path;
use std::process::Stdio;

use anyhow::Context;
use jiff::Timestamp;

use super::base::{Base, Checked};
use super::{list, segment, wal_dir};
use crate::backup::{Label, Trust, feed};
use crate::cluster::Recovery;
use cafe::stop::Stop;

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
        let first = recovery.first_segment()?;
        for path in list(&wal_dir(self.dir))? {
            let name = segment::name(&path)?;
            if is_needed(name, &first) {
                let fetched = segment::fetch(&path, self.trust, self.identity, &recovery.wal_file(name));
                fetched.with_context(|| format!("{} cannot be used", path.display()))?;
            }
        }
        let last_change = recovery.run(until, stop)?;
        Ok(Restored { base: label, last_change })
    }
}

/// Whether it comes after the beginning of a base backup. The first eight digits are the timeline, which a restore changes.
fn is_needed(name: &str, first: &str) -> bool {
    match (name.get(8..24), first.get(8..24)) {
        (Some(place), Some(first)) if name.len() == 24 => place >= first,
        _ => name.ends_with(".history"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_needed_from_the_base_backup_on_and_all_history() {
        let first = "000000010000000A000000FE";
        for needed in [first, "000000010000000A000000FF", "000000010000000B00000000", "00000002.history"] {
            assert!(is_needed(needed, first), "{needed}");
        }
        assert!(is_needed("000000020000000A000000FE", first));
        for old in ["000000010000000A000000FD", "000000020000000A000000FD", "000000010000000A000000FE.00000028.backup"]
        {
            assert!(!is_needed(old, first), "{old}");
        }
    }
}
