//! The write-ahead archive, and the database that comes back from it.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use harness::{Launch, Ran, Server, Visitor, eventually, program, run, workplace};
use serde_json::{Value, json};

const OWNER: (&str, &str) = ("owner@house-rules.test", "correct horse battery staple");

const HOUR: Duration = Duration::from_secs(3600);

/// A house whose archive is on another disk.
struct House {
    launch: Launch,
    archive: PathBuf,
}

impl House {
    fn new() -> Self {
        let archive = workplace().folder("archive");
        let launch = Launch::new()
            .set("HOUSERULES_OWNER_EMAIL", OWNER.0)
            .set("HOUSERULES_OWNER_PASSWORD", OWNER.1)
            .set("HOUSERULES_BACKUP_EVERY", "off")
            .set("HOUSERULES_ARCHIVE_DIR", archive.display().to_string());
        House { launch, archive }
    }

    fn data(&self) -> PathBuf {
        self.launch.folder().join("data")
    }

    /// With a base backup in the archive.
    async fn open(&self) -> Server {
        let server = self.launch.start();
        let owner = owner(&server).await;
        eventually("a base backup", async || base_taken(&owner).await).await;
        server
    }

    /// The files of the archive's WAL.
    fn wal(&self) -> Vec<PathBuf> {
        files(&self.archive.join("wal"))
    }

    fn spool(&self) -> Vec<PathBuf> {
        files(&self.data().join("postgres/spool"))
    }

    /// All that was written so far is in the archive. Gives the file that holds the end of it.
    async fn archive_all(&self) -> PathBuf {
        let path = self.archive.join("wal").join(switch(&self.data()));
        eventually("the WAL in the archive", async || path.exists().then_some(())).await;
        path
    }

    fn bases(&self) -> Vec<PathBuf> {
        files(&self.archive.join("base"))
    }

    /// Opens the house with an archive that takes no more WAL, for Ada, whose WAL is finished.
    async fn open_with_broken_archive(&self) -> Server {
        let mut server = self.open().await;
        server.forgive_errors();
        let wal = self.archive.join("wal");
        fs::rename(&wal, self.archive.join("away")).expect("it is there");
        // Nobody can make a directory of this name.
        fs::write(&wal, "").expect("it can be written");
        sit(&server, "Ada").await;
        switch(&self.data());
        server
    }

    fn mend_archive(&self) {
        let wal = self.archive.join("wal");
        fs::remove_file(&wal).expect("it is there");
        fs::rename(self.archive.join("away"), &wal).expect("it is there");
    }

    /// Opens this restored house, where these guests are, for one more, whose WAL goes into the archive on this timeline.
    async fn go_on(&self, data: &Path, timeline: &str, before: &[&str], guest: &str) {
        let mut server = self.launch.clone().set("HOUSERULES_DATA", data.display().to_string()).start();
        assert_eq!(names(data), before);
        sit(&server, guest).await;
        let segment = switch(data);
        assert!(segment.starts_with(timeline), "{segment}");
        let path = self.archive.join("wal").join(segment);
        eventually("the WAL in the archive", async || path.exists().then_some(())).await;
        assert!(server.stop().success());
    }

    /// Into a new data directory, with the house's secret.
    fn restore(&self, more: &[&str]) -> (PathBuf, Ran) {
        let data = workplace().folder("restored");
        fs::copy(self.data().join("secret"), data.join("secret")).expect("the house has one");
        let ran = restore(&self.archive, &data, more);
        (data, ran)
    }
}

fn restore(archive: &Path, data: &Path, more: &[&str]) -> Ran {
    let mut command = Command::new(program("houserules"));
    command.arg("restore").arg(archive).arg("--data").arg(data).args(more);
    run(command.env_remove("DATABASE_URL").env_remove("HOUSERULES_SECRET"))
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten();
    let mut found: Vec<_> = entries.map(|entry| entry.expect("it is there").path()).collect();
    found.retain(|path| path.extension().is_none_or(|extension| extension != "part"));
    found.sort();
    found
}

async fn owner(server: &Server) -> Visitor {
    let login = json!({ "email": OWNER.0, "password": OWNER.1 });
    Visitor::new(server.url()).sign_in("/auth/login", login, 200).await
}

async fn job(owner: &Visitor) -> Option<Value> {
    let now = owner.get("/operations").await.is(200);
    now["backup_jobs"].as_array()?.iter().find(|job| job["kind"] == "base").cloned()
}

async fn base_taken(owner: &Visitor) -> Option<Value> {
    let job = job(owner).await?;
    assert!(job["problem"].is_null(), "{job}");
    job["succeeded_at"].is_string().then_some(job)
}

/// The first column, as the superuser of the private PostgreSQL reads it, which runs.
fn ask(data: &Path, query: &str) -> Vec<String> {
    let socket = fs::canonicalize(data.join("postgres/socket")).expect("it has a socket");
    let mut config = postgres::Config::new();
    config.host_path(socket).user("houserules").dbname("houserules");
    // Its client blocks, which a test's thread must not.
    let rows = std::thread::scope(|scope| {
        scope.spawn(|| config.connect(postgres::NoTls).expect("it runs").query(query, &[])).join().expect("it answers")
    });
    rows.expect("it is sound SQL").iter().map(|row| row.get(0)).collect()
}

/// Ends the WAL segment that is being written; gives its name.
fn switch(data: &Path) -> String {
    ask(data, "SELECT pg_walfile_name(pg_switch_wal())").remove(0)
}

/// A base backup is due, as it would be tomorrow.
fn ask_for_base(data: &Path) {
    ask(data, "UPDATE backup_jobs SET asked_at = now() WHERE kind = 'base' RETURNING kind");
}

/// Gives the files this time.
fn date(files: &[PathBuf], at: SystemTime) {
    for file in files {
        fs::File::options().append(true).open(file).and_then(|it| it.set_modified(at)).expect("it is there");
    }
}

async fn sit(server: &Server, name: &str) {
    Visitor::new(server.url()).post("/auth/guest", json!({ "display_name": name })).await.is(201);
}

/// A moment between what was written before and after.
fn moment(data: &Path) -> String {
    ask(data, "SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')").remove(0)
}

/// All guests of this restored house, which is opened for that.
fn guests(launch: &Launch, data: &Path) -> Vec<String> {
    let mut server = launch.clone().set("HOUSERULES_DATA", data.display().to_string()).start();
    let names = names(data);
    assert!(server.stop().success());
    names
}

/// All guests of the house that runs there.
fn names(data: &Path) -> Vec<String> {
    ask(data, "SELECT display_name FROM players WHERE email IS NULL ORDER BY created_at")
}

#[tokio::test]
async fn what_was_written_comes_back_up_to_any_moment() {
    let house = House::new();
    let before_all = "2026-01-01T00:00:00Z";
    let mut server = house.open().await;
    sit(&server, "Ada").await;
    let between = moment(&house.data());
    sit(&server, "Ben").await;
    house.archive_all().await;
    assert!(server.stop().success());

    let elsewhere = house.launch.clone().unset("HOUSERULES_ARCHIVE_DIR");
    let (data, ran) = house.restore(&["--until", &between]);
    assert!(ran.well().contains("its last change was at"), "it says how far it came");
    assert_eq!(guests(&elsewhere, &data), ["Ada"]);
    // The time may be later than the archive's end.
    for more in [&[][..], &["--until", "2200-01-01T00:00:00Z"]] {
        let (data, ran) = house.restore(more);
        ran.well();
        assert_eq!(guests(&elsewhere, &data), ["Ada", "Ben"], "{more:?}");
        let again = restore(&house.archive, &data, &[]);
        assert!(again.status == Some(1) && again.complained.contains("never overwrites"), "{again:?}");
    }
    let (data, ran) = house.restore(&["--until", before_all]);
    assert!(ran.status == Some(1) && ran.complained.contains("the archive begins at"), "{ran:?}");
    assert!(!data.join("postgres").exists());
}

#[tokio::test]
async fn what_came_back_goes_on_in_the_same_archive() {
    let mut house = House::new();
    let mut server = house.open().await;
    sit(&server, "Ada").await;
    house.archive_all().await;
    // The disk is gone.
    server.kill();
    let (data, ran) = house.restore(&[]);
    ran.well();
    house.launch = house.launch.set("HOUSERULES_DATA", data.display().to_string());
    let server = house.launch.start();
    sit(&server, "Ben").await;
    switch(&data);
    let is_second =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("00000002000"));
    eventually("the second timeline", async || house.wal().iter().any(is_second).then_some(())).await;
    let again = workplace().folder("restored");
    fs::copy(data.join("secret"), again.join("secret")).expect("the house has one");
    restore(&house.archive, &again, &[]).well();
    drop(server);
    assert_eq!(guests(&house.launch.unset("HOUSERULES_ARCHIVE_DIR"), &again), ["Ada", "Ben"]);
}

#[tokio::test]
async fn what_an_earlier_restore_left_behind_can_be_brought_back_later() {
    let house = House::new();
    let mut server = house.open().await;
    sit(&server, "Ada").await;
    let early = moment(&house.data());
    sit(&server, "Ben").await;
    let late = moment(&house.data());
    sit(&server, "Cyd").await;
    house.archive_all().await;
    assert!(server.stop().success());

    let (first, ran) = house.restore(&["--until", &early]);
    ran.well();
    house.go_on(&first, "00000002", &["Ada"], "Dan").await;
    let (second, ran) = house.restore(&["--until", &late]);
    ran.well();
    house.go_on(&second, "00000003", &["Ada", "Ben"], "Eve").await;
    let (third, ran) = house.restore(&[]);
    ran.well();
    assert_eq!(guests(&house.launch.clone().unset("HOUSERULES_ARCHIVE_DIR"), &third), ["Ada", "Ben", "Eve"]);
}

#[tokio::test]
async fn only_what_this_house_signed_comes_back() {
    let house = House::new();
    let mut server = house.open().await;
    sit(&server, "Ada").await;
    house.archive_all().await;
    sit(&server, "Ben").await;
    house.archive_all().await;
    assert!(server.stop().success());
    let stranger = workplace().folder("restored");
    fs::write(stranger.join("secret"), "another secret, of thirty-two bytes and more").expect("it can be written");
    let refused = restore(&house.archive, &stranger, &[]);
    assert!(refused.status == Some(1) && refused.complained.contains("another house's"), "{refused:?}");
    let (_, refused) = house.restore(&["--unverified"]);
    assert!(refused.status == Some(1) && refused.complained.contains("this house signed"), "{refused:?}");

    let wal = house.wal();
    let [.., one, other] = &wal[..] else { panic!("there are several: {wal:?}") };
    let (first, second) = (fs::read(one).expect("it is there"), fs::read(other).expect("it is there"));
    let refuses = |why: &str| {
        let (data, ran) = house.restore(&[]);
        assert!(ran.status == Some(1) && ran.complained.contains(why), "{why}: {ran:?}");
        assert!(!data.join("postgres/data").exists());
    };
    fs::write(one, &second).expect("it can be written");
    refuses("it is another file");
    let mut changed = first.clone();
    changed[100] ^= 1;
    fs::write(one, &changed).expect("it can be written");
    refuses("its hash is");
    fs::write(one, &first[..first.len() - 1]).expect("it can be written");
    refuses("cut off");
    fs::write(one, &first).expect("it can be written");
    house.restore(&[]).1.well();
}

#[tokio::test]
async fn an_encrypted_archive_is_opened_by_its_identity_alone() {
    let mut house = House::new();
    let identity = workplace().folder("identity").join("key.txt");
    run(Command::new("age-keygen").arg("--output").arg(&identity)).well();
    let recipient = run(Command::new("age-keygen").arg("-y").arg(&identity)).well();
    house.launch = house.launch.set("HOUSERULES_BACKUP_RECIPIENTS", recipient.trim());
    let mut server = house.open().await;
    sit(&server, "Ada").await;
    house.archive_all().await;
    assert!(server.stop().success());
    for file in house.wal().iter().chain(&house.bases()) {
        assert!(fs::read(file).expect("it is there").starts_with(b"age-encryption.org/v1"), "{}", file.display());
    }
    let (_, closed) = house.restore(&[]);
    assert!(closed.status == Some(1) && closed.complained.contains("--identity"), "{closed:?}");
    let (data, opened) = house.restore(&["--identity", &identity.display().to_string()]);
    opened.well();
    assert_eq!(guests(&house.launch.unset("HOUSERULES_ARCHIVE_DIR"), &data), ["Ada"]);
}

#[tokio::test]
async fn what_the_archive_cannot_take_waits_and_is_told() {
    let house = House::new();
    let server = house.open_with_broken_archive().await;
    eventually("a line in the log", async || server.log().contains("archiving WAL failed").then_some(())).await;
    let waiting = eventually("what waits", async || house.spool().first().cloned()).await;
    date(&[waiting], SystemTime::now() - HOUR);
    let owner = owner(&server).await;
    let now = owner.get("/operations").await.is(200);
    let check = now["checks"].as_array().expect("a list").iter().find(|check| check["code"] == "archive").cloned();
    assert_eq!(check.expect("it is checked")["state"], "problem");
    house.mend_archive();
    eventually("an empty spool", async || house.spool().is_empty().then_some(())).await;
    house.archive_all().await;
    let (data, ran) = house.restore(&[]);
    ran.well();
    drop(server);
    assert_eq!(guests(&house.launch.clone().unset("HOUSERULES_ARCHIVE_DIR"), &data), ["Ada"]);
}

#[tokio::test]
async fn old_base_backups_go_and_the_wal_that_only_they_need() {
    let mut house = House::new();
    house.launch = house.launch.set("HOUSERULES_ARCHIVE_KEEP", "1");
    let mut server = house.open().await;
    sit(&server, "Ada").await;
    house.archive_all().await;
    let (first, wal) = (house.bases(), house.wal());
    // The clock of the share is ahead.
    date(&wal, SystemTime::now() + HOUR);
    ask_for_base(&house.data());
    eventually("another base backup", async || (house.bases() != first).then_some(())).await;
    eventually("the first WAL to go", async || wal.iter().all(|file| !file.exists()).then_some(())).await;
    let second = house.bases();
    assert!(second.len() == 1 && !first.contains(&second[0]), "{first:?} {second:?}");
    sit(&server, "Ben").await;
    house.archive_all().await;
    assert!(server.stop().success());
    let (data, ran) = house.restore(&[]);
    ran.well();
    assert_eq!(guests(&house.launch.clone().unset("HOUSERULES_ARCHIVE_DIR"), &data), ["Ada", "Ben"]);
}

#[tokio::test]
async fn wal_that_a_base_backup_needs_stays_whatever_its_times() {
    let house = House::new();
    let mut server = house.open().await;
    sit(&server, "Ada").await;
    let between = moment(&house.data());
    sit(&server, "Ben").await;
    house.archive_all().await;
    // Somebody has copied the archive without its times.
    let wal = house.wal();
    date(&wal, SystemTime::UNIX_EPOCH);
    let owner = owner(&server).await;
    let before = job(&owner).await.expect("it has one")["succeeded_at"].clone();
    ask_for_base(&house.data());
    let taken = async || base_taken(&owner).await.filter(|job| job["succeeded_at"] != before);
    eventually("another base backup", taken).await;
    assert_eq!(house.bases().len(), 2);
    assert!(wal.iter().all(|file| file.exists()), "{wal:?}");
    assert!(server.stop().success());
    let (data, ran) = house.restore(&["--until", &between]);
    ran.well();
    assert_eq!(guests(&house.launch.clone().unset("HOUSERULES_ARCHIVE_DIR"), &data), ["Ada"]);
}

#[tokio::test]
async fn an_archive_is_of_one_database() {
    let (house, mut other) = (House::new(), House::new());
    let mut server = house.open().await;
    assert!(server.stop().success());
    // WAL of the same name is refused anyway.
    house.wal().iter().for_each(|file| fs::remove_file(file).expect("it is there"));
    other.launch = other.launch.set("HOUSERULES_ARCHIVE_DIR", house.archive.display().to_string());
    let mut server = other.launch.start();
    server.forgive_errors();
    let owner = owner(&server).await;
    let job = eventually("a job that fails", async || job(&owner).await.filter(|job| job["problem"].is_string())).await;
    assert!(job["problem"].as_str().expect("it is text").contains("of another database"), "{job}");
    assert_eq!(house.bases().len(), 1);
    switch(&other.data());
    eventually("a line in the log", async || server.log().contains("archiving WAL failed").then_some(())).await;
    assert!(house.wal().is_empty(), "{:?}", house.wal());
}

#[tokio::test]
async fn a_start_without_the_archive_loses_nothing_of_what_waits_for_it() {
    let house = House::new();
    let mut server = house.open_with_broken_archive().await;
    eventually("what waits", async || house.spool().first().cloned()).await;
    server.kill();
    house.mend_archive();

    let taken = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = taken.local_addr().expect("it listens").to_string();
    let elsewhere = house.launch.clone().unset("HOUSERULES_ARCHIVE_DIR");
    let refused = elsewhere.clone().set("HOUSERULES_BIND", address).try_start().err().expect("the port is taken");
    assert!(refused.complained.contains("cannot listen"), "{refused:?}");

    let before = house.bases();
    let mut server = house.launch.start();
    let base = eventually("a new base backup", async || house.bases().into_iter().find(|it| !before.contains(it)));
    let base = base.await;
    sit(&server, "Ben").await;
    house.archive_all().await;
    assert!(server.stop().success());
    // Without it everything comes from before.
    fs::remove_file(base).expect("it is there");
    let (data, ran) = house.restore(&[]);
    ran.well();
    assert_eq!(guests(&elsewhere, &data), ["Ada", "Ben"]);
}

#[tokio::test]
async fn an_archive_without_a_base_backup_to_go_on_from_gets_one_at_once() {
    let mut house = House::new();
    let mut server = house.open().await;
    sit(&server, "Ada").await;
    house.archive_all().await;
    assert!(server.stop().success());
    let first = house.archive.clone();
    let mut guests_there = vec!["Ada"];
    for (archive, guest) in [(workplace().folder("archive"), "Ben"), (first, "Cyd")] {
        house.launch = house.launch.set("HOUSERULES_ARCHIVE_DIR", archive.display().to_string());
        house.archive = archive;
        let before = house.bases();
        let mut server = house.launch.start();
        eventually("a base backup", async || (house.bases().len() > before.len()).then_some(())).await;
        sit(&server, guest).await;
        house.archive_all().await;
        assert!(server.stop().success());
        guests_there.push(guest);
        let (data, ran) = house.restore(&[]);
        ran.well();
        assert_eq!(guests(&house.launch.clone().unset("HOUSERULES_ARCHIVE_DIR"), &data), guests_there);
    }
}

#[tokio::test]
async fn a_gap_in_the_archive_is_told_and_what_was_before_it_comes_back() {
    let house = House::new();
    let mut server = house.open().await;
    sit(&server, "Ada").await;
    let early = moment(&house.data());
    sit(&server, "Ben").await;
    house.archive_all().await;
    let late = moment(&house.data());
    sit(&server, "Cyd").await;
    let lost = house.archive_all().await;
    sit(&server, "Dan").await;
    house.archive_all().await;
    assert!(server.stop().success());

    fs::remove_file(&lost).expect("it is there");
    let name = lost.file_name().and_then(|name| name.to_str()).expect("it is text");
    for more in [&[][..], &["--until", late.as_str()]] {
        let (data, ran) = house.restore(more);
        assert!(ran.status == Some(1) && ran.complained.contains(name), "{more:?}: {ran:?}");
        assert!(!data.join("postgres/data").exists());
    }
    let (data, ran) = house.restore(&["--until", &early]);
    ran.well();
    assert_eq!(guests(&house.launch.clone().unset("HOUSERULES_ARCHIVE_DIR"), &data), ["Ada"]);
}

#[tokio::test]
async fn doctor_names_the_first_segment_that_is_missing_until_there_is_another_base_backup() {
    let house = House::new();
    let mut server = house.open().await;
    let doctor = || {
        let mut command = Command::new(program("houserules"));
        command.arg("doctor").arg("--data").arg(house.data()).arg("--archive-dir").arg(&house.archive);
        run(command.current_dir(workplace().root()).env_remove("DATABASE_URL").env_remove("HOUSERULES_SECRET"))
    };
    sit(&server, "Ada").await;
    let lost = house.archive_all().await;
    sit(&server, "Ben").await;
    let also_lost = house.archive_all().await;
    sit(&server, "Cyd").await;
    house.archive_all().await;
    doctor().well();
    fs::remove_file(also_lost).expect("it is there");
    fs::remove_file(&lost).expect("it is there");
    let name = lost.file_name().and_then(|name| name.to_str()).expect("it is text");
    let ran = doctor();
    let line = ran.said.lines().find(|line| line.contains("WAL in the archive")).expect("it is checked");
    assert!(line.starts_with("problem") && line.contains(name) && ran.status == Some(1), "{ran:?}");
    assert!(server.stop().success());
    let _server = house.launch.start();
    eventually("another base backup", async || (house.bases().len() == 2).then_some(())).await;
    doctor().well();
}

#[tokio::test]
async fn what_came_back_by_half_is_opened_by_nobody() {
    let house = House::new();
    let mut server = house.open().await;
    // Of a newer program: this one brings the database back, and then cannot bring it up to date.
    let newer = "INSERT INTO __diesel_schema_migrations VALUES ('29990101000000', now()) RETURNING version";
    ask(&house.data(), newer);
    house.archive_all().await;
    assert!(server.stop().success());
    let (data, ran) = house.restore(&[]);
    assert!(ran.status == Some(1) && ran.complained.contains("newer House Rules"), "{ran:?}");
    let launch = house.launch.clone().set("HOUSERULES_DATA", data.display().to_string());
    let refused = launch.try_start().err().expect("it must not start");
    assert!(refused.complained.contains("the restore of this database did not finish"), "{refused:?}");
}

#[test]
fn a_time_needs_an_archive() {
    let file = workplace().folder("file").join("house.backup");
    fs::write(&file, "").expect("it can be written");
    let ran = restore(&file, &workplace().folder("restored"), &["--until", "2026-11-24T00:00:00Z"]);
    assert!(ran.status == Some(1) && ran.complained.contains("directory of an archive"), "{ran:?}");
}
