//! Which tournaments count in a series.

use diesel_async::AsyncConnection;
use serde_json::json;

use super::locked::LockedSeries;
use super::request::EventRequest;
use super::{SeriesId, store};
use crate::tournaments::places;
use base::auth::{StaffContext, can};
use base::error::{Result, conflict, invalid_field, not_found};
use base::ids::TournamentId;

/// So many events has a season at most.
pub const MOST_EVENTS: usize = 60;

/// The tournament counts from now on, as soon as it is over. Asking again changes its division.
pub async fn put_event(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: SeriesId,
    tournament: TournamentId,
    request: &EventRequest,
) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    conn.transaction(async |conn| -> Result<_> {
        let locked = LockedSeries::lock(conn, actor, id, request.revision).await?;
        locked.expect_open()?;
        let divisions = store::list_divisions(conn, id).await?;
        if request.division.is_some_and(|number| divisions.iter().all(|it| it.number != number)) {
            return Err(invalid_field("/division", "unknown_value"));
        }
        let events = store::list_events(conn, id).await?;
        let known = events.iter().find(|it| it.id == tournament);
        if known.is_some_and(|it| it.division == request.division) {
            return Ok(());
        }
        if known.is_none() && events.len() >= MOST_EVENTS {
            return Err(conflict("too_many_events"));
        }
        // It may have ended before its places were kept.
        let added = places::keep_of(conn, tournament).await?;
        if added.row.sandbox {
            return Err(not_found("tournament_not_found"));
        }
        store::put_event(conn, id, tournament, request.division).await?;
        let details =
            json!({ "tournament": tournament, "tournament_name": added.row.name, "division": request.division });
        locked.record(conn, actor, "series.put_event", details).await
    })
    .await
}

/// The tournament no longer counts. Asking again changes nothing.
pub async fn remove_event(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: SeriesId,
    tournament: TournamentId,
) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    conn.transaction(async |conn| -> Result<_> {
        let locked = LockedSeries::lock(conn, actor, id, None).await?;
        locked.expect_open()?;
        if store::delete_event(conn, id, tournament).await? == 0 {
            return Ok(());
        }
        locked.record(conn, actor, "series.remove_event", json!({ "tournament": tournament })).await
    })
    .await
}
