//! Backups that the server takes by itself, and the test of the newest one. The database says when they are due, so a restart
//! or a second server changes nothing, and holds the lock by which one server at a time is at it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use diesel_async::AsyncPgConnection;
use jiff::Timestamp;

use super::archive::Archive;
use super::{Checked, Trust, connect, take, trial, write};
use crate::cluster;
use crate::files::{create_private_dir, remove, remove_dir};
use base::auth::SigningKey;
use base::db::Db;
use base::error::Result;
use base::setup::BackupPlan;
use base::stop::Stop;
use base::storage;
use base::world::World;
use cafe::operations::backups::{self, Job, JobKind, store};

const LOOK_EVERY: Duration = Duration::from_secs(5);
/// After a problem that could not even be noted.
const PAUSE: Duration = Duration::from_secs(60);
/// The number spells "backup".
const LOCK: i64 = 0x62_61_63_6b_75_70;
const PREFIX: &str = "house-rules-";
const SUFFIX: &str = ".backup";
const PROBLEM_MAX: usize = 500;

pub(crate) struct Keeper {
    pub db: Db,
    pub world: World,
    /// Signs what is taken.
    pub key: SigningKey,
    /// Any of these may have signed what is tested.
    pub known: Vec<SigningKey>,
    pub plan: BackupPlan,
    /// Of the private PostgreSQL that this server looks after.
    pub archive: Option<Archive>,
    /// Where a cluster may be made to test a backup in.
    pub scratch: PathBuf,
    pub stop: Stop,
}

/// What was taken or tested.
struct Done {
    taken_at: Timestamp,
    bytes: u64,
}

impl Keeper {
    /// Keeps to the plan from now on.
    pub(crate) fn start(self) {
        let runtime = self.db.runtime().clone();
        runtime.spawn(Arc::new(self).keep());
    }

    async fn keep(self: Arc<Self>) {
        let scratch = self.scratch.clone();
        // Copies of the database that a killed server left.
        let discard = move || remove_dir(&copies(&scratch)).and_then(|()| cluster::discard(&scratch));
        if let Ok(Err(err)) = tokio::task::spawn_blocking(discard).await {
            tracing::warn!(error = format!("{err:#}"), "removing an earlier test of a backup failed");
        }
        let often = JobKind::ALL.iter().filter_map(|kind| kind.every(&self.plan)).min();
        let between = often.map_or(LOOK_EVERY, |every| (every / 4).min(LOOK_EVERY));
        while self.stop.sleep(between).await {
            if let Err(err) = self.clone().look().await {
                tracing::warn!(error = format!("{err:#}"), "running backup jobs failed");
                self.stop.sleep(PAUSE).await;
            }
        }
    }

    async fn look(self: Arc<Self>) -> anyhow::Result<()> {
        let jobs = self.jobs().await?;
        backups::tell_metrics(&jobs);
        for job in jobs.iter().filter(|job| job.is_due(self.world.now())) {
            let (keeper, kind) = (self.clone(), job.kind);
            tokio::task::spawn_blocking(move || keeper.run(kind)).await??;
        }
        Ok(())
    }

    async fn jobs(&self) -> Result<Vec<Job>> {
        let conn = &mut *self.db.conn().await?;
        for kind in JobKind::ALL {
            match kind.every(&self.plan) {
                Some(every) => self.want(conn, *kind, every).await?,
                None => store::forget(conn, *kind).await?,
            };
        }
        Ok(store::list(conn).await?)
    }

    async fn want(&self, conn: &mut AsyncPgConnection, kind: JobKind, every: Duration) -> Result<usize> {
        let seconds = i64::try_from(every.as_secs()).unwrap_or(i64::MAX);
        Ok(store::want(conn, kind, seconds, self.world.now()).await?)
    }

    /// Unless another server is at it, or has done it in the meantime.
    fn run(&self, kind: JobKind) -> anyhow::Result<()> {
        // The lock is held until this transaction ends, at the latest with the process.
        let mut session = connect(self.db.address())?;
        let mut lock = session.transaction()?;
        let is_ours: bool = lock.query_one("SELECT pg_try_advisory_xact_lock($1)", &[&LOCK])?.get(0);
        let runtime = self.db.runtime();
        let is_same = |job: &Job| job.kind == kind && job.is_due(self.world.now());
        let Some(before) = runtime.block_on(self.jobs())?.into_iter().find(is_same).filter(|_| is_ours) else {
            return Ok(());
        };
        let began = self.world.now();
        let done = match kind {
            JobKind::Take => self.take(),
            JobKind::Test => self.test(),
            JobKind::Base => self.take_base(),
        };
        if self.stop.is_requested() {
            return Ok(());
        }
        runtime.block_on(self.note(&before, began, done))
    }

    async fn note(&self, before: &Job, began: Timestamp, done: anyhow::Result<Done>) -> anyhow::Result<()> {
        let (conn, now) = (&mut *self.db.conn().await?, self.world.now());
        let kind = before.kind;
        match done {
            Ok(done) => {
                let message = match kind {
                    JobKind::Take => "took a backup",
                    JobKind::Test => "restored the newest backup to test it",
                    JobKind::Base => "took a base backup",
                };
                tracing::info!(taken_at = %done.taken_at, bytes = done.bytes, "{message}");
                store::note_success(conn, kind, began, now).await?;
            }
            Err(err) => {
                let problem: String = format!("{err:#}").chars().take(PROBLEM_MAX).collect();
                if before.problem.as_ref() != Some(&problem) {
                    let message = match kind {
                        JobKind::Take => "taking a backup failed",
                        JobKind::Test => "restoring the newest backup to test it failed",
                        JobKind::Base => "taking a base backup failed",
                    };
                    tracing::error!(error = problem, "{message}");
                }
                store::note_failure(conn, kind, &problem, began, now).await?;
            }
        }
        Ok(())
    }

    fn take_base(&self) -> anyhow::Result<Done> {
        let archive = self.archive.as_ref().context("this server looks after no private PostgreSQL")?;
        archive.prepare()?;
        self.expect_room(&archive.dir, archive.last_size()?)?;
        let label = archive.take_base()?;
        Ok(Done { taken_at: label.content.taken_at, bytes: label.bytes })
    }

    fn take(&self) -> anyhow::Result<Done> {
        let dir = &self.plan.dir;
        create_private_dir(dir)?;
        let kept = self.files()?;
        self.remove_drafts()?;
        let last = kept.last().map_or(0, |file| fs::metadata(file).map_or(0, |file| file.len()));
        self.expect_room(dir, last)?;
        let path = dir.join(name(self.world.now()));
        let label = take(&self.world, &self.key, self.db.address(), &path, &self.plan.recipients)?;
        let kept = self.files()?;
        kept[..kept.len().saturating_sub(self.plan.keep)].iter().try_for_each(|old| remove(old))?;
        Ok(Done { taken_at: label.content.taken_at, bytes: label.bytes })
    }

    fn test(&self) -> anyhow::Result<Done> {
        let newest = self.files()?.pop();
        let newest = newest.with_context(|| format!("there is no backup in {}", self.plan.dir.display()))?;
        let backup = Checked::open(&newest, &Trust::SignedWith(self.known.clone()))?;
        let parent = self.scratch.parent().unwrap_or(&self.scratch);
        const SIZE: &str = "SELECT pg_database_size(current_database())";
        let size: i64 = connect(self.db.address())?.query_one(SIZE, &[])?.get(0);
        self.expect_room(parent, u64::try_from(size)?)?;
        // It is whole and ours, and nobody here can open it: the same database serves, not encrypted.
        let backup = if backup.is_encrypted() { self.copy()? } else { backup };
        let label = trial::restore(backup, &self.scratch, &self.stop)
            .with_context(|| format!("{} cannot be restored", newest.display()))?;
        Ok(Done { taken_at: label.content.taken_at, bytes: label.bytes })
    }

    /// A backup of this moment in a file that has no name any more.
    fn copy(&self) -> anyhow::Result<Checked> {
        let dir = copies(&self.scratch);
        remove_dir(&dir)?;
        create_private_dir(&dir)?;
        let path = dir.join(name(self.world.now()));
        let copied = write(&self.world, &self.key, self.db.address(), &path, &[])
            .and_then(|_| Checked::open(&path, &Trust::SignedWith(vec![self.key.clone()])));
        remove_dir(&dir)?;
        copied
    }

    /// What writes to the last byte of a disk takes the running database along.
    fn expect_room(&self, dir: &Path, bytes: u64) -> anyhow::Result<()> {
        let free = storage::room_at(dir).with_context(|| format!("{} cannot be looked at", dir.display()))?.free;
        let wanted = bytes.saturating_mul(2);
        ensure!(free > wanted, "{} has {free} bytes free, and {wanted} should be", dir.display());
        Ok(())
    }

    /// Whole backups, the oldest first.
    fn files(&self) -> anyhow::Result<Vec<PathBuf>> {
        self.list(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX))
    }

    /// What a server left that was killed while it took a backup.
    fn remove_drafts(&self) -> anyhow::Result<()> {
        let drafts = self.list(|name| name.starts_with(PREFIX) && name.ends_with(".part"))?;
        drafts.iter().try_for_each(|draft| remove(draft))
    }

    fn list(&self, is_wanted: fn(&str) -> bool) -> anyhow::Result<Vec<PathBuf>> {
        let dir = &self.plan.dir;
        let entries = fs::read_dir(dir).with_context(|| format!("{} cannot be read", dir.display()))?;
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry?;
            if entry.file_name().to_str().is_some_and(is_wanted) {
                found.push(entry.path());
            }
        }
        found.sort();
        Ok(found)
    }
}

/// Where copies of the database lie for a moment, beside the cluster that tests them.
fn copies(scratch: &Path) -> PathBuf {
    scratch.with_extension("copy")
}

/// Names sort by time.
fn name(now: Timestamp) -> String {
    format!("{PREFIX}{}{SUFFIX}", now.strftime("%Y%m%dT%H%M%SZ"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_time() {
        let early = name(Timestamp::UNIX_EPOCH);
        assert_eq!(early, "house-rules-19700101T000000Z.backup");
        assert!(
            early < name(Timestamp::from_second(1).unwrap())
                && name(Timestamp::from_second(1).unwrap()) < name(Timestamp::MAX)
        );
    }
}
