//! Who became a manager or an owner lately: every owner is told, so that no one of them appoints somebody unseen.

use diesel::result::QueryResult;
use diesel_async::AsyncPgConnection;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use base::audit::store::{self as lines, Filter, LineRow};
use base::auth::Role;
use base::ids::PlayerId;

/// For so long owners are told.
const TOLD_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Far more than any café appoints in that time.
const MOST: i64 = 200;

/// Somebody became a manager or an owner.
pub struct Appointment {
    pub at: Timestamp,
    pub name: String,
    pub role: Role,
    /// Who did it. None when the command line did.
    pub by: Option<String>,
}

/// What such lines of the audit log tell.
#[derive(Deserialize)]
struct Details {
    #[serde(alias = "to")]
    role: Role,
    from: Option<Role>,
    /// None if an earlier version wrote the line.
    name: Option<String>,
    invited_by: Option<String>,
}

/// Those of the last week that this reader did not make and is not the subject of, the latest first.
pub async fn list(conn: &mut AsyncPgConnection, reader: PlayerId, now: Timestamp) -> QueryResult<Vec<Appointment>> {
    let actions = ["staff.add", "staff.join", "staff.role"].map(str::to_owned).to_vec();
    let filter = Filter { actions, from: Some(now - TOLD_FOR), ..Filter::default() };
    let rows = lines::list(conn, &filter, MOST).await?;
    let news = rows.into_iter().filter(|row| row.actor != Some(reader.0) && row.subject_id != Some(reader.0));
    Ok(news.filter_map(Appointment::of).collect())
}

impl Appointment {
    /// None for a line about staff, or about somebody who has less to say than before.
    fn of(row: LineRow) -> Option<Self> {
        let Details { role, from, name, invited_by } = Details::deserialize(row.details).ok()?;
        let rose = role >= Role::Manager && from.is_none_or(|from| from < role);
        let by = if row.action == "staff.join" { invited_by } else { row.actor_name };
        rose.then_some(Self { at: row.at, name: name.unwrap_or_default(), role, by })
    }
}
