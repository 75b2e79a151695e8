//! A PgBouncer between servers and the run's Postgres.

use std::fs::{self, File};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use postgres::{Client, Config, NoTls};

use crate::cluster::{Database, socket, unprivileged, unprivileged_user};
use crate::programs::built;
use crate::wait::block_until;
use crate::workplace::workplace;

/// What `docs/operations.md` tells people to write.
const LIMITS: &str =
    "SET statement_timeout = 10000; SET lock_timeout = 4000; SET idle_in_transaction_session_timeout = 15000";
const USER: &str = "server";
/// So few that clients share them all the time.
const CONNECTIONS: usize = 3;

/// One on a unix socket of its own, by which one database is reached. It lends a connection for a transaction at a time and keeps
/// prepared statements, unless told otherwise.
pub struct Pooler {
    folder: PathBuf,
    database: String,
    child: Child,
}

impl Pooler {
    /// As the documents say how to.
    pub fn start(database: &Database) -> Self {
        Self::start_with(database, LIMITS, &[])
    }

    /// With this said on each new connection, and these lines besides.
    pub fn start_with(database: &Database, said: &str, lines: &[&str]) -> Self {
        let folder = workplace().folder("pooler");
        if let Some((uid, gid)) = unprivileged() {
            chown(&folder, Some(uid), Some(gid)).expect("root may give its folders away");
        }
        let said = if said.is_empty() { String::new() } else { format!(" connect_query='{said}'") };
        let settings = format!(
            "[databases]\n* = host={}{said}\n[pgbouncer]\nunix_socket_dir = {}\nlisten_addr =\nlisten_port = 6432\n\
             auth_type = trust\nauth_file = {}\npool_mode = transaction\nmax_prepared_statements = 200\n\
             default_pool_size = {CONNECTIONS}\nmax_client_conn = 400\nserver_login_retry = 1\n{}\n",
            socket().display(),
            folder.display(),
            folder.join("users").display(),
            lines.join("\n"),
        );
        fs::write(folder.join("pgbouncer.ini"), settings).expect("the folder of this run can be written to");
        fs::write(folder.join("users"), format!("\"{USER}\" \"\"\n"))
            .expect("the folder of this run can be written to");
        let child = spawn(&folder);
        Self { folder, database: database.name().to_owned(), child }
    }

    /// The database's address by it, as `DATABASE_URL` wants it.
    pub fn url(&self) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://{USER}@{folder}:6432/{}", self.database)
    }

    /// SIGKILL, and another one takes its place.
    pub fn kill_and_replace(&mut self) {
        self.end();
        self.child = spawn(&self.folder);
    }

    /// What each of its connections to Postgres answers. It lends them all at once.
    pub fn ask_each(&self, question: &str) -> Vec<String> {
        std::thread::scope(|scope| scope.spawn(|| self.ask_all_at_once(question)).join().expect("it answers"))
    }

    fn ask_all_at_once(&self, question: &str) -> Vec<String> {
        let mut clients: Vec<Client> = (0..CONNECTIONS).map(|_| self.connect()).collect();
        let mut lent: Vec<_> = clients.iter_mut().map(|client| client.transaction().expect("it lends one")).collect();
        lent.iter_mut().map(|it| it.query_one(question, &[]).expect("it answers").get(0)).collect()
    }

    fn connect(&self) -> Client {
        let mut config = Config::new();
        config.host_path(&self.folder).port(6432).user(USER).dbname(&self.database);
        config.connect(NoTls).expect("it lets its user in")
    }

    fn end(&mut self) {
        self.child.kill().expect("it is our child");
        self.child.wait().expect("it is our child");
        workplace().forget(self.child.id());
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        self.end();
    }
}

fn spawn(folder: &Path) -> Child {
    let socket = folder.join(".s.PGSQL.6432");
    // One that was killed leaves its socket.
    fs::remove_file(&socket).ok();
    let output = File::create(workplace().log("pooler")).expect("the folder of this run can be written to");
    let mut command = Command::new(built("pgbouncer"));
    if let Some(user) = unprivileged_user() {
        command.args(["-u", user]);
    }
    command.arg(folder.join("pgbouncer.ini")).current_dir(folder).process_group(0);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(output).spawn().expect("PgBouncer starts");
    workplace().remember(child.id());
    block_until("the pooler", || {
        assert!(child.try_wait().expect("it is our child").is_none(), "PgBouncer ended: its log says why");
        std::os::unix::net::UnixStream::connect(&socket).ok()
    });
    child
}
