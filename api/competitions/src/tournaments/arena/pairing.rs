//! Pairs those who are free, gives them tables and starts what they play.

use diesel_async::AsyncPgConnection;
use engine::tournaments::{Format, Free, Pairing, Stage};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::WINDOW;
use crate::tournaments::locked::LockedTournament;
use crate::tournaments::store::{self, BoutKey, BoutRow, Doc, NewBout};
use crate::tournaments::{TournamentId, late, table_assignment};
use base::error::{Result, internal};
use base::games::guarded;
use base::world::World;

/// What was paired at one time.
pub(super) struct Paired {
    free: Vec<Free>,
    pub(super) keys: Vec<BoutKey>,
    /// How many bouts wait for one of the tournament's tables that is large enough.
    without_table: usize,
    /// Whether somebody waits for one of the tournament's tables.
    pub(super) is_short_of_tables: bool,
}

impl Paired {
    pub(super) fn details(&self) -> Value {
        let free: Vec<_> = self.free.iter().map(|it| [it.entrant, it.waited]).collect();
        json!({ "free": free, "bouts": self.keys, "without_table": self.without_table })
    }
}

pub(super) async fn pair(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    now: Timestamp,
) -> Result<Option<Paired>> {
    let all = locked.free(now)?;
    let stage = locked.stage(locked.row.stage)?;
    let tables = match locked.row.table_ids {
        Some(_) if !locked.row.sandbox => Some(table_assignment::count_free(conn, locked).await?),
        _ => None,
    };
    let (free, due) = guarded(|| due_among_tables(&stage, &all, tables))?;
    if due.is_empty() {
        let is_short_of_tables = tables == Some(0) && !all.is_empty();
        return Ok(Some(Paired { free, keys: Vec::new(), without_table: 0, is_short_of_tables }));
    }
    let first = locked.bouts.len();
    for pairing in due {
        let bout = BoutRow::drafted(locked.row.stage, pairing)?;
        locked.bouts.push(bout);
    }
    let without_table = match locked.row.sandbox {
        true => 0,
        false => give_tables(conn, locked, first).await?,
    };
    let new: Vec<NewBout> = locked.bouts[first..].iter().map(|it| it.new_in(locked.row.id)).collect();
    store::insert_bouts(conn, &new).await?;
    for at in first..locked.bouts.len() {
        if !locked.row.sandbox {
            late::play(conn, world, locked, at).await?;
        }
    }
    let keys = locked.bouts[first..].iter().map(|it| it.key).collect();
    let is_short_of_tables = without_table > 0 || free.len() < all.len();
    Ok(Some(Paired { free, keys, without_table, is_short_of_tables }))
}

/// What can be paired at so many tables: of more than can sit there, those who waited longest, unless they have just met.
fn due_among_tables(stage: &Stage, all: &[Free], tables: Option<usize>) -> (Vec<Free>, Vec<Pairing>) {
    let Format::Arena { most, .. } = stage.format else { return (Vec::new(), Vec::new()) };
    let first = tables.map_or(all.len(), |tables| all.len().min(tables * usize::from(most)));
    let due = stage.due_among(&all[..first]);
    if tables.is_some_and(|tables| tables > due.len()) && first < all.len() {
        return (all.to_vec(), stage.due_among(all));
    }
    (all[..first].to_vec(), due)
}

/// Gives the new bouts their tables. Where the tournament has tables of its own, bouts wait that get none: how many.
async fn give_tables(conn: &mut AsyncPgConnection, locked: &mut LockedTournament, first: usize) -> Result<usize> {
    table_assignment::assign(conn, locked, locked.row.stage, WINDOW).await?;
    if locked.row.table_ids.is_none() {
        return Ok(0);
    }
    let mut new = locked.bouts.split_off(first);
    let all = new.len();
    let numbers: Vec<u16> = new.iter().map(|it| it.key.0.number).collect();
    new.retain(|it| it.table_id.is_some());
    for (bout, number) in new.iter_mut().zip(numbers) {
        bout.key.0.number = number;
    }
    let without = all - new.len();
    locked.bouts.extend(new);
    Ok(without)
}

impl BoutRow {
    /// A bout that nobody has played yet.
    pub(in crate::tournaments) fn drafted(stage: i16, Pairing { key, entrants, reasons }: Pairing) -> Result<Self> {
        Ok(Self {
            stage,
            key: BoutKey(key),
            round: WINDOW,
            entrants: entrants.into_iter().map(i32::try_from).collect::<Result<_, _>>().map_err(internal)?,
            reasons: Doc(reasons),
            arranged_by: None,
            arranger: None,
            table_id: None,
            table_name: None,
            match_id: None,
            match_code: None,
            match_status: None,
            games: Doc(Vec::new()),
            result: None,
            settled_by: None,
            settled_at: None,
            claim: None,
            claimed_at: None,
            is_locked: false,
        })
    }

    pub(in crate::tournaments) fn new_in(&self, tournament_id: TournamentId) -> NewBout {
        let Self { stage, key, round, .. } = *self;
        NewBout { tournament_id, stage, key, round, entrants: self.entrants.clone(), reasons: self.reasons.clone() }
    }
}
