//! A season as it stands: its events, its people, and the table of each division. It is calculated whenever it is read, from where
//! everybody came in the tournaments that are over; so whatever is corrected there is right here.

use std::collections::{BTreeMap, BTreeSet};

use diesel_async::AsyncPgConnection;
use engine::tournaments::{EventPlace, Season as Ranking, SeriesEvent, SeriesMove, SeriesRow as Line, series_moves};

use super::people::{People, Said};
use super::store::{self, Account, DivisionRow, EntrantRow, EventRow, PersonRow, SeriesRow};
use super::{SeriesId, SeriesStatus};
use crate::tournaments::TournamentStatus;
use base::codes::normal_code;
use base::error::{Result, internal, not_found};
use base::games::guarded;
use base::ids::{PlayerId, TournamentId};

/// A series with all that is its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Season {
    pub row: SeriesRow,
    /// The season before and the one after, as far as there are any.
    pub neighbours: Vec<SeriesRow>,
    /// The highest first; empty if there are none.
    pub divisions: Vec<DivisionRow>,
    /// In the order of time.
    pub events: Vec<EventRow>,
    /// What staff said of accounts.
    pub said: Vec<PersonRow>,
    pub people: People,
    /// By tournament: who its entrants are.
    entrants: BTreeMap<TournamentId, BTreeMap<u32, PlayerId>>,
}

/// The table of a division, or the only one.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub division: Option<DivisionRow>,
    /// The best first.
    pub rows: Vec<TableRow>,
}

/// Where somebody stands.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRow {
    /// 1 the best; equals share one.
    pub rank: u32,
    /// The account by which they are known.
    pub person: PlayerId,
    /// In hundredths, as all points.
    pub total: i64,
    /// For having played, within the total.
    pub bonus: i64,
    /// What each event brought, in the order of time.
    pub results: Vec<Brought>,
    /// Where they would play if the season ended now.
    pub moves: SeriesMove,
}

/// What an event brought somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brought {
    pub event: TournamentId,
    pub rank: u32,
    pub points: i64,
    /// Whether it is among those that count.
    pub counts: bool,
}

/// The series as staff see it, or as everybody does: then without what only staff know of.
pub async fn load(conn: &mut AsyncPgConnection, id: SeriesId, by_staff: bool) -> Result<Season> {
    let row = store::find(conn, id).await?;
    of_row(conn, row, by_staff).await
}

/// The same by the code, however it was typed.
pub async fn load_by_code(conn: &mut AsyncPgConnection, code: &str, by_staff: bool) -> Result<Season> {
    let row = store::find_by_code(conn, &normal_code(code)).await?;
    of_row(conn, row, by_staff).await
}

/// Its id, if everybody may know of it.
pub async fn find_by_code(conn: &mut AsyncPgConnection, code: &str) -> Result<SeriesId> {
    Ok(visible(store::find_by_code(conn, &normal_code(code)).await?, false)?.id)
}

/// Only staff know of a draft.
fn visible(row: Option<SeriesRow>, by_staff: bool) -> Result<SeriesRow> {
    row.filter(|row| by_staff || row.status != SeriesStatus::Draft).ok_or_else(|| not_found("series_not_found"))
}

async fn of_row(conn: &mut AsyncPgConnection, row: Option<SeriesRow>, by_staff: bool) -> Result<Season> {
    let mut season = Season::read(conn, visible(row, by_staff)?).await?;
    if !by_staff {
        season.neighbours.retain(|it| it.status != SeriesStatus::Draft);
        season.events.retain(|it| it.status != TournamentStatus::Draft);
    }
    Ok(season)
}

impl Season {
    pub async fn read(conn: &mut AsyncPgConnection, row: SeriesRow) -> Result<Self> {
        let neighbours = store::list_neighbours(conn, &row).await?;
        let divisions = store::list_divisions(conn, row.id).await?;
        let events = store::list_events(conn, row.id).await?;
        let over: Vec<TournamentId> = events.iter().filter(|it| it.is_over()).map(|it| it.id).collect();
        let entrants = store::list_entrants(conn, &over).await?;
        let said = store::list_people(conn, row.id).await?;
        Ok(Self { neighbours, ..Self::of(row, divisions, events, entrants, said) })
    }

    /// Of what was read.
    pub fn of(
        row: SeriesRow,
        divisions: Vec<DivisionRow>,
        events: Vec<EventRow>,
        entered: Vec<EntrantRow>,
        said: Vec<PersonRow>,
    ) -> Self {
        let mut entrants: BTreeMap<TournamentId, BTreeMap<u32, PlayerId>> = BTreeMap::new();
        for it in &entered {
            if let Ok(number) = u32::try_from(it.number) {
                entrants.entry(it.tournament_id).or_default().insert(number, it.account.id);
            }
        }
        let mut season =
            Self { row, neighbours: Vec::new(), divisions, events, said, people: People::default(), entrants };
        // Who never played is nobody of the season, unless staff said something of them.
        let played: Vec<Vec<PlayerId>> = season.events.iter().map(|it| season.players_of(it)).collect();
        let in_it: BTreeSet<PlayerId> = played.iter().flatten().copied().collect();
        let mut accounts: BTreeMap<PlayerId, Account> = entered
            .iter()
            .map(|it| &it.account)
            .filter(|it| in_it.contains(&it.id))
            .map(|it| (it.id, it.clone()))
            .collect();
        accounts.extend(season.said.iter().map(|it| (it.account.id, it.account.clone())));
        let said: Said = season.said.iter().filter_map(|it| Some((it.account.id, it.same_as?))).collect();
        season.people = People::new(accounts.into_values().collect(), &played, &said);
        season
    }

    /// The season before.
    pub fn previous(&self) -> Option<&SeriesRow> {
        self.neighbours.iter().find(|it| Some(it.id) == self.row.previous_id)
    }

    /// The season after.
    pub fn next(&self) -> Option<&SeriesRow> {
        self.neighbours.iter().find(|it| it.previous_id == Some(self.row.id))
    }

    /// The accounts that played in an event.
    fn players_of(&self, event: &EventRow) -> Vec<PlayerId> {
        let Some(entrants) = self.entrants.get(&event.id) else { return Vec::new() };
        let places = event.places.iter().flat_map(|it| it.iter());
        places.filter_map(|it| entrants.get(&it.person)).copied().collect()
    }

    /// The events in which an account played, in the order of time.
    pub fn events_of(&self, account: PlayerId) -> Vec<&EventRow> {
        self.events.iter().filter(|event| self.players_of(event).contains(&account)).collect()
    }

    /// Whether two people played in one event.
    pub fn have_met(&self, one: PlayerId, other: PlayerId) -> bool {
        self.events.iter().any(|event| {
            let here: BTreeSet<_> =
                self.players_of(event).into_iter().filter_map(|it| self.people.person_of(it)).collect();
            here.contains(&one) && here.contains(&other)
        })
    }

    /// What a person is called; a number where the account is gone.
    pub fn name_of(&self, person: PlayerId) -> String {
        let there = self.people.account(person).filter(|it| !it.deleted);
        there.map_or_else(|| format!("#{}", &person.0.simple().to_string()[26..]), |it| it.name.clone())
    }

    pub fn is_gone(&self, person: PlayerId) -> bool {
        self.people.account(person).is_none_or(|it| it.deleted)
    }

    /// In which division each person plays: as staff say; else that of the first event of a division in which they played; else
    /// the lowest. Nobody where there are no divisions.
    pub fn divisions_of_people(&self) -> BTreeMap<PlayerId, i16> {
        let Some(lowest) = self.divisions.last().map(|it| it.number) else { return BTreeMap::new() };
        let mut divisions: BTreeMap<PlayerId, i16> = BTreeMap::new();
        // What is said of the account by which somebody is known goes before what is said of another of theirs.
        let is_other = |it: &&PersonRow| self.people.person_of(it.account.id) != Some(it.account.id);
        let mut said: Vec<&PersonRow> = self.said.iter().collect();
        said.sort_by_key(|it| (is_other(it), it.account.id));
        for it in said {
            if let (Some(person), Some(division)) = (self.people.person_of(it.account.id), it.division) {
                divisions.entry(person).or_insert(division);
            }
        }
        for event in &self.events {
            let Some(division) = event.division else { continue };
            for person in self.players_of(event).into_iter().filter_map(|it| self.people.person_of(it)) {
                divisions.entry(person).or_insert(division);
            }
        }
        for person in self.people.all() {
            divisions.entry(person).or_insert(lowest);
        }
        divisions
    }

    /// The tables, that of the highest division first; one if there are none.
    pub fn tables(&self) -> Result<Vec<Table>> {
        let people: Vec<PlayerId> = self.people.all().into_iter().collect();
        let numbers: BTreeMap<PlayerId, u32> = people.iter().copied().zip(0..).collect();
        let played: Vec<(Option<i16>, TournamentId, SeriesEvent)> = self.played(&numbers);
        let ids: Vec<TournamentId> = played.iter().map(|(_, id, _)| *id).collect();
        let divisions = self.divisions_of_people();
        let each: Vec<Option<&DivisionRow>> = match self.divisions.as_slice() {
            [] => vec![None],
            all => all.iter().map(Some).collect(),
        };
        let mut tables = Vec::with_capacity(each.len());
        for division in each {
            let number = division.map(|it| it.number);
            let is_in = |it: &&PlayerId| number.is_none() || divisions.get(it).copied() == number;
            let here = people.iter().filter(is_in).filter_map(|it| numbers.get(it)).copied().collect();
            let events = played.iter().filter(|(of, ..)| of.is_none() || number.is_none() || *of == number);
            let ranking = Ranking {
                rules: self.row.rules.0.clone(),
                events: events.map(|(.., event)| event.clone()).collect(),
                people: here,
            };
            let (rows, moves) = guarded(|| {
                let rows = ranking.table();
                let moves = series_moves(&rows, self.leaving(division));
                (rows, moves)
            })?;
            let rows = rows.into_iter().zip(moves).map(|(line, moves)| TableRow::of(line, moves, &people, &ids));
            tables.push(Table { division: division.cloned(), rows: rows.collect::<Result<_>>()? });
        }
        Ok(tables)
    }

    /// The events that are over, by the numbers of people, each with the division that it is of.
    fn played(&self, numbers: &BTreeMap<PlayerId, u32>) -> Vec<(Option<i16>, TournamentId, SeriesEvent)> {
        let over = self.events.iter().filter(|it| it.is_over());
        let event = |(number, event): (u32, &EventRow)| {
            let entrants = self.entrants.get(&event.id);
            let number_of = |entrant: u32| {
                let account = entrants.and_then(|it| it.get(&entrant))?;
                numbers.get(&self.people.person_of(*account)?).copied()
            };
            let place = |it: &EventPlace| Some(EventPlace { person: number_of(it.person)?, ..*it });
            let places = event.places.iter().flat_map(|it| it.iter()).filter_map(place).collect();
            (event.division, event.id, SeriesEvent { number, places })
        };
        (0..).zip(over).map(event).collect()
    }

    /// How many go up from a division, and how many down: none beyond the highest and the lowest.
    fn leaving(&self, division: Option<&DivisionRow>) -> [usize; 2] {
        let Some(division) = division else { return [0, 0] };
        let is_first = self.divisions.first().is_none_or(|it| it.number == division.number);
        let is_last = self.divisions.last().is_none_or(|it| it.number == division.number);
        let many = |it: i16, none: bool| if none { 0 } else { usize::try_from(it).unwrap_or(0) };
        [many(division.promoted, is_first), many(division.relegated, is_last)]
    }
}

impl TableRow {
    fn of(line: Line, moves: SeriesMove, people: &[PlayerId], events: &[TournamentId]) -> Result<Self> {
        let at = |number: u32| usize::try_from(number).map_err(internal);
        let lost = || internal(anyhow::anyhow!("the table of a series names nobody who is in it"));
        let mut results = Vec::with_capacity(line.results.len());
        for it in &line.results {
            let event = *events.get(at(it.event)?).ok_or_else(lost)?;
            results.push(Brought { event, rank: it.rank, points: it.points, counts: it.counts });
        }
        let person = *people.get(at(line.person)?).ok_or_else(lost)?;
        Ok(Self { rank: line.rank, person, total: line.total, bonus: line.bonus, results, moves })
    }

    /// What an event brought, if they played it.
    pub fn result(&self, event: TournamentId) -> Option<&Brought> {
        self.results.iter().find(|it| it.event == event)
    }
}
