//! Guests whom nobody has seen for as long as the café keeps them are forgotten, as if they had deleted their account.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde_json::json;

use super::{own, store};
use base::audit::{self, Entry};
use base::error::{Result, internal};
use base::settings;
use base::world::World;

/// So many in one transaction; the others come with the next round.
const GUESTS_AT_ONCE: i64 = 200;

/// Forgets the next of them, if the café forgets guests at all: how many.
pub async fn forget_guests(conn: &mut AsyncPgConnection, world: &World) -> Result<usize> {
    let Some(months) = settings::store::find(conn, false).await?.forget_guests_after_months else { return Ok(0) };
    let now = world.now();
    let since = months_before(now, months)?;
    conn.transaction(async |conn| {
        let locked = store::lock_unseen_guests(conn, since, now, GUESTS_AT_ONCE).await?;
        // Again: somebody may have entered one of them in something until its row was locked.
        let unseen = store::list_unseen_guests(conn, &locked, since, now).await?;
        for id in &unseen {
            own::erase(conn, world, *id).await?;
        }
        if !unseen.is_empty() {
            let details = json!({ "count": unseen.len(), "months": months, "unseen_since": since });
            let action = "player.forget_guests";
            audit::record(conn, world, Entry { actor: None, action, subject: "house", subject_id: None, details })
                .await?;
        }
        Ok(unseen.len())
    })
    .await
}

fn months_before(now: Timestamp, months: i16) -> Result<Timestamp> {
    Ok(now.to_zoned(TimeZone::UTC).checked_sub(i64::from(months).months()).map_err(internal)?.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_one_of_the_calendar() {
        let now: Timestamp = "2026-03-31T12:00:00Z".parse().unwrap();
        assert_eq!(months_before(now, 1).unwrap().to_string(), "2026-02-28T12:00:00Z");
        assert_eq!(months_before(now, 24).unwrap().to_string(), "2024-03-31T12:00:00Z");
    }
}
