//! The saved state of a match is a cache of its log. If it cannot be read, the log is played again and the result saved.

use diesel_async::{AsyncConnection, AsyncPgConnection};

use super::store::{self, WholeMatch};
use super::{MatchRow, lock, replay};
use base::error::{Error, Result};
use base::games::{guarded, resume};
use base::ids::MatchId;

/// A match, and all that stands beside it, with a state that can be read.
///
/// # Errors
/// When neither its state nor its log can be read.
pub async fn find_whole(conn: &mut AsyncPgConnection, id: MatchId) -> Result<Option<WholeMatch>> {
    let found = store::find_whole(conn, id).await?;
    healed(conn, found).await
}

/// The same match as it was found, or once more if its state could not be read.
///
/// # Errors
/// When neither its state nor its log can be read.
pub async fn healed(conn: &mut AsyncPgConnection, found: Option<WholeMatch>) -> Result<Option<WholeMatch>> {
    match found.as_ref().filter(|it| it.state.as_deref().is_some_and(|state| is_broken(&it.row, state))) {
        Some(WholeMatch { row: MatchRow { id, .. }, .. }) if heal(conn, *id).await? => {
            Ok(store::find_whole(conn, *id).await?)
        }
        _ => Ok(found),
    }
}

/// Saves the state that the match's log leads to, if the saved one cannot be read: whether it could not.
///
/// # Errors
/// When the log cannot be read either.
pub async fn heal(conn: &mut AsyncPgConnection, id: MatchId) -> Result<bool> {
    conn.transaction(async |conn| {
        let row = lock(conn, id).await?;
        let state = store::find_state(conn, id).await?;
        if !state.is_some_and(|state| is_broken(&row, &state)) {
            return Ok(false);
        }
        let log = replay::read_log(conn, id, row.version).await?;
        if log.last().map(|it| it.version) != Some(row.version) {
            return Err(replay::broken());
        }
        let play = replay::replay(&row, &log)?;
        store::save_state(conn, id, &guarded(|| play.save())?).await?;
        tracing::error!(match_id = %id, version = row.version, "rebuilt the state of a match from its log");
        Ok(true)
    })
    .await
}

/// Rules that are no longer here cannot be replayed either: that is another error.
fn is_broken(row: &MatchRow, state: &[u8]) -> bool {
    matches!(resume(&row.game, row.revision, state), Err(Error::Internal(_)))
}
