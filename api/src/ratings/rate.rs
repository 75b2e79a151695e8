//! From finished matches to the ledger, in their order.

use std::collections::{BTreeMap, HashMap};

use diesel_async::AsyncPgConnection;
use engine::ratings::{self, Entrant, Rating};
use jiff::tz::TimeZone;

use super::Why;
use super::store::{self, ChangeRow, StandingRow};
use crate::error::ApiResult;
use crate::ids::PlayerId;
use crate::settling::{Finished, Moment};

/// Whose rating of what.
type Key = (String, PlayerId);

/// Makes room for a match of this moment: where others of the game that finished with it or later were rated, that is undone
/// and they are unsettled again. Whether there were any.
pub async fn take_back(conn: &mut AsyncPgConnection, zone: &TimeZone, game: &str, from: Moment) -> ApiResult<bool> {
    if !store::has_since(conn, game, from).await? {
        return Ok(false);
    }
    store::unsettle_since(conn, game, from).await?;
    let mut changed = store::delete_since(conn, game, from).await?;
    changed.sort_unstable();
    changed.dedup();
    let month = month(zone, from);
    store::delete_standings(conn, &changed, &month).await?;
    let latest = store::list_latest(conn, &changed).await?;
    // Later months are gone altogether, earlier ones are as they were.
    let standings = latest.iter().flat_map(|change| {
        let in_month = (change.month == month).then(|| change.standing_of_month());
        [Some(change.standing()), in_month]
    });
    store::save_standings(conn, &standings.flatten().collect::<Vec<_>>()).await?;
    Ok(true)
}

/// Rates these matches of one game, after which no other was rated yet, and which come in their order.
pub async fn rate(conn: &mut AsyncPgConnection, zone: &TimeZone, finished: &[Finished]) -> ApiResult<()> {
    let counting: Vec<&Finished> = finished.iter().filter(|play| play.counts()).collect();
    let mut keys: Vec<Key> = counting.iter().flat_map(|play| play.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    if keys.is_empty() {
        return Ok(());
    }
    let latest = store::list_latest(conn, &keys).await?;
    let mut latest: HashMap<Key, ChangeRow> = latest.into_iter().map(|change| (change.key(), change)).collect();
    let mut ledger = Vec::new();
    let mut standings: BTreeMap<(Key, String), StandingRow> = BTreeMap::new();
    for play in counting {
        let month = month(zone, play.finished);
        for scope in play.scopes() {
            for change in changes(play, &scope, &month, &latest) {
                for standing in [change.standing(), change.standing_of_month()] {
                    standings.insert((change.key(), standing.period.clone()), standing);
                }
                latest.insert(change.key(), change.clone());
                ledger.push(change);
            }
        }
    }
    store::insert(conn, &ledger).await?;
    Ok(store::save_standings(conn, &standings.into_values().collect::<Vec<_>>()).await?)
}

/// What the match makes of everybody's rating in this scope, by seat.
fn changes(play: &Finished, scope: &str, month: &str, latest: &HashMap<Key, ChangeRow>) -> Vec<ChangeRow> {
    let last = |player: PlayerId| latest.get(&(scope.to_owned(), player));
    let entrants = play.seats.iter().map(|seat| Entrant {
        before: last(seat.player).map(ChangeRow::after).unwrap_or_default(),
        place: seat.place,
        left_early: seat.left_early,
    });
    let entrants: Vec<Entrant> = entrants.collect();
    let changes = ratings::changes(&entrants);
    let row = |((seat, entrant), change): ((&crate::settling::FinishedSeat, &Entrant), &ratings::Change)| {
        let last = last(seat.player);
        let in_month = last.filter(|last| last.month == month).map_or(0, |last| last.number_in_month);
        let why = match (seat.left_early, change.opponents) {
            (_, 0) => Why::LeftAlone,
            (true, _) => Why::LeftEarly,
            (false, _) => Why::Played,
        };
        ChangeRow {
            scope: scope.to_owned(),
            player_id: seat.player,
            finished_at: play.finished.at,
            match_id: play.id,
            game: play.game.clone(),
            month: month.to_owned(),
            mean_before: entrant.before.mean,
            deviation_before: entrant.before.deviation,
            mean_after: change.after.mean,
            deviation_after: change.after.deviation,
            why,
            place: i16::from(seat.place),
            opponents: i16::from(change.opponents),
            beaten: change.beaten,
            expected: change.expected,
            number: last.map_or(0, |last| last.number) + 1,
            number_in_month: in_month + 1,
        }
    };
    play.seats.iter().zip(&entrants).zip(&changes).map(row).collect()
}

fn month(zone: &TimeZone, moment: Moment) -> String {
    moment.at.to_zoned(zone.clone()).strftime("%Y-%m").to_string()
}

impl Finished {
    /// The game, and the rules by which it was played.
    fn scopes(&self) -> [String; 2] {
        [self.game.clone(), self.variant.clone()]
    }

    fn keys(&self) -> impl Iterator<Item = Key> {
        let of_seat = |player: PlayerId| self.scopes().map(|scope| (scope, player));
        self.seats.iter().flat_map(move |seat| of_seat(seat.player))
    }
}

impl ChangeRow {
    pub fn before(&self) -> Rating {
        Rating { mean: self.mean_before, deviation: self.deviation_before }
    }

    pub fn after(&self) -> Rating {
        Rating { mean: self.mean_after, deviation: self.deviation_after }
    }

    pub fn moment(&self) -> Moment {
        Moment { at: self.finished_at, id: self.match_id }
    }

    fn key(&self) -> Key {
        (self.scope.clone(), self.player_id)
    }

    fn standing(&self) -> StandingRow {
        self.standing_in(String::new(), self.number)
    }

    fn standing_of_month(&self) -> StandingRow {
        self.standing_in(self.month.clone(), self.number_in_month)
    }

    fn standing_in(&self, period: String, matches: i32) -> StandingRow {
        let rating = self.after();
        StandingRow {
            scope: self.scope.clone(),
            period,
            player_id: self.player_id,
            mean: rating.mean,
            deviation: rating.deviation,
            shown: rating.shown(),
            provisional: rating.is_provisional(),
            matches,
            last_at: self.finished_at,
        }
    }
}
