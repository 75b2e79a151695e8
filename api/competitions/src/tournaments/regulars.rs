//! People who often come: they enter a tournament by one tap.

use jiff::SignedDuration;

use super::store;
use super::{SeesDrafts, TournamentId};
use base::auth::StaffContext;
use base::error::{Result, not_found};
use base::names;

pub use store::Regular;

/// How far back it counts what somebody came to.
const SINCE: SignedDuration = SignedDuration::from_hours(24 * 180);

/// Those who came most to tournaments and tables in the last half year and have not entered this one, whose names hold this text.
pub async fn list_regulars<P: SeesDrafts>(
    cx: &mut StaffContext<'_, P>,
    id: TournamentId,
    text: &str,
    limit: i64,
) -> Result<Vec<Regular>> {
    let (conn, actor) = cx.parts().await?;
    let row = store::find(conn, id).await?.ok_or_else(|| not_found("tournament_not_found"))?;
    // A sandbox takes no player of the house.
    if row.sandbox {
        return Ok(Vec::new());
    }
    let text = text.trim();
    let pattern = Some(text).filter(|text| !text.is_empty()).and_then(names::pattern);
    let since = actor.world.now() - SINCE;
    Ok(store::find_regulars(conn, id, (text, pattern.as_deref()), since, limit).await?)
}
