//! What should be so on a café's server: one list, for the operations page, the API and `houserules doctor`.

mod facts;
mod machine;

use jiff::{SignedDuration, Timestamp, civil};
use serde::Serialize;
use utoipa::ToSchema;

use super::backups::{Job, JobKind};
use base::setup::Setup;
pub use facts::Facts;
pub use machine::{Archived, Machine};

base::text_enum! {
    /// How it is about one thing, from good to bad.
    pub enum State {
        Ok = "ok",
        /// It cannot be known from here, or it does not apply.
        Unknown = "unknown",
        /// It works, and should be better.
        Warning = "warning",
        Problem = "problem",
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Check {
    /// It stays the same; more may be added.
    #[schema(example = "data_disk")]
    pub code: &'static str,
    pub state: State,
    /// What was measured, for people to read.
    #[schema(example = "12.3 GB")]
    pub value: Option<String>,
}

/// All that the checks judge by. Without facts the database does not answer.
pub struct Found<'a> {
    pub setup: &'a Setup,
    pub machine: &'a Machine,
    /// The private PostgreSQL ends with its server, and is no problem then.
    pub is_database_running: bool,
    pub facts: Option<&'a Facts>,
    pub now: Timestamp,
}

type Verdict = (State, Option<String>);
type Judge = fn(&Found<'_>) -> Verdict;

/// Each has a name `checked-<code>` and an advice `advice-<code>` in the catalogues.
const CHECKS: &[(&str, Judge)] = &[
    ("version", version),
    ("migrations", migrations),
    ("database", database),
    ("database_version", database_version),
    ("database_tls", database_tls),
    ("database_superuser", database_superuser),
    ("data_checksums", data_checksums),
    ("clock", clock),
    ("time_sync", time_sync),
    ("descriptors", descriptors),
    ("data_disk", data_disk),
    ("backup_disk", backup_disk),
    ("backups", backups),
    ("last_backup", last_backup),
    ("backup_test", backup_test),
    ("archive", archive),
    ("archive_wal", archive_wal),
    ("audit_head", audit_head),
    ("public_url", public_url),
    ("browser_tls", browser_tls),
    ("certificate", certificate),
    ("certificate_names", certificate_names),
    ("proxies", proxies),
    ("ops_listener", ops_listener),
    ("data_directory", data_directory),
    ("secret", secret),
    ("secret_age", secret_age),
];

/// How it is about everything, always in the same order.
pub fn all(found: &Found<'_>) -> Vec<Check> {
    let check = |(code, judge): &(&'static str, Judge)| {
        let (state, value) = judge(found);
        Check { code, state, value }
    };
    CHECKS.iter().map(check).collect()
}

impl State {
    /// Of its name in the catalogues.
    pub fn key(self) -> &'static str {
        match self {
            Self::Ok => "checks-state-ok",
            Self::Unknown => "checks-state-unknown",
            Self::Warning => "checks-state-warning",
            Self::Problem => "checks-state-problem",
        }
    }
}

impl Check {
    /// Of its name in the catalogues.
    pub fn key(&self) -> String {
        format!("checked-{}", self.code)
    }

    /// Of what to do about it.
    pub fn advice_key(&self) -> String {
        format!("advice-{}", self.code)
    }

    /// Whether something is to be done.
    pub fn is_bad(&self) -> bool {
        self.state >= State::Warning
    }
}

const NOT_KNOWN: Verdict = (State::Unknown, None);

/// A warning, unless it is good.
fn warn_unless(is_good: bool) -> State {
    if is_good { State::Ok } else { State::Warning }
}

fn of_facts(found: &Found<'_>, judge: impl FnOnce(&Facts) -> Verdict) -> Verdict {
    found.facts.map_or(NOT_KNOWN, judge)
}

fn version(found: &Found<'_>) -> Verdict {
    let own = env!("CARGO_PKG_VERSION");
    let is_alone = found.facts.is_none_or(|facts| facts.processes.iter().all(|process| process.version == own));
    let revision = option_env!("HOUSERULES_REVISION").map(|revision| format!(" {revision}"));
    (warn_unless(is_alone), Some(format!("{own}{}", revision.unwrap_or_default())))
}

fn migrations(found: &Found<'_>) -> Verdict {
    of_facts(found, |facts| {
        let value = format!("{} · {}", facts.migrations.applied, facts.migrations.newest);
        (warn_unless(facts.migrations.complete), Some(value))
    })
}

fn database(found: &Found<'_>) -> Verdict {
    match (found.facts, found.is_database_running) {
        (Some(facts), _) => (State::Ok, Some(format!("{} ms", facts.latency.as_millis()))),
        (None, true) => (State::Problem, None),
        (None, false) => NOT_KNOWN,
    }
}

/// PostgreSQL supports a major version for about five years, until November.
fn database_version(found: &Found<'_>) -> Verdict {
    const OLDEST: i32 = 13;
    of_facts(found, |facts| {
        let major = facts.version_number / 10_000;
        let last_year = i16::try_from(major + 2012).unwrap_or(i16::MAX).clamp(2012, 9000);
        let is_over = civil::date(last_year, 11, 14) < facts.now.to_zoned(jiff::tz::TimeZone::UTC).date();
        let state = if major < OLDEST { State::Problem } else { warn_unless(!is_over) };
        (state, Some(facts.version.clone()))
    })
}

fn database_tls(found: &Found<'_>) -> Verdict {
    of_facts(found, |facts| match (&facts.tls, facts.is_local) {
        (Some(version), _) => (State::Ok, Some(version.clone())),
        (None, true) => (State::Ok, Some("localhost".to_owned())),
        (None, false) => (State::Warning, Some("sslmode=disable".to_owned())),
    })
}

fn database_superuser(found: &Found<'_>) -> Verdict {
    of_facts(found, |facts| (warn_unless(!facts.is_superuser), Some(facts.user.clone())))
}

fn data_checksums(found: &Found<'_>) -> Verdict {
    of_facts(found, |facts| {
        (warn_unless(facts.has_checksums), Some(if facts.has_checksums { "on" } else { "off" }.to_owned()))
    })
}

/// The database's clock against this machine's. How long the question took is no difference.
fn clock(found: &Found<'_>) -> Verdict {
    const WARN_FROM: SignedDuration = SignedDuration::from_secs(1);
    const BAD_FROM: SignedDuration = SignedDuration::from_secs(30);
    of_facts(found, |facts| {
        let apart = facts.clock_offset.abs();
        let state = match apart {
            _ if apart >= BAD_FROM => State::Problem,
            _ if apart >= WARN_FROM => State::Warning,
            _ => State::Ok,
        };
        (state, Some(format!("{} ms", facts.clock_offset.as_millis())))
    })
}

fn time_sync(found: &Found<'_>) -> Verdict {
    if found.machine.is_time_synced { (State::Ok, Some("systemd-timesyncd".to_owned())) } else { NOT_KNOWN }
}

/// The server raises its own limit as far as the hard one lets it.
fn descriptors(found: &Found<'_>) -> Verdict {
    const FEW: u64 = 4096;
    const TOO_FEW: u64 = 1024;
    let Some((soft, hard)) = found.machine.descriptors else { return NOT_KNOWN };
    let state = match hard {
        ..TOO_FEW => State::Problem,
        TOO_FEW..FEW => State::Warning,
        FEW.. => State::Ok,
    };
    (state, Some(format!("{soft} / {hard}")))
}

/// Room below which PostgreSQL, or a backup, is about to fail.
const TOO_LITTLE_ROOM: u64 = 256_000_000;
const LITTLE_ROOM: u64 = 2_000_000_000;

fn room(free: Option<u64>, needed: u64) -> Verdict {
    let Some(free) = free else { return NOT_KNOWN };
    let state = match free {
        _ if free < needed.max(TOO_LITTLE_ROOM) => State::Problem,
        _ if free < LITTLE_ROOM => State::Warning,
        _ => State::Ok,
    };
    (state, Some(bytes(free)))
}

fn data_disk(found: &Found<'_>) -> Verdict {
    // Elsewhere it is not this disk that fills.
    if found.setup.is_database_private { room(found.machine.data_free, 0) } else { NOT_KNOWN }
}

/// A server takes no backup without room for two of the last one's size.
fn backup_disk(found: &Found<'_>) -> Verdict {
    if found.setup.backups.every.is_none() {
        return NOT_KNOWN;
    }
    let last = found.facts.and_then(|facts| facts.last_backup.as_ref()).map_or(0, |backup| backup.bytes);
    room(found.machine.backups_free, u64::try_from(last).unwrap_or(0).saturating_mul(2))
}

fn backups(found: &Found<'_>) -> Verdict {
    match found.setup.backups.every {
        Some(every) => (State::Ok, Some(length(SignedDuration::try_from(every).unwrap_or(SignedDuration::MAX)))),
        None => (State::Warning, Some("off".to_owned())),
    }
}

fn last_backup(found: &Found<'_>) -> Verdict {
    const OLD: SignedDuration = SignedDuration::from_hours(7 * 24);
    of_facts(found, |facts| {
        let age = facts.last_backup.as_ref().map(|backup| found.now.duration_since(backup.taken_at));
        let state = match (job(facts, JobKind::Take), age) {
            (Some(job), _) if job.is_bad(found.now) => State::Problem,
            (_, None) => State::Warning,
            (Some(_), Some(_)) => State::Ok,
            (None, Some(age)) => warn_unless(age < OLD),
        };
        (state, age.map(length))
    })
}

fn backup_test(found: &Found<'_>) -> Verdict {
    last_success(found, JobKind::Test)
}

/// How long ago the last base backup was taken. What is not archived within minutes would be lost with the disk.
fn archive(found: &Found<'_>) -> Verdict {
    const LATE: SignedDuration = SignedDuration::from_mins(10);
    if found.setup.backups.archive.is_none() {
        return NOT_KNOWN;
    }
    let waiting = found.machine.unarchived_since.map(|since| found.now.duration_since(since));
    if let Some(waiting) = waiting.filter(|waiting| *waiting > LATE) {
        return (State::Problem, Some(length(waiting)));
    }
    last_success(found, JobKind::Base)
}

/// Nothing comes back of what was written after a segment that is missing.
fn archive_wal(found: &Found<'_>) -> Verdict {
    match &found.machine.archived {
        Some(Archived::Whole) => (State::Ok, None),
        Some(Archived::Lacks(segment)) => (State::Problem, segment.clone()),
        None => NOT_KNOWN,
    }
}

/// How long ago this was done.
fn last_success(found: &Found<'_>, kind: JobKind) -> Verdict {
    of_facts(found, |facts| {
        let Some(job) = job(facts, kind) else { return NOT_KNOWN };
        let age = job.succeeded_at.map(|at| length(found.now.duration_since(at)));
        match (job.is_bad(found.now), &age) {
            (true, _) => (State::Problem, age),
            (false, Some(_)) => (State::Ok, age),
            (false, None) => NOT_KNOWN,
        }
    })
}

fn job(facts: &Facts, kind: JobKind) -> Option<&Job> {
    facts.backup_jobs.iter().find(|job| job.kind == kind)
}

/// A server notes the newest line of the audit log outside the database.
fn audit_head(found: &Found<'_>) -> Verdict {
    of_facts(found, |facts| match &facts.noted_head {
        Some((head, is_there)) => (if *is_there { State::Ok } else { State::Problem }, Some(head.n.to_string())),
        None => NOT_KNOWN,
    })
}

fn public_url(found: &Found<'_>) -> Verdict {
    (warn_unless(found.setup.public_url.is_some()), found.setup.public_url.clone())
}

/// With https in the public address cookies are `Secure`, and browsers come by nothing else for a year.
fn browser_tls(found: &Found<'_>) -> Verdict {
    let setup = found.setup;
    match &setup.public_url {
        _ if setup.certificate.is_some() => (State::Ok, Some("https".to_owned())),
        Some(url) if url.starts_with("https://") => (State::Ok, Some("https".to_owned())),
        Some(_) if !setup.is_public_url_local => (State::Problem, Some("http".to_owned())),
        _ => (State::Warning, Some("http".to_owned())),
    }
}

/// How long it is still good. The programs that renew certificates do so weeks before they end.
fn certificate(found: &Found<'_>) -> Verdict {
    const SHORT: SignedDuration = SignedDuration::from_hours(14 * 24);
    const TOO_SHORT: SignedDuration = SignedDuration::from_hours(3 * 24);
    if found.setup.certificate.is_none() {
        return NOT_KNOWN;
    }
    let Some(certificate) = &found.machine.certificate else { return (State::Problem, None) };
    let left = certificate.left(found.now);
    let state = if left < TOO_SHORT { State::Problem } else { warn_unless(left >= SHORT) };
    (state, Some(length(left)))
}

fn certificate_names(found: &Found<'_>) -> Verdict {
    let Some(certificate) = &found.machine.certificate else { return NOT_KNOWN };
    let state = match &found.setup.public_host {
        Some(host) if certificate.is_for(host) => State::Ok,
        Some(_) => State::Problem,
        None => State::Unknown,
    };
    (state, Some(certificate.names.join(", ")))
}

/// Where browsers speak TLS and the server does not, there is a proxy.
fn proxies(found: &Found<'_>) -> Verdict {
    let is_https = found.setup.public_url.as_ref().is_some_and(|url| url.starts_with("https://"));
    match (found.setup.is_behind_proxy, is_https && found.setup.certificate.is_none()) {
        (true, _) => (State::Ok, Some("on".to_owned())),
        (false, true) => (State::Problem, Some("off".to_owned())),
        (false, false) => NOT_KNOWN,
    }
}

fn ops_listener(found: &Found<'_>) -> Verdict {
    let Some(address) = found.setup.ops_bind else { return (State::Ok, Some("127.0.0.1".to_owned())) };
    let ip = address.ip().to_canonical();
    let is_near = match ip {
        std::net::IpAddr::V4(ip) => ip.is_private() || ip.is_link_local(),
        std::net::IpAddr::V6(ip) => ip.is_unique_local() || ip.is_unicast_link_local(),
    };
    let state = match () {
        () if ip.is_loopback() || is_near => State::Ok,
        // Every network that this machine is in; a container is in few.
        () if ip.is_unspecified() => State::Warning,
        () => State::Problem,
    };
    (state, Some(address.to_string()))
}

fn data_directory(found: &Found<'_>) -> Verdict {
    let Some(mode) = found.machine.data_mode else { return NOT_KNOWN };
    let is_shut = found.machine.postgres_entry.is_some_and(|bit| mode & bit == 0);
    // Who may only pass through does not see what is there, and the secret has a mode of its own.
    let state = if is_shut || mode & 0o002 != 0 { State::Problem } else { warn_unless(mode & 0o006 == 0) };
    (state, Some(format!("{mode:04o}")))
}

fn secret(found: &Found<'_>) -> Verdict {
    if !found.setup.is_secret_kept {
        return (State::Ok, Some("HOUSERULES_SECRET".to_owned()));
    }
    let Some(file) = &found.machine.secret else { return NOT_KNOWN };
    let state = if file.mode & 0o077 == 0 { State::Ok } else { State::Problem };
    (state, Some(format!("{:04o}", file.mode)))
}

fn secret_age(found: &Found<'_>) -> Verdict {
    const OLD: SignedDuration = SignedDuration::from_hours(2 * 365 * 24);
    let Some(file) = found.machine.secret.as_ref().filter(|_| found.setup.is_secret_kept) else { return NOT_KNOWN };
    let age = found.now.duration_since(file.changed_at);
    (warn_unless(age < OLD), Some(length(age)))
}

/// In the largest unit of which there are two.
fn length(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    match seconds {
        ..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        7200..172_800 => format!("{} h", seconds / 3600),
        172_800.. => format!("{} d", seconds / 86_400),
    }
}

fn bytes(count: u64) -> String {
    match count {
        ..1_000_000_000 => format!("{} MB", count / 1_000_000),
        1_000_000_000.. => format!("{:.1} GB", count as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests;
