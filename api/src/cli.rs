//! The `houserules` command. Messages here are for the person who runs the server; guests and staff never see them.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::{Parser, Subcommand};
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::audit_head::{Note, Noted};
use crate::backup::archive;
use crate::backup::{self, Trust, unfinished};
use crate::chain;
use crate::cluster;
use crate::database::{access, migrate, private_cluster, with_database};
use crate::demo::{self, Wish};
use crate::doctor;
use crate::error::in_words;
use crate::healthcheck;
use crate::load::Load;
use crate::person::Person;
use crate::secret::{self, Secrets};
use crate::server;
use crate::tls;
use base::audit::chain::Check;
use base::audit::{self, Entry};
use base::auth::{ChosenPassword, Passwords, Role, Use};
use base::db::{Access, Db};
use base::error::{Result, not_found};
use base::ids::{hex, unhex};
use base::inputs::Password;
use base::live::Live;
use base::settings::Cafe;
use base::stop::Stop;
use base::text::Lang;
use base::world::World;
use cafe::projections::{self, Recomputed};
use cafe::webhooks;
use competitions::tournaments::replay::replay;
use play::players;
use play::staff::{self, second_factor};
use play::stats;
use web::{openapi, telemetry};
use web_base::config::{Config, Settings};

/// The game server and staff dashboard of a board game café.
///
/// Without a command it serves. Every setting may be given as a flag, in the environment, or in houserules.toml (with
/// underscores for dashes); the first of these that has it wins. Without DATABASE_URL the server runs a private
/// PostgreSQL of its own, on a unix socket in the data directory.
#[derive(Parser)]
#[command(name = "houserules", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Subcommand)]
enum Command {
    /// Bring the database up to date and answer requests (the default)
    Serve,
    /// Bring the database up to date, without serving
    Migrate,
    /// Add and manage people who work here
    #[command(subcommand)]
    Staff(StaffCommand),
    /// Write the whole database to a file, also while the server runs
    Backup { file: PathBuf },
    /// Read a backup of this house into an empty database, or bring back the database of an archive, and bring it up to date
    Restore {
        /// A file, or the directory of an archive
        #[arg(value_name = "FILE|DIR")]
        path: PathBuf,
        /// Bring back the moment before this, such as 2026-11-24T21:30:00+09:00; from an archive only [default: the last]
        #[arg(long, value_name = "TIME")]
        until: Option<Timestamp>,
        /// Take a file without a signature of this house: you know where it comes from
        #[arg(long)]
        unverified: bool,
        /// Open an encrypted backup with the identity in this file, as age-keygen writes it
        #[arg(long, value_name = "FILE")]
        identity: Option<PathBuf>,
    },
    /// Look after the audit log
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Replace the secret that the data directory keeps
    #[command(subcommand)]
    Secret(SecretCommand),
    /// Keep the ratings of players
    #[command(subcommand)]
    Ratings(RatingsCommand),
    /// Keep the café's figures
    #[command(subcommand)]
    Stats(StatsCommand),
    /// Look after tournaments
    #[command(subcommand)]
    Tournament(TournamentCommand),
    /// Fill an empty database with a café to look around in: tables, house rules, players, weeks of history, live matches
    Demo {
        /// Another number makes another café
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How far its history goes back
        #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=52))]
        weeks: u32,
    },
    /// Play real matches against a running server (with HOUSERULES_RATE_LIMITS=off), and print one line of JSON about it
    Load(Load),
    /// Make a certificate for TLS without a proxy, and the authority that it is from where there is none; say how devices
    /// come to trust it
    Tls {
        /// What browsers call this server; once for each name or address [default: those of the certificate before, of this
        /// machine, and of --public-url]
        #[arg(long = "name", value_name = "NAME")]
        names: Vec<String>,
    },
    /// Print the OpenAPI document
    Openapi,
    /// Look at the machine, the settings and the database, and say what to improve; fails if something is a problem
    Doctor,
    /// Ask the server whether it is ready, at --ops-bind if that is set, otherwise at --bind; fails if it is not
    Healthcheck,
}

#[derive(Subcommand)]
enum TournamentCommand {
    /// Pair and rank a tournament again from its export, as staff get it; fails if anything is different
    Replay { file: PathBuf },
}

#[derive(Subcommand)]
enum RatingsCommand {
    /// Recompute all ratings and player statistics from the matches, and say whether anything was different
    Recompute,
}

#[derive(Subcommand)]
enum StaffCommand {
    /// Add a member of staff; the password is read from standard input
    Add {
        #[arg(long)]
        email: String,
        #[arg(long)]
        name: String,
        /// staff, manager or owner
        #[arg(long)]
        role: Role,
    },
    /// Remove the second factor of a member of staff who lost phone and codes, until they set it up again
    ResetSecondFactor {
        #[arg(long)]
        email: String,
    },
}

#[derive(Subcommand)]
enum AuditCommand {
    /// Recompute every hash of the log; fails if the chain is broken, or is not the one that the server noted in the data directory
    Verify {
        /// A head that was noted earlier: fails too if the log up to there was cut off or written again
        #[arg(long, value_name = "HASH")]
        head: Option<String>,
    },
    /// Note the log as it is now, after you put another state of the database in its place; fails if the chain is broken
    Accept,
}

#[derive(Subcommand)]
enum SecretCommand {
    /// Make a new secret, and keep the previous one until it is forgotten: nobody is signed out. Restart all servers then
    Rotate {
        /// Forget an earlier previous secret first, whatever it signed
        #[arg(long)]
        forget_previous: bool,
    },
    /// Forget the previous secret, once the sessions that it signed are over. Restart all servers then
    Forget {
        /// Also before they are over, as when somebody knows the secret: browsers sign in again
        #[arg(long)]
        now: bool,
    },
}

#[derive(Subcommand)]
enum StatsCommand {
    /// Recompute all sums from the matches, and say whether anything was different
    Recompute,
}

pub fn run() -> ExitCode {
    let Cli { command, settings } = Cli::parse();
    match settings.resolve().and_then(|config| execute(command.unwrap_or(Command::Serve), config)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("houserules: {err:#}");
            ExitCode::FAILURE
        }
    }
}

fn execute(command: Command, config: Config) -> anyhow::Result<()> {
    if let Command::Openapi = command {
        println!("{}", serde_json::to_string_pretty(openapi::json())?);
        return Ok(());
    }
    telemetry::init(&config)?;
    match command {
        Command::Serve => server::run(config),
        Command::Migrate => with_database(&config, |_| Ok(())),
        Command::Staff(StaffCommand::Add { email, name, role }) => add_staff(&config, &email, &name, role),
        Command::Staff(StaffCommand::ResetSecondFactor { email }) => reset_second_factor(&config, &email),
        Command::Backup { file } => take_backup(&config, &file),
        Command::Restore { path, until, unverified, identity } if path.is_dir() => {
            if unverified {
                bail!(
                    "an archive holds all files of PostgreSQL, settings too: only one that this house signed is used"
                );
            }
            restore_archive(&config, &path, until, identity.as_deref())
        }
        Command::Restore { until: Some(_), .. } => bail!("--until needs the directory of an archive"),
        Command::Restore { path, unverified, identity, .. } => {
            restore_backup(&config, &path, unverified, identity.as_deref())
        }
        Command::Audit(AuditCommand::Verify { head }) => {
            with_house(&config, |db| verify_audit(&config, &db, head.as_deref()))
        }
        Command::Audit(AuditCommand::Accept) => with_house(&config, |db| accept_audit(&config, &db)),
        Command::Secret(SecretCommand::Rotate { forget_previous }) => rotate_secret(&config, forget_previous),
        Command::Secret(SecretCommand::Forget { now }) => forget_secret(&config, now),
        Command::Ratings(RatingsCommand::Recompute) => recompute_ratings(&config),
        Command::Stats(StatsCommand::Recompute) => recompute_stats(&config),
        Command::Tournament(TournamentCommand::Replay { file }) => replay_tournament(&file),
        Command::Demo { seed, weeks } => make_demo(&config, seed, weeks),
        Command::Load(load) => run_load(load),
        Command::Doctor => doctor::run(&config),
        Command::Tls { names } => tls::make(&config, &World::real(), &names),
        Command::Healthcheck => match config.ops_bind {
            Some(address) => healthcheck::ask(address),
            None if config.tls.is_some() => healthcheck::ask_over_tls(config.bind),
            None => healthcheck::ask(config.bind),
        },
        Command::Openapi => Ok(()),
    }
}

fn replay_tournament(file: &Path) -> anyhow::Result<()> {
    let text = std::fs::read(file).with_context(|| format!("reading {} failed", file.display()))?;
    let export = serde_json::from_slice(&text)
        .with_context(|| format!("{} is no export with a log: take it signed in as staff", file.display()))?;
    let replayed = replay(&export).map_err(in_words)?;
    println!("paired {} rounds and ranked {} stages again", replayed.rounds, replayed.stages);
    if !replayed.is_same() {
        let (pairings, standings) = (&replayed.other_pairings, &replayed.other_standings);
        bail!("different: pairings of the revisions {pairings:?}, standings of the stages {standings:?}");
    }
    println!("all the same");
    Ok(())
}

fn run_load(load: Load) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(load.threads()).enable_all().build()?;
    println!("{}", runtime.block_on(crate::load::run(load, &World::real()))?);
    Ok(())
}

fn take_backup(config: &Config, file: &Path) -> anyhow::Result<()> {
    let world = World::real();
    // Relative to where the command was given, wherever PostgreSQL's programs work.
    let file = std::path::absolute(file)?;
    expect_house(config)?;
    let key = Secrets::of_server(config)?.backup_key();
    with_database(config, |db| {
        let label = backup::take(&world, &key, db.address(), &file, &config.backups.recipients)?;
        let details = serde_json::json!({ "bytes": label.bytes, "sha256": label.sha256 });
        record_of_house(&db, &world, "house.backup", details)?;
        println!("{}: {} bytes, SHA-256 {}", file.display(), label.bytes, label.sha256);
        Ok(())
    })
}

fn restore_backup(config: &Config, file: &Path, unverified: bool, identity: Option<&Path>) -> anyhow::Result<()> {
    let world = World::real();
    let trust = match unverified {
        true => Trust::Anything,
        false => Trust::SignedWith(Secrets::find(config)?.map(|secrets| secrets.backup_keys()).unwrap_or_default()),
    };
    let backup = backup::Checked::open(file, &trust)?;
    let cluster = private_cluster(config)?;
    let access = access(config, cluster.as_ref())?;
    let label = backup.restore(access.owner(), identity)?;
    let details =
        serde_json::json!({ "taken_at": label.content.taken_at, "sha256": label.sha256, "unverified": unverified });
    finish_restore(config, &world, &access, details)?;
    println!("restored the backup taken at {}", label.content.taken_at);
    Ok(())
}

fn restore_archive(
    config: &Config,
    dir: &Path,
    until: Option<Timestamp>,
    identity: Option<&Path>,
) -> anyhow::Result<()> {
    let world = World::real();
    if config.database_url.is_some() {
        bail!("an archive is of a private PostgreSQL: leave DATABASE_URL away");
    }
    let known = Secrets::find(config)?.map(|secrets| secrets.backup_keys()).unwrap_or_default();
    let archive = archive::restore::Source { dir, trust: &Trust::SignedWith(known), identity };
    let restored = archive.restore(until, &config.data, &Stop::never())?;
    let cluster = private_cluster(config)?;
    let label = restored.base;
    let details = serde_json::json!({ "taken_at": label.content.taken_at, "sha256": label.sha256, "until": restored.last_change });
    finish_restore(config, &world, &access(config, cluster.as_ref())?, details)?;
    match restored.last_change {
        Some(at) => println!("restored the database; its last change was at {at}"),
        None => println!("restored the base backup taken at {}; nothing changed after it", label.content.taken_at),
    }
    Ok(())
}

/// Brings what was restored up to date, and writes down that it was. A log that is broken is told at the end: a house that has one
/// still needs its backups.
fn finish_restore(config: &Config, world: &World, access: &Access, details: serde_json::Value) -> anyhow::Result<()> {
    let db = Db::open(access.owner().clone(), 2)?;
    migrate(&db, access)?;
    let check = chain::expect_whole(&db, None, None);
    let opened = actix_web::rt::System::new().block_on(open_restored(&db, world, details));
    let staff::Closed { sessions, links } = opened.map_err(in_words)?;
    println!("ended {sessions} sign-ins of staff and {links} open links for staff");
    println!("Access that was ended later is back: look through the staff and the API keys, and end it again");
    tell_whole(&check.context(
        "the database is restored, but its audit log was not found to be whole: restore an earlier state if there is one, \
         or serve this one as it is",
    )?);
    renew_note(config, &db)
}

/// Lets servers open a restored database, once nobody has access any more by what it still knew.
async fn open_restored(db: &Db, world: &World, details: serde_json::Value) -> Result<staff::Closed> {
    let conn = &mut *db.conn().await?;
    conn.transaction(async |conn| {
        let closed = staff::close_access(conn, world).await?;
        let entry = Entry { actor: None, action: "house.restore", subject: "house", subject_id: None, details };
        audit::record(conn, world, entry).await?;
        conn.batch_execute(unfinished::END).await?;
        Ok(closed)
    })
    .await
}

/// For what the command line does to the house as a whole.
fn record_of_house(db: &Db, world: &World, action: &str, details: serde_json::Value) -> anyhow::Result<()> {
    let entry = Entry { actor: None, action, subject: "house", subject_id: None, details };
    let recorded = async { Result::Ok(audit::record(&mut *db.conn().await?, world, entry).await?) };
    actix_web::rt::System::new().block_on(recorded).map_err(in_words)
}

fn rotate_secret(config: &Config, forget_previous: bool) -> anyhow::Result<()> {
    let world = World::real();
    secret::expect_kept(config)?;
    if forget_previous && Secrets::find(config)?.is_some_and(|secrets| secrets.has_previous()) {
        forget_secret(config, true)?;
    }
    with_house(config, |db| {
        secret::rotate(&config.data, &world)?;
        record_of_house(&db, &world, "house.secret_rotate", serde_json::json!({}))
            .context("the secret was replaced, and the audit log does not say so")?;
        println!("replaced the secret in {}; the previous one is kept beside it", config.data.display());
        println!("Now stop all servers, then start them: until then they sign and seal with the previous one");
        println!("Once the sessions that it signed are over, in 30 days: houserules secret forget");
        Ok(())
    })
}

fn forget_secret(config: &Config, now: bool) -> anyhow::Result<()> {
    let world = World::real();
    let secrets = Secrets::find(config)?.context("there is no secret")?;
    if !secrets.has_previous() {
        bail!("there is no previous secret");
    }
    with_house(config, |db| {
        let count = async {
            let (conn, seal) = (&mut *db.conn().await?, secrets.seal());
            let factors = second_factor::count_of_previous(conn, &world, &seal).await?;
            Result::Ok((factors, webhooks::count_of_previous(conn, &seal).await?))
        };
        let (factors, webhooks) = actix_web::rt::System::new().block_on(count).map_err(in_words)?;
        if factors + webhooks > 0 {
            bail!(
                "{factors} second factors and the secrets of {webhooks} webhooks are sealed with the previous secret: \
                 restart the server, which seals them with the current one, and try again"
            );
        }
        secret::expect_kept(config).context("no second factor and no webhook needs the previous secret any more")?;
        let over = secrets.changed_at().map(|at| at + Use::Page.lifetime(Role::Player));
        if let Some(over) = over.filter(|over| !now && *over > world.now()) {
            bail!(
                "until {} there may be sessions that the previous secret signed, and their browsers would have to sign in \
                 again: wait, or say --now if somebody may know that secret",
                over.strftime("%Y-%m-%d")
            );
        }
        let note = Note::new(&config.data, secrets.audit_keys());
        if let Some(noted) = note.read()? {
            note.write(&world, &noted)?;
        }
        secret::forget(&config.data)?;
        record_of_house(&db, &world, "house.secret_forget", serde_json::json!({}))
            .context("the previous secret was forgotten, and the audit log does not say so")?;
        println!("forgot the previous secret. Now restart all servers: until then they accept what it signed");
        Ok(())
    })
}

/// As `with_database`, for a database that there must be: a new one would be empty, whatever is asked of it.
fn with_house<T>(config: &Config, act: impl FnOnce(Db) -> anyhow::Result<T>) -> anyhow::Result<T> {
    expect_house(config)?;
    with_database(config, act)
}

fn expect_house(config: &Config) -> anyhow::Result<()> {
    if config.database_url.is_none() && !cluster::is_made(&config.data) {
        bail!(
            "there is no private PostgreSQL in {}: set --data or DATABASE_URL as the server has it",
            config.data.display()
        );
    }
    Ok(())
}

/// With the head that the server noted, and with one that somebody else did.
fn verify_audit(config: &Config, db: &Db, hash: Option<&str>) -> anyhow::Result<()> {
    let hash =
        hash.map(|text| unhex(text).with_context(|| format!("`{text}` is no head: 64 hex digits"))).transpose()?;
    let noted = find_note(config)?.map(|note| note.read()).transpose()?.flatten();
    if let (Some(noted), Some(newest)) = (&noted, newest_line(db)?)
        && noted.is_of_another_database(&newest)
    {
        println!("the line that the server noted in {} is of another database", config.data.display());
    }
    let head = noted.map(|noted| noted.head);
    let check = chain::expect_whole(db, head, hash.as_deref())?;
    tell_whole(&check);
    match head {
        Some(head) => println!("it holds line {}, which the server noted", head.n),
        None => println!("no server noted a line in {}", config.data.display()),
    }
    Ok(())
}

fn tell_whole(check: &Check) {
    println!("the audit log is whole: {} lines, head {}", check.links, hex(&check.head));
}

fn accept_audit(config: &Config, db: &Db) -> anyhow::Result<()> {
    let check = chain::expect_whole(db, None, None)?;
    let details = serde_json::json!({ "links": check.links, "head": hex(&check.head) });
    record_of_house(db, &World::real(), "audit.accept", details)?;
    note_audit_head(config, db)?;
    println!("noted the audit log as it is: {} lines. Now restart all servers", check.links + 1);
    Ok(())
}

/// Notes the log as it is now, if this house has a secret to sign that with.
fn note_audit_head(config: &Config, db: &Db) -> anyhow::Result<()> {
    match (find_note(config)?, newest_line(db)?) {
        (Some(note), Some(newest)) => note.write(&World::real(), &newest),
        _ => Ok(()),
    }
}

/// The log of a restored database is another one than before. The note of another database, which may still serve, stays.
fn renew_note(config: &Config, db: &Db) -> anyhow::Result<()> {
    let (Some(note), Some(newest)) = (find_note(config)?, newest_line(db)?) else { return Ok(()) };
    match note.read() {
        // The server that opens the database makes one.
        Ok(None) => Ok(()),
        Ok(Some(noted)) if noted.is_of_same_database(&newest) => note.write(&World::real(), &newest),
        _ => {
            println!(
                "left the noted line of the audit log in {} as it is, since it may be another database's. If this one takes \
                 that one's place: houserules audit accept",
                config.data.display()
            );
            Ok(())
        }
    }
}

fn newest_line(db: &Db) -> anyhow::Result<Option<Noted>> {
    let newest = async { Result::Ok(Noted::newest(&mut *db.conn().await?).await?) };
    actix_web::rt::System::new().block_on(newest).map_err(in_words)
}

fn find_note(config: &Config) -> anyhow::Result<Option<Note>> {
    Ok(Secrets::find(config)?.map(|secrets| Note::new(&config.data, secrets.audit_keys())))
}

fn recompute_stats(config: &Config) -> anyhow::Result<()> {
    with_house(config, |db| {
        let recompute = async {
            let mut conn = db.conn().await?;
            let zone = cafe_zone(&mut conn, config).await?;
            stats::recompute(&mut conn, &zone).await
        };
        let stats::Recomputed { days, differing } =
            actix_web::rt::System::new().block_on(recompute).map_err(in_words)?;
        println!("{days} days recomputed; {differing} rows differ from what was stored");
        Ok(())
    })
}

async fn cafe_zone(conn: &mut AsyncPgConnection, config: &Config) -> Result<TimeZone> {
    let cafe = Cafe::default();
    cafe.read(conn).await?;
    Ok(cafe.zone(&config.time_zone))
}

fn add_staff(config: &Config, email: &str, name: &str, role: Role) -> anyhow::Result<()> {
    let password = read_password()?;
    let person = Person::parse(email, Some(name), password.trim_end_matches(['\r', '\n']))?;
    if role == Role::Player {
        bail!("a player is no member of staff: the role is staff, manager or owner");
    }
    with_database(config, |db| {
        let added = actix_web::rt::System::new().block_on(async {
            let passwords = Passwords::new(1);
            person.add(&db, &World::real(), &passwords, role).await
        });
        let added = added.map_err(in_words)?;
        println!("{} {} ({})", added.role, added.display_name, added.id);
        Ok(())
    })
}

/// Typed unseen at a terminal, or all of standard input.
fn read_password() -> anyhow::Result<String> {
    if std::io::stdin().is_terminal() {
        return Ok(rpassword::prompt_password("Password: ")?);
    }
    let mut password = String::new();
    std::io::stdin().read_to_string(&mut password).context("no password on standard input")?;
    Ok(password)
}

fn recompute_ratings(config: &Config) -> anyhow::Result<()> {
    with_house(config, |db| {
        let recompute = async {
            let mut conn = db.conn().await?;
            let zone = cafe_zone(&mut conn, config).await?;
            projections::recompute(&mut conn, &zone).await
        };
        let Recomputed { matches, differing } = actix_web::rt::System::new().block_on(recompute).map_err(in_words)?;
        println!("{matches} matches recomputed; {differing} rows differ from what was stored");
        Ok(())
    })
}

fn make_demo(config: &Config, seed: u64, weeks: u32) -> anyhow::Result<()> {
    let world = World::real();
    let (owner, password) = match &config.owner {
        Some((email, password)) => (Some(email.clone()), password.reveal().to_owned()),
        None => (None, base::auth::secrets::encode(&world.bytes::<9>())),
    };
    let chosen = Password::parse(&password).and_then(ChosenPassword::of_operator);
    let chosen = chosen.map_err(|err| anyhow!("the password: {}", err.detail(Lang::En)))?;
    let wish = Wish { seed, weeks, now: world.now(), zone: config.time_zone.clone(), owner };
    eprintln!("Filling a café with {weeks} weeks of history: this takes a minute or two.");
    let filled = with_database(config, |db| {
        let fill = async {
            let hash = Passwords::new(1).hash(&world, chosen).await?;
            let live = Live::unheard(Stop::never());
            demo::fill(&mut *db.conn().await?, &live, wish, hash).await
        };
        actix_web::rt::System::new().block_on(fill).map_err(in_words)
    })?;
    let Some((told, staff)) = filled else {
        bail!("this café is in use already; a demo needs an empty one, such as --data ./demo");
    };
    println!("{told}");
    println!("Serve it with the same --data or DATABASE_URL, and sign in at /admin with the password {password} as");
    staff.iter().for_each(|(email, role)| println!("  {email} ({role})"));
    if let Some(code) = told.free_table {
        println!("Play at a free table: open /t/{code} on phones, or in several private windows");
    }
    Ok(())
}

fn reset_second_factor(config: &Config, email: &str) -> anyhow::Result<()> {
    with_house(config, |db| {
        let forgotten = actix_web::rt::System::new().block_on(async {
            let mut conn = db.conn().await?;
            let row = players::store::find_by_email(&mut conn, &email.trim().to_lowercase()).await?;
            let row = row.ok_or_else(|| not_found("staff_not_found"))?;
            let subject_id = Some(row.id.0);
            let details = serde_json::json!({ "name": row.display_name });
            conn.transaction(async |conn| {
                let forgotten = second_factor::forget(conn, row.id).await?;
                let action = "staff.second_factor_reset";
                audit::record(
                    conn,
                    &World::real(),
                    Entry { actor: None, action, subject: "player", subject_id, details },
                )
                .await?;
                Result::Ok(forgotten)
            })
            .await
        });
        println!(
            "{}",
            if forgotten.map_err(in_words)? { "second factor removed" } else { "there was no second factor" }
        );
        Ok(())
    })
}
