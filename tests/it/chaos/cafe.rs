//! The house: three processes on one database. The first looks after the Postgres, the others reach it by lines of their own.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use harness::{Clock, Disk, Launch, Line, Server, Visitor, end, eventually, program, run};
use serde_json::json;

use super::crowd::PATIENCE;
use super::faults::Fault;

pub(super) const OWNER: (&str, &str) = ("owner@house-rules.test", "correct horse battery staple");
/// Enough for a Postgres and an evening's matches.
const DISK_MEGABYTES: u32 = 512;
/// All errors that a server may log: a fault explains them.
const EXPLAINED: [&str; 3] = [
    "restarting the private PostgreSQL: it ended",
    "restarting the private PostgreSQL failed",
    "writing to the database failed for want of room",
];

pub(super) struct Cafe {
    processes: Vec<Process>,
    data: PathBuf,
    /// None where there can be none.
    disk: Option<Disk>,
    clock: Option<Clock>,
    /// How many seconds the clock is ahead.
    ahead: i64,
}

struct Process {
    server: Server,
    launch: Launch,
    /// To the database.
    line: Option<Line>,
}

/// The one that looks after the Postgres.
pub(super) const FIRST: usize = 0;
/// The others.
pub(super) const OTHERS: std::ops::Range<usize> = 1..3;

impl Cafe {
    pub(super) fn open() -> Self {
        let disk = Disk::mount(DISK_MEGABYTES).map_err(|err| println!("no full disks, as none can be mounted: {err}"));
        let clock = Clock::new().map_err(|err| println!("no jumps of the clock, as cc does not build one: {err}"));
        let (disk, clock) = (disk.ok(), clock.ok());
        let launch = Launch::new()
            .set("HOUSERULES_RATE_LIMITS", "off")
            .set("HOUSERULES_BACKUP_EVERY", "off")
            .set("HOUSERULES_LOG", "warn")
            .set("HOUSERULES_WORKERS", "1")
            .set("HOUSERULES_POOL_SIZE", "4")
            .set("HOUSERULES_SECRET", "a secret for tests, thirty-two bytes and more")
            .set("HOUSERULES_OWNER_EMAIL", OWNER.0)
            .set("HOUSERULES_OWNER_PASSWORD", OWNER.1);
        let launch = match &clock {
            Some(clock) => clock.wound_into(launch),
            None => launch,
        };
        let data = disk.as_ref().map_or(launch.folder(), Disk::folder).join("data");
        let first = launch.clone().set("HOUSERULES_DATA", data.display().to_string());
        let mut cafe = Cafe { processes: vec![Process::start(first, None)], data, disk, clock, ahead: 0 };
        cafe.keep_little_log();
        for _ in OTHERS {
            let line = Line::to_socket(cafe.data.join("postgres/socket/.s.PGSQL.5432"));
            let url = format!("postgres://houserules_server@{}/houserules", line.address());
            cafe.processes.push(Process::start(launch.clone().set("DATABASE_URL", url), Some(line)));
        }
        cafe
    }

    /// Postgres keeps a gigabyte of its log if nobody tells it not to.
    fn keep_little_log(&self) {
        let settings = File::options().append(true).open(self.data.join("postgres/data/postgresql.conf"));
        let written = settings.and_then(|mut file| file.write_all(b"min_wal_size = 32MB\nmax_wal_size = 64MB\n"));
        written.expect("the cluster has settings");
        end("HUP", self.postmaster().expect("it runs"));
    }

    /// Where guests get in.
    pub(super) fn addresses(&self) -> Vec<String> {
        self.processes.iter().map(|it| it.server.url().to_owned()).collect()
    }

    /// What can be done to it here, and is wanted.
    pub(super) fn possible(&self) -> Vec<Fault> {
        let only = std::env::var("CHAOS_ONLY").unwrap_or_default();
        let is_possible = |it: &Fault| match it {
            Fault::FullDisk => self.disk.is_some(),
            Fault::ClockJump => self.clock.is_some(),
            _ => true,
        };
        Fault::EACH.into_iter().filter(|it| it.to_string().contains(&only)).filter(is_possible).collect()
    }

    pub(super) fn pid(&self, which: usize) -> u32 {
        self.processes[which].server.pid()
    }

    pub(super) fn kill(&mut self, which: usize) {
        self.processes[which].server.kill();
    }

    /// Starts it again, as whatever looks after servers would.
    pub(super) async fn start_again(&mut self, which: usize) {
        let process = &mut self.processes[which];
        let launch = process.launch.clone();
        let started = tokio::task::spawn_blocking(move || started(&launch)).await;
        let killed = std::mem::replace(&mut process.server, started.expect("it starts"));
        expect_explained(&killed);
    }

    pub(super) fn line(&self, which: usize) -> &Line {
        self.processes[which].line.as_ref().expect("the others have one")
    }

    pub(super) fn disk(&self) -> &Disk {
        self.disk.as_ref().expect("what is not possible does not strike")
    }

    /// The clock is so many seconds ahead now; or behind, if it was ahead before.
    pub(super) fn jump(&mut self, seconds: i64) {
        self.ahead = if self.ahead > 0 { -seconds } else { seconds };
        self.clock.as_ref().expect("what is not possible does not strike").set_off_by(self.ahead);
    }

    fn postmaster(&self) -> Option<u32> {
        fs::read_to_string(self.data.join("postgres/data/postmaster.pid")).ok()?.lines().next()?.parse().ok()
    }

    /// The processes of its Postgres, the postmaster first.
    pub(super) async fn postgres(&self) -> Vec<u32> {
        eventually("a Postgres that runs", async || {
            let postmaster = self.postmaster()?;
            let children: Vec<_> = children(postmaster).collect();
            (!children.is_empty()).then(|| [vec![postmaster], children].concat())
        })
        .await
    }

    /// Nothing is wrong any more, not even the time.
    pub(super) fn calm(&self) {
        self.clock.iter().for_each(|clock| clock.set_off_by(0));
    }

    pub(super) async fn owner(&self) -> Visitor {
        let owner = json!({ "email": OWNER.0, "password": OWNER.1 });
        Visitor::new(self.processes[FIRST].server.url()).sign_in("/auth/login", owner, 200).await
    }

    /// The audit log is whole, and all can be stopped.
    pub(super) async fn close(mut self, owner: &Visitor) {
        let check = owner.get("/audit/check").await.is(200);
        assert_eq!(check["whole"], true, "{check}");
        let mut verify = std::process::Command::new(program("houserules"));
        run(verify.args(["audit", "verify"]).env("HOUSERULES_DATA", &self.data)).well();
        for process in self.processes.iter_mut().rev() {
            assert!(process.server.stop().success(), "{}", process.server.log());
            expect_explained(&process.server);
        }
    }
}

impl Process {
    fn start(launch: Launch, line: Option<Line>) -> Self {
        Process { server: started(&launch), launch, line }
    }
}

fn started(launch: &Launch) -> Server {
    let began = Instant::now();
    loop {
        match launch.try_start() {
            Ok(mut server) => {
                server.forgive_errors();
                return server;
            }
            Err(ran) => assert!(began.elapsed() < PATIENCE, "the server does not start: {ran:#?}"),
        }
    }
}

fn expect_explained(server: &Server) {
    let log = server.log();
    let explained = |line: &&str| EXPLAINED.iter().any(|it| line.contains(it));
    // Behind the time. Warnings may quote an error of PostgreSQL.
    let errors = log.lines().filter(|line| line.split_whitespace().nth(1) == Some("ERROR"));
    let strange: Vec<_> = errors.filter(|line| !explained(line)).collect();
    assert!(strange.is_empty(), "no fault explains these errors:\n{}", strange.join("\n"));
}

fn children(parent: u32) -> impl Iterator<Item = u32> {
    let processes = fs::read_dir("/proc").expect("Linux has /proc").flatten();
    let processes = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    processes.filter(move |pid| parent_of(*pid) == Some(parent))
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")).ok()?;
    // Behind the name, which may hold anything: the state, then the parent.
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}
