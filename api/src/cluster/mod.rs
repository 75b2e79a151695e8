//! A private PostgreSQL: made on first use, on a unix socket only, started and stopped with the server,
//! put right again after whatever was killed. What is in the database is `db`'s affair.

mod binaries;
mod home;
mod lock;
mod postmaster;
mod recovery;
mod roles;
mod tools;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context, bail};

use crate::files::remove_dir;
use base::db::{Access, Address};
use base::stop::Stop;
pub(crate) use home::create_data_dir;
use home::{CLUSTER, Home, SPOOL};
use lock::{Locked, STOPPING, lock, sign};
use postmaster::Postmaster;
pub(crate) use recovery::Recovery;
pub(crate) use tools::{connect, tool};

const DATABASE: &str = "houserules";
const SUPERUSER: &str = "houserules";
const LOOK_EVERY: Duration = Duration::from_millis(100);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// A running private PostgreSQL. Dropping it stops it, where it is ours to stop.
#[derive(Debug)]
pub(crate) struct Cluster {
    socket_dir: PathBuf,
    keeper: Option<Keeper>,
}

#[derive(Debug)]
struct Keeper {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

/// What becomes of the WAL from now on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Archiving {
    On,
    Off,
    /// Of a short command: on if the last server had an archive.
    AsBefore,
}

impl Cluster {
    /// Starts the private PostgreSQL under this directory, with its WAL archived or not from now on. One that archives keeps its WAL
    /// until the spool is open. Refuses when another server looks after it.
    pub(crate) fn start(data: &Path, archives: bool, stop: &Stop) -> anyhow::Result<Self> {
        let data = create_data_dir(data)?;
        match lock(&data)? {
            Locked::Ours(lock) => Self::keep(&data, lock, if archives { Archiving::On } else { Archiving::Off }, stop),
            Locked::By(other) => bail!("another server (process {other}) already uses {}", data.display()),
        }
    }

    /// For short commands: as `start`, or beside the server that is looking after this directory already.
    pub(crate) fn start_or_join(data: &Path, stop: &Stop) -> anyhow::Result<Self> {
        let data = create_data_dir(data)?;
        match lock(&data)? {
            Locked::Ours(lock) => Self::keep(&data, lock, Archiving::AsBefore, stop),
            Locked::By(_) => {
                let socket_dir = Home::find(&data)?.socket_dir()?;
                roles::prepare(&socket_dir)?;
                Ok(Self { socket_dir, keeper: None })
            }
        }
    }

    /// Its database, for the server and for the owner.
    pub(crate) fn access(&self) -> anyhow::Result<Access> {
        let address = |role| Address::parse(&url(&self.socket_dir, role, DATABASE));
        Ok(Access::new(address(roles::SERVER)?, Some(address(roles::OWNER)?)))
    }

    /// For what only its superuser may do.
    pub(crate) fn superuser(&self) -> anyhow::Result<Address> {
        Address::parse(&url(&self.socket_dir, SUPERUSER, DATABASE))
    }

    fn keep(data: &Path, lock: File, archiving: Archiving, stop: &Stop) -> anyhow::Result<Self> {
        let home = Home::prepare(data)?;
        let binaries = binaries::find(home.version().as_deref())?;
        home.initialise(&binaries)?;
        let socket_dir = home.prepare_socket_dir()?;
        let settings = match archiving {
            Archiving::On => settings_to_archive(),
            Archiving::AsBefore if home.spool().is_dir() => settings_to_archive(),
            Archiving::AsBefore | Archiving::Off => Vec::new(),
        };
        let mut postmaster = Postmaster::new(home.clone(), binaries, socket_dir.clone(), settings);
        // The PostgreSQL of a server that was killed may still put WAL into the spool.
        postmaster.end_orphans()?;
        if archiving == Archiving::Off {
            home.close_spool()?;
        }
        postmaster.start()?;
        if let Err(err) = set_up(&mut postmaster, &socket_dir, stop) {
            postmaster.stop();
            return Err(err);
        }
        let (sender, stopped) = mpsc::channel();
        let asked = stop.clone();
        let thread = std::thread::Builder::new()
            .name("postgres-keeper".to_owned())
            .spawn(move || keep_alive(postmaster, &stopped, &asked, lock))
            .context("no thread for the private PostgreSQL")?;
        Ok(Self { socket_dir, keeper: Some(Keeper { stop: sender, thread }) })
    }
}

/// Every finished WAL segment is put into the spool, also by short commands: a gap would end what can be brought back.
fn settings_to_archive() -> Vec<String> {
    let command = format!(
        "cp %p ../{SPOOL}/%f.part && sync ../{SPOOL}/%f.part && mv ../{SPOOL}/%f.part ../{SPOOL}/%f && sync ../{SPOOL}"
    );
    vec!["archive_mode=on".to_owned(), "archive_timeout=60".to_owned(), format!("archive_command={command}")]
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(keeper) = self.keeper.take() {
            // Both fail only when the thread is gone, and its PostgreSQL with it.
            let _ = keeper.stop.send(());
            let _ = keeper.thread.join();
        }
    }
}

/// Starts it again whenever it ends unasked, ever less eagerly while that keeps failing.
/// The lock is held for as long as this process looks after the data; the system lets go of it however the process ends.
fn keep_alive(mut postmaster: Postmaster, stopped: &mpsc::Receiver<()>, asked: &Stop, mut lock: File) {
    let mut pause = FIRST_PAUSE;
    let mut quiet = Duration::ZERO;
    let mut announced = false;
    loop {
        if asked.is_requested() && !announced {
            announced = true;
            // The next server may as well wait. If this cannot be written, it will refuse to start instead.
            let _ = sign(&mut lock, STOPPING);
        }
        match stopped.recv_timeout(LOOK_EVERY) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return postmaster.stop(),
            Err(RecvTimeoutError::Timeout) => quiet += LOOK_EVERY,
        }
        let Some(status) = postmaster.ended() else {
            if quiet > Duration::from_secs(60) {
                pause = FIRST_PAUSE;
            }
            continue;
        };
        tracing::error!(%status, "restarting the private PostgreSQL: it ended");
        if !matches!(stopped.recv_timeout(pause), Err(RecvTimeoutError::Timeout)) {
            return postmaster.stop();
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
        quiet = Duration::ZERO;
        if let Err(err) = postmaster.start() {
            tracing::error!(error = format!("{err:#}"), "restarting the private PostgreSQL failed");
        }
    }
}

fn set_up(postmaster: &mut Postmaster, socket_dir: &Path, stop: &Stop) -> anyhow::Result<()> {
    await_ready(postmaster, socket_dir, stop)?;
    create_database(socket_dir)?;
    roles::prepare(socket_dir).context("the roles of the private PostgreSQL cannot be made")
}

/// Recovery after a crash may take a while; as long as the process lives there is hope.
fn await_ready(postmaster: &mut Postmaster, socket_dir: &Path, stop: &Stop) -> anyhow::Result<()> {
    const PATIENCE: u32 = 600_000 / 50;
    for _ in 0..PATIENCE {
        if postgres::Client::connect(&url(socket_dir, SUPERUSER, "postgres"), postgres::NoTls).is_ok() {
            return Ok(());
        }
        if let Some(status) = postmaster.ended() {
            bail!("the private PostgreSQL does not start ({status}):\n{}", postmaster.last_words());
        }
        if stop.is_requested() {
            bail!("asked to stop before the private PostgreSQL was ready");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    bail!("the private PostgreSQL is not ready after ten minutes:\n{}", postmaster.last_words())
}

fn create_database(socket_dir: &Path) -> anyhow::Result<()> {
    let mut client = postgres::Client::connect(&url(socket_dir, SUPERUSER, "postgres"), postgres::NoTls)?;
    if client.query_opt("SELECT FROM pg_database WHERE datname = $1", &[&DATABASE])?.is_none() {
        client.batch_execute(&format!("CREATE DATABASE {DATABASE}"))?;
    }
    Ok(())
}

fn url(socket_dir: &Path, role: &str, database: &str) -> String {
    use std::os::unix::ffi::OsStrExt;
    let encoded: String = socket_dir.as_os_str().as_bytes().iter().map(|byte| format!("%{byte:02X}")).collect();
    format!("postgres://{role}@{encoded}/{database}?connect_timeout=5")
}

/// Whether there is a private PostgreSQL under this directory. One that belongs to another user is there, too.
pub(crate) fn is_made(data: &Path) -> bool {
    data.join("postgres").join(CLUSTER).try_exists().unwrap_or(true)
}

/// Where the private PostgreSQL under this directory puts its WAL to be archived.
pub(crate) fn spool(data: &Path) -> PathBuf {
    data.join("postgres").join(SPOOL)
}

/// Opens that place, from where on no segment is left out.
pub(crate) fn open_spool(data: &Path) -> anyhow::Result<()> {
    Home::find(&std::fs::canonicalize(data)?)?.open_spool()
}

/// The server's address of the private PostgreSQL under this directory, if it runs. Starts and makes nothing.
pub(crate) fn find_running(data: &Path) -> Option<String> {
    let socket_dir = Home::find(&std::fs::canonicalize(data).ok()?).ok()?.socket_dir().ok()?;
    std::os::unix::net::UnixStream::connect(socket_dir.join(home::SOCKET)).ok()?;
    Some(url(&socket_dir, roles::SERVER, DATABASE))
}

/// Removes a cluster that nobody runs any more, with everything that was put elsewhere for it.
pub(crate) fn discard(data: &Path) -> anyhow::Result<()> {
    if let Ok(home) = std::fs::canonicalize(data.join("postgres")) {
        if let Ok(socket) = std::fs::canonicalize(home.join("socket")) {
            remove_dir(&socket)?;
        }
        remove_dir(&home)?;
    }
    remove_dir(data)
}
