//! The table, or the area of tables, at which an entrant has to play: for a wheelchair, say. Only staff know of it.

use diesel_async::AsyncPgConnection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::locked::{Change, LockedTournament};
use super::store::{self, EntrantRow};
use super::{Tournament, TournamentId};
use base::auth::{StaffContext, can};
use base::error::{Result, conflict, invalid_field, not_found};
use base::ids::TableId;
use play::tables::{self, TableRow};

/// Where an entrant has to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableNeed {
    Table(TableId),
    /// Any table of this area.
    Area(String),
}

impl TableNeed {
    pub fn of(row: &EntrantRow) -> Option<Self> {
        match (row.needs_table, &row.needs_area) {
            (Some(table), _) => Some(Self::Table(table)),
            (None, Some(area)) => Some(Self::Area(area.clone())),
            (None, None) => None,
        }
    }

    pub fn is_met_by(&self, table: &TableRow) -> bool {
        match self {
            Self::Table(id) => table.id == *id,
            Self::Area(area) => table.area.as_ref() == Some(area),
        }
    }

    fn write_to(need: Option<Self>, row: &mut EntrantRow) {
        (row.needs_table, row.needs_area) = match need {
            Some(Self::Table(table)) => (Some(table), None),
            Some(Self::Area(area)) => (None, Some(area)),
            None => (None, None),
        };
    }
}

/// The table that an entrant needs, or an area of tables; nothing of both to need none.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[schema(as = TournamentTableNeed)]
#[serde(deny_unknown_fields)]
pub struct TableNeedRequest {
    /// A table …
    pub table_id: Option<TableId>,
    /// … or an area, as tables name it.
    #[schema(max_length = 40)]
    pub area: Option<String>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    pub revision: Option<i64>,
}

impl TableNeedRequest {
    /// Refuses what no table meets.
    async fn need(&self, conn: &mut AsyncPgConnection) -> Result<Option<TableNeed>> {
        let (need, field) = match (self.table_id, &self.area) {
            (None, None) => return Ok(None),
            (Some(_), Some(_)) => return Err(invalid_field("/area", "unknown_field")),
            (Some(table), None) => (TableNeed::Table(table), "/table_id"),
            (None, Some(area)) => (TableNeed::Area(area.clone()), "/area"),
        };
        let tables = tables::store::list(conn, false).await?;
        match tables.iter().any(|table| need.is_met_by(table)) {
            true => Ok(Some(need)),
            false => Err(invalid_field(field, "unknown_value")),
        }
    }
}

/// Staff say at which table an entrant has to play. Bouts that have their tables keep them.
pub async fn set_table_need(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    number: i32,
    request: &TableNeedRequest,
) -> Result<()> {
    LockedTournament::change(cx, id, request.revision, "tournament.set_table_need", async |conn, _, locked| {
        locked.expect_real()?;
        if locked.row.status.is_over() {
            return Err(conflict("tournament_over"));
        }
        let need = request.need(conn).await?;
        match write(conn, locked, number, need).await? {
            true => Ok(Change::audited(json!({ "entrant": number }))),
            false => Ok(Change::none()),
        }
    })
    .await
}

/// Whether that is new.
pub(super) async fn write(
    conn: &mut AsyncPgConnection,
    locked: &mut LockedTournament,
    number: i32,
    need: Option<TableNeed>,
) -> Result<bool> {
    let id = locked.row.id;
    let known = locked.tournament.entrants.iter_mut().find(|it| it.number == number);
    let known = known.ok_or_else(|| not_found("entrant_not_found"))?;
    if TableNeed::of(known) == need {
        return Ok(false);
    }
    TableNeed::write_to(need, known);
    store::write_entrant(conn, id, known).await?;
    Ok(true)
}

impl Tournament {
    /// What those need who play here, the first seat first.
    pub(super) fn needs_of(&self, entrants: &[i32]) -> Vec<(i32, TableNeed)> {
        let need = |number: &i32| Some((*number, TableNeed::of(self.entrant(*number)?)?));
        entrants.iter().filter_map(need).collect()
    }
}
