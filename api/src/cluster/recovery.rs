//! A private PostgreSQL that is brought back from a base backup and the WAL since, by PostgreSQL's own recovery.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{bail, ensure};
use jiff::Timestamp;

use super::home::{Home, RECOVERED_WAL};
use super::lock::{Locked, lock};
use super::postmaster::Postmaster;
use super::{DATABASE, LOOK_EVERY, SUPERUSER, await_ready, binaries, create_data_dir, url};
use crate::files::remove_dir;
use base::stop::Stop;

/// PostgreSQL says so where the WAL ends before the time to recover to: then all of it is from before that time.
const WAL_ENDED: &str = "recovery ended before configured recovery target was reached";

pub(crate) struct Recovery {
    /// With a cluster that takes its final name once it is recovered.
    home: Home,
    /// What the database is told before that.
    statement: &'static str,
    _lock: File,
}

impl Recovery {
    /// In a data directory without a cluster.
    pub(crate) fn prepare(data: &Path, statement: &'static str) -> anyhow::Result<Self> {
        let data = create_data_dir(data)?;
        let Locked::Ours(lock) = lock(&data)? else { bail!("a server already uses {}", data.display()) };
        let home = Home::prepare(&data)?;
        ensure!(
            !home.cluster().exists(),
            "{} has a database, and a restore never overwrites: name another --data directory",
            data.display()
        );
        let home = home.draft();
        home.renew_dir(&home.cluster())?;
        home.renew_dir(&home.recovered_wal())?;
        Ok(Self { home, statement, _lock: lock })
    }

    /// Unpacks the base backup that it reads.
    pub(crate) fn unpack(&self) -> Command {
        let mut command = self.home.command(Path::new("tar"));
        command.args(["--extract", "--gzip", "--file=-", "--directory"]).arg(self.home.cluster());
        command
    }

    /// The names of the WAL that came with the base backup.
    pub(crate) fn wal_of_base(&self) -> anyhow::Result<Vec<String>> {
        let entries = fs::read_dir(self.home.cluster().join("pg_wal"))?;
        let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        names.collect()
    }

    /// Where this file of the WAL belongs, compressed.
    pub(crate) fn wal_file(&self, name: &str) -> PathBuf {
        self.home.recovered_wal().join(name)
    }

    /// Applies the WAL of this timeline up to this time, or all of it. It may end before that time, unless something is missing. Gives
    /// the time of the last change that it applied.
    pub(crate) fn run(
        &self,
        until: Option<Timestamp>,
        timeline: u32,
        is_whole: bool,
        stop: &Stop,
    ) -> anyhow::Result<Option<Timestamp>> {
        File::create(self.home.cluster().join("recovery.signal"))?;
        let last_change = match self.apply(until, timeline, stop) {
            Err(err) if until.is_some() && is_whole && format!("{err:#}").contains(WAL_ENDED) => {
                self.apply(None, timeline, stop)
            }
            applied => applied,
        }?;
        remove_dir(&self.home.recovered_wal())?;
        self.home.finish_draft()?;
        Ok(last_change)
    }

    /// Nothing of it stays.
    pub(crate) fn discard(&self) -> anyhow::Result<()> {
        remove_dir(&self.home.recovered_wal())?;
        remove_dir(&self.home.cluster())
    }

    fn apply(&self, until: Option<Timestamp>, timeline: u32, stop: &Stop) -> anyhow::Result<Option<Timestamp>> {
        let binaries = binaries::find(self.home.version().as_deref())?;
        let socket_dir = self.home.prepare_socket_dir()?;
        let mut postmaster =
            Postmaster::new(self.home.clone(), binaries, socket_dir.clone(), settings(until, timeline));
        postmaster.start()?;
        let applied = await_end(&mut postmaster, &socket_dir, self.statement, stop);
        postmaster.stop();
        applied
    }
}

fn settings(until: Option<Timestamp>, timeline: u32) -> Vec<String> {
    let fetch = format!("test -f ../{RECOVERED_WAL}/%f && gzip --decompress --stdout < ../{RECOVERED_WAL}/%f > %p");
    let mut settings = vec![
        "archive_mode=off".to_owned(),
        format!("restore_command={fetch}"),
        "recovery_target_action=promote".to_owned(),
        format!("recovery_target_timeline={timeline}"),
    ];
    // PostgreSQL takes no zone `Z` here.
    settings.extend(until.map(|until| format!("recovery_target_time={}", until.strftime("%F %T%.f+00"))));
    settings
}

fn await_end(
    postmaster: &mut Postmaster,
    socket_dir: &Path,
    statement: &str,
    stop: &Stop,
) -> anyhow::Result<Option<Timestamp>> {
    await_ready(postmaster, socket_dir, stop)?;
    let mut client = loop {
        match connect_recovered(socket_dir) {
            Some(client) => break client,
            None => ensure_runs(postmaster, stop)?,
        }
        std::thread::sleep(LOOK_EVERY);
    };
    const LAST: &str = "SELECT extract(epoch FROM pg_last_xact_replay_timestamp())::float8";
    let last: Option<f64> = client.query_one(LAST, &[])?.get(0);
    postgres::Client::connect(&url(socket_dir, SUPERUSER, DATABASE), postgres::NoTls)?.batch_execute(statement)?;
    // What recovery wrote is on disk before anybody relies on it.
    client.batch_execute("CHECKPOINT")?;
    Ok(last.map(|seconds| Timestamp::UNIX_EPOCH + Duration::from_secs_f64(seconds)))
}

/// Once it takes changes again.
fn connect_recovered(socket_dir: &Path) -> Option<postgres::Client> {
    let mut client = postgres::Client::connect(&url(socket_dir, SUPERUSER, "postgres"), postgres::NoTls).ok()?;
    let is_recovering: bool = client.query_one("SELECT pg_is_in_recovery()", &[]).ok()?.get(0);
    (!is_recovering).then_some(client)
}

fn ensure_runs(postmaster: &mut Postmaster, stop: &Stop) -> anyhow::Result<()> {
    if let Some(status) = postmaster.ended() {
        bail!("PostgreSQL ended while it recovered ({status}):\n{}", postmaster.last_words());
    }
    ensure!(!stop.is_requested(), "asked to stop before PostgreSQL had recovered");
    Ok(())
}
