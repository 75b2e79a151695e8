//! What this machine is like. Nothing here asks the database.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use jiff::Timestamp;
use nix::sys::resource::{Resource, getrlimit};

use base::certificates::Certificate;
use base::setup::Setup;
use base::storage;

/// What was measured. None of what cannot be.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// Of this process: the soft limit and the hard one.
    pub descriptors: Option<(u64, u64)>,
    pub data_free: Option<u64>,
    pub backups_free: Option<u64>,
    pub data_mode: Option<u32>,
    /// The bit of this mode by which PostgreSQL enters, where it runs as another user than the directory's.
    pub postgres_entry: Option<u32>,
    pub secret: Option<SecretFile>,
    /// When the oldest WAL segment was finished that is not in the archive yet.
    pub unarchived_since: Option<Timestamp>,
    /// Where somebody looked. A page does not: it would wait for a slow share.
    pub archived: Option<Archived>,
    pub certificate: Option<Certificate>,
    pub is_time_synced: bool,
}

/// The file of the secret, without what it holds.
#[derive(Clone, Debug)]
pub struct SecretFile {
    pub mode: u32,
    pub changed_at: Timestamp,
}

/// Whether all that the archive holds can be brought back.
#[derive(Clone, Debug)]
pub enum Archived {
    Whole,
    /// This WAL segment is missing, or without a name a base backup that can be read.
    Lacks(Option<String>),
}

impl Machine {
    /// Looks at files: not for a thread that others wait for.
    pub fn measure(setup: &Setup) -> Self {
        let mode = |found: &fs::Metadata| found.mode() & 0o7777;
        let secret = |found: fs::Metadata| {
            Some(SecretFile { mode: mode(&found), changed_at: Timestamp::from_second(found.mtime()).ok()? })
        };
        Self {
            descriptors: getrlimit(Resource::RLIMIT_NOFILE).ok(),
            data_free: free(&setup.data.join("postgres")).or_else(|| free(&setup.data)),
            backups_free: free(&setup.backups.dir).or_else(|| free(&setup.data)),
            data_mode: fs::metadata(&setup.data).ok().map(|found| mode(&found)),
            postgres_entry: postgres_entry(setup),
            certificate: setup.certificate.as_ref().and_then(|files| Certificate::read(&files.certificate).ok()),
            secret: fs::metadata(setup.data.join("secret")).ok().and_then(secret),
            unarchived_since: oldest(&setup.data.join("postgres/spool")),
            archived: None,
            // systemd-timesyncd touches this file once it has set the clock. Others tell nobody without being asked.
            is_time_synced: Path::new("/run/systemd/timesync/synchronized").exists(),
        }
    }
}

fn postgres_entry(setup: &Setup) -> Option<u32> {
    let data = fs::metadata(&setup.data).ok()?;
    // A link leads elsewhere, and nobody has to come in.
    let home = fs::symlink_metadata(setup.data.join("postgres")).ok().filter(fs::Metadata::is_dir)?;
    let is_guest = setup.is_database_private && home.uid() != data.uid();
    is_guest.then(|| if home.gid() == data.gid() { 0o010 } else { 0o001 })
}

/// When the oldest file of this directory was last changed.
fn oldest(dir: &Path) -> Option<Timestamp> {
    let entries = fs::read_dir(dir).ok()?.flatten();
    let changed = entries.filter_map(|entry| Timestamp::try_from(entry.metadata().ok()?.modified().ok()?).ok());
    changed.min()
}

fn free(path: &Path) -> Option<u64> {
    storage::room_at(path).ok().map(|room| room.free)
}
