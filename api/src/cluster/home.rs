//! Where the private PostgreSQL lives and as whom it runs. PostgreSQL refuses to run as root, so a server started as
//! root gives the place to an unprivileged user, and has to mind what that user can reach.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use super::SUPERUSER;
use super::binaries::Binaries;
use crate::files::remove_dir;

/// Where the data goes when the user that PostgreSQL runs as cannot enter the data directory.
const ELSEWHERE: &str = "/var/lib/houserules";
/// The kernel's bound on a socket's path, without the closing zero.
const SOCKET_PATH_MAX: usize = 107;
const LOG_NAME: &str = "postgres.log";
pub(super) const SOCKET: &str = ".s.PGSQL.5432";
pub(super) const CLUSTER: &str = "data";
/// Its name until it is complete. Nobody misses one that was broken off.
const DRAFT: &str = "data.new";
pub(super) const SPOOL: &str = "spool";
/// Its name while no WAL is archived.
const CLOSED_SPOOL: &str = "spool.closed";
pub(super) const RECOVERED_WAL: &str = "recovered-wal";

#[derive(Clone, Debug)]
pub(super) struct Home {
    dir: PathBuf,
    /// The name of the cluster in it.
    cluster: &'static str,
    /// Outside of `dir`: the user who starts the server writes here, and `dir` belongs to another user.
    log: PathBuf,
    user: User,
}

/// As whom PostgreSQL runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum User {
    /// As this process does.
    Same,
    Other {
        uid: u32,
        gid: u32,
    },
}

/// Makes the directory where there is none, and gives its full path.
pub(crate) fn create_data_dir(data: &Path) -> anyhow::Result<PathBuf> {
    // As root, PostgreSQL's user has to come in.
    let mode = if own_uid()? == 0 { 0o711 } else { 0o700 };
    let made = fs::DirBuilder::new().recursive(true).mode(mode).create(data);
    made.with_context(|| format!("the data directory {} cannot be made", data.display()))?;
    fs::canonicalize(data).with_context(|| format!("the data directory {} cannot be reached", data.display()))
}

impl Home {
    /// The place as it is, made by the user who runs the server there.
    pub(super) fn find(data: &Path) -> anyhow::Result<Self> {
        let dir = fs::canonicalize(data.join("postgres"))
            .with_context(|| format!("the private PostgreSQL of {} cannot be reached", data.display()))?;
        let owner = fs::metadata(&dir)?;
        let user = match own_uid()? {
            uid if uid == owner.uid() => User::Same,
            0 => User::Other { uid: owner.uid(), gid: owner.gid() },
            _ => bail!("{} belongs to another user: start as that user, or as root", dir.display()),
        };
        if user != User::Same && !user.can_enter(&dir) {
            bail!("{} is out of reach for the user it belongs to; see to the directories above it", dir.display());
        }
        if owner.uid() == 0 {
            bail!("{} belongs to root, and PostgreSQL does not run as root", dir.display());
        }
        Ok(Self { dir, cluster: CLUSTER, log: data.join(LOG_NAME), user })
    }

    /// The place, made where there is none.
    pub(super) fn prepare(data: &Path) -> anyhow::Result<Self> {
        let dir = data.join("postgres");
        if fs::symlink_metadata(&dir).is_ok() {
            return Self::find(data);
        }
        let log = data.join(LOG_NAME);
        let user = if own_uid()? == 0 { User::unprivileged()? } else { User::Same };
        if user == User::Same || user.can_enter(data) {
            user.create_dir(&dir)?;
            return Ok(Self { dir, cluster: CLUSTER, log, user });
        }
        let elsewhere = Path::new(ELSEWHERE).join(unused_name());
        fs::create_dir_all(ELSEWHERE).with_context(|| format!("{ELSEWHERE} cannot be made"))?;
        user.create_dir(&elsewhere)?;
        symlink(&elsewhere, &dir)?;
        tracing::warn!(
            data = %data.display(),
            elsewhere = %elsewhere.display(),
            link = %dir.display(),
            "moving the private PostgreSQL elsewhere: the unprivileged user that it runs as cannot reach the data directory"
        );
        Ok(Self { dir: elsewhere, cluster: CLUSTER, log, user })
    }

    /// The database cluster proper: PGDATA.
    pub(super) fn cluster(&self) -> PathBuf {
        self.dir.join(self.cluster)
    }

    /// The same place with the cluster that is being made.
    pub(super) fn draft(&self) -> Self {
        Self { cluster: DRAFT, ..self.clone() }
    }

    /// The cluster that was being made is complete.
    pub(super) fn finish_draft(&self) -> anyhow::Result<()> {
        self.rename(DRAFT, CLUSTER)
    }

    fn rename(&self, from: &str, to: &str) -> anyhow::Result<()> {
        fs::rename(self.dir.join(from), self.dir.join(to))?;
        Ok(fs::File::open(&self.dir)?.sync_all()?)
    }

    /// Where PostgreSQL puts each finished WAL segment. It is there for as long as none is left out.
    pub(super) fn spool(&self) -> PathBuf {
        self.dir.join(SPOOL)
    }

    /// From where PostgreSQL reads its WAL while it recovers.
    pub(super) fn recovered_wal(&self) -> PathBuf {
        self.dir.join(RECOVERED_WAL)
    }

    /// Makes a directory for PostgreSQL's user in the place of what is there.
    pub(super) fn renew_dir(&self, dir: &Path) -> anyhow::Result<()> {
        remove_dir(dir)?;
        self.user.create_dir(dir)
    }

    /// For a PostgreSQL that archives nothing. What waits for the archive stays until the spool is opened again.
    pub(super) fn close_spool(&self) -> anyhow::Result<()> {
        if !self.spool().is_dir() {
            return Ok(());
        }
        self.rename(SPOOL, CLOSED_SPOOL)?;
        let closed = self.dir.join(CLOSED_SPOOL);
        tracing::warn!(directory = %closed.display(), "stopped archiving WAL: what waits stays here until there is an archive again");
        Ok(())
    }

    /// With what waited as it was closed. Makes it where there is none.
    pub(super) fn open_spool(&self) -> anyhow::Result<()> {
        let closed = self.dir.join(CLOSED_SPOOL);
        if !closed.is_dir() {
            self.user.create_dir(&closed)?;
        }
        self.copy_history(&closed)?;
        self.rename(CLOSED_SPOOL, SPOOL)
    }

    /// PostgreSQL archives the history of a timeline once, when it begins: at the end of a recovery, which archives nothing.
    fn copy_history(&self, spool: &Path) -> anyhow::Result<()> {
        let wal = self.cluster().join("pg_wal");
        for entry in fs::read_dir(wal).into_iter().flatten() {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "history")
                && let Some(name) = path.file_name()
            {
                fs::copy(&path, spool.join(name))?;
            }
        }
        Ok(())
    }

    pub(super) fn log(&self) -> &Path {
        &self.log
    }

    /// The major version that made the data, if there is any.
    pub(super) fn version(&self) -> Option<String> {
        fs::read_to_string(self.cluster().join("PG_VERSION")).ok().map(|version| version.trim().to_owned())
    }

    /// Makes the cluster. One that was broken off half-way is thrown away: it never was under its final name.
    pub(super) fn initialise(&self, binaries: &Binaries) -> anyhow::Result<()> {
        if self.cluster().exists() {
            return Ok(());
        }
        tracing::info!(directory = %self.cluster().display(), "creating a private PostgreSQL");
        let draft = self.draft().cluster();
        remove_dir(&draft)?;
        let output = self
            .command(&binaries.program("initdb"))
            .arg("--pgdata")
            .arg(&draft)
            .args(["--username", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--locale=C", "--data-checksums"])
            .output()
            .context("initdb does not run")?;
        if !output.status.success() {
            bail!("initdb failed:\n{}", String::from_utf8_lossy(&output.stderr));
        }
        self.finish_draft()
    }

    /// Where the socket is, or would be.
    pub(super) fn socket_dir(&self) -> anyhow::Result<PathBuf> {
        let inside = self.dir.join("socket");
        let dir = fs::read_link(&inside).unwrap_or(inside);
        if !dir.is_dir() {
            bail!("{} is missing: the private PostgreSQL does not run", dir.display());
        }
        Ok(dir)
    }

    /// A directory that only PostgreSQL's user (and root) can enter, at a path short enough for a socket.
    pub(super) fn prepare_socket_dir(&self) -> anyhow::Result<PathBuf> {
        let inside = self.dir.join("socket");
        if let Ok(short) = fs::read_link(&inside) {
            if self.is_private(&short) {
                return Ok(short);
            }
            fs::remove_file(&inside)?;
        }
        if inside.is_dir() {
            return Ok(inside);
        }
        if fits_a_socket(&inside) {
            self.user.create_dir(&inside)?;
            return Ok(inside);
        }
        let base = if self.user != User::Same && Path::new("/run").is_dir() { "/run" } else { "/tmp" };
        let short = Path::new(base).join(format!("houserules-{}", unused_name()));
        self.user.create_dir(&short)?;
        symlink(&short, &inside)?;
        Ok(short)
    }

    /// A command that runs as PostgreSQL's user, apart from the terminal: Ctrl-C there must reach the server alone.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.dir).env("LC_ALL", "C").env_remove("PGDATA").stdin(Stdio::null()).process_group(0);
        self.user.run(&mut command);
        command
    }

    /// Every process of a PostgreSQL has its data for a working directory. Asked as PostgreSQL's own user, because in
    /// a container not even root may look at another user's processes.
    pub(super) fn processes(&self) -> Vec<u32> {
        let listing = self.command(Path::new("/bin/sh")).args(["-c", "exec ls -l /proc/[0-9]*/cwd"]).output();
        let listing = listing.map(|output| output.stdout).unwrap_or_default();
        working_in(&self.cluster(), &String::from_utf8_lossy(&listing))
    }

    fn is_private(&self, dir: &Path) -> bool {
        let Ok(found) = fs::symlink_metadata(dir) else { return false };
        let Ok(ours) = fs::metadata(&self.dir) else { return false };
        found.is_dir() && found.uid() == ours.uid() && found.mode() & 0o077 == 0
    }
}

impl User {
    /// `postgres`, or else `nobody`.
    fn unprivileged() -> anyhow::Result<Self> {
        let number = |flag: &str, name: &str| -> Option<u32> {
            let output =
                Command::new("id").args([flag, name]).output().ok().filter(|output| output.status.success())?;
            String::from_utf8(output.stdout).ok()?.trim().parse().ok()
        };
        let found = ["postgres", "nobody"].iter().find_map(|name| Some((number("-u", name)?, number("-g", name)?)));
        let (uid, gid) = found.context("there is no user `postgres` or `nobody` to run PostgreSQL as")?;
        Ok(Self::Other { uid, gid })
    }

    /// Also leaves root's other groups behind: the standard library does so whenever root sets a user.
    fn run(self, command: &mut Command) {
        if let Self::Other { uid, gid } = self {
            command.uid(uid).gid(gid);
        }
    }

    /// Asked of the system, which knows about modes, groups, access lists and mounts.
    fn can_enter(self, dir: &Path) -> bool {
        let mut test = Command::new("/usr/bin/test");
        test.arg("-x").arg(dir).current_dir("/");
        self.run(&mut test);
        test.status().is_ok_and(|status| status.success())
    }

    /// Makes a directory for this user alone. Fails where there is something already.
    fn create_dir(self, dir: &Path) -> anyhow::Result<()> {
        let made = fs::DirBuilder::new().mode(0o700).create(dir);
        made.with_context(|| format!("{} cannot be made", dir.display()))?;
        fs::set_permissions(dir, fs::Permissions::from_mode(0o700))?;
        if let Self::Other { uid, gid } = self {
            chown(dir, Some(uid), Some(gid)).with_context(|| format!("{} cannot be given away", dir.display()))?;
        }
        Ok(())
    }
}

fn own_uid() -> anyhow::Result<u32> {
    Ok(fs::metadata("/proc/self").context("/proc is missing")?.uid())
}

/// From lines that end in `/proc/17/cwd -> /srv/data`.
fn working_in(dir: &Path, listing: &str) -> Vec<u32> {
    let links = listing.lines().filter_map(|line| line.split_once(" /proc/")?.1.split_once("/cwd -> "));
    links.filter(|(_, target)| Path::new(target) == dir).filter_map(|(pid, _)| pid.parse().ok()).collect()
}

fn unused_name() -> String {
    format!("{:016x}", u64::from_be_bytes(base::world::World::real().bytes()))
}

/// Commas and quotes would end the path in PostgreSQL's list of directories.
fn fits_a_socket(dir: &Path) -> bool {
    let path = dir.as_os_str().as_encoded_bytes();
    let is_plain = path.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+@".contains(byte));
    is_plain && path.len() + 1 + SOCKET.len() <= SOCKET_PATH_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_data_directory_is_as_closed_as_it_can_be() {
        let parent = std::env::temp_dir().join(format!("house-rules-home-{}", unused_name()));
        let dir = create_data_dir(&parent.join("data")).unwrap();
        let found = fs::metadata(&dir).unwrap();
        assert_eq!(found.mode() & 0o777, if found.uid() == 0 { 0o711 } else { 0o700 });
        fs::set_permissions(&dir, fs::Permissions::from_mode(0o750)).unwrap();
        create_data_dir(&dir).unwrap();
        assert_eq!(fs::metadata(&dir).unwrap().mode() & 0o777, 0o750, "the operator's own mode stays");
        remove_dir(&parent).unwrap();
    }

    #[test]
    fn processes_are_told_by_where_they_work() {
        let listing = "lrwxrwxrwx 1 postgres postgres 0 Nov 21 02:04 /proc/17/cwd -> /srv/data\n\
                       lrwxrwxrwx 1 postgres postgres 0 Nov 21 02:04 /proc/18/cwd -> /srv/data/other\n\
                       lrwxrwxrwx 1 root root 0 Nov 21 02:04 /proc/19/cwd\n";
        assert_eq!(working_in(Path::new("/srv/data"), listing), [17]);
    }

    #[test]
    fn a_long_or_odd_path_holds_no_socket() {
        assert!(fits_a_socket(Path::new("/srv/cafe/data/postgres/socket")));
        assert!(fits_a_socket(Path::new(&format!("/{}", "x".repeat(92)))));
        assert!(!fits_a_socket(Path::new(&format!("/{}", "x".repeat(93)))));
        assert!(!fits_a_socket(Path::new("/srv/café/socket")));
        assert!(!fits_a_socket(Path::new("/srv/a,b/socket")));
    }
}
