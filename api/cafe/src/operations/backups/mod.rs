//! What servers do about backups by themselves, and whether it goes well. The work itself is the program's: `api/src/backup`.

pub mod store;

use std::time::Duration;

use diesel_async::AsyncConnection;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use base::audit::{self, Entry};
use base::auth::{Actor, StaffContext, can};
use base::error::{Result, conflict};
use base::setup::BackupPlan;

/// What has failed is tried again after this time, or sooner if it is done more often.
const RETRY: SignedDuration = SignedDuration::from_hours(1);

/// Base backups are taken so often.
const BASE_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

base::text_enum! {
    /// What a server does about backups: take them, restore the newest elsewhere to test it, take base backups for the archive.
    pub enum JobKind {
        Take = "take",
        Test = "test",
        Base = "base",
    }
}

/// One of these, and how it goes.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Job {
    pub kind: JobKind,
    #[schema(example = 21600)]
    pub every_seconds: i64,
    #[serde(skip)]
    pub since: Timestamp,
    pub succeeded_at: Option<Timestamp>,
    /// If it has failed since it last succeeded.
    pub failed_at: Option<Timestamp>,
    /// Why it failed.
    #[schema(example = "pg_dump of PostgreSQL 15 or later is not installed")]
    pub problem: Option<String>,
    #[serde(skip)]
    pub asked_at: Option<Timestamp>,
}

impl JobKind {
    /// Of its name in the catalogues.
    pub fn key(self) -> &'static str {
        match self {
            Self::Take => "backup-take",
            Self::Test => "backup-test",
            Self::Base => "backup-base",
        }
    }

    /// Of the sentence that it does not go well.
    pub fn bad_key(self) -> &'static str {
        match self {
            Self::Take => "backup-take-bad",
            Self::Test => "backup-test-bad",
            Self::Base => "backup-base-bad",
        }
    }

    pub fn every(self, plan: &BackupPlan) -> Option<Duration> {
        match self {
            Self::Take => plan.every,
            Self::Test => plan.test_every,
            Self::Base => plan.archive.as_ref().map(|_| BASE_EVERY),
        }
    }
}

impl Job {
    fn every(&self) -> SignedDuration {
        SignedDuration::from_secs(self.every_seconds)
    }

    /// When it has been so many of its times since this moment. Beyond all time that is never.
    fn after(&self, at: Timestamp, times: i32) -> Timestamp {
        at.checked_add(self.every().saturating_mul(times)).unwrap_or(Timestamp::MAX)
    }

    pub fn is_due(&self, now: Timestamp) -> bool {
        if self.asked_at.is_some() {
            return true;
        }
        if let Some(failed_at) = self.failed_at {
            return now >= failed_at + self.every().min(RETRY);
        }
        match (self.succeeded_at, self.kind) {
            (Some(succeeded_at), _) => now >= self.after(succeeded_at, 1),
            (None, JobKind::Take | JobKind::Base) => true,
            (None, JobKind::Test) => now >= self.after(self.since, 1),
        }
    }

    /// Whether it has been without success for twice its time.
    pub fn is_late(&self, now: Timestamp) -> bool {
        now > self.after(self.succeeded_at.unwrap_or(self.since), 2)
    }

    /// Whether somebody should see to it.
    pub fn is_bad(&self, now: Timestamp) -> bool {
        match self.kind {
            // One that fails is tried again before anybody needs to know.
            JobKind::Take | JobKind::Base => self.is_late(now),
            JobKind::Test => self.problem.is_some() || self.is_late(now),
        }
    }
}

/// Has a backup taken as soon as a server sees to it.
pub async fn ask(cx: &mut StaffContext<'_, can::ViewOperations>) -> Result<()> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    conn.transaction(async |conn| {
        if store::ask(conn, JobKind::Take, world.now()).await? == 0 {
            return Err(conflict("backups_off"));
        }
        let action = "house.backup_request";
        let entry = Entry { actor: Some(staff.id), action, subject: "house", subject_id: None, details: json!({}) };
        Ok(audit::record(conn, world, entry).await?)
    })
    .await
}

/// For Prometheus: when each last succeeded, and whether it has failed since.
pub fn tell_metrics(jobs: &[Job]) {
    for job in jobs {
        let labels = [("kind", job.kind.as_str())];
        let succeeded = job.succeeded_at.map_or(0, Timestamp::as_second);
        metrics::gauge!("backup_job_last_success_timestamp_seconds", &labels).set(succeeded as f64);
        metrics::gauge!("backup_job_failing", &labels).set(u32::from(job.problem.is_some()));
    }
}

/// For Prometheus: how many WAL segments are not in the archive yet.
pub fn tell_waiting(segments: usize) {
    metrics::gauge!("archive_segments_waiting").set(segments as f64);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(kind: JobKind) -> Job {
        let since = Timestamp::UNIX_EPOCH;
        let (succeeded_at, failed_at, problem, asked_at) = (None, None, None, None);
        Job { kind, every_seconds: 21_600, since, succeeded_at, failed_at, problem, asked_at }
    }

    fn hour(hours: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours)
    }

    #[test]
    fn the_last_success_says_when_it_is_due_and_late() {
        let new = job(JobKind::Take);
        assert!(new.is_due(hour(0)) && !new.is_late(hour(12)) && new.is_late(hour(13)));
        let taken = Job { succeeded_at: Some(hour(100)), ..new };
        assert!(!taken.is_due(hour(105)) && taken.is_due(hour(106)));
        assert!(!taken.is_bad(hour(112)) && taken.is_bad(hour(113)));
        assert!(Job { asked_at: Some(hour(101)), ..taken }.is_due(hour(101)));
    }

    #[test]
    fn a_failure_is_tried_again_after_an_hour_and_shown_where_it_matters() {
        let taken = Job { succeeded_at: Some(hour(100)), ..job(JobKind::Take) };
        let failed = Job { failed_at: Some(hour(106)), problem: Some("no room".to_owned()), ..taken };
        assert!(!failed.is_due(hour(106)) && failed.is_due(hour(107)) && !failed.is_bad(hour(107)));
        assert!(Job { kind: JobKind::Test, ..failed }.is_bad(hour(107)));
    }

    #[test]
    fn a_time_beyond_all_time_never_comes() {
        for kind in [JobKind::Take, JobKind::Test] {
            let taken = Job { every_seconds: i64::MAX, succeeded_at: Some(hour(100)), ..job(kind) };
            assert!(!taken.is_due(hour(1_000_000)) && !taken.is_bad(hour(1_000_000)), "{kind:?}");
        }
    }

    #[test]
    fn a_first_test_waits_for_its_time() {
        let new = job(JobKind::Test);
        assert!(!new.is_due(hour(5)) && new.is_due(hour(6)));
    }
}
