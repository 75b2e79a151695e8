//! Which bout is played at which table.

use std::collections::HashMap;

use diesel_async::AsyncPgConnection;
use serde_json::json;

use super::locked::{Change, ExpectedRevision, LockedTournament};
use super::{BoutId, Tournament, store};
use base::auth::{StaffContext, can};
use base::error::{Result, conflict, not_found, unprocessable};
use base::ids::TableId;
use play::library;
use play::matches::{self, Mode};
use play::sittings;
use play::tables::{self, TableRow};

/// Gives each bout of the round that has no match yet a free table with enough seats, as long as there are any. Who can stay at their table stays;
/// otherwise it goes by the order of the floor, the larger bouts first.
pub async fn assign(conn: &mut AsyncPgConnection, locked: &mut LockedTournament, stage: i16, round: i16) -> Result<()> {
    store::lock_table_assignment(conn).await?;
    // Nobody is seated at a table while it is given to a bout.
    tables::store::lock_all(conn).await?;
    let free = free_tables(conn, locked).await?;
    let bouts: Vec<Wish> = locked
        .bouts
        .iter()
        .enumerate()
        .filter(|(_, bout)| (bout.stage, bout.round) == (stage, round) && !bout.is_over() && bout.match_id.is_none())
        .map(|(at, bout)| Wish { bout: at, seats: bout.entrants.len(), before: tables_before(locked, &bout.entrants) })
        .collect();
    for (bout, table) in distribute(bouts, &free) {
        locked.bouts[bout].table_id = Some(free[table].id);
        locked.bouts[bout].table_name = Some(free[table].name.clone());
    }
    Ok(())
}

/// A bout that needs a table.
struct Wish {
    bout: usize,
    seats: usize,
    /// Where its entrants were last, the first of them first.
    before: Vec<TableId>,
}

/// Bouts with their tables, by their places in the lists.
fn distribute(mut bouts: Vec<Wish>, free: &[TableRow]) -> Vec<(usize, usize)> {
    bouts.sort_by_key(|wish| (std::cmp::Reverse(wish.seats), wish.bout));
    let mut given: HashMap<usize, usize> = HashMap::new();
    let fits = |table: &TableRow, seats: usize| usize::try_from(table.seats).is_ok_and(|it| it >= seats);
    for stays in [true, false] {
        for wish in &bouts {
            if given.values().any(|bout| *bout == wish.bout) {
                continue;
            }
            let mut tables =
                free.iter().enumerate().filter(|(at, table)| fits(table, wish.seats) && !given.contains_key(at));
            let table = match stays {
                true => wish.before.iter().find_map(|before| {
                    let known = free.iter().position(|table| table.id == *before)?;
                    (fits(&free[known], wish.seats) && !given.contains_key(&known)).then_some(known)
                }),
                false => tables.next().map(|(at, _)| at),
            };
            if let Some(table) = table {
                given.insert(table, wish.bout);
            }
        }
    }
    given.into_iter().map(|(table, bout)| (bout, table)).collect()
}

fn tables_before(locked: &LockedTournament, entrants: &[i32]) -> Vec<TableId> {
    let last = |entrant: &i32| {
        let theirs = locked.bouts.iter().filter(|bout| bout.entrants.contains(entrant) && bout.match_id.is_some());
        theirs.max_by_key(|bout| (bout.stage, bout.round)).and_then(|bout| bout.table_id)
    };
    entrants.iter().filter_map(last).collect()
}

/// At how many tables a bout of this tournament could begin now.
pub async fn count_free(conn: &mut AsyncPgConnection, locked: &LockedTournament) -> Result<usize> {
    Ok(free_tables(conn, locked).await?.len())
}

/// In the order of the floor: its own tables, or else all at which no party sits; and at none of them a bout is played.
async fn free_tables(conn: &mut AsyncPgConnection, locked: &LockedTournament) -> Result<Vec<TableRow>> {
    let taken = store::list_taken_tables(conn).await?;
    let sittings = sittings::store::list_open(conn).await?;
    let own = locked.row.table_ids.as_deref();
    let mut free = tables::store::list(conn, false).await?;
    free.retain(|table| {
        let is_ours = own.map(|own| own.contains(&table.id));
        let is_empty = sittings.iter().all(|sitting| sitting.table_id != table.id);
        table.out_of_service_since.is_none() && !taken.contains(&table.id) && is_ours.unwrap_or(is_empty)
    });
    Ok(free)
}

/// A party at a table that the tournament keeps for itself: it has to move before a bout can be played there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartyInTheWay {
    pub table: TableId,
    pub table_name: String,
    pub size: i16,
}

/// The parties at tables that this tournament keeps for itself, in the order of the floor.
pub async fn list_parties_in_the_way(
    conn: &mut AsyncPgConnection,
    tournament: &Tournament,
) -> Result<Vec<PartyInTheWay>> {
    let Some(kept) = &tournament.row.table_ids else { return Ok(Vec::new()) };
    let sittings = sittings::store::list_open(conn).await?;
    let tables = tables::store::list(conn, false).await?;
    let party = |table: TableRow| {
        let sitting = sittings.iter().find(|it| it.table_id == table.id && kept.contains(&table.id))?;
        Some(PartyInTheWay { table: table.id, table_name: table.name, size: sitting.party_size })
    };
    Ok(tables.into_iter().filter_map(party).collect())
}

/// How many bouts of the draft need a box of the game, and how many boxes the house has of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxCount {
    pub bouts: usize,
    pub boxes: usize,
}

/// None where people play on phones, or where the house has no such game in its library.
pub async fn count_boxes(conn: &mut AsyncPgConnection, tournament: &Tournament) -> Result<Option<BoxCount>> {
    let (row, Some(draft)) = (&tournament.row, tournament.draft()) else { return Ok(None) };
    if row.mode != Mode::Scored {
        return Ok(None);
    }
    let boxes = library::count_boxes(conn, &row.game, row.title.as_deref()).await?;
    let bouts = tournament.bouts_of(draft.stage, draft.round).filter(|bout| !bout.is_bye()).count();
    Ok((boxes > 0).then_some(BoxCount { bouts, boxes }))
}

/// The bout is played at this table, or at none that is known. Asking again changes nothing.
pub async fn give_table(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    BoutId { tournament: id, stage, key }: BoutId,
    table: Option<TableId>,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.table", async |conn, _, locked| {
        locked.expect_real()?;
        locked.expect_running()?;
        let at = locked.bouts.iter().position(|bout| (bout.stage, bout.key) == (stage, key));
        let at = at.ok_or_else(|| not_found("bout_not_found"))?;
        if locked.is_drafted(&locked.bouts[at]) {
            return Err(conflict("round_not_published"));
        }
        if locked.bouts[at].is_over() {
            return Err(conflict("bout_over"));
        }
        if locked.bouts[at].table_id == table {
            return Ok(Change::none());
        }
        if let Some(table) = table {
            expect_free(conn, locked, table, locked.bouts[at].entrants.len()).await?;
        }
        locked.bouts[at].table_id = table;
        store::set_match_and_table(conn, id, &locked.bouts[at]).await?;
        if let Some(played) = locked.bouts[at].match_id {
            let news = matches::bring_to(conn, played, table).await?;
            locked.news.push((played, news));
        }
        let details = json!({ "stage": stage, "bout": key, "table": table });
        Ok(Change::audited(details))
    })
    .await
}

async fn expect_free(conn: &mut AsyncPgConnection, locked: &LockedTournament, id: TableId, seats: usize) -> Result<()> {
    store::lock_table_assignment(conn).await?;
    let table = tables::store::lock(conn, id).await?.filter(|table| table.archived_at.is_none());
    let table = table.ok_or_else(|| unprocessable("unknown_table").with_field("/table_id", "unknown_value"))?;
    if table.out_of_service_since.is_some() {
        return Err(conflict("table_out_of_service"));
    }
    if usize::try_from(table.seats).is_ok_and(|many| many < seats) {
        return Err(conflict("table_too_small"));
    }
    if store::list_taken_tables(conn).await?.contains(&id) {
        return Err(conflict("table_has_bout"));
    }
    let is_ours = locked.row.table_ids.as_ref().is_some_and(|own| own.contains(&id));
    match sittings::store::find_open(conn, id).await? {
        Some(_) if !is_ours => Err(conflict("table_occupied")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use uuid::Uuid;

    use super::*;

    fn table(number: u128, seats: i16) -> TableRow {
        TableRow {
            id: TableId(Uuid::from_u128(number)),
            code: String::new(),
            name: number.to_string(),
            area: None,
            seats,
            position: 0,
            created_at: Timestamp::UNIX_EPOCH,
            archived_at: None,
            out_of_service_reason: None,
            out_of_service_since: None,
        }
    }

    fn wish(bout: usize, seats: usize, before: &[u128]) -> Wish {
        Wish { bout, seats, before: before.iter().map(|it| TableId(Uuid::from_u128(*it))).collect() }
    }

    fn given(bouts: Vec<Wish>, free: &[TableRow]) -> Vec<(usize, usize)> {
        let mut given = distribute(bouts, free);
        given.sort_unstable();
        given
    }

    #[test]
    fn large_bouts_come_first_and_no_table_is_given_twice() {
        let free = [table(1, 6), table(2, 2), table(3, 4)];
        assert_eq!(given(vec![wish(0, 2, &[]), wish(1, 4, &[]), wish(2, 3, &[])], &free), [(0, 1), (1, 0), (2, 2)]);
        // Entrants without a table sit where there is room.
        assert_eq!(given(vec![wish(0, 5, &[]), wish(1, 5, &[])], &free), [(0, 0)]);
    }

    #[test]
    fn who_can_stay_stays() {
        let free = [table(1, 2), table(2, 2), table(3, 2)];
        assert_eq!(
            given(vec![wish(0, 2, &[]), wish(1, 2, &[1]), wish(2, 2, &[9, 1, 3])], &free),
            [(0, 1), (1, 0), (2, 2)]
        );
    }
}
