//! `houserules backup` and `houserules restore`: the whole database in one file.
//!
//! The file is what `pg_dump` writes in its custom format, followed by a line that says what it is: its length, its hash,
//! what it was made by, and how far the audit log went. `pg_restore` alone can read it, too: it does not look beyond the end.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, anyhow, bail};
use jiff::Timestamp;
use postgres::Client;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::cluster;
use cafe::db::{Address, explain};
use cafe::ids::hex;
use cafe::world::World;

const MARK: &str = "\nhouse-rules-backup ";
/// The last line is shorter than this.
const LABEL_MAX: u64 = 4096;
const FORMAT: u32 = 1;
const PIECE: usize = 256 * 1024;

/// What the last line of a backup says.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Label {
    format: u32,
    pub taken_at: Timestamp,
    /// Of the program that took it.
    program: String,
    /// PostgreSQL's major version.
    postgres: u32,
    /// The newest migration in it.
    migration: String,
    /// How many lines the audit log had at least, and the hash of the last of these.
    pub audit_lines: i64,
    pub audit_head: String,
    pub bytes: u64,
    pub sha256: String,
}

/// Writes a backup of this database to the file. It is there whole or not at all.
pub(crate) fn take(world: &World, address: &Address, path: &Path) -> anyhow::Result<Label> {
    let mut client = connect(address)?;
    let postgres = server_version(&mut client)?;
    let migration: String =
        client.query_one("SELECT coalesce(max(version), '') FROM __diesel_schema_migrations", &[])?.get(0);
    let head = client.query_opt("SELECT n, hash FROM audit_chain ORDER BY n DESC LIMIT 1", &[])?;
    let (audit_lines, audit_head) = head.map_or((0, String::new()), |row| (row.get(0), hex(row.get(1))));
    let draft = Draft::create(world, path)?;
    let (bytes, sha256) = dump(postgres, address, &draft.file)?;
    let label = Label {
        format: FORMAT,
        taken_at: world.now(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        postgres,
        migration,
        audit_lines,
        audit_head,
        bytes,
        sha256: hex(&sha256),
    };
    writeln!(&draft.file, "{MARK}{}", serde_json::to_string(&label)?)?;
    draft.finish()?;
    let statement =
        "INSERT INTO backups (id, taken_at, bytes, sha256) VALUES (gen_random_uuid(), to_timestamp($1), $2, $3)";
    let taken_at = label.taken_at.as_microsecond() as f64 / 1_000_000.0;
    client.execute(statement, &[&taken_at, &i64::try_from(bytes)?, &sha256.as_slice()])?;
    Ok(label)
}

/// Reads the backup into this database, which must be empty. All of it or nothing.
pub(crate) fn restore(address: &Address, path: &Path) -> anyhow::Result<Label> {
    let mut file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    let label = read_label(&mut file).with_context(|| format!("{} is no whole backup", path.display()))?;
    cafe::db::refuse_unknown("backup", &label.migration)?;
    check_sum(&mut file, &label).with_context(|| format!("{} is damaged", path.display()))?;
    let mut client = connect(address)?;
    refuse_used(&mut client)?;
    let server = server_version(&mut client)?;
    let mut command = cluster::tool("pg_restore", server.max(label.postgres))?;
    cluster::connect(&mut command, address);
    let database =
        command.get_envs().find(|(name, _)| *name == "PGDATABASE").and_then(|(_, value)| value.map(Into::into));
    let database: std::ffi::OsString = database.context("the database's address names no database")?;
    command
        .args(["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--dbname"])
        .arg(database);
    let mut child = spawn(command.stdin(Stdio::piped()).stdout(Stdio::null()))?;
    file.rewind()?;
    let mut input = child.stdin.take().context("pg_restore takes no input")?;
    let piped = std::io::copy(&mut file.take(label.bytes), &mut input);
    drop(input);
    finish(child, "pg_restore")?;
    piped.context("pg_restore stopped reading")?;
    Ok(label)
}

fn dump(postgres: u32, address: &Address, mut file: &File) -> anyhow::Result<(u64, [u8; 32])> {
    let mut command = cluster::tool("pg_dump", postgres)?;
    cluster::connect(&mut command, address);
    command.args(["--format=custom", "--no-owner", "--no-privileges"]);
    let mut child = spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()))?;
    let mut output = child.stdout.take().context("pg_dump says nothing")?;
    let (mut hasher, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; PIECE]);
    loop {
        let count = output.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        hasher.update(&buffer[..count]);
        file.write_all(&buffer[..count]).context("the backup cannot be written")?;
        bytes += count as u64;
    }
    finish(child, "pg_dump")?;
    Ok((bytes, hasher.finalize().into()))
}

fn connect(address: &Address) -> anyhow::Result<Client> {
    let (config, tls) = address.parts();
    let connected = postgres::Config::from(config).connect(tls);
    connected.map_err(|err| anyhow!(explain(&err))).context("the database cannot be reached")
}

fn spawn(command: &mut Command) -> anyhow::Result<Child> {
    command.stderr(Stdio::piped()).spawn().with_context(|| format!("{} does not run", command.get_program().display()))
}

fn finish(child: Child, name: &str) -> anyhow::Result<()> {
    let output = child.wait_with_output()?;
    if !output.status.success() {
        bail!("{name} failed:\n{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

fn server_version(client: &mut Client) -> anyhow::Result<u32> {
    let number: String = client.query_one("SHOW server_version_num", &[])?.get(0);
    Ok(number.parse::<u32>().context("PostgreSQL does not say its version")? / 10_000)
}

fn refuse_used(client: &mut Client) -> anyhow::Result<()> {
    const RELATIONS: &str = "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                             WHERE c.relkind IN ('r', 'p', 'v', 'S') AND n.nspname = 'public'";
    let count: i64 = client.query_one(RELATIONS, &[])?.get(0);
    if count > 0 {
        bail!(
            "the database is not empty, and a restore never overwrites: name another --data directory, \
             or an empty database in DATABASE_URL"
        );
    }
    Ok(())
}

fn read_label(file: &mut File) -> anyhow::Result<Label> {
    let length = file.metadata()?.len();
    let start = length.saturating_sub(LABEL_MAX);
    file.seek(SeekFrom::Start(start))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let mark =
        end.windows(MARK.len()).rposition(|window| window == MARK.as_bytes()).context("its last line is missing")?;
    let label: Label = serde_json::from_slice(&end[mark + MARK.len()..]).context("its last line is not understood")?;
    if label.format != FORMAT {
        bail!("it is of another kind ({})", label.format);
    }
    if label.bytes != start + mark as u64 {
        bail!("{} bytes should come before its last line, and {} do", label.bytes, start + mark as u64);
    }
    Ok(label)
}

fn check_sum(file: &mut File, label: &Label) -> anyhow::Result<()> {
    file.rewind()?;
    let (mut hasher, mut content, mut buffer) = (Sha256::new(), file.take(label.bytes), vec![0; PIECE]);
    loop {
        match content.read(&mut buffer)? {
            0 => break,
            count => hasher.update(&buffer[..count]),
        }
    }
    let found = hex(&hasher.finalize());
    if found != label.sha256 {
        bail!("its hash is {found} and should be {}", label.sha256);
    }
    Ok(())
}

/// A file that is not there yet: removed again unless it is finished.
struct Draft<'a> {
    file: File,
    draft: PathBuf,
    path: &'a Path,
    done: bool,
}

impl<'a> Draft<'a> {
    fn create(world: &World, path: &'a Path) -> anyhow::Result<Self> {
        let mut name = path.file_name().context("the backup needs a file's name")?.to_owned();
        name.push(format!(".{}.part", hex(&world.bytes::<4>())));
        let draft = path.with_file_name(name);
        let opened = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft);
        let file = opened.with_context(|| format!("{} cannot be made", draft.display()))?;
        Ok(Self { file, draft, path, done: false })
    }

    fn finish(mut self) -> anyhow::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.draft, self.path).with_context(|| format!("{} cannot be made", self.path.display()))?;
        self.done = true;
        let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(File::open(parent)?.sync_all()?)
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.done {
            // What cannot be removed is at least not under the backup's name.
            let _ = fs::remove_file(&self.draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(name: &str, content: &[u8]) -> File {
        let path = std::env::temp_dir().join(format!("house-rules-label-{name}-{}", std::process::id()));
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
        fs::remove_file(path).unwrap();
        file.write_all(content).unwrap();
        file
    }

    fn backup() -> Vec<u8> {
        let label = Label {
            format: FORMAT,
            taken_at: Timestamp::UNIX_EPOCH,
            program: "1".to_owned(),
            postgres: 15,
            migration: "1".to_owned(),
            audit_lines: 0,
            audit_head: String::new(),
            bytes: 8,
            sha256: hex(&Sha256::digest(b"PGDMP...")),
        };
        format!("PGDMP...{MARK}{}\n", serde_json::to_string(&label).unwrap()).into_bytes()
    }

    #[test]
    fn a_whole_backup_is_told_from_a_cut_or_changed_one() {
        let whole = backup();
        let mut file = written("whole", &whole);
        let label = read_label(&mut file).unwrap();
        check_sum(&mut file, &label).unwrap();
        for cut in [0, 4, 8, 20, whole.len() - 3] {
            assert!(read_label(&mut written("cut", &whole[..cut])).is_err(), "{cut}");
        }
        assert!(read_label(&mut written("short", &whole[1..])).is_err());
        let mut changed = whole;
        changed[0] ^= 1;
        assert!(check_sum(&mut written("changed", &changed), &label).is_err());
    }
}
