//! Which bout is played at which table.

use std::cmp::Reverse;
use std::collections::HashMap;

use diesel_async::AsyncPgConnection;
use serde_json::json;

use super::locked::{Change, ExpectedRevision, LockedTournament};
use super::store::{self, BoutKey, BoutRow};
use super::table_needs::TableNeed;
use super::{BoutId, RoundStatus, Tournament};
use base::auth::{StaffContext, can};
use base::error::{Result, conflict, not_found, unprocessable};
use base::ids::TableId;
use play::library;
use play::matches::{self, Mode};
use play::sittings;
use play::tables::{self, TableRow};

/// Gives each bout of the round what `assign_among` gives.
pub async fn assign(conn: &mut AsyncPgConnection, locked: &mut LockedTournament, stage: i16, round: i16) -> Result<()> {
    assign_among(conn, locked, |bout| (bout.stage, bout.round) == (stage, round)).await
}

/// Gives each of these bouts that has no match yet a free table with enough seats, as long as there are any. Those who need a table
/// get it first. Of the others, who can stay at their table stays; otherwise it goes by the order of the floor, the larger bouts first.
pub async fn assign_among(
    conn: &mut AsyncPgConnection,
    locked: &mut LockedTournament,
    is_one: impl Fn(&BoutRow) -> bool,
) -> Result<()> {
    lock(conn).await?;
    let free = free_tables(conn, locked).await?;
    let bouts = wishes(locked, |bout| is_one(bout) && !bout.is_over() && bout.match_id.is_none());
    for (bout, table) in distribute(bouts, &free) {
        locked.bouts[bout].table_id = Some(free[table].row.id);
        locked.bouts[bout].table_name = Some(free[table].row.name.clone());
    }
    Ok(())
}

/// Gives bouts that are played without a table one that is free by now.
pub async fn assign_late(conn: &mut AsyncPgConnection, locked: &mut LockedTournament, stage: i16) -> Result<()> {
    let waits = |bout: &BoutRow| bout.stage == stage && !bout.is_over() && bout.table_id.is_none();
    if !locked.bouts.iter().any(|bout| waits(bout) && bout.match_id.is_some() && !locked.is_drafted(bout)) {
        return Ok(());
    }
    lock(conn).await?;
    let free = free_tables(conn, locked).await?;
    let bouts = wishes(locked, |bout| waits(bout) && bout.match_id.is_some() && !locked.is_drafted(bout));
    for (at, table) in distribute(bouts, &free) {
        let table = &free[table].row;
        let (id, bout) = (locked.tournament.row.id, &mut locked.tournament.bouts[at]);
        (bout.table_id, bout.table_name) = (Some(table.id), Some(table.name.clone()));
        store::set_match_and_table(conn, id, bout).await?;
        if let Some(played) = bout.match_id {
            let news = matches::bring_to(conn, played, Some(table.id)).await?;
            locked.news.push((played, news));
        }
    }
    Ok(())
}

/// Nobody is seated at a table while it is given to a bout.
async fn lock(conn: &mut AsyncPgConnection) -> Result<()> {
    store::lock_table_assignment(conn).await?;
    tables::store::lock_all(conn).await?;
    Ok(())
}

fn wishes(tournament: &Tournament, waits: impl Fn(&BoutRow) -> bool) -> Vec<Wish> {
    let wish = |(at, bout): (usize, &BoutRow)| Wish {
        bout: at,
        seats: bout.entrants.len(),
        before: tables_before(tournament, &bout.entrants),
        needs: tournament.needs_of(&bout.entrants).into_iter().map(|(_, need)| need).collect(),
    };
    tournament.bouts.iter().enumerate().filter(|(_, bout)| waits(bout)).map(wish).collect()
}

/// A bout that needs a table.
struct Wish {
    bout: usize,
    seats: usize,
    /// Where its entrants were last, the first of them first.
    before: Vec<TableId>,
    /// Where they have to play.
    needs: Vec<TableNeed>,
}

/// A table at which no bout is played.
struct FreeTable {
    row: TableRow,
    /// Whether it is only for those who need it: it is none of the tournament's own.
    is_spare: bool,
}

impl Wish {
    fn fits(&self, table: &FreeTable) -> bool {
        usize::try_from(table.row.seats).is_ok_and(|it| it >= self.seats)
    }

    /// How many of the needs this table meets.
    fn met_by(&self, table: &FreeTable) -> usize {
        self.needs.iter().filter(|need| need.is_met_by(&table.row)).count()
    }

    fn needs_one_table(&self) -> bool {
        self.needs.iter().any(|it| matches!(it, TableNeed::Table(_)))
    }
}

/// Bouts with their tables, by their places in the lists.
fn distribute(mut bouts: Vec<Wish>, free: &[FreeTable]) -> Vec<(usize, usize)> {
    bouts.sort_by_key(|wish| (Reverse(wish.seats), wish.bout));
    let mut given: HashMap<usize, usize> = HashMap::new();
    // Who needs one table before those who need any of an area.
    for of_one_table in [true, false] {
        for wish in bouts.iter().filter(|it| !it.needs.is_empty() && it.needs_one_table() == of_one_table) {
            let tables = free.iter().enumerate().filter(|(at, it)| wish.fits(it) && !given.contains_key(at));
            let best = tables.map(|(at, it)| (wish.met_by(it), wish.before.contains(&it.row.id), Reverse(at))).max();
            if let Some((_, _, Reverse(at))) = best.filter(|(met, ..)| *met > 0) {
                given.insert(at, wish.bout);
            }
        }
    }
    for stays in [true, false] {
        for wish in &bouts {
            if given.values().any(|bout| *bout == wish.bout) {
                continue;
            }
            let is_free = |at: &usize| wish.fits(&free[*at]) && !free[*at].is_spare && !given.contains_key(at);
            let table = match stays {
                true => wish.before.iter().find_map(|before| {
                    let known = free.iter().position(|table| table.row.id == *before)?;
                    Some(known).filter(is_free)
                }),
                false => (0..free.len()).find(is_free),
            };
            if let Some(table) = table {
                given.insert(table, wish.bout);
            }
        }
    }
    given.into_iter().map(|(table, bout)| (bout, table)).collect()
}

fn tables_before(tournament: &Tournament, entrants: &[i32]) -> Vec<TableId> {
    let last = |entrant: &i32| {
        let theirs = tournament.bouts.iter().filter(|bout| bout.entrants.contains(entrant) && bout.match_id.is_some());
        theirs.max_by_key(|bout| (bout.stage, bout.round)).and_then(|bout| bout.table_id)
    };
    entrants.iter().filter_map(last).collect()
}

/// At how many tables a bout of this tournament could begin now.
pub async fn count_free(conn: &mut AsyncPgConnection, locked: &LockedTournament) -> Result<usize> {
    Ok(free_tables(conn, locked).await?.iter().filter(|it| !it.is_spare).count())
}

/// In the order of the floor: its own tables, or else all at which no party sits; and at none of them a bout is played. Beside its own
/// tables, those at which no party sits are for entrants who need them.
async fn free_tables(conn: &mut AsyncPgConnection, tournament: &Tournament) -> Result<Vec<FreeTable>> {
    let taken = store::list_taken_tables(conn).await?;
    let sittings = sittings::store::list_open(conn).await?;
    let own = tournament.row.table_ids.as_deref();
    let tables = tables::store::list(conn, false).await?.into_iter();
    let free = tables.filter(|table| table.out_of_service_since.is_none() && !taken.contains(&table.id));
    let usable = free.filter_map(|row| {
        let is_ours = own.map(|own| own.contains(&row.id));
        let is_empty = sittings.iter().all(|sitting| sitting.table_id != row.id);
        let is_spare = is_ours == Some(false);
        (is_ours == Some(true) || is_empty).then_some(FreeTable { row, is_spare })
    });
    Ok(usable.collect())
}

/// A bout that is not, or would not be, at the table that an entrant needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmetNeed {
    pub bout: BoutKey,
    pub entrant: i32,
    pub need: TableNeed,
    /// What the table or the area is called.
    pub place: String,
}

/// Whose needs the bouts of a round that are not over do not meet: of a draft, as its tables would be given now.
pub async fn list_unmet_needs(
    conn: &mut AsyncPgConnection,
    tournament: &Tournament,
    stage: i16,
    round: i16,
) -> Result<Vec<UnmetNeed>> {
    let is_of = |bout: &BoutRow| (bout.stage, bout.round) == (stage, round) && !bout.is_over();
    let needs: Vec<_> =
        tournament.bouts.iter().filter(|it| is_of(it)).flat_map(|it| tournament.needs_of(&it.entrants)).collect();
    if needs.is_empty() || tournament.row.sandbox {
        return Ok(Vec::new());
    }
    let tables = tables::store::list(conn, false).await?;
    let mut given: HashMap<usize, TableId> = HashMap::new();
    for (at, bout) in tournament.bouts.iter().enumerate().filter(|(_, it)| is_of(it)) {
        given.extend(bout.table_id.map(|table| (at, table)));
    }
    if tournament.round(stage, round).is_some_and(|it| it.status == RoundStatus::Draft) {
        let free = free_tables(conn, tournament).await?;
        given.extend(
            distribute(wishes(tournament, is_of), &free).into_iter().map(|(at, table)| (at, free[table].row.id)),
        );
    }
    let mut unmet = Vec::new();
    for (at, bout) in tournament.bouts.iter().enumerate().filter(|(_, it)| is_of(it)) {
        let table = given.get(&at).and_then(|id| tables.iter().find(|it| it.id == *id));
        for (entrant, need) in tournament.needs_of(&bout.entrants) {
            if table.is_none_or(|it| !need.is_met_by(it)) {
                let place = match &need {
                    TableNeed::Table(id) => tables.iter().find(|it| it.id == *id).map(|it| it.name.clone()),
                    TableNeed::Area(area) => Some(area.clone()),
                };
                unmet.push(UnmetNeed { bout: bout.key, entrant, need, place: place.unwrap_or_default() });
            }
        }
    }
    Ok(unmet)
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

    fn table(number: u128, seats: i16) -> FreeTable {
        let row = TableRow {
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
        };
        FreeTable { row, is_spare: false }
    }

    fn in_area(number: u128, seats: i16, area: &str) -> FreeTable {
        let mut table = table(number, seats);
        table.row.area = Some(area.to_owned());
        table
    }

    fn id(number: u128) -> TableId {
        TableId(Uuid::from_u128(number))
    }

    fn wish(bout: usize, seats: usize, before: &[u128]) -> Wish {
        Wish { bout, seats, before: before.iter().map(|it| id(*it)).collect(), needs: Vec::new() }
    }

    fn needing(bout: usize, seats: usize, needs: &[TableNeed]) -> Wish {
        Wish { needs: needs.to_vec(), ..wish(bout, seats, &[]) }
    }

    fn given(bouts: Vec<Wish>, free: &[FreeTable]) -> Vec<(usize, usize)> {
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

    #[test]
    fn who_needs_a_table_has_it_before_all_others() {
        let hall = || TableNeed::Area("홀".to_owned());
        let free = [table(1, 4), in_area(2, 2, "홀"), in_area(3, 2, "홀")];
        // A larger bout, and one that was there, go elsewhere.
        let bouts = vec![wish(0, 4, &[1]), needing(1, 2, &[TableNeed::Table(id(1))]), wish(2, 2, &[3])];
        assert_eq!(given(bouts, &free), [(1, 0), (2, 2)]);
        // Who needs one of an area leaves the one that somebody else needs.
        let bouts = vec![needing(0, 2, &[hall()]), needing(1, 2, &[TableNeed::Table(id(2))])];
        assert_eq!(given(bouts, &free), [(0, 2), (1, 1)]);
        // Of two who need different tables the bout is at one of them, and who can have none sits somewhere.
        let bouts = vec![needing(0, 2, &[TableNeed::Table(id(9)), hall()]), needing(1, 2, &[TableNeed::Table(id(9))])];
        assert_eq!(given(bouts, &free), [(0, 1), (1, 0)]);
        // Too small a table helps nobody.
        assert_eq!(given(vec![needing(0, 4, &[hall()])], &free), [(0, 0)]);
    }

    #[test]
    fn a_table_beside_the_tournaments_own_is_only_for_those_who_need_it() {
        let free = [FreeTable { is_spare: true, ..table(1, 4) }, table(2, 2)];
        assert_eq!(given(vec![wish(0, 2, &[1]), wish(1, 2, &[])], &free), [(0, 1)]);
        assert_eq!(given(vec![wish(0, 2, &[]), needing(1, 2, &[TableNeed::Table(id(1))])], &free), [(0, 1), (1, 0)]);
    }
}
