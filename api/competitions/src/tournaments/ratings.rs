//! The ratings by which tie-breaks go. They are kept with the entrants, so that later matches change no table.

use std::collections::{BTreeMap, HashMap};

use diesel_async::AsyncPgConnection;
use serde_json::json;

use super::TournamentId;
use super::locked::{Change, ExpectedRevision, LockedTournament};
use super::store::{self, EntrantRow, TournamentRow};
use base::auth::{StaffContext, can};
use base::error::{Result, invalid_field, not_found};
use base::ids::PlayerId;

/// What staff can type.
pub const RATINGS: std::ops::RangeInclusive<i32> = 0..=9_999;

/// Staff give an entrant a rating, or take it away; then the house's rating of the game counts. Before the start.
pub async fn rate(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    number: i32,
    rating: Option<i32>,
    expected: ExpectedRevision,
) -> Result<()> {
    if rating.is_some_and(|rating| !RATINGS.contains(&rating)) {
        return Err(invalid_field("/rating", "out_of_range"));
    }
    LockedTournament::change(cx, id, expected, "tournament.rate_entrant", async |conn, _, locked| {
        let before = locked.entrant(number).cloned().ok_or_else(|| not_found("entrant_not_found"))?;
        locked.expect_before_start()?;
        if before.rating == rating {
            return Ok(Change::none());
        }
        store::write_entrant(conn, id, &EntrantRow { rating, ..before.clone() }).await?;
        Ok(Change::audited(json!({ "entrant": number, "before": before.rating, "rating": rating })))
    })
    .await
}

/// By number: what was given, or else what the house knows of them.
pub async fn of(
    conn: &mut AsyncPgConnection,
    row: &TournamentRow,
    entrants: &[&EntrantRow],
) -> Result<BTreeMap<i32, i32>> {
    let unrated: Vec<PlayerId> = entrants.iter().filter(|it| it.rating.is_none()).map(|it| it.player_id).collect();
    let known: HashMap<PlayerId, i32> = match unrated.is_empty() {
        true => HashMap::new(),
        false => store::list_ratings(conn, &row.game, &unrated).await?.into_iter().collect(),
    };
    let rating = |it: &&EntrantRow| Some((it.number, it.rating.or_else(|| known.get(&it.player_id).copied())?));
    Ok(entrants.iter().filter_map(rating).collect())
}

/// Keeps what the house knows of those who play and have no rating yet.
pub async fn note(conn: &mut AsyncPgConnection, locked: &mut LockedTournament) -> Result<()> {
    let is_new = |it: &&EntrantRow| it.rating.is_none() && it.status.has_place();
    let entrants: Vec<&EntrantRow> = locked.tournament.entrants.iter().filter(is_new).collect();
    let found: Vec<(i32, i32)> = of(conn, &locked.tournament.row, &entrants).await?.into_iter().collect();
    if found.is_empty() {
        return Ok(());
    }
    store::set_ratings(conn, locked.row.id, &found).await?;
    for entrant in &mut locked.tournament.entrants {
        let given = found.iter().find(|(number, _)| *number == entrant.number).map(|(_, rating)| *rating);
        entrant.rating = entrant.rating.or(given);
    }
    Ok(())
}
