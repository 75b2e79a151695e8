//! The end of a season: who goes up and down, and the season after it.

use std::collections::BTreeMap;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::tournaments::SeriesMove;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::locked::{LockedSeries, record};
use super::request::{NextSeasonRequest, Placement};
use super::season::Season;
use super::store::{self, SeriesRow};
use super::{SeriesId, SeriesStatus};
use base::auth::{StaffContext, can, secrets};
use base::codes::new_code;
use base::db::OnConstraint;
use base::error::{Result, conflict, invalid_field};
use base::ids::PlayerId;

/// Where somebody plays in the next season.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub person: PlayerId,
    pub rank: u32,
    /// The numbers of divisions.
    pub from: i16,
    pub to: i16,
    /// Equals stand at the line: they stay unless staff say otherwise.
    pub is_open: bool,
}

impl Season {
    /// Where everybody would play in the next season, by division and rank; nobody where there are no divisions.
    pub fn moves(&self) -> Result<Vec<Move>> {
        let mut moves = Vec::new();
        for table in self.tables()? {
            let Some(from) = table.division.map(|it| it.number) else { continue };
            for row in table.rows {
                let (to, is_open) = match row.moves {
                    SeriesMove::Stays => (from, false),
                    SeriesMove::Up => (from - 1, false),
                    SeriesMove::Down => (from + 1, false),
                    SeriesMove::UpOpen | SeriesMove::DownOpen => (from, true),
                };
                moves.push(Move { person: row.person, rank: row.rank, from, to, is_open });
            }
        }
        Ok(moves)
    }
}

/// Differs if anybody goes elsewhere.
pub fn moves_digest(moves: &[Move]) -> String {
    let mut all: Vec<(PlayerId, i16)> = moves.iter().map(|it| (it.person, it.to)).collect();
    all.sort_unstable();
    let mut digest = Sha256::new();
    for (person, to) in all {
        digest.update(person.0.as_bytes());
        digest.update(to.to_be_bytes());
    }
    secrets::encode(&<[u8; 32]>::from(digest.finalize()))
}

/// Ends the season and drafts the next, by the same rules and with the same divisions: its id. Refused if the table says something
/// else by now than the caller has seen, of which this is the digest.
pub async fn end_season(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: SeriesId,
    request: &NextSeasonRequest,
    seen: Option<&str>,
) -> Result<SeriesId> {
    let (conn, actor) = cx.parts().await?;
    conn.transaction(async |conn| -> Result<_> {
        let mut locked = LockedSeries::lock(conn, actor, id, request.revision).await?;
        if store::find_next(conn, id).await?.is_some() {
            return Err(conflict("series_continued"));
        }
        let season = locked.read(conn).await?;
        let moves = season.moves()?;
        // A correction of a tournament changes the table, and not the series.
        if seen.is_some_and(|seen| seen != moves_digest(&moves)) {
            return Err(conflict("series_changed"));
        }
        let placed = placed(&season, &moves, &request.divisions)?;
        if locked.row.status != SeriesStatus::Ended {
            settle_people(conn, &locked).await?;
        }
        let next = SeriesRow {
            id: SeriesId(actor.world.uuid()),
            code: new_code(actor.world),
            name: request.name.0.clone(),
            status: SeriesStatus::Draft,
            rules: locked.row.rules.clone(),
            previous_id: Some(id),
            created_by: actor.staff.id,
            created_at: actor.world.now(),
            revision: 1,
        };
        let made = store::insert(conn, &next).await;
        made.on_constraint("series_previous_id_key", || conflict("series_continued"))?;
        store::put_divisions(conn, next.id, &season.divisions).await?;
        // Accounts of one person stay so.
        let mut rows: BTreeMap<PlayerId, (Option<PlayerId>, Option<i16>)> =
            store::list_people(conn, id).await?.into_iter().map(|it| (it.account.id, (it.same_as, None))).collect();
        for it in &placed {
            rows.entry(it.player_id).or_default().1 = Some(it.division);
        }
        rows.retain(|_, (same_as, division)| same_as.is_some() || division.is_some());
        let rows: Vec<_> = rows.into_iter().map(|(player, (same_as, division))| (player, same_as, division)).collect();
        store::put_people(conn, next.id, &rows).await?;
        record(conn, actor, &next, "series.create", json!({ "previous": id })).await?;
        locked.row.status = SeriesStatus::Ended;
        let moved: Vec<_> =
            placed.iter().map(|it| json!({ "player": it.player_id, "division": it.division })).collect();
        locked.record(conn, actor, "series.end", json!({ "next": next.id, "divisions": moved })).await?;
        Ok(next.id)
    })
    .await
}

/// Everybody's division, as the table and staff say.
fn placed(season: &Season, moves: &[Move], said: &[Placement]) -> Result<Vec<Placement>> {
    let mut placed: BTreeMap<PlayerId, i16> = moves.iter().map(|it| (it.person, it.to)).collect();
    for (at, it) in said.iter().enumerate() {
        let pointer = |field: &str| format!("/divisions/{at}/{field}");
        if season.divisions.iter().all(|division| division.number != it.division) {
            return Err(invalid_field(&pointer("division"), "unknown_value"));
        }
        let person = season.people.person_of(it.player_id);
        let known = person.and_then(|person| placed.get_mut(&person));
        *known.ok_or_else(|| invalid_field(&pointer("player_id"), "unknown_value"))? = it.division;
    }
    Ok(placed.into_iter().map(|(player_id, division)| Placement { player_id, division }).collect())
}

/// Writes down who is one person by name: a season that is over does not fall apart when a name is changed or forgotten.
pub(super) async fn settle_people(conn: &mut AsyncPgConnection, locked: &LockedSeries) -> Result<()> {
    let season = locked.read(conn).await?;
    let said: BTreeMap<PlayerId, _> = season.said.iter().map(|it| (it.account.id, it)).collect();
    let mut rows = Vec::new();
    for person in season.people.all() {
        for account in season.people.accounts_of(person).into_iter().filter(|it| it.id != person) {
            let known = said.get(&account.id);
            if known.is_none_or(|it| it.same_as.is_none()) {
                rows.push((account.id, Some(person), known.and_then(|it| it.division)));
            }
        }
    }
    store::put_people(conn, locked.row.id, &rows).await?;
    Ok(())
}
