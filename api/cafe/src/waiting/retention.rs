//! The list forgets people: who they are as soon as nobody can undo the end of their wait, all of it a day later.

use diesel_async::AsyncPgConnection;
use jiff::{SignedDuration, Timestamp};

use super::store;
use base::error::Result;
use base::undo::UNDO_FOR;

/// Nobody waits so long: staff forgot to say what became of them.
const LONGEST: SignedDuration = SignedDuration::from_hours(12);
/// So long the party's own page says what became of it.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// Ends what was forgotten, and forgets who waited. Gives how many people were forgotten.
pub async fn sweep(conn: &mut AsyncPgConnection, now: Timestamp) -> Result<usize> {
    store::end_forgotten(conn, now - LONGEST, now).await?;
    store::delete_over(conn, now - KEPT).await?;
    Ok(store::forget_people(conn, now - UNDO_FOR).await?)
}
