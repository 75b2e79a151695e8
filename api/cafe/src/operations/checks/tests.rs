use std::time::Duration;

use rcgen::{CertificateParams, KeyPair};

use super::machine::SecretFile;
use super::*;
use crate::operations::{Backup, Migrations, Process};
use base::audit::chain::Head;
use base::certificates::{Certificate, Files};
use base::setup::{ArchivePlan, BackupPlan};
use base::text::Lang;

fn now() -> Timestamp {
    "2026-11-24T12:00:00Z".parse().unwrap()
}

fn certificate(from: (i32, u8, u8), until: (i32, u8, u8)) -> Certificate {
    let mut params = CertificateParams::new(["play.example.org".to_owned()]).unwrap();
    params.not_before = rcgen::date_time_ymd(from.0, from.1, from.2);
    params.not_after = rcgen::date_time_ymd(until.0, until.1, until.2);
    Certificate::of(params.self_signed(&KeyPair::generate().unwrap()).unwrap().der()).unwrap()
}

fn setup() -> Setup {
    Setup {
        data: "data".into(),
        is_database_private: true,
        is_secret_kept: true,
        public_url: Some("https://play.example.org".to_owned()),
        is_public_url_local: false,
        public_host: Some("play.example.org".to_owned()),
        certificate: Some(Files { certificate: "cert.pem".into(), key: "key.pem".into() }),
        is_behind_proxy: true,
        ops_bind: None,
        backups: BackupPlan {
            every: Some(Duration::from_secs(21_600)),
            keep: 14,
            dir: "backups".into(),
            test_every: None,
            archive: Some(ArchivePlan { dir: "archive".into(), keep: 7 }),
            recipients: Vec::new(),
        },
    }
}

fn machine() -> Machine {
    Machine {
        descriptors: Some((65_536, 65_536)),
        data_free: Some(12_300_000_000),
        backups_free: Some(12_300_000_000),
        data_mode: Some(0o700),
        postgres_entry: None,
        unarchived_since: Some(now() - SignedDuration::from_secs(30)),
        archived: Some(Archived::Whole),
        secret: Some(SecretFile { mode: 0o600, changed_at: now() - SignedDuration::from_hours(24 * 30) }),
        certificate: Some(certificate((2026, 10, 1), (2026, 12, 24))),
        is_time_synced: true,
    }
}

fn job(kind: JobKind, hours_ago: i64) -> Job {
    let succeeded_at = Some(now() - SignedDuration::from_hours(hours_ago));
    let (failed_at, problem, asked_at) = (None, None, None);
    Job { kind, every_seconds: 21_600, since: Timestamp::UNIX_EPOCH, succeeded_at, failed_at, problem, asked_at }
}

fn process(version: &str) -> Process {
    let (id, version) = (uuid::Uuid::nil(), version.to_owned());
    Process { id, version, started_at: now(), seen_at: now(), viewers: 0 }
}

fn facts() -> Facts {
    let taken_at = now() - SignedDuration::from_hours(3);
    Facts {
        version: "17.2".to_owned(),
        version_number: 170_002,
        has_checksums: true,
        user: "houserules".to_owned(),
        is_superuser: false,
        tls: None,
        is_local: true,
        latency: SignedDuration::from_millis(1),
        now: now(),
        clock_offset: SignedDuration::ZERO,
        migrations: Migrations { applied: 20, newest: "20261127000031".to_owned(), complete: true },
        processes: vec![process(env!("CARGO_PKG_VERSION"))],
        last_backup: Some(Backup { taken_at, bytes: 9_460_000, sha256: "00".to_owned() }),
        backup_jobs: vec![job(JobKind::Take, 3), job(JobKind::Test, 3), job(JobKind::Base, 3)],
        noted_head: Some((Head { n: 7, hash: [0; 32] }, true)),
    }
}

fn look(setup: &Setup, machine: &Machine, facts: Option<&Facts>) -> Vec<Check> {
    all(&Found { setup, machine, is_database_running: true, facts, now: now() })
}

/// The state of this check, where one of the three is otherwise than it should be.
fn state(code: &str, change: impl FnOnce(&mut Setup, &mut Machine, &mut Facts)) -> State {
    let (mut setup, mut machine, mut facts) = (setup(), machine(), facts());
    change(&mut setup, &mut machine, &mut facts);
    let checks = look(&setup, &machine, Some(&facts));
    checks.iter().find(|check| check.code == code).unwrap().state
}

#[test]
fn a_good_server_has_nothing_to_do() {
    let checks = look(&setup(), &machine(), Some(&facts()));
    let others: Vec<_> = checks.iter().filter(|check| check.state != State::Ok).collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn every_check_has_a_name_and_an_advice_in_every_language() {
    for check in look(&setup(), &machine(), None) {
        for lang in Lang::ALL {
            for key in [check.key(), check.advice_key(), check.state.key().to_owned()] {
                assert!(lang.find_with(&key, &[]).is_some(), "{key} in {lang:?}");
            }
        }
    }
}

#[test]
fn without_the_database_its_checks_are_unknown_and_one_that_runs_is_a_problem() {
    let (setup, machine) = (setup(), machine());
    for (is_database_running, expected) in [(true, State::Problem), (false, State::Unknown)] {
        let checks = all(&Found { setup: &setup, machine: &machine, is_database_running, facts: None, now: now() });
        let is = |code: &str, state: State| checks.iter().any(|it| it.code == code && it.state == state);
        assert!(is("database", expected) && is("last_backup", State::Unknown), "{checks:?}");
    }
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    use State::{Ok, Problem, Unknown, Warning};
    type Change = fn(&mut Setup, &mut Machine, &mut Facts);
    let cases: [(&str, State, Change); 56] = [
        ("version", Warning, |_, _, it| it.processes.push(process("0.0.9"))),
        ("migrations", Warning, |_, _, it| it.migrations.complete = false),
        ("database_version", Problem, |_, _, it| it.version_number = 120_020),
        ("database_version", Warning, |_, _, it| it.version_number = 140_020),
        ("database_version", Ok, |_, _, it| it.version_number = 150_018),
        ("database_tls", Warning, |_, _, it| it.is_local = false),
        ("database_tls", Ok, |_, _, it| (it.is_local, it.tls) = (false, Some("TLSv1.3".to_owned()))),
        ("database_superuser", Warning, |_, _, it| it.is_superuser = true),
        ("data_checksums", Warning, |_, _, it| it.has_checksums = false),
        ("clock", Warning, |_, _, it| it.clock_offset = SignedDuration::from_secs(-2)),
        ("clock", Problem, |_, _, it| it.clock_offset = SignedDuration::from_secs(60)),
        ("time_sync", Unknown, |_, it, _| it.is_time_synced = false),
        ("descriptors", Problem, |_, it, _| it.descriptors = Some((512, 512))),
        ("descriptors", Warning, |_, it, _| it.descriptors = Some((1024, 1024))),
        ("data_disk", Problem, |_, it, _| it.data_free = Some(200_000_000)),
        ("data_disk", Warning, |_, it, _| it.data_free = Some(1_500_000_000)),
        ("backup_disk", Problem, |_, _, it| it.last_backup.as_mut().unwrap().bytes = 7_000_000_000),
        ("backups", Warning, |it, _, _| it.backups.every = None),
        ("last_backup", Problem, |_, _, it| it.backup_jobs = vec![job(JobKind::Take, 13)]),
        ("last_backup", Warning, |_, _, it| it.last_backup = None),
        ("last_backup", Ok, |_, _, it| it.backup_jobs.clear()),
        ("backup_test", Problem, |_, _, it| it.backup_jobs[1].problem = Some("damaged".to_owned())),
        ("backup_test", Unknown, |_, _, it| {
            let test = &mut it.backup_jobs[1];
            (test.succeeded_at, test.since) = (None, now());
        }),
        ("archive", Unknown, |it, _, _| it.backups.archive = None),
        ("archive", Ok, |_, it, _| it.unarchived_since = None),
        ("archive", Problem, |_, it, _| it.unarchived_since = Some(now() - SignedDuration::from_mins(11))),
        ("archive", Problem, |_, _, it| it.backup_jobs[2].succeeded_at = Some(now() - SignedDuration::from_hours(49))),
        ("archive_wal", Unknown, |_, it, _| it.archived = None),
        ("archive_wal", Problem, |_, it, _| it.archived = Some(Archived::Lacks(None))),
        ("archive_wal", Problem, |_, it, _| it.archived = Some(Archived::Lacks(Some("0000".to_owned())))),
        ("public_url", Warning, |it, _, _| it.public_url = None),
        ("browser_tls", Warning, |it, _, _| (it.certificate, it.public_url) = (None, None)),
        ("browser_tls", Problem, |it, _, _| {
            (it.certificate, it.public_url) = (None, Some("http://play.example.org".to_owned()));
        }),
        ("certificate", Unknown, |it, _, _| it.certificate = None),
        ("certificate", Problem, |_, it, _| it.certificate = None),
        ("certificate", Warning, |_, it, _| {
            it.certificate = Some(certificate((2026, 10, 1), (2026, 12, 2)));
        }),
        ("certificate", Problem, |_, it, _| {
            it.certificate = Some(certificate((2026, 10, 1), (2026, 11, 23)));
        }),
        ("certificate", Problem, |_, it, _| {
            it.certificate = Some(certificate((2026, 11, 25), (2027, 11, 23)));
        }),
        ("certificate_names", Problem, |it, _, _| it.public_host = Some("elsewhere.example.org".to_owned())),
        ("certificate_names", Unknown, |it, _, _| it.public_host = None),
        ("proxies", Unknown, |it, _, _| it.is_behind_proxy = false),
        ("proxies", Problem, |it, _, _| (it.is_behind_proxy, it.certificate) = (false, None)),
        ("ops_listener", Warning, |it, _, _| it.ops_bind = "0.0.0.0:9080".parse().ok()),
        ("ops_listener", Problem, |it, _, _| it.ops_bind = "203.0.113.5:9080".parse().ok()),
        ("ops_listener", Ok, |it, _, _| it.ops_bind = "10.0.0.5:9080".parse().ok()),
        ("data_directory", Warning, |_, it, _| it.data_mode = Some(0o755)),
        ("data_directory", Problem, |_, it, _| it.data_mode = Some(0o777)),
        ("data_directory", Ok, |_, it, _| it.data_mode = Some(0o711)),
        ("data_directory", Ok, |_, it, _| (it.data_mode, it.postgres_entry) = (Some(0o711), Some(0o001))),
        ("data_directory", Problem, |_, it, _| (it.data_mode, it.postgres_entry) = (Some(0o700), Some(0o001))),
        ("data_directory", Problem, |_, it, _| (it.data_mode, it.postgres_entry) = (Some(0o750), Some(0o001))),
        ("data_directory", Warning, |_, it, _| (it.data_mode, it.postgres_entry) = (Some(0o755), Some(0o001))),
        ("data_directory", Problem, |_, it, _| (it.data_mode, it.postgres_entry) = (Some(0o733), Some(0o001))),
        ("data_directory", Ok, |_, it, _| (it.data_mode, it.postgres_entry) = (Some(0o710), Some(0o010))),
        ("secret", Problem, |_, it, _| it.secret.as_mut().unwrap().mode = 0o640),
        ("secret_age", Warning, |_, it, _| it.secret.as_mut().unwrap().changed_at = Timestamp::UNIX_EPOCH),
    ];
    for (number, (code, expected, change)) in cases.into_iter().enumerate() {
        assert_eq!(state(code, change), expected, "{number}: {code}");
    }
}

#[test]
fn lengths_and_sizes_are_short() {
    let told = [59, 180, 10_000, 400_000].map(|seconds| length(SignedDuration::from_secs(seconds)));
    assert_eq!(told, ["59 s", "3 min", "2 h", "4 d"]);
    assert_eq!([bytes(250_000_000), bytes(12_345_000_000)], ["250 MB", "12.3 GB"]);
}
