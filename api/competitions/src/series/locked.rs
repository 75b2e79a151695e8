//! The one frame in which a series changes: locked, audited, and one revision further.

use diesel_async::AsyncPgConnection;
use serde_json::Value;

use super::season::Season;
use super::store::{self, SeriesRow};
use super::{SeriesId, SeriesStatus};
use base::audit::{self, Entry};
use base::auth::Actor;
use base::error::{Result, conflict, not_found};

/// A series whose row is locked until the transaction ends.
pub(super) struct LockedSeries {
    pub(super) row: SeriesRow,
}

impl LockedSeries {
    /// Refuses a caller who has seen an older revision, and a sandbox key.
    pub(super) async fn lock(
        conn: &mut AsyncPgConnection,
        actor: Actor<'_>,
        id: SeriesId,
        expected: Option<i64>,
    ) -> Result<Self> {
        actor.staff.expect_in_reach(false)?;
        let row = store::lock(conn, id).await?.ok_or_else(|| not_found("series_not_found"))?;
        match expected.is_some_and(|seen| seen != row.revision) {
            true => Err(conflict("series_changed")),
            false => Ok(Self { row }),
        }
    }

    /// Refuses once the season has ended.
    pub(super) fn expect_open(&self) -> Result<()> {
        match self.row.status {
            SeriesStatus::Draft | SeriesStatus::Running => Ok(()),
            SeriesStatus::Ended => Err(conflict("series_ended")),
        }
    }

    pub(super) async fn read(&self, conn: &mut AsyncPgConnection) -> Result<Season> {
        Season::read(conn, self.row.clone()).await
    }

    /// Writes the row, the next revision and the audit record.
    pub(super) async fn record(
        mut self,
        conn: &mut AsyncPgConnection,
        actor: Actor<'_>,
        action: &str,
        details: Value,
    ) -> Result<()> {
        self.row.revision += 1;
        store::write(conn, &self.row).await?;
        record(conn, actor, &self.row, action, details).await
    }
}

/// The audit record of what staff did to a series, with its name.
pub(super) async fn record(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    row: &SeriesRow,
    action: &str,
    mut details: Value,
) -> Result<()> {
    if let Value::Object(fields) = &mut details {
        fields.insert("name".to_owned(), row.name.as_str().into());
    }
    let (by, subject_id) = (Some(actor.staff.id), Some(row.id.0));
    let entry = Entry { actor: by, action, subject: "series", subject_id, details };
    Ok(audit::record(conn, actor.world, entry).await?)
}
