//! One Postgres for the whole run, on a unix socket only; in it a migrated template, and a copy of that for each test.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread::JoinHandle;

use postgres::{Client, Config, NoTls};

use crate::line::{End, Line};
use crate::programs::{program, run};
use crate::server::end;
use crate::wait::block_until;
use crate::workplace::workplace;

/// The superuser, who owns the databases.
const USER: &str = "app";
/// Whom the servers are: it has no more rights than theirs should have.
const SERVER: &str = "server";
const TEMPLATE: &str = "template_migrated";
const HOUSE: &str = "house";
const PORT: u16 = 5432;

struct Cluster {
    data: PathBuf,
    socket: PathBuf,
    log: PathBuf,
    port: u16,
    /// How it copies a database: by its files, which is faster than page by page through its log.
    strategy: &'static str,
}

/// A migrated, empty database of one test's own; dropped with it.
pub struct Database {
    cluster: Arc<Cluster>,
    name: String,
}

impl Database {
    /// A fresh one.
    pub fn new() -> Self {
        let cluster = cluster();
        let name = workplace().unique("test_");
        cluster.execute(&format!("CREATE DATABASE {name} TEMPLATE {TEMPLATE} {}", cluster.strategy));
        Database { cluster: cluster.clone(), name }
    }

    /// Its address, as `DATABASE_URL` wants it.
    pub fn url(&self) -> String {
        self.cluster.url(SERVER, &self.name)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same for its owner, who may change the schema.
    pub fn owner_url(&self) -> String {
        self.cluster.url(USER, &self.name)
    }

    /// A line to it, and its address by that line.
    pub fn by_line(&self) -> (Line, String) {
        let line = Line::to_end(End::Socket(self.cluster.socket.join(".s.PGSQL.5432")));
        let url = format!("postgres://{SERVER}@{}/{}", line.address(), self.name);
        (line, url)
    }

    /// Nobody gets in any more, and who is in goes out.
    pub fn shut(&self) {
        self.cluster.execute(&format!("ALTER DATABASE {} ALLOW_CONNECTIONS false", self.name));
        let inside = format!("FROM pg_stat_activity WHERE datname = '{}'", self.name);
        self.cluster.execute(&format!("SELECT pg_terminate_backend(pid) {inside}"));
    }

    /// Clients can connect again.
    pub fn reopen(&self) {
        self.cluster.execute(&format!("ALTER DATABASE {} ALLOW_CONNECTIONS true", self.name));
    }

    /// Runs this in it, away from the service.
    pub fn with<T: Send>(&self, ask: impl FnOnce(&mut Client) -> T + Send) -> T {
        aside(|| ask(&mut self.cluster.connect(&self.name).expect("the database is there")))
    }

    /// Locks this table against every use, until what this gives is dropped.
    pub fn lock(&self, table: &str) -> Lock {
        self.hold(format!("LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE"))
    }

    /// Locks this match against every change, until what this gives is dropped.
    pub fn lock_match(&self, id: &str) -> Lock {
        self.hold(format!("SELECT FROM matches WHERE id = '{id}' FOR UPDATE"))
    }

    /// Does this in a transaction that lasts until what this gives is dropped, and is undone then.
    pub fn hold(&self, lock: String) -> Lock {
        let (begin, begun) = mpsc::channel();
        let (end, ended) = mpsc::channel::<()>();
        let (cluster, name) = (self.cluster.clone(), self.name.clone());
        let holder = std::thread::spawn(move || {
            let mut client = cluster.connect(&name).expect("the database is there");
            let mut transaction = client.transaction().expect("it can begin");
            transaction.batch_execute(&lock).expect("it is there");
            begin.send(()).expect("somebody waits for it");
            // Until the other end is dropped.
            ended.recv().ok();
        });
        begun.recv().expect("it can be locked");
        Lock { end: Some(end), holder: Some(holder) }
    }

    /// From the next connection on, Postgres logs what it does for this database: see `prepared`.
    pub fn log_statements(&self) {
        self.cluster.execute(&format!("ALTER DATABASE {} SET log_min_duration_statement = 0", self.name));
    }

    /// The first line of each statement that was prepared here, as often as it was.
    pub fn prepared(&self) -> Vec<String> {
        let log = fs::read(&self.cluster.log).expect("Postgres has a log");
        let log = String::from_utf8_lossy(&log);
        let ours = format!(" {} LOG:  duration: ", self.name);
        let lines = log.lines().filter(|line| line.contains(&ours));
        lines.filter_map(|line| Some(line.split_once(" ms  parse ")?.1.split_once(": ")?.1.to_owned())).collect()
    }

    /// How many wait for what another holds, but for the autopilot, which looks each second for matches that were left.
    pub fn waiting(&self) -> i64 {
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                       AND wait_event_type = 'Lock' AND query NOT LIKE '%(to_move & resigned) <> 0%'";
        self.with(|client| client.query_one(waiting, &[])).expect("it counts").get(0)
    }
}

/// A lock that is held.
pub struct Lock {
    end: Option<mpsc::Sender<()>>,
    holder: Option<JoinHandle<()>>,
}

impl Drop for Lock {
    fn drop(&mut self) {
        drop(self.end.take());
        self.holder.take().map(JoinHandle::join);
    }
}

impl Default for Database {
    fn default() -> Self {
        Database::new()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // A test that has failed says so itself, and its database goes with the cluster.
        if !std::thread::panicking() && Arc::ptr_eq(&self.cluster, cluster()) {
            self.cluster.execute(&format!("DROP DATABASE {} WITH (FORCE)", self.name));
        }
    }
}

/// A Postgres of its own that is reached by TCP, and encrypts what its clients want encrypted.
pub struct EncryptedPostgres(Cluster);

impl EncryptedPostgres {
    /// With this certificate and its key, as PEM.
    pub fn start(certificate: &str, key: &str) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let settings = ["listen_addresses=127.0.0.1", "ssl=on", "ssl_cert_file=its.pem", "ssl_key_file=its.key"];
        let cluster = Cluster::start(free.expect("there is one").port(), &settings, |data| {
            for (name, content) in [("its.pem", certificate), ("its.key", key)] {
                let file = data.join(name);
                fs::write(&file, content).expect("the folder of this run can be written to");
                fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("it is ours");
                give_away(&file);
            }
        });
        Self(cluster)
    }

    /// An empty database in it.
    pub fn make(&self, database: &str) {
        self.0.execute(&format!("CREATE DATABASE {database}"));
    }

    /// The address of one of its databases under the name `localhost`, with this after the question mark.
    pub fn url(&self, database: &str, parameters: &str) -> String {
        format!("postgres://{USER}@localhost:{}/{database}?{parameters}", self.0.port)
    }

    /// Of those who use this database: how many encrypt, and how many do not.
    pub fn clients(&self, database: &str) -> (i64, i64) {
        let counts = "SELECT count(*) FILTER (WHERE ssl), count(*) FILTER (WHERE NOT ssl)
                      FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE datname = $1";
        let row = aside(|| self.0.connect("postgres").and_then(|mut client| client.query_one(counts, &[&database])));
        let row = row.expect("it counts");
        (row.get(0), row.get(1))
    }
}

impl Drop for EncryptedPostgres {
    fn drop(&mut self) {
        self.0.signal("QUIT");
    }
}

/// A Postgres and a standby that streams from it, with one migrated database. What is acknowledged is on both.
pub struct ReplicatedPostgres {
    primary: Arc<Cluster>,
    standby: Arc<Cluster>,
}

impl ReplicatedPostgres {
    /// Both run, and the standby has caught up.
    pub fn start() -> Self {
        let settings = ["listen_addresses=", "synchronous_commit=on", "wal_keep_size=512", "max_wal_senders=4"];
        let primary = Cluster::start(PORT, &settings, |_| {});
        primary.furnish(HOUSE);
        let home = workplace().folder("standby");
        let data = home.join("pg");
        give_away(&home);
        let from = format!("host={} port={PORT} user={USER}", primary.socket.display());
        let mut copy = postgres_program("pg_basebackup", unprivileged());
        run(copy.arg("-D").arg(&data).args(["-d", &from, "-R", "-X", "stream", "-c", "fast", "--no-sync"])).well();
        let standby = Cluster::run(&home, PORT, &[&settings[..], &["max_standby_streaming_delay=1s"]].concat());
        primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'");
        primary.execute("SELECT pg_reload_conf()");
        Self { primary: Arc::new(primary), standby: Arc::new(standby) }
    }

    /// The database where it can be written to.
    pub fn database(&self) -> Database {
        Database { cluster: self.primary.clone(), name: HOUSE.to_owned() }
    }

    /// The same at the standby.
    pub fn standby(&self) -> Database {
        Database { cluster: self.standby.clone(), name: HOUSE.to_owned() }
    }

    /// Its address at whichever of the two takes writes.
    pub fn fail_over_url(&self) -> String {
        let socket = |cluster: &Cluster| cluster.socket.display().to_string().replace('/', "%2F");
        let (standby, primary) = (socket(&self.standby), socket(&self.primary));
        format!("postgres://{SERVER}@{standby},{primary}/{HOUSE}?target_session_attrs=read-write")
    }

    /// The standby goes on receiving, and shows nothing new.
    pub fn pause(&self) {
        // Commits wait for what it has received, not for what it shows.
        self.standby.execute("SELECT pg_wal_replay_pause()");
    }

    /// It shows what it received.
    pub fn resume(&self) {
        self.standby.execute("SELECT pg_wal_replay_resume()");
    }

    /// The standby ends, without waiting for anybody, and nobody waits for it.
    pub fn kill_standby(&self) {
        self.primary.execute("ALTER SYSTEM SET synchronous_standby_names = ''");
        self.primary.execute("SELECT pg_reload_conf()");
        self.standby.signal("QUIT");
    }

    /// The primary ends in the middle of everything, and the standby takes its place.
    pub fn fail_over(&self) {
        self.primary.signal("KILL");
        self.standby.execute("SELECT pg_promote()");
    }
}

impl Drop for ReplicatedPostgres {
    fn drop(&mut self) {
        for cluster in [&self.standby, &self.primary] {
            cluster.signal("QUIT");
        }
    }
}

fn cluster() -> &'static Arc<Cluster> {
    static CLUSTER: OnceLock<Arc<Cluster>> = OnceLock::new();
    CLUSTER.get_or_init(|| {
        let mut cluster = Cluster::start(PORT, &["listen_addresses="], |_| {});
        let ask = |mut client: Client| client.query_one("SELECT current_setting('server_version_num')::int", &[]);
        let version: i32 = aside(|| cluster.connect("postgres").and_then(ask)).expect("it has started").get(0);
        // Before version 15 there was no other way.
        if version >= 150_000 {
            cluster.strategy = "STRATEGY file_copy";
        }
        cluster.furnish(TEMPLATE);
        Arc::new(cluster)
    })
}

impl Cluster {
    /// With these settings, and with what else is put into its folder.
    fn start(port: u16, settings: &[&str], furnish: impl FnOnce(&Path)) -> Self {
        let home = workplace().folder("cluster");
        let data = home.join("pg");
        let owner = unprivileged();
        fs::create_dir(&data).expect("the folder of this run can be written to");
        give_away(&data);
        let mut initdb = postgres_program("initdb", owner);
        run(initdb.arg("-D").arg(&data).args([
            "-U",
            USER,
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
        ]))
        .well();
        furnish(&data);
        Self::run(&home, port, settings)
    }

    /// What is in this folder already.
    #[expect(clippy::zombie_processes, reason = "it ends with this process at the latest, by the guard")]
    fn run(home: &Path, port: u16, settings: &[&str]) -> Self {
        let (data, socket) = (home.join("pg"), home.join("socket"));
        fs::create_dir(&socket).expect("the folder of this run can be written to");
        give_away(&socket);
        let log = workplace().log("postgres");
        let output = File::create(&log).expect("the folder of this run can be written to");
        let mut server = postgres_program("postgres", unprivileged());
        server.arg("-D").arg(&data).arg("-k").arg(&socket);
        // Nothing here is to survive a power cut; what is to be durable is tested on clusters of its own.
        for setting in ["fsync=off", "synchronous_commit=off", "full_page_writes=off"].iter().chain(settings) {
            server.args(["-c", setting]);
        }
        server.arg("-p").arg(port.to_string());
        server.args(["-c", "max_connections=500", "-c", "autovacuum=off", "-c", "log_line_prefix=%m [%p] %d "]);
        server.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(output);
        server.spawn().expect("Postgres starts");
        let cluster = Cluster { data, socket, log, port, strategy: "" };
        block_until("the tests' Postgres", || aside(|| cluster.connect("postgres").ok().map(|_| ())));
        cluster
    }

    /// The server's role, and a database that is migrated and in which it may do what a server must.
    fn furnish(&self, database: &str) {
        self.execute(&format!("CREATE DATABASE {database}"));
        self.execute(&format!("CREATE ROLE {SERVER} LOGIN"));
        let mut migrate = Command::new(program("houserules"));
        migrate.arg("migrate").env("DATABASE_URL", self.url(SERVER, database));
        run(migrate.env("DATABASE_OWNER_URL", self.url(USER, database))).well();
    }

    /// Sends a signal to its first process, if that lives.
    fn signal(&self, signal: &str) {
        // The guard ends only what is there when the run is over.
        let pid = fs::read_to_string(self.data.join("postmaster.pid")).ok();
        if let Some(pid) = pid.and_then(|file| file.lines().next()?.parse().ok()) {
            end(signal, pid);
        }
    }

    fn connect(&self, database: &str) -> Result<Client, postgres::Error> {
        Config::new().host_path(&self.socket).port(self.port).user(USER).dbname(database).connect(NoTls)
    }

    fn url(&self, user: &str, database: &str) -> String {
        let socket = self.socket.display().to_string().replace('/', "%2F");
        format!("postgres://{user}@{socket}/{database}")
    }

    fn execute(&self, statement: &str) {
        aside(|| self.connect("postgres").and_then(|mut client| client.batch_execute(statement)))
            .unwrap_or_else(|err| panic!("{statement}: {err}"));
    }
}

/// To the user who runs Postgres, if we are root.
fn give_away(path: &Path) {
    if let Some((uid, gid)) = unprivileged() {
        chown(path, Some(uid), Some(gid)).expect("root may give its files away");
    }
}

/// The `postgres` crate blocks, which a test's own thread may not do while it drives an asynchronous runtime.
fn aside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| match scope.spawn(work).join() {
        Ok(done) => done,
        Err(panicked) => std::panic::resume_unwind(panicked),
    })
}

/// One of Postgres's programs, run by a user who is not root, if one is named: most refuse to be.
pub fn postgres_program(name: &str, owner: Option<(u32, u32)>) -> Command {
    let mut command = Command::new(postgres_folder().join(name));
    command.current_dir("/");
    if let Some((uid, gid)) = owner {
        command.uid(uid).gid(gid);
    }
    command
}

/// Where the newest PostgreSQL of this machine has its programs.
pub(crate) fn postgres_folder() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = versions
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse::<u32>().ok()?, entry.path().join("bin"))))
        .filter(|(_, folder)| folder.join("initdb").exists())
        .max();
    let on_path = || {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).find(|folder| folder.join("initdb").exists())
    };
    newest
        .map(|(_, folder)| folder)
        .or_else(on_path)
        .expect("PostgreSQL is missing: `scripts/need postgresql` installs it on Debian")
}

/// Whom root runs Postgres as: user and group; none if we are not root.
pub(crate) fn unprivileged() -> Option<(u32, u32)> {
    unprivileged_user().map(|name| user(name).expect("it was found"))
}

/// The same by name.
pub(crate) fn unprivileged_user() -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt;
    let we = fs::metadata("/proc/self").expect("Linux has /proc").uid();
    let known = |name: &&str| user(name).is_some();
    (we == 0).then(|| ["postgres", "nobody"].into_iter().find(known).expect("every system knows nobody"))
}

/// The folder of the socket of the run's Postgres.
pub(crate) fn socket() -> &'static Path {
    &cluster().socket
}

fn user(name: &str) -> Option<(u32, u32)> {
    let users = fs::read_to_string(Path::new("/etc/passwd")).ok()?;
    let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut fields = line.split(':').skip(2).map(str::parse);
    Some((fields.next()?.ok()?, fields.next()?.ok()?))
}
