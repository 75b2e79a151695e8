//! Counting: the statistics of finished matches, and what they change in the sums of their players.

use std::collections::{BTreeMap, HashMap, HashSet};

use diesel_async::AsyncPgConnection;
use engine::{Addressed, Json, PerSeat, Seat, SeatStats};
use jiff::Timestamp;

use super::store::{self, EncounterChange, MatchStatsRow, StatsRow};
use crate::finished::{Finished, FinishedSeat};
use base::error::Result;
use base::games::{self, guarded};
use base::ids::{MatchId, PlayerId};
use play::logs::{self, LoggedEvents};
use play::matches::Moment;

/// The logs of so many matches are in memory together.
const LOGS_AT_ONCE: usize = 50;

/// Counts these matches of one game, of which `finished` are those that are finished; what was counted of them before is
/// taken out of the sums.
pub async fn count(conn: &mut AsyncPgConnection, ids: &[MatchId], finished: &[Finished]) -> Result<()> {
    let before = by_match(store::list_of_matches(conn, ids).await?);
    let after = by_match(count_seats(conn, &before, finished).await?);
    let nothing = Vec::new();
    let changed: Vec<MatchId> = ids.iter().copied().filter(|id| before.get(id) != after.get(id)).collect();
    let of_changed = |rows: &BTreeMap<MatchId, Vec<MatchStatsRow>>| -> Vec<MatchStatsRow> {
        changed.iter().flat_map(|id| rows.get(id).unwrap_or(&nothing).clone()).collect()
    };
    let (out, mut new) = (of_changed(&before), of_changed(&after));
    if changed.is_empty() {
        return Ok(());
    }
    new.sort_by_key(MatchStatsRow::moment);
    store::delete(conn, &changed).await?;
    store::insert(conn, &new).await?;
    sum_up(conn, &out, &new).await?;
    let mut encounters = BTreeMap::new();
    for id in &changed {
        meet(&mut encounters, before.get(id).unwrap_or(&nothing), -1);
        meet(&mut encounters, after.get(id).unwrap_or(&nothing), 1);
    }
    let encounters: Vec<EncounterChange> = encounters.into_values().filter(|it| !it.is_nothing()).collect();
    Ok(store::change_encounters(conn, &encounters).await?)
}

fn by_match(rows: Vec<MatchStatsRow>) -> BTreeMap<MatchId, Vec<MatchStatsRow>> {
    let mut by_match: BTreeMap<MatchId, Vec<MatchStatsRow>> = BTreeMap::new();
    for row in rows {
        by_match.entry(row.match_id).or_default().push(row);
    }
    by_match
}

/// A log never changes: what it said when it was first read still holds.
async fn count_seats(
    conn: &mut AsyncPgConnection,
    before: &BTreeMap<MatchId, Vec<MatchStatsRow>>,
    finished: &[Finished],
) -> Result<Vec<MatchStatsRow>> {
    let unread: Vec<&Finished> = finished.iter().filter(|it| it.has_log && !before.contains_key(&it.id)).collect();
    let mut read = HashMap::new();
    for some in unread.chunks(LOGS_AT_ONCE) {
        read.extend(read_logs(conn, some).await?);
    }
    let of_seat = |play: &Finished, seat: &FinishedSeat| {
        let known = before.get(&play.id).and_then(|rows| rows.iter().find(|row| row.seat == seat.seat));
        let counted = read.get(&play.id).and_then(|seats| seats.iter().nth(usize::try_from(seat.seat).ok()?));
        MatchStatsRow::of(play, seat, known.map(MatchStatsRow::tally).or(counted.copied()).unwrap_or_default())
    };
    Ok(finished
        .iter()
        .flat_map(|play| play.seats.iter().map(move |seat| (play, seat)))
        .map(|(play, seat)| of_seat(play, seat))
        .collect())
}

async fn read_logs(conn: &mut AsyncPgConnection, plays: &[&Finished]) -> Result<HashMap<MatchId, PerSeat<SeatStats>>> {
    let ids: Vec<MatchId> = plays.iter().map(|play| play.id).collect();
    let mut events: HashMap<MatchId, Vec<(Timestamp, Json)>> = HashMap::new();
    for LoggedEvents { match_id, at, events: logged } in logs::read_events(conn, &ids).await? {
        let logged: Vec<Addressed<Json>> = serde_json::from_str(logged.0.get()).unwrap_or_default();
        events.entry(match_id).or_default().extend(logged.into_iter().map(|it| (at, it.event)));
    }
    let mut counted = HashMap::new();
    for play in plays {
        match count_log(play, events.remove(&play.id).unwrap_or_default()) {
            Ok(seats) => {
                counted.insert(play.id, seats);
            }
            // One match must not stop the sums of all others.
            Err(err) => {
                let error = format!("{err:#}");
                tracing::error!(match_id = %play.id, error, "counting how a match was played failed: its places count alone");
            }
        }
    }
    Ok(counted)
}

/// How each seat played. What was played for a player who had left is not theirs.
fn count_log(play: &Finished, events: Vec<(Timestamp, Json)>) -> Result<PerSeat<SeatStats>> {
    let (kind, seats) = (games::kind(&play.game)?, u8::try_from(play.seat_count).unwrap_or(0));
    let (times, events): (Vec<Timestamp>, Vec<Json>) = events.into_iter().unzip();
    let mut counted = guarded(|| kind.statistics(seats, &events))?;
    for seat in &play.seats {
        let (Some(left), Ok(number)) = (seat.left_early, u8::try_from(seat.seat)) else { continue };
        let before = times.partition_point(|at| *at < left);
        let own = guarded(|| kind.statistics(seats, &events[..before]))?;
        if counted.has(Seat(number)) {
            counted[Seat(number)] = own[Seat(number)];
        }
    }
    Ok(counted)
}

/// Takes the one out of their players' sums and adds the others, which come in their order.
async fn sum_up(conn: &mut AsyncPgConnection, out: &[MatchStatsRow], new: &[MatchStatsRow]) -> Result<()> {
    let Some(game) = out.iter().chain(new).map(|row| row.game.clone()).next() else { return Ok(()) };
    let players: HashSet<PlayerId> = out.iter().chain(new).map(|row| row.player_id).collect();
    let players: Vec<PlayerId> = players.into_iter().collect();
    let mut sums: HashMap<PlayerId, StatsRow> =
        store::list_stats_of(conn, &players, &game).await?.into_iter().map(|row| (row.player_id, row)).collect();
    let mut in_disorder = HashSet::new();
    for row in out {
        if let Some(sum) = sums.get_mut(&row.player_id) {
            sum.add(row, -1);
        }
        in_disorder.insert(row.player_id);
    }
    for row in new {
        let sum = sums.entry(row.player_id).or_insert_with(|| StatsRow::empty(row.player_id, &game));
        if row.moment() < sum.last() {
            in_disorder.insert(row.player_id);
        }
        sum.add(row, 1);
        sum.go_on(row);
    }
    for player in in_disorder {
        if let Some(sum) = sums.get_mut(&player) {
            let all = store::list_of_player(conn, player, &game).await?;
            (sum.streak, sum.best_streak) = (0, 0);
            all.iter().for_each(|row| sum.go_on(row));
        }
    }
    let (standing, gone): (Vec<StatsRow>, Vec<StatsRow>) = sums.into_values().partition(|sum| sum.matches > 0);
    store::save_stats(conn, &standing).await?;
    let gone: Vec<PlayerId> = gone.iter().map(|sum| sum.player_id).collect();
    Ok(store::delete_stats(conn, &gone, &game).await?)
}

impl StatsRow {
    /// Of these matches, in the order in which they finished.
    pub fn of(player: PlayerId, game: &str, rows: &[MatchStatsRow]) -> Self {
        let mut sum = Self::empty(player, game);
        for row in rows {
            sum.add(row, 1);
            sum.go_on(row);
        }
        sum
    }

    fn last(&self) -> Moment {
        Moment { at: self.last_at, id: self.last_match }
    }

    fn add(&mut self, row: &MatchStatsRow, times: i32) {
        self.matches += times;
        self.wins += times * i32::from(row.is_win());
        self.left_early += times * i32::from(row.left_early);
        if !row.left_early {
            self.add_place(row, times);
        }
        let add = |sum: &mut i64, number: i32| *sum += i64::from(times * number);
        add(&mut self.calls_right, row.calls_right);
        add(&mut self.calls_wrong, row.calls_wrong);
        add(&mut self.bluffs_called, row.bluffs_called);
        add(&mut self.bluffs_uncalled, row.bluffs_uncalled);
        add(&mut self.luck_had, row.luck_had);
        add(&mut self.luck_expected, row.luck_expected);
    }

    /// A place counts for who stayed to the end.
    fn add_place(&mut self, row: &MatchStatsRow, times: i32) {
        let place = usize::from(row.place.unsigned_abs());
        if self.places.len() < place {
            self.places.resize(place, 0);
        }
        self.places[place - 1] += times;
        while self.places.last() == Some(&0) {
            self.places.pop();
        }
    }

    /// The streak after this match, which came after all others.
    fn go_on(&mut self, row: &MatchStatsRow) {
        self.streak = if row.is_win() { self.streak + 1 } else { 0 };
        self.best_streak = self.best_streak.max(self.streak);
        (self.last_at, self.last_match) = (row.finished_at, row.match_id);
    }
}

/// Everybody at a match has met everybody else.
fn meet(encounters: &mut BTreeMap<(PlayerId, PlayerId), EncounterChange>, rows: &[MatchStatsRow], times: i32) {
    for one in rows {
        for other in rows.iter().filter(|other| other.seat != one.seat) {
            let new = || EncounterChange::none(one.player_id, other.player_id, &one.game);
            let met = encounters.entry((one.player_id, other.player_id)).or_insert_with(new);
            met.matches += times;
            met.ahead += times * i32::from(one.standing() < other.standing());
            met.behind += times * i32::from(one.standing() > other.standing());
        }
    }
}
