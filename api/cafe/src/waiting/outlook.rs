//! When tables get free, by all that the café knows of them, and what that means for those who wait.

use std::collections::HashMap;

use diesel_async::AsyncPgConnection;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::estimate::{Estimate, Seat, Span, Taken, Typical, estimate};
use super::store;
use super::{WaitingRow, WaitingStatus};
use base::error::Result;
use base::games::OTHER;
use base::ids::{MatchId, SittingId, TableId};
use play::library::{self, CopyRow, CopyState, TitleRow};
use play::matches::{self, MatchRow, Status};
use play::sittings::{self, SittingRow};
use play::stats::{self, length};
use play::tables::store::Hold;
use play::tables::{self, TableRow};

/// Figures are of so many days.
const DAYS: i64 = 90;
/// Fewer matches or parties say nothing of others.
const FEWEST: i64 = 5;
/// What is free by then is free soon.
const SOON: i64 = 15;
/// So many tables are named for a party.
const NAMED: usize = 4;

/// What is on the floor now.
pub struct Floor<'a> {
    pub tables: &'a [TableRow],
    pub holds: &'a [Hold],
    pub sittings: &'a [SittingRow],
    pub rows: &'a [MatchRow],
    pub whose: &'a HashMap<MatchId, SittingId>,
    pub boxes: &'a [(CopyRow, TitleRow)],
}

/// How long things usually take at this café.
#[derive(Default)]
pub struct Figures {
    stay: Option<Typical>,
    games: HashMap<String, Typical>,
}

/// The tables at which parties are seated, and when each is free.
pub struct Outlook {
    tables: Vec<Ahead>,
    seats: Vec<Seat>,
    stay: Option<Typical>,
}

/// A table that a party fits.
#[derive(Clone, Debug)]
pub struct Ahead {
    pub table: TableId,
    pub name: String,
    pub seats: i16,
    /// None where nobody can tell when it is free.
    pub free: Option<Span>,
}

/// A party on the list, and what it can be told.
#[derive(Clone, Debug)]
pub struct QueueEntry {
    pub row: WaitingRow,
    /// 1 for the party that comes next to a table that it fits.
    pub position: usize,
    pub wait: Option<Span>,
    /// The free table that is meant for it, if there is one.
    pub ready: Option<TableId>,
    /// Tables that it fits and that are free now or soon, the first one first.
    pub fits: Vec<Ahead>,
}

impl Ahead {
    pub fn is_free(&self) -> bool {
        self.free.is_some_and(Span::is_now)
    }
}

/// Everybody who waits, in the order of the list.
pub async fn list(conn: &mut AsyncPgConnection, now: Timestamp) -> Result<Vec<QueueEntry>> {
    let rows = store::list_open(conn).await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    Ok(Outlook::read(conn, now).await?.entries(rows))
}

/// What parties of these sizes could be told if each came now.
pub async fn foresee(
    conn: &mut AsyncPgConnection,
    now: Timestamp,
    sizes: &[i16],
) -> Result<(usize, Vec<Option<Span>>)> {
    let rows = store::list_open(conn).await?;
    let outlook = Outlook::read(conn, now).await?;
    Ok((rows.len(), sizes.iter().map(|size| outlook.next(&rows, *size)).collect()))
}

impl Figures {
    /// Of stays, and of these games.
    pub async fn read(conn: &mut AsyncPgConnection, rows: &[MatchRow], now: Timestamp) -> Result<Self> {
        let since = now - SignedDuration::from_hours(24 * DAYS);
        let stay = sittings::store::find_stay(conn, since).await?;
        let minutes = |seconds: Option<f64>| Some((seconds? / 60.0).round() as i64);
        let stay = minutes(stay.median).zip(minutes(stay.p90)).filter(|_| stay.parties >= FEWEST);
        let mut games: Vec<&str> = running(rows).map(|row| row.game.as_str()).filter(|game| *game != OTHER).collect();
        games.sort_unstable();
        games.dedup();
        let lengths = match games.is_empty() {
            true => Vec::new(),
            false => stats::store::list_game_lengths(conn, games, since.to_zoned(TimeZone::UTC).date()).await?,
        };
        let mut buckets: HashMap<String, Vec<(i16, i64)>> = HashMap::new();
        for row in lengths {
            buckets.entry(row.game).or_default().push((row.bucket, row.finished));
        }
        let games = buckets.into_iter().filter_map(|(game, buckets)| Some((game, typical(&buckets)?))).collect();
        Ok(Self { stay: stay.map(|(median, p90)| Typical { median, p90 }), games })
    }
}

fn typical(buckets: &[(i16, i64)]) -> Option<Typical> {
    let enough = buckets.iter().map(|(_, count)| count).sum::<i64>() >= FEWEST;
    let minutes = |part| Some((length::quantile(buckets, part)? + 59) / 60);
    enough.then_some(Typical { median: minutes(0.5)?, p90: minutes(0.9)? })
}

fn running(rows: &[MatchRow]) -> impl Iterator<Item = &MatchRow> {
    rows.iter().filter(|row| row.status == Status::Running)
}

impl Outlook {
    async fn read(conn: &mut AsyncPgConnection, now: Timestamp) -> Result<Self> {
        let tables = tables::store::list(conn, false).await?;
        let holds = tables::store::list_holds(conn).await?;
        let sittings = sittings::store::list_open(conn).await?;
        let rows = matches::store::list_open_of_parties(conn).await?;
        let ids: Vec<MatchId> = rows.iter().map(|row| row.id).collect();
        let whose = sittings::store::list_of_matches(conn, &ids).await?.into_iter().collect();
        let boxes = library::list_out(conn).await?;
        let figures = Figures::read(conn, &rows, now).await?;
        let floor =
            Floor { tables: &tables, holds: &holds, sittings: &sittings, rows: &rows, whose: &whose, boxes: &boxes };
        Ok(Self::of(&floor, &figures, now))
    }

    pub fn of(floor: &Floor<'_>, figures: &Figures, now: Timestamp) -> Self {
        let in_use = floor.tables.iter().filter(|table| {
            let is_held = floor.holds.iter().any(|hold| hold.table_id == table.id);
            table.out_of_service_since.is_none() && !is_held
        });
        let ahead = |table: &TableRow| Ahead {
            table: table.id,
            name: table.name.clone(),
            seats: table.seats,
            free: match floor.sittings.iter().find(|sitting| sitting.table_id == table.id) {
                None => Some(Span::NOW),
                Some(sitting) => floor.taken(sitting, figures, now).until_free(),
            },
        };
        let tables: Vec<Ahead> = in_use.map(ahead).collect();
        let seats = tables.iter().map(|table| Seat { seats: table.seats, free: table.free }).collect();
        Self { tables, seats, stay: figures.stay }
    }

    /// Who was called sits down before the others.
    pub fn entries(&self, rows: Vec<WaitingRow>) -> Vec<QueueEntry> {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|at| (rows[*at].status != WaitingStatus::Called, *at));
        let sizes: Vec<i16> = order.iter().map(|at| rows[*at].party_size).collect();
        let mut estimates = estimate(&sizes, &self.seats, self.stay).into_iter().zip(order).collect::<Vec<_>>();
        estimates.sort_by_key(|(_, at)| *at);
        rows.into_iter().zip(estimates).map(|(row, (estimate, _))| self.entry(row, estimate)).collect()
    }

    fn entry(&self, row: WaitingRow, Estimate { position, wait, seat }: Estimate) -> QueueEntry {
        let ready = seat.filter(|_| wait.is_some_and(Span::is_now)).map(|at| self.tables[at].table);
        let soon = self.tables.iter().filter(|it| it.seats >= row.party_size);
        let mut fits: Vec<Ahead> = soon.filter(|it| it.free.is_some_and(|free| free.least <= SOON)).cloned().collect();
        fits.sort_by_key(|it| (Some(it.table) != ready, it.free.map(|free| free.least + free.most), it.seats));
        fits.truncate(NAMED);
        QueueEntry { row, position, wait, ready, fits }
    }

    fn next(&self, rows: &[WaitingRow], size: i16) -> Option<Span> {
        let sizes: Vec<i16> = rows.iter().map(|row| row.party_size).chain([size]).collect();
        estimate(&sizes, &self.seats, self.stay).pop()?.wait
    }
}

impl Floor<'_> {
    fn taken(&self, sitting: &SittingRow, figures: &Figures, now: Timestamp) -> Taken {
        let minutes_since = |moment: Timestamp| now.duration_since(moment).as_mins().max(0);
        let of_party = running(self.rows).filter(|row| self.whose.get(&row.id) == Some(&sitting.id));
        let games = of_party.filter_map(|row| {
            figures.games.get(&row.game)?.left(minutes_since(row.started_at.unwrap_or(row.created_at)))
        });
        // A box says itself how long it takes.
        let boxes = self.boxes.iter().filter(|(copy, _)| {
            copy.state == CopyState::Table && copy.table_id == Some(sitting.table_id) && copy.since >= sitting.opened_at
        });
        let boxes = boxes.filter_map(|(copy, title)| {
            let minutes = Typical { median: title.minutes_from.into(), p90: title.minutes_to.into() };
            minutes.left(minutes_since(copy.since))
        });
        Taken {
            is_closing: sitting.closing_at.is_some(),
            game: games.chain(boxes).max_by_key(|it| it.most),
            stay: figures.stay.and_then(|stay| stay.left(minutes_since(sitting.opened_at))),
        }
    }
}
