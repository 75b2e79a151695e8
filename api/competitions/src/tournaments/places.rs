//! Where everybody came in a tournament that is over, over all its stages. It is written with each step after the end, so that what
//! adds up many tournaments reads it instead of computing their standings.

use diesel_async::AsyncPgConnection;
use engine::tournaments::{EventPlace, final_places};

use super::store;
use super::teams::rows_of_members;
use super::{Tournament, TournamentId, TournamentStatus};
use base::error::{Result, not_found};

impl Tournament {
    /// By the numbers of entrants, the best first. Members of a team share its place. Who never played is left out.
    pub fn places(&self) -> Result<Vec<EventPlace>> {
        let rows = |stage| self.standings(stage).map(rows_of_members);
        let stages = (1..=self.row.stage).map(rows).collect::<Result<Vec<_>>>()?;
        Ok(final_places(&stages))
    }
}

/// Writes where everybody came, if it is over. Of a tournament that is locked.
pub async fn keep(conn: &mut AsyncPgConnection, tournament: &Tournament) -> Result<()> {
    if tournament.row.status == TournamentStatus::Finished {
        store::put_places(conn, tournament.row.id, tournament.places()?).await?;
    }
    Ok(())
}

/// The same for one that may have ended before places were kept.
pub async fn keep_of(conn: &mut AsyncPgConnection, id: TournamentId) -> Result<Tournament> {
    let row = store::lock(conn, id).await?.ok_or_else(|| not_found("tournament_not_found"))?;
    let tournament = Tournament::read(conn, row).await?;
    keep(conn, &tournament).await?;
    Ok(tournament)
}
