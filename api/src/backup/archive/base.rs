//! A base backup: all files of the running PostgreSQL, by `pg_basebackup`, with the WAL of the time that it took, so that it can
//! be started by itself.

use std::cmp::Reverse;
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use jiff::Timestamp;
use postgres::Client;
use serde::{Deserialize, Serialize};

use super::place::is_before;
use super::{Archive, SECRET_LOST, UNSIGNED, base_dir, list, wal_dir};
use crate::backup::label::{Found, Kind, Label};
use crate::backup::{Trust, connect, pour, server_version};
use crate::cluster;
use crate::files::{Draft, remove};

/// A base backup, as its label tells of it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Base {
    started_at: Timestamp,
    /// When it was done. PostgreSQL can bring back this moment and later ones.
    pub taken_at: Timestamp,
    /// Of the program that took it.
    program: String,
    /// PostgreSQL's major version.
    postgres: u32,
    /// By which PostgreSQL tells one database from all others.
    system: String,
    /// The first WAL segment that it may need. Older ones do not say.
    #[serde(default)]
    pub(in crate::backup) first_segment: Option<String>,
}

impl Kind for Base {
    const FORMAT: u32 = 2;
    const UNSIGNED: &str = UNSIGNED;
    const SECRET_LOST: &str = SECRET_LOST;
}

impl Archive {
    /// Takes a base backup, and removes what is older than the oldest one to keep.
    pub(crate) fn take_base(&self) -> anyhow::Result<Label<Base>> {
        let mut client = connect(&self.superuser)?;
        let postgres = server_version(&mut client)?;
        let system = system_of(&mut client)?;
        for path in list(&base_dir(&self.dir))? {
            self.expect_same(&read(&path)?.1.label.content, &system)?;
        }
        // Before the backup begins, so that it needs no segment that comes before.
        let first_segment = client.query_one("SELECT pg_walfile_name(pg_current_wal_lsn())", &[])?.get(0);
        let started_at = self.world.now();
        let path = base_dir(&self.dir).join(format!("{}.base", started_at.strftime("%Y%m%dT%H%M%SZ")));
        let draft = Draft::create(&self.world, &path)?;
        let mut command = cluster::tool("pg_basebackup", postgres)?;
        cluster::connect(&mut command, &self.superuser);
        command.args(["--pgdata=-", "--format=tar", "--wal-method=fetch", "--checkpoint=fast", "--gzip"]);
        let written = pour((&mut command, "pg_basebackup"), &self.recipients, &draft.file)?;
        let program = env!("CARGO_PKG_VERSION").to_owned();
        let content = Base { started_at, taken_at: self.world.now(), program, postgres, system, first_segment };
        let label = Label::seal(content, &written, &self.key, &draft.file)?;
        draft.finish()?;
        self.remove_old()?;
        Ok(label)
    }

    /// The bytes of the newest base backup.
    pub(crate) fn last_size(&self) -> anyhow::Result<u64> {
        let last = list(&base_dir(&self.dir))?.pop();
        Ok(last.map_or(0, |file| file.metadata().map_or(0, |found| found.len())))
    }

    /// Refuses an archive that has base backups of another database. One that cannot be read says nothing of the WAL beside it.
    pub(super) fn expect_ours(&self) -> anyhow::Result<()> {
        let system = system_of(&mut connect(&self.superuser)?)?;
        let readable = list(&base_dir(&self.dir))?.into_iter().filter_map(|path| read(&path).ok());
        readable.map(|(_, found)| found.label.content).try_for_each(|base| self.expect_same(&base, &system))
    }

    fn expect_same(&self, base: &Base, system: &str) -> anyhow::Result<()> {
        let dir = self.dir.display();
        ensure!(base.system == system, "{dir} is the archive of another database: name an empty directory");
        Ok(())
    }

    fn remove_old(&self) -> anyhow::Result<()> {
        let kept = list(&base_dir(&self.dir))?;
        let (old, kept) = kept.split_at(kept.len().saturating_sub(self.keep));
        old.iter().try_for_each(|file| remove(file))?;
        // A restore goes back in the WAL: the oldest base backup need not be the one with the earliest beginning.
        let firsts = kept.iter().map(|path| Ok(read(path)?.1.label.content.first_segment));
        let firsts = firsts.collect::<anyhow::Result<Vec<Option<String>>>>()?;
        for file in list(&wal_dir(&self.dir))? {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if !firsts.is_empty() && firsts.iter().all(|first| is_before(name, first.as_deref())) {
                remove(&file)?;
            }
        }
        Ok(())
    }
}

/// By which this PostgreSQL tells its database from all others.
fn system_of(client: &mut Client) -> anyhow::Result<String> {
    Ok(client.query_one("SELECT system_identifier::text FROM pg_control_system()", &[])?.get(0))
}

/// A base backup that is whole and ours.
pub(super) struct Checked {
    pub(super) file: File,
    pub(super) label: Label<Base>,
}

/// A base backup by its label, which nobody has checked yet.
pub(super) struct Candidate {
    taken_at: Timestamp,
    pub(super) path: PathBuf,
    pub(super) first_segment: Option<String>,
}

/// The newest one of this archive, which nobody has checked yet.
pub(super) fn newest(dir: &Path) -> anyhow::Result<Option<Base>> {
    let newest = list(&base_dir(dir))?.pop();
    newest.map(|path| Ok(read(&path)?.1.label.content)).transpose()
}

/// Those of this archive that were done by then, the newest first. There is one at least.
pub(super) fn done_by(dir: &Path, until: Option<Timestamp>) -> anyhow::Result<Vec<Candidate>> {
    let mut done = Vec::new();
    for path in list(&base_dir(dir))? {
        let Base { taken_at, first_segment, .. } = read(&path)?.1.label.content;
        done.push(Candidate { taken_at, path, first_segment });
    }
    done.sort_by_key(|candidate| Reverse(candidate.taken_at));
    let first = done.last().map(|candidate| candidate.taken_at);
    let first = first.with_context(|| format!("{} holds no base backup", dir.display()))?;
    done.retain(|candidate| until.is_none_or(|until| candidate.taken_at <= until));
    ensure!(!done.is_empty(), "the archive begins at {first}");
    Ok(done)
}

impl Checked {
    pub(super) fn open(path: &Path, trust: &Trust) -> anyhow::Result<Self> {
        let (mut file, found) = read(path)?;
        found.check_signature(trust).with_context(|| format!("{} is refused", path.display()))?;
        found.label.check_content(&mut file).with_context(|| format!("{} is damaged", path.display()))?;
        Ok(Self { file, label: found.label })
    }
}

fn read(path: &Path) -> anyhow::Result<(File, Found<Base>)> {
    let mut file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    let found = Found::read(&mut file).with_context(|| format!("{} is no whole base backup", path.display()))?;
    Ok((file, found))
}
