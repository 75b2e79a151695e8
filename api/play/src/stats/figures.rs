//! The figures, as the API tells them and the page shows them.

use std::collections::HashMap;

use diesel_async::AsyncPgConnection;
use engine::{VariantHash, catalogue};
use jiff::Zoned;
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

use super::occupancy::{self, Taken};
use super::store::{self, LengthRow, PlaceRow, RoleRow, SeatRow, VisitsRow};
use super::{Filter, Period, TableHour, length};
use base::error::Result;
use base::games::{OTHER, complete_options};
use base::ids::hex;

/// Visits on more days are not told apart.
pub const MOST_DAYS: i16 = 10;

/// What a period came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = StatsTotals)]
pub struct Totals {
    /// Both ends included.
    pub from: Date,
    pub until: Date,
    /// Matches that were played to their end.
    pub finished: i64,
    /// Matches that were called off.
    pub aborted: i64,
    /// Matches that nobody started or went on with.
    pub expired: i64,
    /// Seats that were taken in the matches that finished.
    pub players: i64,
    /// Different people who played; none where only one game or variant is asked about.
    pub guests: Option<i64>,
    /// Of these, those who had never played before.
    pub new_guests: Option<i64>,
    /// Parties that came; none where only one game or variant is asked about.
    pub parties: Option<i64>,
    /// Of how many people they were.
    pub people: Option<i64>,
    /// How long tables were taken, all of them together.
    pub table_seconds: Option<i64>,
}

/// A period, and as many days right before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = StatsSummary)]
pub struct Summary {
    pub now: Totals,
    pub before: Totals,
}

/// A day of the period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = StatsDay)]
pub struct Day {
    pub day: Date,
    pub finished: i64,
    pub players: i64,
    /// None where only one game or variant is asked about.
    pub guests: Option<i64>,
    pub new_guests: Option<i64>,
    /// None where only one game or variant is asked about.
    pub parties: Option<i64>,
    pub people: Option<i64>,
    pub table_seconds: Option<i64>,
}

/// How often a game was played by which rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = StatsPlays)]
pub struct Play {
    #[schema(example = "perudo")]
    pub game: String,
    pub variant_hash: String,
    /// What staff call these rules, or the title of a game outside the catalogue; none for rules without a name.
    pub variant: Option<String>,
    pub finished: i64,
    pub aborted: i64,
    pub expired: i64,
    pub players: i64,
}

/// An hour of a weekday.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = StatsHour)]
pub struct Hour {
    /// 1 is Monday.
    pub weekday: i16,
    /// At the café, 0 to 23.
    pub hour: i16,
    /// How often the period has this weekday.
    pub days: i32,
    /// Matches that finished in this hour, on all of these days together.
    pub finished: i64,
    pub players: i64,
}

/// How long matches by the same rules with as many seats took, from start to end.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = StatsLength)]
pub struct Length {
    pub game: String,
    pub variant_hash: String,
    pub variant: Option<String>,
    pub seats: i16,
    pub finished: i64,
    /// The median, exact to 4.5 %.
    pub median_seconds: i64,
    /// What nine of ten did not exceed, exact to 4.5 %.
    pub p90_seconds: i64,
    /// Of a match a move, exact to 4.5 %; none where the server knows no moves.
    pub seconds_per_move: Option<f64>,
}

/// How often a seat won, of matches between people alone by the same rules with as many seats.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = StatsSeat)]
pub struct SeatWins {
    pub game: String,
    pub variant_hash: String,
    pub variant: Option<String>,
    pub seats: i16,
    /// 0 is the first.
    pub seat: i16,
    pub finished: i64,
    /// Where several seats share the first place, each of them has won.
    pub wins: i64,
    pub share: f64,
    /// In 95 of 100 such cases what the seat really wins in the long run lies between these two.
    pub share_from: f64,
    pub share_until: f64,
    /// What all of them would win if they won alike: more than one of so many where several share the first place.
    #[serde(skip)]
    pub fair: f64,
}

/// How often a place in the order of play won, of matches between people alone by the same rules with as many seats.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = StatsPlace)]
pub struct PlaceWins {
    pub game: String,
    pub variant_hash: String,
    pub variant: Option<String>,
    pub seats: i16,
    /// 0 is the first to play.
    pub place: i16,
    /// Those of which it is known who began: none where all choose at once.
    pub finished: i64,
    /// Where several seats share the first place, each of them has won.
    pub wins: i64,
    pub share: f64,
    /// In 95 of 100 such cases what the place really wins in the long run lies between these two.
    pub share_from: f64,
    pub share_until: f64,
    /// What all of them would win if they won alike: more than one of so many where several share the first place.
    #[serde(skip)]
    pub fair: f64,
}

/// How often those who played an animal, character or trait won, of matches between people alone.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = StatsRole)]
pub struct RoleWins {
    pub game: String,
    pub variant_hash: String,
    pub variant: Option<String>,
    pub seats: i16,
    /// As the game's JSON names it.
    #[schema(example = "lion")]
    pub role: String,
    /// How often it was played.
    pub played: i64,
    /// Where several seats share the first place, each of them has won.
    pub wins: i64,
    pub share: f64,
    /// In 95 of 100 such cases what the role really wins in the long run lies between these two.
    pub share_from: f64,
    pub share_until: f64,
    /// What all of them would win if they won alike: more than one of so many where several share the first place.
    #[serde(skip)]
    pub fair: f64,
}

/// Who comes back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = StatsReturning)]
pub struct Returning {
    /// Different people who played.
    pub guests: i64,
    /// Of these, those who had never played before.
    pub new: i64,
    /// The others.
    pub returning: i64,
    pub visits: Vec<Visits>,
}

/// How many people played on so many days of the period: 10 stands for all that are more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = StatsVisits)]
pub struct Visits {
    pub days: i64,
    pub guests: i64,
    pub new: i64,
}

/// Reads figures by one filter.
pub struct Figures<'a> {
    pub conn: &'a mut AsyncPgConnection,
    pub filter: Filter,
    /// At the café.
    pub now: Zoned,
}

impl<'a> Figures<'a> {
    pub fn of(conn: &'a mut AsyncPgConnection, filter: &Filter, now: &Zoned) -> Self {
        Self { conn, filter: filter.clone(), now: now.clone() }
    }

    pub async fn summary(&mut self) -> Result<Summary> {
        let now = self.totals(self.filter.period).await?;
        Ok(Summary { now, before: self.totals(self.filter.period.before()).await? })
    }

    async fn totals(&mut self, period: Period) -> Result<Totals> {
        let row = store::totals(self.conn, &Filter { period, ..self.filter.clone() }).await?;
        let store::TotalsRow { finished, aborted, expired, players } = row;
        let Period { from, until } = period;
        let totals = Totals { from, until, finished, aborted, expired, players, ..Totals::default() };
        if !self.filter.is_of_all() {
            return Ok(totals);
        }
        let Returning { guests, new, .. } = returning(self.conn, period).await?;
        let sum = self.taken(period).await?.all;
        Ok(Totals {
            guests: Some(guests),
            new_guests: Some(new),
            parties: Some(sum.parties),
            people: Some(sum.people),
            table_seconds: Some(sum.seconds),
            ..totals
        })
    }

    async fn taken(&mut self, period: Period) -> Result<Taken> {
        let zone = self.now.time_zone().iana_name().unwrap_or("UTC");
        Ok(Taken::of(store::list_taken(self.conn, period, self.now.timestamp(), zone).await?))
    }

    /// All hours of a week at the tables, Monday's first.
    pub async fn table_hours(&mut self) -> Result<Vec<TableHour>> {
        let period = self.filter.period;
        let taken = self.taken(period).await?;
        let tables = store::list_tables(self.conn).await?;
        let room = occupancy::room(period, &tables, self.now.time_zone(), self.now.timestamp());
        let table_hour = |(weekday, hour, days)| {
            let sum = taken.hours.get(&(weekday, hour)).copied().unwrap_or_default();
            let room = room.get(&(weekday, hour)).copied().filter(|room| *room > 0);
            let occupancy = room.map(|room| sum.seconds as f64 / room as f64);
            let occupancy::Sum { parties, people, seconds: table_seconds } = sum;
            TableHour { weekday, hour, days, parties, people, table_seconds, occupancy }
        };
        Ok(period.week_hours().map(table_hour).collect())
    }

    /// Every day, also those on which nothing was played.
    pub async fn days(&mut self) -> Result<Vec<Day>> {
        let rows = store::list_days(self.conn, &self.filter).await?;
        let played: HashMap<Date, _> =
            rows.into_iter().map(|row| (row.day.to_jiff(), (row.finished, row.players))).collect();
        let is_of_all = self.filter.is_of_all();
        let (mut guests, mut taken) = (HashMap::new(), Taken::default());
        if is_of_all {
            let rows = store::list_guests(self.conn, self.filter.period).await?;
            guests = rows.into_iter().map(|row| (row.day.to_jiff(), (row.guests, row.new))).collect();
            taken = self.taken(self.filter.period).await?;
        }
        let day = |day| {
            let (finished, players) = played.get(&day).copied().unwrap_or_default();
            let (guests, new_guests) = guests.get(&day).copied().unwrap_or_default();
            let sum = taken.days.get(&day).copied().unwrap_or_default();
            let known = |count| is_of_all.then_some(count);
            Day {
                day,
                finished,
                players,
                guests: known(guests),
                new_guests: known(new_guests),
                parties: known(sum.parties),
                people: known(sum.people),
                table_seconds: known(sum.seconds),
            }
        };
        Ok(self.filter.period.dates().map(day).collect())
    }

    /// The most played first.
    pub async fn plays(&mut self) -> Result<Vec<Play>> {
        let rows = store::list_plays(self.conn, &self.filter).await?;
        let names = self.names(rows.iter().map(|row| (row.game.as_str(), row.variant_hash.as_slice()))).await?;
        let play = |row: store::PlaysRow| {
            let store::PlaysRow { game, variant_hash, finished, aborted, expired, players } = row;
            let variant = names.get(&variant_hash).cloned();
            Play { game, variant_hash: hex(&variant_hash), variant, finished, aborted, expired, players }
        };
        Ok(rows.into_iter().map(play).collect())
    }

    /// All hours of a week, Monday's first.
    pub async fn hours(&mut self) -> Result<Vec<Hour>> {
        let rows = store::list_hours(self.conn, &self.filter).await?;
        let counted: HashMap<_, _> =
            rows.into_iter().map(|row| ((row.weekday, row.hour), (row.finished, row.players))).collect();
        let hour = |(weekday, hour, days)| {
            let (finished, players) = counted.get(&(weekday, hour)).copied().unwrap_or_default();
            Hour { weekday, hour, days, finished, players }
        };
        Ok(self.filter.period.week_hours().map(hour).collect())
    }

    /// By rules and number of seats, the most played first.
    pub async fn lengths(&mut self) -> Result<Vec<Length>> {
        let rows = store::list_lengths(self.conn, &self.filter).await?;
        let names = self.names(rows.iter().map(|row| (row.game.as_str(), row.variant_hash.as_slice()))).await?;
        let alike = |one: &LengthRow, other: &LengthRow| {
            (&one.game, &one.variant_hash, one.seats) == (&other.game, &other.variant_hash, other.seats)
        };
        let mut lengths: Vec<Length> = rows.chunk_by(alike).filter_map(|rows| Length::of(rows, &names)).collect();
        lengths.sort_by_key(|length| std::cmp::Reverse(length.finished));
        Ok(lengths)
    }

    /// By rules, number of seats and seat; the most played first.
    pub async fn seats(&mut self) -> Result<Vec<SeatWins>> {
        let rows = store::list_seats(self.conn, &self.filter).await?;
        let names = self.names(rows.iter().map(|row| (row.game.as_str(), row.variant_hash.as_slice()))).await?;
        let alike = |one: &SeatRow, other: &SeatRow| {
            (&one.game, &one.variant_hash, one.seats) == (&other.game, &other.variant_hash, other.seats)
        };
        Ok(rows.chunk_by(alike).flat_map(|rows| SeatWins::of(rows, &names)).collect())
    }

    /// By rules, number of seats and place in the order of play; the most played first.
    pub async fn orders(&mut self) -> Result<Vec<PlaceWins>> {
        let rows = store::list_orders(self.conn, &self.filter).await?;
        let names = self.names(rows.iter().map(|row| (row.game.as_str(), row.variant_hash.as_slice()))).await?;
        Ok(rows.into_iter().map(|row| PlaceWins::of(row, &names)).collect())
    }

    /// By rules, number of seats and role; the most played rules first.
    pub async fn roles(&mut self) -> Result<Vec<RoleWins>> {
        let rows = store::list_roles(self.conn, &self.filter).await?;
        let names = self.names(rows.iter().map(|row| (row.game.as_str(), row.variant_hash.as_slice()))).await?;
        Ok(rows.into_iter().map(|row| RoleWins::of(row, &names)).collect())
    }

    pub async fn returning(&mut self) -> Result<Returning> {
        returning(self.conn, self.filter.period).await
    }

    /// What these rules of these games are called: by staff, or other games by their titles.
    async fn names<'b>(
        &mut self,
        rules: impl Iterator<Item = (&'b str, &'b [u8])>,
    ) -> Result<HashMap<Vec<u8>, String>> {
        let mut rules: Vec<_> = rules.collect();
        rules.sort_unstable();
        rules.dedup();
        let (others, ours): (Vec<_>, Vec<_>) = rules.into_iter().partition(|(game, _)| *game == OTHER);
        let hashes = |rules: Vec<(&'b str, &'b [u8])>| rules.into_iter().map(|(_, hash)| hash).collect();
        let mut names = HashMap::new();
        if !ours.is_empty() {
            names = store::names(self.conn, hashes(ours)).await?;
        }
        if !others.is_empty() {
            names.extend(store::titles(self.conn, hashes(others)).await?);
        }
        Ok(names)
    }
}

impl Filter {
    pub fn is_of_all(&self) -> bool {
        self.game.is_none() && self.variant.is_none()
    }
}

impl Length {
    fn of(rows: &[LengthRow], names: &HashMap<Vec<u8>, String>) -> Option<Self> {
        let first = rows.first()?;
        let buckets: Vec<_> = rows.iter().map(|row| (row.bucket, row.finished)).collect();
        Some(Self {
            game: first.game.clone(),
            variant_hash: hex(&first.variant_hash),
            variant: names.get(&first.variant_hash).cloned(),
            seats: first.seats,
            finished: buckets.iter().map(|(_, count)| count).sum(),
            median_seconds: length::quantile(&buckets, 0.5)?,
            p90_seconds: length::quantile(&buckets, 0.9)?,
            seconds_per_move: length::per_move(&buckets, rows.iter().map(|row| row.moves).sum()),
        })
    }
}

impl SeatWins {
    fn of(rows: &[SeatRow], names: &HashMap<Vec<u8>, String>) -> Vec<Self> {
        let Some(first) = rows.first() else { return Vec::new() };
        let fair = first.all_wins as f64 / (i64::from(first.seats) * first.finished).max(1) as f64;
        let of_seat = |seat| {
            let wins = rows.iter().find(|row| row.seat == Some(seat)).map_or(0, |row| row.wins);
            let (share_from, share_until) = interval(wins, first.finished);
            Self {
                game: first.game.clone(),
                variant_hash: hex(&first.variant_hash),
                variant: names.get(&first.variant_hash).cloned(),
                seats: first.seats,
                seat,
                finished: first.finished,
                wins,
                share: wins as f64 / first.finished.max(1) as f64,
                share_from,
                share_until,
                fair,
            }
        };
        (0..first.seats).map(of_seat).collect()
    }
}

impl PlaceWins {
    fn of(row: PlaceRow, names: &HashMap<Vec<u8>, String>) -> Self {
        let PlaceRow { game, variant_hash, seats, place, finished, wins, all_wins } = row;
        let (share_from, share_until) = interval(wins, finished);
        Self {
            game,
            variant: names.get(&variant_hash).cloned(),
            variant_hash: hex(&variant_hash),
            seats,
            place,
            finished,
            wins,
            share: wins as f64 / finished.max(1) as f64,
            share_from,
            share_until,
            fair: all_wins as f64 / (i64::from(seats) * finished).max(1) as f64,
        }
    }
}

impl RoleWins {
    fn of(row: RoleRow, names: &HashMap<Vec<u8>, String>) -> Self {
        let RoleRow { game, variant_hash, seats, role, played, wins, all_wins, all_played } = row;
        let (share_from, share_until) = interval(wins, played);
        Self {
            game,
            variant: names.get(&variant_hash).cloned(),
            variant_hash: hex(&variant_hash),
            seats,
            role,
            played,
            wins,
            share: wins as f64 / played.max(1) as f64,
            share_from,
            share_until,
            fair: all_wins as f64 / all_played.max(1) as f64,
        }
    }
}

async fn returning(conn: &mut AsyncPgConnection, period: Period) -> Result<Returning> {
    Ok(Returning::of(&store::list_visits(conn, period).await?))
}

impl Returning {
    /// A guest who came on n days of a period was there on the last of them with n − 1 days before, and not with n. So those who
    /// came on n days at least are as many as the visits with n − 1 days before, less those with n.
    fn of(rows: &[VisitsRow]) -> Self {
        let row = |nth| rows.iter().find(|row| row.nth == nth).map_or((0, 0), |row| (row.guests, row.new));
        let at_least = |days| match days {
            1..=MOST_DAYS => (row(days - 1).0 - row(days).0, row(days - 1).1),
            _ => (0, 0),
        };
        let of_days = |days| {
            let ((guests, new), (more, more_new)) = (at_least(days), at_least(days + 1));
            Visits { days: days.into(), guests: guests - more, new: new - more_new }
        };
        let (guests, new) = at_least(1);
        let visits = (1..=MOST_DAYS).map(of_days).filter(|visits| visits.guests > 0).collect();
        Self { guests, new, returning: guests - new, visits }
    }
}

/// Wilson's interval of 95 %, which also holds for few cases and for shares near nothing.
fn interval(wins: i64, of: i64) -> (f64, f64) {
    const Z: f64 = 1.959_964;
    if of == 0 {
        return (0.0, 1.0);
    }
    let (n, share) = (of as f64, wins as f64 / of as f64);
    let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let (middle, scale) = (share + Z * Z / (2.0 * n), 1.0 + Z * Z / n);
    (((middle - spread) / scale).max(0.0), ((middle + spread) / scale).min(1.0))
}

/// Whether this is a game of the catalogue, or stands for any other.
pub fn is_game(game: &str) -> bool {
    game == OTHER || catalogue::find(game).is_some()
}

/// Whether these are the rules of the game without any house rules.
pub fn is_basic(game: &str, hash: &str) -> bool {
    let Some(kind) = catalogue::find(game) else { return false };
    let info = kind.info();
    let mut completed = info.seats.filter_map(|seats| complete_options(kind, None, seats).ok());
    completed.next().is_some_and(|options| hex(&VariantHash::of(info.id, info.revision, &options).0) == hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_came_back_follows_from_how_often_people_had_been_there_before() {
        let rows = |rows: &[(i16, i64, i64)]| -> Vec<VisitsRow> {
            rows.iter().map(|(nth, guests, new)| VisitsRow { nth: *nth, guests: *guests, new: *new }).collect()
        };
        // One came on two days, both in the period; one on three, the first of them before it; one on eleven, new.
        let told = Returning::of(&rows(&[
            (0, 2 + 2 + 11, 2),
            (1, 1 + 1 + 10, 2),
            (2, 9, 1),
            (3, 8, 1),
            (4, 7, 1),
            (5, 6, 1),
            (6, 5, 1),
            (7, 4, 1),
            (8, 3, 1),
            (9, 2, 1),
            (10, 1, 1),
        ]));
        assert_eq!((told.guests, told.new, told.returning), (3, 2, 1));
        let visits = |days, guests, new| Visits { days, guests, new };
        assert_eq!(told.visits, [visits(2, 2, 1), visits(10, 1, 1)]);
        assert_eq!(Returning::of(&[]), Returning::default());
    }

    #[test]
    fn a_shared_first_place_raises_the_fair_share_of_all() {
        let names = HashMap::new();
        let (game, variant_hash) = ("middle-race".to_owned(), vec![0]);
        let seat = |seat, wins| SeatRow {
            game: game.clone(),
            variant_hash: variant_hash.clone(),
            seats: 4,
            finished: 100,
            seat: Some(seat),
            wins,
            all_wins: 200,
        };
        let seats = SeatWins::of(&[seat(0, 55), seat(1, 45), seat(2, 100)], &names);
        assert_eq!(seats.iter().map(|it| (it.wins, it.fair)).collect::<Vec<_>>(), [55, 45, 100, 0].map(|it| (it, 0.5)));
        let place = PlaceRow {
            game: game.clone(),
            variant_hash: variant_hash.clone(),
            seats: 4,
            place: 0,
            finished: 100,
            wins: 55,
            all_wins: 200,
        };
        assert_eq!(PlaceWins::of(place, &names).fair, 0.5);
        let role = "hare".to_owned();
        let role = RoleRow { game, variant_hash, seats: 4, role, played: 40, wins: 25, all_wins: 200, all_played: 400 };
        assert_eq!(RoleWins::of(role, &names).fair, 0.5);
    }

    #[test]
    fn an_interval_is_narrow_where_much_was_seen() {
        let close = |(from, until): (f64, f64), expected: (f64, f64)| {
            assert!((from - expected.0).abs() < 5e-4 && (until - expected.1).abs() < 5e-4, "{from} {until}");
        };
        // Wilson (1927), as in any table of it.
        close(interval(5, 10), (0.2366, 0.7634));
        close(interval(0, 10), (0.0, 0.2775));
        close(interval(500, 1000), (0.4691, 0.5309));
        assert_eq!(interval(0, 0), (0.0, 1.0));
    }
}
