//! What the operator has set, as far as use cases judge by it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::certificates::Files;

/// The settings that checks are about.
#[derive(Clone, Debug)]
pub struct Setup {
    pub data: PathBuf,
    pub is_database_private: bool,
    /// The secret is in the data directory, not in the settings.
    pub is_secret_kept: bool,
    pub public_url: Option<String>,
    /// It names this machine and nothing else.
    pub is_public_url_local: bool,
    /// The name or address in it.
    pub public_host: Option<String>,
    /// Of what the server shows browsers, where it speaks TLS itself.
    pub certificate: Option<Files>,
    pub is_behind_proxy: bool,
    /// None where the server chooses one of this machine's own.
    pub ops_bind: Option<SocketAddr>,
    pub backups: BackupPlan,
}

/// Which backups the server takes by itself.
#[derive(Clone, Debug)]
pub struct BackupPlan {
    pub every: Option<Duration>,
    pub keep: usize,
    pub dir: PathBuf,
    pub test_every: Option<Duration>,
    pub archive: Option<ArchivePlan>,
    /// Public keys of `age`: a backup is encrypted for all of them. None are encrypted if there are none.
    pub recipients: Vec<String>,
}

/// Of the write-ahead archive.
#[derive(Clone, Debug)]
pub struct ArchivePlan {
    pub dir: PathBuf,
    /// So many base backups, with all WAL segments that these need.
    pub keep: usize,
}
