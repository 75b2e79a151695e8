//! `houserules backup` and `houserules restore`: the whole database in one file.
//!
//! The file is what `pg_dump` writes in its custom format, followed by a line that says what it is: its length, its hash,
//! what it was made by, how far the audit log went, and the house's signature. `pg_restore` alone can read it, too: it does
//! not look beyond the end. Where backups have recipients, what comes before that line is encrypted for them.

pub(crate) mod archive;
pub(crate) mod encryption;
mod label;
pub(crate) mod schedule;
mod trial;
pub(crate) mod unfinished;

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use anyhow::{Context, anyhow, bail};
use jiff::Timestamp;
use postgres::{Client, GenericClient, IsolationLevel};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::cluster;
use crate::files::Draft;
use base::auth::SigningKey;
use base::db::{Address, UNLIMITED, explain};
use base::ids::{hex, unhex};
use base::world::World;
pub(crate) use label::Label;
use label::{Found, Kind, Written};

const PIECE: usize = 256 * 1024;
/// Ends a program that writes where nobody reads.
const SIGPIPE: i32 = 13;

/// Which backups to believe.
pub(crate) enum Trust {
    SignedWith(Vec<SigningKey>),
    /// The operator answers for the file.
    Anything,
}

/// A dump of the database, as its label tells of it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Dump {
    pub taken_at: Timestamp,
    /// Of the program that took it.
    program: String,
    /// PostgreSQL's major version.
    postgres: u32,
    /// The newest migration in it.
    migration: String,
    /// How many lines the audit log has, and the hash of the last of these.
    pub audit_lines: i64,
    pub audit_head: String,
    /// Of all tables. Older backups do not say.
    #[serde(default)]
    pub rows: Option<i64>,
}

impl Kind for Dump {
    const FORMAT: u32 = 1;
    const UNSIGNED: &str = "it was made by an older House Rules, or somebody removed the signature. If you know where it \
                            comes from, restore it with --unverified";
    const SECRET_LOST: &str =
        "If that secret is lost and you know where the file comes from, restore it with --unverified";
}

/// A backup that is whole, and ours as far as was asked: only such a file is read into a database.
pub(crate) struct Checked {
    file: File,
    label: Label<Dump>,
}

/// Writes a backup of this database to the file, encrypted if it has recipients, and notes that it was taken. It is there whole
/// or not at all.
pub(crate) fn take(
    world: &World,
    key: &SigningKey,
    address: &Address,
    path: &Path,
    recipients: &[String],
) -> anyhow::Result<Label<Dump>> {
    let label = write(world, key, address, path, recipients)?;
    let statement =
        "INSERT INTO backups (id, taken_at, bytes, sha256) VALUES (gen_random_uuid(), to_timestamp($1), $2, $3)";
    let taken_at = label.content.taken_at.as_microsecond() as f64 / 1_000_000.0;
    let sha256 = unhex(&label.sha256).context("a hash is in hex")?;
    connect(address)?.execute(statement, &[&taken_at, &i64::try_from(label.bytes)?, &sha256])?;
    Ok(label)
}

fn write(
    world: &World,
    key: &SigningKey,
    address: &Address,
    path: &Path,
    recipients: &[String],
) -> anyhow::Result<Label<Dump>> {
    let mut client = connect(address)?;
    let postgres = server_version(&mut client)?;
    let draft = Draft::create(world, path)?;
    // What is counted here is what `pg_dump` sees: they share a snapshot.
    let mut reading =
        client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true).start()?;
    let snapshot: String = reading.query_one("SELECT pg_export_snapshot()", &[])?.get(0);
    let taken_at = world.now();
    let migration = reading.query_one("SELECT coalesce(max(version), '') FROM __diesel_schema_migrations", &[])?.get(0);
    let head = reading.query_opt("SELECT n, hash FROM audit_chain ORDER BY n DESC LIMIT 1", &[])?;
    let (audit_lines, audit_head) = head.map_or((0, String::new()), |row| (row.get(0), hex(row.get(1))));
    let rows = Some(count_rows(&mut reading)?);
    let written = dump(postgres, address, &snapshot, recipients, &draft.file)?;
    reading.commit()?;
    let program = env!("CARGO_PKG_VERSION").to_owned();
    let content = Dump { taken_at, program, postgres, migration, audit_lines, audit_head, rows };
    let label = Label::seal(content, &written, key, &draft.file)?;
    draft.finish()?;
    Ok(label)
}

impl Checked {
    pub(crate) fn open(path: &Path, trust: &Trust) -> anyhow::Result<Self> {
        let mut file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
        let found = Found::<Dump>::read(&mut file).with_context(|| format!("{} is no whole backup", path.display()))?;
        found.check_signature(trust).with_context(|| format!("{} is refused", path.display()))?;
        let label = found.label;
        base::db::refuse_unknown("backup", &label.content.migration)?;
        label.check_content(&mut file).with_context(|| format!("{} is damaged", path.display()))?;
        Ok(Self { file, label })
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.label.encrypted
    }

    /// Reads the backup into this database, which must be empty. All of it or nothing. An encrypted one needs an identity that
    /// it was encrypted for. What was read is marked as unfinished.
    pub(crate) fn restore(self, address: &Address, identity: Option<&Path>) -> anyhow::Result<Label<Dump>> {
        let Self { file, label } = self;
        let mut client = connect(address)?;
        refuse_used(&mut client)?;
        let server = server_version(&mut client)?;
        let mut command = cluster::tool("pg_restore", server.max(label.content.postgres))?;
        cluster::connect(&mut command, address);
        let database =
            command.get_envs().find(|(name, _)| *name == "PGDATABASE").and_then(|(_, value)| value.map(Into::into));
        let database: OsString = database.context("the database's address names no database")?;
        command
            .args(["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--dbname"])
            .arg(database);
        client.batch_execute(unfinished::BEGIN)?;
        let read = feed(file, &label, (command.stdout(Stdio::null()), "pg_restore"), identity);
        if read.is_err() && refuse_used(&mut client).is_ok() {
            client.batch_execute(unfinished::END)?;
        }
        read?;
        if let Some(rows) = label.content.rows {
            let restored = count_rows(&mut client)?;
            if restored != rows {
                bail!("the backup has {rows} rows, and {restored} came back");
            }
        }
        Ok(label)
    }
}

/// Of all tables.
fn count_rows(client: &mut impl GenericClient) -> anyhow::Result<i64> {
    // Rows of a partition are rows of its table.
    const TABLES: &str = "SELECT coalesce(string_agg(format('(SELECT count(*) FROM %s)', oid::regclass), ' + '), '0') FROM pg_class \
                          WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition";
    let counts: String = client.query_one(TABLES, &[])?.get(0);
    Ok(client.query_one(&format!("SELECT {counts}"), &[])?.get(0))
}

fn dump(
    postgres: u32,
    address: &Address,
    snapshot: &str,
    recipients: &[String],
    file: &File,
) -> anyhow::Result<Written> {
    let mut command = cluster::tool("pg_dump", postgres)?;
    cluster::connect(&mut command, address);
    command.args(["--format=custom", "--no-owner", "--no-privileges", "--snapshot", snapshot]);
    pour((&mut command, "pg_dump"), recipients, file)
}

/// Writes what this program says to the file, encrypted if there are recipients.
fn pour((command, name): (&mut Command, &str), recipients: &[String], mut file: &File) -> anyhow::Result<Written> {
    let mut program = spawn(command.stdin(Stdio::null()).stdout(Stdio::piped()))?;
    let plain = program.stdout.take().with_context(|| format!("{name} says nothing"))?;
    let (mut output, encrypting) = match recipients {
        [] => (plain, None),
        _ => {
            let mut encrypting = encryption::encrypt(recipients, plain)?;
            (encrypting.stdout.take().context("age says nothing")?, Some(encrypting))
        }
    };
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
    let encrypted = encrypting.map_or(Ok(()), |child| finish(child, "age"));
    finish(program, name).and(encrypted)?;
    Ok(Written { encrypted: !recipients.is_empty(), bytes, sha256: hasher.finalize().into() })
}

/// Has this program read the content of the file, decrypted if it is encrypted.
fn feed(
    mut file: File,
    label: &Label<impl Kind>,
    (command, name): (&mut Command, &str),
    identity: Option<&Path>,
) -> anyhow::Result<()> {
    let mut decrypting = match identity {
        _ if !label.encrypted => None,
        Some(identity) => Some(encryption::decrypt(identity)?),
        None => bail!("it is encrypted: name the file with the identity that opens it, with --identity FILE"),
    };
    let decrypted = decrypting.as_mut().and_then(|child| child.stdout.take());
    let mut reading = spawn(command.stdin(decrypted.map_or_else(Stdio::piped, Stdio::from)))?;
    // The command holds the end of the pipe that the program reads from: age would wait for it after the program ended.
    command.stdin(Stdio::null());
    file.rewind()?;
    let first = decrypting.as_mut().unwrap_or(&mut reading);
    let mut input = first.stdin.take().context("the first program takes no input")?;
    let piped = std::io::copy(&mut file.take(label.bytes), &mut input);
    drop(input);
    let decrypted = decrypting.map(Child::wait_with_output).transpose()?;
    let is_unread = decrypted.as_ref().is_some_and(|age| age.status.signal() == Some(SIGPIPE));
    let decrypted = decrypted.map_or(Ok(()), |age| expect_success(&age, "age"));
    let read = finish(reading, name);
    // Without its input the program fails, too, and age fails without its reader: the first of them says why.
    let (first, second) = if is_unread { (read, decrypted) } else { (decrypted, read) };
    first.and(second)?;
    piped.with_context(|| format!("{name} stopped reading"))?;
    Ok(())
}

/// To PostgreSQL itself: a snapshot is lent by the session that took it, and waits for as long as `pg_dump` takes.
fn connect(address: &Address) -> anyhow::Result<Client> {
    let (config, tls) = address.direct().parts(UNLIMITED);
    let connected = postgres::Config::from(config).connect(tls);
    connected.map_err(|err| anyhow!(explain(&err))).context("the database cannot be reached")
}

fn spawn(command: &mut Command) -> anyhow::Result<Child> {
    command.stderr(Stdio::piped()).spawn().with_context(|| format!("{} does not run", command.get_program().display()))
}

fn finish(child: Child, name: &str) -> anyhow::Result<()> {
    expect_success(&child.wait_with_output()?, name)
}

fn expect_success(output: &Output, name: &str) -> anyhow::Result<()> {
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
                             WHERE c.relkind IN ('r', 'p', 'v', 'S') AND n.nspname = 'public' \
                                 AND c.relname <> 'restore_unfinished'";
    let count: i64 = client.query_one(RELATIONS, &[])?.get(0);
    if count > 0 {
        bail!(
            "the database is not empty, and a restore never overwrites: name another --data directory, \
             or an empty database in DATABASE_URL"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    fn said(command: &mut Command) -> String {
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn dump() -> Dump {
        let program = env!("CARGO_PKG_VERSION").to_owned();
        let (migration, audit_head) = (String::new(), String::new());
        Dump {
            taken_at: Timestamp::UNIX_EPOCH,
            program,
            postgres: 15,
            migration,
            audit_lines: 0,
            audit_head,
            rows: None,
        }
    }

    #[test]
    fn a_program_that_stops_reading_an_encrypted_backup_is_told_of() {
        let folder = std::env::temp_dir().join(format!("house-rules-feed-{}", hex(&World::real().bytes::<8>())));
        fs::create_dir(&folder).unwrap();
        let (identity, backup) = (folder.join("identity.txt"), folder.join("house.backup"));
        said(Command::new("age-keygen").arg("--output").arg(&identity));
        let recipient = said(Command::new("age-keygen").arg("-y").arg(&identity)).trim().to_owned();
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(backup).unwrap();
        // More than all pipes on the way hold.
        let mut zeros = Command::new("head");
        let written = pour((zeros.args(["--bytes=8000000", "/dev/zero"]), "head"), &[recipient], &file).unwrap();
        let label = Label::new(dump(), &written);
        let (sender, fed) = mpsc::channel();
        std::thread::spawn(move || {
            let fed = feed(file, &label, (&mut Command::new("false"), "false"), Some(&identity));
            sender.send(fed).unwrap();
        });
        let fed = fed.recv_timeout(Duration::from_secs(60)).expect("it ends");
        assert!(fed.unwrap_err().to_string().contains("false failed"));
        fs::remove_dir_all(folder).unwrap();
    }
}
