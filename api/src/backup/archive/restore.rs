//! `houserules restore DIRECTORY --until TIME`: the database as it was at that time, from the base backup before it and the WAL since.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, bail};
use jiff::Timestamp;

use super::base::{self, Base, Candidate, Checked};
use super::place::{is_before, is_needed};
use super::segment::{self, Segment};
use super::timeline::{self, Timeline};
use super::{list, wal_dir};
use crate::backup::{Label, Trust, feed, unfinished};
use crate::cluster::Recovery;
use ::base::stop::Stop;

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
    /// Brings back its database in a data directory that has none. All of it or nothing. What came back is marked as unfinished.
    pub(crate) fn restore(&self, until: Option<Timestamp>, data: &Path, stop: &Stop) -> anyhow::Result<Restored> {
        let bases = base::done_by(self.dir, until)?;
        let recovery = Recovery::prepare(data, unfinished::BEGIN)?;
        let restored = self.recover(&bases, until, &recovery, stop);
        if restored.is_err() {
            recovery.discard()?;
        }
        restored
    }

    fn recover(
        &self,
        bases: &[Candidate],
        until: Option<Timestamp>,
        recovery: &Recovery,
        stop: &Stop,
    ) -> anyhow::Result<Restored> {
        let timeline = self.find_timeline(bases, until, recovery)?;
        let base = bases.iter().find(|base| timeline.comes_from(base.first_segment.as_deref()));
        let base = base.context("no base backup that is left leads to the database as it was then")?;
        let Checked { file, label } = Checked::open(&base.path, self.trust)?;
        feed(file, &label, (recovery.unpack().stdout(Stdio::null()), "tar"), self.identity)?;
        let archived = list(&wal_dir(self.dir))?;
        let names = archived.iter().map(|path| segment::name(path)).collect::<anyhow::Result<Vec<&str>>>()?;
        let missing = timeline.first_missing(&recovery.wal_of_base()?, &names);
        let mut before = label.content.taken_at;
        for (path, name) in archived.iter().zip(names) {
            if is_needed(name, label.content.first_segment.as_deref()) && timeline.holds(name) {
                let archived_at = self.fetch(path, recovery)?.archived_at;
                if timeline.follows(name) && is_before(name, missing.as_deref()) {
                    before = before.max(archived_at);
                }
            }
        }
        let gap = missing.map(|missing| gap(&missing, before));
        if let (Some(gap), None) = (&gap, until) {
            bail!("{gap}");
        }
        let last_change = recovery.run(until, timeline.number, gap.is_none(), stop);
        let last_change = match gap {
            Some(gap) => last_change.context(gap)?,
            None => last_change?,
        };
        Ok(Restored { base: label, last_change })
    }

    /// The newest one that there was by then: a restore to an earlier moment begins another one, which leads away from what had
    /// been written after that moment. PostgreSQL gets all histories, so that it gives no number twice.
    fn find_timeline(
        &self,
        bases: &[Candidate],
        until: Option<Timestamp>,
        recovery: &Recovery,
    ) -> anyhow::Result<Timeline> {
        let of_bases = bases.iter().filter_map(|base| timeline::number(base.first_segment.as_deref()?));
        let mut newest = of_bases.max().unwrap_or(1);
        for path in list(&wal_dir(self.dir))? {
            let name = segment::name(&path)?;
            if let Some(number) = name.strip_suffix(".history").and_then(timeline::number) {
                let archived_at = self.fetch(&path, recovery)?.archived_at;
                if until.is_none_or(|until| archived_at <= until) {
                    newest = newest.max(number);
                }
            }
        }
        let history = recovery.wal_file(&timeline::history_name(newest));
        let history = history.exists().then(|| timeline::read_history(&history)).transpose()?;
        Timeline::new(newest, history.as_deref())
    }

    fn fetch(&self, path: &Path, recovery: &Recovery) -> anyhow::Result<Segment> {
        let output = recovery.wal_file(segment::name(path)?);
        let fetched = segment::fetch(path, self.trust, self.identity, &output);
        fetched.with_context(|| format!("{} cannot be used", path.display()))
    }
}

fn gap(missing: &str, before: Timestamp) -> String {
    format!(
        "the archive lacks the WAL segment {missing}, and without it what was written later cannot be brought back. Name a moment \
         before it with --until: what there is before it was archived by {before}"
    )
}
