//! Everything that is stored about a player, for the player: read and sent a page at a time, however much it is.

use actix_web::web::{Bytes, Data};
use diesel_async::AsyncPgConnection;
use futures_util::Stream;
use futures_util::stream::unfold;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::rest::Account;
use crate::sessions::rest::SessionAnswer;
use base::audit;
use base::auth::Identity;
use base::db::Db;
use base::error::internal;
use base::games::shapes::{GameMove, MatchOutcome};
use base::ids::{CallId, ClaimId, MatchId, PlayerId, SeriesId, SittingId, TournamentId};
use base::text::Lang;
use base::world::World;
use cafe::accounts::{self, MatchPage};
use cafe::claims::{ClaimRow, ClaimStatus};
use competitions::series::store::PlayedIn;
use competitions::tournaments::EntrantStatus;
use competitions::tournaments::store::Entered;
use play::calls::{CallReason, CallRow, CallStatus};
use play::matches::results::{ResultRow, ResultStatus};
use play::matches::store::JsonText;
use play::matches::{MatchRow, SeatRow, Status};
use play::sittings::Joined;
use web_base::error::ApiResult;

/// Everything that is stored about the caller.
#[derive(Serialize, ToSchema)]
pub(super) struct Export {
    profile: Account,
    /// Where the caller is signed in.
    sessions: Vec<SessionAnswer>,
    /// Who the caller is at the providers by which they sign in.
    identities: Vec<OwnIdentity>,
    /// Parties that the caller joined, the latest first.
    sittings: Vec<OwnSitting>,
    /// Calls for somebody that the caller made, the latest first.
    calls: Vec<OwnCall>,
    /// Phones that asked to be the caller's, and what the caller's phone asked to be, of the last hour, the latest first.
    claims: Vec<OwnClaim>,
    /// Those that the caller entered, the latest first.
    tournaments: Vec<OwnTournament>,
    /// Seasons in which staff said something of the caller's account, the latest first.
    series: Vec<OwnSeason>,
    /// What the audit log says about the caller, and of what they did, the latest first.
    audit: Vec<audit::Line>,
    /// Those that the caller made or sat in, the latest first.
    matches: Vec<OwnMatch>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct OwnSitting {
    id: SittingId,
    /// The table's name.
    table: String,
    joined_at: Timestamp,
    /// When staff took them off the party.
    removed_at: Option<Timestamp>,
    closed_at: Option<Timestamp>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct OwnSeason {
    id: SeriesId,
    name: String,
    /// The division in which staff put them.
    division: Option<String>,
    /// The account of the same person, where staff said whose it is.
    same_as: Option<PlayerId>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct OwnIdentity {
    issuer: String,
    subject: String,
}

#[derive(Serialize, ToSchema)]
pub(super) struct OwnCall {
    id: CallId,
    sitting_id: SittingId,
    reason: CallReason,
    note: Option<String>,
    status: CallStatus,
    called_at: Timestamp,
    over_at: Option<Timestamp>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct OwnClaim {
    id: ClaimId,
    sitting_id: SittingId,
    /// Whether the caller's phone asked to be somebody else's; otherwise a phone asked to be the caller's.
    asked_by_me: bool,
    /// What the phone said that it is, if it was or became the caller's.
    user_agent: Option<String>,
    status: ClaimStatus,
    asked_at: Timestamp,
}

/// The caller's part in a tournament.
#[derive(Serialize, ToSchema)]
pub(super) struct OwnTournament {
    id: TournamentId,
    name: String,
    /// By which the caller is known in it.
    number: i32,
    status: EntrantStatus,
    entered_at: Timestamp,
}

/// The caller's part in a match.
#[derive(Serialize, ToSchema)]
pub(super) struct OwnMatch {
    id: MatchId,
    code: String,
    game: String,
    name: Option<String>,
    status: Status,
    created_at: Timestamp,
    /// Whether the caller made it.
    made: bool,
    seat: Option<i16>,
    nonce: Option<String>,
    joined_at: Option<Timestamp>,
    left_at: Option<Timestamp>,
    #[schema(value_type = Option<MatchOutcome>)]
    outcome: Option<Value>,
    moves: Vec<OwnMove>,
    /// Those that the caller wrote down or confirmed.
    results: Vec<OwnResult>,
}

#[derive(Serialize, ToSchema)]
pub(super) struct OwnResult {
    /// Counts within the match.
    number: i32,
    status: ResultStatus,
    #[schema(value_type = MatchOutcome)]
    outcome: Value,
    reported_by_me: bool,
    confirmed_by_me: bool,
    created_at: Timestamp,
}

#[derive(Serialize, ToSchema)]
pub(super) struct OwnMove {
    version: i32,
    at: Timestamp,
    #[serde(rename = "move")]
    #[schema(value_type = GameMove)]
    chosen: engine::Json,
}

/// An `Export` as JSON, in pieces.
pub(super) async fn export(
    db: Data<Db>,
    world: &World,
    player: Identity,
    lang: Lang,
) -> ApiResult<impl Stream<Item = ApiResult<Bytes>> + use<>> {
    let head = db.read(async |conn| head(conn, world, &player, lang).await).await?;
    // Without its last bracket and the one of its matches, which follow.
    let head =
        head.strip_suffix("]}").map(str::to_owned).ok_or_else(|| internal(anyhow::anyhow!("no list at the end")))?;
    let reader = Reader { db, player, next: Next::Head(head) };
    Ok(unfold(Some(reader), |reader| async {
        let mut reader = reader?;
        match reader.piece().await {
            Ok(Some(piece)) => Some((Ok(Bytes::from(piece)), Some(reader))),
            Ok(None) => None,
            // The answer breaks off, so that nobody takes it for the whole.
            Err(err) => Some((Err(err), None)),
        }
    }))
}

async fn head(conn: &mut AsyncPgConnection, world: &World, player: &Identity, lang: Lang) -> ApiResult<String> {
    let accounts::Export { player: row, sessions, identities, sittings, calls, claims, entered, series, audit } =
        accounts::Export::read(conn, world, player).await?;
    let export = Export {
        profile: row.into(),
        audit,
        sessions: sessions.into_iter().map(|session| SessionAnswer::of(session, player, lang)).collect(),
        identities: identities.into_iter().map(|(issuer, subject)| OwnIdentity { issuer, subject }).collect(),
        sittings: sittings.into_iter().map(OwnSitting::from).collect(),
        calls: calls.into_iter().map(OwnCall::from).collect(),
        claims: claims.into_iter().map(|it| OwnClaim::of(it, player)).collect(),
        tournaments: entered.into_iter().map(OwnTournament::from).collect(),
        series: series.into_iter().map(OwnSeason::from).collect(),
        matches: Vec::new(),
    };
    Ok(serde_json::to_string(&export).map_err(internal)?)
}

impl From<Entered> for OwnTournament {
    fn from(entered: Entered) -> Self {
        let Entered { id, name, number, status, entered_at } = entered;
        Self { id, name, number, status, entered_at }
    }
}

impl From<PlayedIn> for OwnSeason {
    fn from(it: PlayedIn) -> Self {
        let PlayedIn { id, name, division, same_as } = it;
        Self { id, name, division, same_as }
    }
}

struct Reader {
    db: Data<Db>,
    player: Identity,
    next: Next,
}

enum Next {
    Head(String),
    /// The matches before this one; all if there is none.
    Matches(Option<MatchId>),
    Nothing,
}

impl Reader {
    async fn piece(&mut self) -> ApiResult<Option<String>> {
        match std::mem::replace(&mut self.next, Next::Nothing) {
            Next::Head(head) => {
                self.next = Next::Matches(None);
                Ok(Some(head))
            }
            Next::Matches(before) => {
                let page = self.db.read(async |conn| page(conn, &self.player, before).await).await?;
                let Some(last) = page.last() else { return Ok(Some("]}".to_owned())) };
                self.next = Next::Matches(Some(last.id));
                let texts = page.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>().map_err(internal)?;
                let comma = if before.is_some() { "," } else { "" };
                Ok(Some(format!("{comma}{}", texts.join(","))))
            }
            Next::Nothing => Ok(None),
        }
    }
}

async fn page(conn: &mut AsyncPgConnection, player: &Identity, before: Option<MatchId>) -> ApiResult<Vec<OwnMatch>> {
    let MatchPage { matches, seats, moves, results } = MatchPage::read(conn, player, before).await?;
    let mut page: Vec<OwnMatch> = matches.into_iter().map(|row| OwnMatch::of(row, player, &seats)).collect();
    for made in moves {
        let of_match = page.iter_mut().find(|it| it.id == made.match_id);
        if let (Some(of_match), Some(JsonText(chosen))) = (of_match, made.chosen) {
            of_match.moves.push(OwnMove { version: made.version, at: made.at, chosen });
        }
    }
    for result in results {
        if let Some(of_match) = page.iter_mut().find(|it| it.id == result.match_id) {
            of_match.results.push(OwnResult::of(result, player));
        }
    }
    Ok(page)
}

impl From<Joined> for OwnSitting {
    fn from(joined: Joined) -> Self {
        let Joined { id, table_name, joined_at, removed_at, closed_at } = joined;
        Self { id, table: table_name, joined_at, removed_at, closed_at }
    }
}

impl From<CallRow> for OwnCall {
    fn from(row: CallRow) -> Self {
        let CallRow { id, sitting_id, reason, note, status, called_at, over_at, .. } = row;
        Self { id, sitting_id, reason, note, status, called_at, over_at }
    }
}

impl OwnClaim {
    fn of(row: ClaimRow, player: &Identity) -> Self {
        let asked_by_me = row.asked_by == Some(player.id);
        let ClaimRow { id, sitting_id, user_agent, status, asked_at, .. } = row;
        // The phone of somebody else is not the caller's to know.
        let user_agent = user_agent.filter(|_| asked_by_me || status == ClaimStatus::Taken);
        Self { id, sitting_id, asked_by_me, user_agent, status, asked_at }
    }
}

impl OwnResult {
    fn of(row: ResultRow, player: &Identity) -> Self {
        Self {
            number: row.number,
            status: row.status,
            reported_by_me: row.reported_by == player.id,
            confirmed_by_me: row.confirmed_by == Some(player.id),
            created_at: row.created_at,
            outcome: row.outcome,
        }
    }
}

impl OwnMatch {
    fn of(row: MatchRow, player: &Identity, seats: &[SeatRow]) -> Self {
        let seat = seats.iter().find(|seat| seat.match_id == row.id && seat.player_id == player.id);
        Self {
            made: row.created_by == player.id,
            seat: seat.map(|seat| seat.seat),
            nonce: seat.and_then(|seat| seat.nonce.clone()),
            joined_at: seat.map(|seat| seat.joined_at),
            left_at: seat.and_then(|seat| seat.left_at),
            id: row.id,
            code: row.code,
            game: row.game,
            name: row.name,
            status: row.status,
            created_at: row.created_at,
            outcome: row.outcome,
            moves: Vec::new(),
            results: Vec::new(),
        }
    }
}
