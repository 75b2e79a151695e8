//! Moves what PostgreSQL puts into the spool to the archive, for as long as the server runs.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Archive, list, segment};
use crate::files::remove;
use base::db::Db;
use base::stop::Stop;
use cafe::operations::backups::{self, JobKind, store};

const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Beyond so many segments of 16 MB, the café's disk matters more than the archive.
const WAITING_MAX: usize = 128;

#[derive(Clone)]
pub(crate) struct Keeper {
    pub archive: Archive,
    pub spool: PathBuf,
    pub db: Db,
    pub stop: Stop,
}

impl Keeper {
    /// Begins.
    pub(crate) fn start(self) {
        let runtime = self.db.runtime().clone();
        runtime.spawn(self.keep());
    }

    async fn keep(self) {
        if let Err(err) = self.ask_for_base().await {
            tracing::warn!(error = format!("{err:#}"), "looking for a base backup in the archive failed");
        }
        let (mut is_failing, is_ours) = (false, Arc::new(AtomicBool::new(false)));
        while self.stop.sleep(LOOK_EVERY).await {
            let (keeper, is_ours) = (self.clone(), is_ours.clone());
            let moved = tokio::task::spawn_blocking(move || keeper.empty_spool(&is_ours)).await;
            let moved = moved.map_err(anyhow::Error::from).flatten();
            if let Err(err) = &moved
                && !is_failing
            {
                tracing::error!(error = format!("{err:#}"), "archiving WAL failed");
            }
            if moved.is_ok() && is_failing {
                tracing::info!("archiving WAL again");
            }
            is_failing = moved.is_err();
            if is_failing && let Err(err) = self.give_up_if_full().await {
                tracing::warn!(error = format!("{err:#}"), "emptying the spool of WAL failed");
            }
        }
    }

    /// At once, if WAL goes on from none in the archive: nothing could be brought back from there until tomorrow.
    async fn ask_for_base(&self) -> anyhow::Result<()> {
        let (archive, spool) = (self.archive.clone(), self.spool.clone());
        if tokio::task::spawn_blocking(move || archive.lacks_base(&spool)).await?? {
            store::ask(&mut *self.db.conn().await?, JobKind::Base, self.archive.world.now()).await?;
            tracing::info!("asked for a base backup: WAL goes on from none in the archive");
        }
        Ok(())
    }

    /// Whose archive it is, is looked up once.
    fn empty_spool(&self, is_ours: &AtomicBool) -> anyhow::Result<()> {
        let waiting = list(&self.spool)?;
        backups::tell_waiting(waiting.len());
        if waiting.is_empty() {
            return Ok(());
        }
        self.archive.prepare()?;
        if !is_ours.load(Ordering::Relaxed) {
            self.archive.expect_ours()?;
            is_ours.store(true, Ordering::Relaxed);
        }
        waiting.iter().try_for_each(|file| segment::store(&self.archive, file))
    }

    /// What is missing then makes all that comes after it useless, up to the next base backup.
    async fn give_up_if_full(&self) -> anyhow::Result<()> {
        let waiting = list(&self.spool)?;
        if waiting.len() < WAITING_MAX {
            return Ok(());
        }
        waiting.iter().try_for_each(|file| remove(file))?;
        tracing::error!(segments = waiting.len(), "gave up archiving what waited: the next base backup begins again");
        store::ask(&mut *self.db.conn().await?, JobKind::Base, self.archive.world.now()).await?;
        Ok(())
    }
}
