//! Series as the API tells them.

use engine::tournaments::{SeriesMove, SeriesRules};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use base::games::shapes;
use base::ids::{PlayerId, SeriesId, TournamentId};
use competitions::series::{
    Account, Brought, DivisionRow, EventRow, Move, Season, SeriesRow, SeriesStatus, Table, TableRow,
};
use competitions::tournaments::TournamentStatus;
use play::players::PlayerCard;
use web_base::error::ApiResult;

/// A season of tournaments whose results add up.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Series)]
pub(crate) struct SeriesAnswer {
    id: SeriesId,
    /// For people to type.
    #[schema(example = "K7X2QD")]
    code: String,
    #[schema(example = "2026 가을 시즌")]
    name: String,
    status: SeriesStatus,
    #[schema(value_type = shapes::SeriesRules)]
    rules: SeriesRules,
    /// The season before.
    previous_id: Option<SeriesId>,
    created_at: Timestamp,
    /// Rises by one with every change of the series itself. Results of its events change its tables and not this number. A change
    /// that names an older one is refused.
    revision: i64,
}

/// A series with all that is its own.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WholeSeries)]
pub(crate) struct WholeSeriesAnswer {
    series: SeriesAnswer,
    /// The season after.
    next_id: Option<SeriesId>,
    /// The highest first.
    divisions: Vec<DivisionAnswer>,
    /// In the order of time.
    events: Vec<EventAnswer>,
    /// Of each division, the highest first; one if there are none.
    tables: Vec<TableAnswer>,
}

/// A division of a series.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeriesDivision)]
pub(crate) struct DivisionAnswer {
    /// 1 the highest.
    number: i16,
    #[schema(example = "1부")]
    name: String,
    /// How many go up at the end of the season.
    promoted: i16,
    /// And how many down.
    relegated: i16,
}

/// A tournament that counts in a series.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeriesEvent)]
pub(crate) struct EventAnswer {
    tournament_id: TournamentId,
    code: String,
    name: String,
    game: String,
    /// What is played, if it is an `other` game.
    title: Option<String>,
    status: TournamentStatus,
    /// When it began, begins or was made: the order of events.
    at: Timestamp,
    /// The number of the division whose event it is; none if it counts for all.
    division: Option<i16>,
    /// How many played, once it is over.
    entrants: Option<usize>,
}

/// The table of a division, or the only one.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeriesTable)]
pub(crate) struct TableAnswer {
    /// The number of the division.
    division: Option<i16>,
    /// The best first.
    rows: Vec<RowAnswer>,
}

/// Where somebody stands.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeriesStanding)]
pub(crate) struct RowAnswer {
    /// 1 the best; equals share one.
    rank: u32,
    player: PlayerCard,
    /// What counts with the bonus, in hundredths, like all points of a series.
    total: i64,
    /// For having played, within the total.
    bonus: i64,
    /// What each event brought, in the order of time.
    results: Vec<BroughtAnswer>,
    moves: MoveAnswer,
    /// For staff: the other accounts of the same person.
    #[serde(skip_serializing_if = "Option::is_none")]
    accounts: Option<Vec<PlayerCard>>,
}

/// What an event brought somebody.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeriesResult)]
pub(crate) struct BroughtAnswer {
    tournament_id: TournamentId,
    rank: u32,
    points: i64,
    /// Whether it is among those that count.
    counts: bool,
}

/// Where somebody plays in the next season if this one ended now.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = SeriesMove)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MoveAnswer {
    /// In the same division.
    Stays,
    /// In the division above.
    Up,
    /// In the division below.
    Down,
    /// Equals stand at the line above which people go up: staff decide.
    UpOpen,
    /// Equals stand at the line below which people go down: staff decide.
    DownOpen,
}

/// Where somebody would play in the next season.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeriesNextPlace)]
pub(crate) struct NextPlaceAnswer {
    player: PlayerCard,
    rank: u32,
    /// The number of the division in which they play now.
    from: i16,
    to: i16,
    /// Whether equals stand at the line: they stay unless `POST /series/{id}/next-season` says otherwise.
    is_open: bool,
}

impl From<SeriesRow> for SeriesAnswer {
    fn from(row: SeriesRow) -> Self {
        let SeriesRow { id, code, name, status, rules, previous_id, created_at, revision, .. } = row;
        Self { id, code, name, status, rules: rules.0, previous_id, created_at, revision }
    }
}

impl From<&DivisionRow> for DivisionAnswer {
    fn from(row: &DivisionRow) -> Self {
        let DivisionRow { number, name, promoted, relegated } = row.clone();
        Self { number, name, promoted, relegated }
    }
}

impl From<&EventRow> for EventAnswer {
    fn from(row: &EventRow) -> Self {
        let EventRow { id, code, name, game, title, status, at, division, places } = row.clone();
        Self { tournament_id: id, code, name, game, title, status, at, division, entrants: places.map(|it| it.len()) }
    }
}

impl From<SeriesMove> for MoveAnswer {
    fn from(it: SeriesMove) -> Self {
        match it {
            SeriesMove::Stays => Self::Stays,
            SeriesMove::Up => Self::Up,
            SeriesMove::Down => Self::Down,
            SeriesMove::UpOpen => Self::UpOpen,
            SeriesMove::DownOpen => Self::DownOpen,
        }
    }
}

impl From<&Brought> for BroughtAnswer {
    fn from(it: &Brought) -> Self {
        Self { tournament_id: it.event, rank: it.rank, points: it.points, counts: it.counts }
    }
}

/// A series as JSON.
pub(crate) trait SeriesAnswers {
    fn answer(&self, by_staff: bool) -> ApiResult<WholeSeriesAnswer>;
    fn next_places(&self) -> ApiResult<Vec<NextPlaceAnswer>>;
}

impl SeriesAnswers for Season {
    fn answer(&self, by_staff: bool) -> ApiResult<WholeSeriesAnswer> {
        let table = |table: &Table| TableAnswer {
            division: table.division.as_ref().map(|it| it.number),
            rows: table.rows.iter().map(|row| row_answer(self, row, by_staff)).collect(),
        };
        Ok(WholeSeriesAnswer {
            series: self.row.clone().into(),
            next_id: self.next().map(|it| it.id),
            divisions: self.divisions.iter().map(DivisionAnswer::from).collect(),
            events: self.events.iter().map(EventAnswer::from).collect(),
            tables: self.tables()?.iter().map(table).collect(),
        })
    }

    fn next_places(&self) -> ApiResult<Vec<NextPlaceAnswer>> {
        let place = |it: Move| {
            let Move { person, rank, from, to, is_open } = it;
            NextPlaceAnswer { player: card(self, person), rank, from, to, is_open }
        };
        Ok(self.moves()?.into_iter().map(place).collect())
    }
}

fn row_answer(season: &Season, row: &TableRow, by_staff: bool) -> RowAnswer {
    let other = |it: &&Account| it.id != row.person;
    let accounts = || season.people.accounts_of(row.person).into_iter().filter(other).map(account_card).collect();
    RowAnswer {
        rank: row.rank,
        player: card(season, row.person),
        total: row.total,
        bonus: row.bonus,
        results: row.results.iter().map(BroughtAnswer::from).collect(),
        moves: row.moves.into(),
        accounts: by_staff.then(accounts),
    }
}

fn card(season: &Season, person: PlayerId) -> PlayerCard {
    PlayerCard { id: person, display_name: season.name_of(person), deleted: season.is_gone(person) }
}

fn account_card(account: &Account) -> PlayerCard {
    PlayerCard { id: account.id, display_name: account.name.clone(), deleted: account.deleted }
}
