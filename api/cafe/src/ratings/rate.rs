//! From finished matches to the ledger, in their order.

use std::collections::{BTreeMap, HashMap};

use diesel_async::AsyncPgConnection;
use engine::ratings::{self, Change, Entrant, Rating};
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::store::{self, ChangeRow, StandingRow};
use super::{RATED_A_DAY, Why};
use crate::finished::{Finished, FinishedSeat};
use base::error::{Result, internal};
use base::ids::PlayerId;
use play::matches::Moment;

/// Whose rating of what.
type Key = (String, PlayerId);

/// Marks those matches of the game that finished at this moment or later and were rated. Whether there are any.
pub async fn mark_since(conn: &mut AsyncPgConnection, game: &str, from: Moment) -> Result<bool> {
    let found = store::has_since(conn, game, from).await?;
    if found {
        store::mark_since(conn, game, from).await?;
    }
    Ok(found)
}

/// Makes room for a match of this moment: what the matches that finished with it or later made of ratings is undone.
pub async fn take_back(conn: &mut AsyncPgConnection, zone: &TimeZone, game: &str, from: Moment) -> Result<()> {
    let mut changed = store::delete_since(conn, game, from).await?;
    changed.sort_unstable();
    changed.dedup();
    let month = month(zone, from);
    store::delete_standings(conn, &changed, &month).await?;
    let latest = store::list_latest(conn, &changed).await?;
    // Later months are gone altogether, earlier ones are as they were.
    let standings =
        latest.iter().flat_map(ChangeRow::standings).filter(|it| it.period.is_empty() || it.period == month);
    store::save_standings(conn, &standings.collect::<Vec<_>>()).await?;
    Ok(())
}

/// Rates these matches of one game, after which no other was rated yet, and which come in their order.
pub async fn rate(conn: &mut AsyncPgConnection, zone: &TimeZone, finished: &[Finished]) -> Result<()> {
    let counting: Vec<&Finished> = finished.iter().filter(|play| play.counts()).collect();
    let mut keys: Vec<Key> = counting.iter().flat_map(|play| play.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    if keys.is_empty() {
        return Ok(());
    }
    let latest = store::list_latest(conn, &keys).await?;
    let mut latest: HashMap<Key, ChangeRow> = latest.into_iter().map(|change| (change.key(), change)).collect();
    let mut pairs = Pairs::read(conn, zone, counting.as_slice()).await?;
    let mut ledger = Vec::new();
    let mut standings: BTreeMap<(Key, String), StandingRow> = BTreeMap::new();
    for play in counting {
        let month = month(zone, play.finished);
        let is_rated = pairs.take(play);
        for scope in play.scopes() {
            for change in changes(play, &scope, &month, &latest, is_rated) {
                for standing in change.standings() {
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
fn changes(
    play: &Finished,
    scope: &str,
    month: &str,
    latest: &HashMap<Key, ChangeRow>,
    is_rated: bool,
) -> Vec<ChangeRow> {
    let last = |player: PlayerId| latest.get(&(scope.to_owned(), player));
    let entrants = play.rated().map(|seat| Entrant {
        before: last(seat.player).map(ChangeRow::after).unwrap_or_default(),
        place: seat.place,
        left_early: seat.left_early.is_some(),
    });
    let entrants: Vec<Entrant> = entrants.collect();
    let changes = if is_rated { ratings::changes(&entrants) } else { entrants.iter().map(unchanged).collect() };
    let row = |((seat, entrant), change): ((&FinishedSeat, &Entrant), &Change)| {
        let last = last(seat.player);
        let in_month = last.filter(|last| last.month == month).map_or(0, |last| last.number_in_month);
        let why = match (seat.left_early.is_some(), change.opponents) {
            _ if !is_rated => Why::TooOften,
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
            number: last.map_or(0, |last| last.number) + i32::from(is_rated),
            number_in_month: in_month + i32::from(is_rated),
        }
    };
    play.rated().zip(&entrants).zip(&changes).map(row).collect()
}

fn unchanged(entrant: &Entrant) -> Change {
    Change { after: entrant.before, opponents: 0, beaten: 0.0, expected: 0.0 }
}

/// How often two players were rated against each other in a game, on each day at the café.
struct Pairs<'a> {
    zone: &'a TimeZone,
    rated: HashMap<(Date, PlayerId, PlayerId), usize>,
}

impl<'a> Pairs<'a> {
    /// Before these matches of one game, which come in their order and after which none is rated. Only the day of the first of
    /// them can have others before it.
    async fn read(conn: &mut AsyncPgConnection, zone: &'a TimeZone, plays: &[&Finished]) -> Result<Self> {
        let mut pairs = Self { zone, rated: HashMap::new() };
        let Some(first) = plays.first() else { return Ok(pairs) };
        let day = first.finished.at.to_zoned(zone.clone()).start_of_day().map_err(internal)?;
        let mut seated: BTreeMap<Moment, Vec<PlayerId>> = BTreeMap::new();
        for (moment, player) in store::list_rated_since(conn, &first.game, day.timestamp()).await? {
            seated.entry(moment).or_default().push(player);
        }
        for (moment, players) in seated {
            for key in pairs.of(moment, &players) {
                *pairs.rated.entry(key).or_default() += 1;
            }
        }
        Ok(pairs)
    }

    /// Whether this match is rated. If so, it counts for each pair at it.
    fn take(&mut self, play: &Finished) -> bool {
        let players: Vec<PlayerId> = play.rated().map(|seat| seat.player).collect();
        let keys = self.of(play.finished, &players);
        let is_rated = keys.iter().all(|key| self.rated.get(key).is_none_or(|rated| *rated < RATED_A_DAY));
        if is_rated {
            keys.into_iter().for_each(|key| *self.rated.entry(key).or_default() += 1);
        }
        is_rated
    }

    fn of(&self, moment: Moment, players: &[PlayerId]) -> Vec<(Date, PlayerId, PlayerId)> {
        let day = moment.at.to_zoned(self.zone.clone()).date();
        let others =
            |one: PlayerId| players.iter().filter(move |other| one < **other).map(move |other| (day, one, *other));
        players.iter().flat_map(|one| others(*one)).collect()
    }
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
        self.rated().flat_map(move |seat| of_seat(seat.player))
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

    /// Where it leaves the player, in all and in its month: nowhere before the first rated match.
    fn standings(&self) -> impl Iterator<Item = StandingRow> {
        let periods = [(String::new(), self.number), (self.month.clone(), self.number_in_month)];
        periods
            .into_iter()
            .filter(|(_, matches)| *matches > 0)
            .map(|(period, matches)| self.standing_in(period, matches))
    }

    fn standing_in(&self, period: String, matches: i32) -> StandingRow {
        let rating = self.after();
        StandingRow {
            scope: self.scope.clone(),
            period,
            player_id: self.player_id,
            mean: rating.mean,
            deviation: rating.deviation,
            rating: rating.shown(),
            provisional: rating.is_provisional(),
            matches,
            last_at: self.finished_at,
        }
    }
}
