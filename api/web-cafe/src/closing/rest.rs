//! `/api/v1/closing`.

use actix_web::web::Json;
use actix_web::{get, post};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

use base::auth::can;
use base::ids::{CopyId, MatchId, SittingId, TableId, TournamentId, UndoId};
use base::settings::Bill;
use cafe::floor::closing::{Closing, Day, DayFigures, Settled, close_day};
use play::matches::Status;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body};
use web_base::limits::{Budget, Writes};
use web_base::page::Charges;

/// What is still open, and the day's figures.
#[derive(Serialize, ToSchema)]
#[schema(as = DayNow)]
pub(crate) struct DayAnswer {
    /// The café's own day: an evening that ends after midnight belongs to the day on which it began.
    date: Date,
    since: Timestamp,
    figures: DayFigures,
    sittings: Vec<OpenSitting>,
    /// Matches of no party that is there. Those that wait can be withdrawn; those that run end by themselves.
    matches: Vec<OpenMatch>,
    copies: Vec<CopyOut>,
    /// Matches with results that wait for somebody's confirmation.
    results: Vec<MatchId>,
    /// Calls and new phones that wait for staff. They end with their parties.
    waiting: usize,
    /// That are played.
    tournaments: Vec<RunningTournament>,
}

#[derive(Serialize, ToSchema)]
struct OpenSitting {
    id: SittingId,
    table_id: TableId,
    party_size: i16,
    opened_at: Timestamp,
    /// Where the café has a tariff.
    #[serde(skip_serializing_if = "Option::is_none")]
    owed: Option<Bill>,
}

#[derive(Serialize, ToSchema)]
struct OpenMatch {
    id: MatchId,
    #[schema(example = "perudo")]
    game: String,
    status: Status,
}

#[derive(Serialize, ToSchema)]
struct CopyOut {
    copy_id: CopyId,
    #[schema(example = "루미큐브")]
    title: String,
    /// None for one that waits in the return zone.
    table_id: Option<TableId>,
    since: Timestamp,
}

#[derive(Serialize, ToSchema)]
struct RunningTournament {
    id: TournamentId,
    name: String,
}

/// What was settled, and the way back.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClosingAnswer {
    settled: Settled,
    /// For `POST /undos/{id}`, which takes all of it back; `null` if nothing was open.
    undo: Option<UndoId>,
}

/// What is still open at the end of the day, and the day's figures.
#[utoipa::path(tag = "floor", responses((status = 200, body = DayAnswer)))]
#[get("/closing")]
pub async fn find_day(charges: Charges, Authorized(mut cx): Authorized<can::ViewFloor>) -> ApiResult<Json<DayAnswer>> {
    let day = Day::read(&mut cx, charges.days(), charges.now()).await?;
    Ok(Json(DayAnswer::of(&day, &charges)))
}

/// Closes the day: parties leave, boxes are put away or missing, matches that nobody came to are withdrawn, as the request says.
/// All of it or nothing; what is no longer open is passed over. Can be undone for ten minutes, all at once.
#[utoipa::path(tag = "floor", request_body = Closing, responses((status = 200, body = ClosingAnswer)))]
#[post("/closing")]
pub async fn close_the_day(
    _: Budget<Writes>,
    charges: Charges,
    Authorized(mut cx): Authorized<can::RunFloor>,
    Body(closing): Body<Closing>,
) -> ApiResult<Json<ClosingAnswer>> {
    let (settled, undo) = close_day(&mut cx, closing, charges.prices().as_ref()).await?;
    Ok(Json(ClosingAnswer { settled, undo }))
}

impl DayAnswer {
    fn of(day: &Day, charges: &Charges) -> Self {
        let sittings = day.parties().map(|(_, row)| OpenSitting {
            id: row.id,
            table_id: row.table_id,
            party_size: row.party_size,
            opened_at: row.opened_at,
            owed: charges.bill(row),
        });
        let matches = day.floor.adrift.iter();
        let matches =
            matches.map(|play| OpenMatch { id: play.row.id, game: play.row.game.clone(), status: play.row.status });
        let copies = day.boxes().map(|(copy, title)| CopyOut {
            copy_id: copy.id,
            title: title.name_ko.clone(),
            table_id: copy.table_id,
            since: copy.since,
        });
        let results = day.results().filter_map(|need| Some(*need.cause.of_match()?.0));
        Self {
            date: day.date,
            since: day.since,
            figures: day.figures.clone(),
            sittings: sittings.collect(),
            matches: matches.collect(),
            copies: copies.collect(),
            results: results.collect(),
            waiting: day.count_asking(),
            tournaments: day
                .tournaments
                .iter()
                .map(|row| RunningTournament { id: row.id, name: row.name.clone() })
                .collect(),
        }
    }
}
