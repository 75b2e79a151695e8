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
use super::store;
use crate::audit;
use crate::calls::{self, CallReason, CallRow, CallStatus};
use crate::db::Db;
use crate::error::{ApiResult, internal, unauthorized};
use crate::extract::Player;
use crate::ids::{CallId, MatchId, SittingId, TournamentId};
use crate::matches::results::{self, ResultRow, ResultStatus};
use crate::matches::store::JsonText;
use crate::matches::{self, Filter, MatchRow, SeatRow, Status};
use crate::sessions;
use crate::sessions::rest::SessionAnswer;
use crate::sittings::{self, Joined};
use crate::text::Lang;
use crate::tournaments::store::Entered;
use crate::tournaments::{self, EntrantStatus};
use crate::world::World;

const MATCHES_A_PAGE: i64 = 50;
const AUDIT_LINES: i64 = 10_000;
const PARTIES: i64 = 10_000;

/// Everything that is stored about the caller.
#[derive(Serialize, ToSchema)]
pub(super) struct Export {
    profile: Account,
    /// Where the caller is signed in.
    sessions: Vec<SessionAnswer>,
    /// Parties that the caller joined, the latest first.
    sittings: Vec<OwnSitting>,
    /// Calls for somebody that the caller made, the latest first.
    calls: Vec<OwnCall>,
    /// Those that the caller entered, the latest first.
    tournaments: Vec<OwnTournament>,
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
    closed_at: Option<Timestamp>,
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
    #[schema(value_type = Option<Object>)]
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
    #[schema(value_type = Object)]
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
    #[schema(value_type = Object)]
    chosen: engine::Json,
}

/// An `Export` as JSON, in pieces.
pub(super) async fn export(
    db: Data<Db>,
    world: &World,
    player: Player,
    lang: Lang,
) -> ApiResult<impl Stream<Item = ApiResult<Bytes>> + use<>> {
    let head = head(&mut *db.conn().await?, world, &player, lang).await?;
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

async fn head(conn: &mut AsyncPgConnection, world: &World, player: &Player, lang: Lang) -> ApiResult<String> {
    let row = store::find(conn, player.id).await?.ok_or_else(|| unauthorized("session_ended"))?;
    let sessions = sessions::store::list_open(conn, player.id, world.now()).await?;
    let sittings = sittings::store::list_joined(conn, player.id, PARTIES).await?;
    let calls = calls::store::list_by(conn, player.id, PARTIES).await?;
    let entered = tournaments::store::list_entered(conn, player.id, PARTIES).await?;
    let export = Export {
        profile: row.into(),
        sessions: sessions.into_iter().map(|session| SessionAnswer::of(session, player, lang)).collect(),
        sittings: sittings.into_iter().map(OwnSitting::from).collect(),
        calls: calls.into_iter().map(OwnCall::from).collect(),
        tournaments: entered.into_iter().map(OwnTournament::from).collect(),
        audit: audit::list_of(conn, player.id, AUDIT_LINES).await?,
        matches: Vec::new(),
    };
    serde_json::to_string(&export).map_err(internal)
}

impl From<Entered> for OwnTournament {
    fn from(entered: Entered) -> Self {
        let Entered { id, name, number, status, entered_at } = entered;
        Self { id, name, number, status, entered_at }
    }
}

struct Reader {
    db: Data<Db>,
    player: Player,
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
                let page = page(&mut *self.db.conn().await?, &self.player, before).await?;
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

async fn page(conn: &mut AsyncPgConnection, player: &Player, before: Option<MatchId>) -> ApiResult<Vec<OwnMatch>> {
    let filter = Filter { mine: Some(player.id), before, ..Filter::default() };
    let rows = matches::store::list(conn, &filter, MATCHES_A_PAGE).await?;
    let ids: Vec<MatchId> = rows.iter().map(|row| row.id).collect();
    let seats = matches::store::list_seats(conn, &ids).await?;
    let moves = matches::store::list_moves_of(conn, player.id, &ids).await?;
    let written = results::store::list_of(conn, player.id, &ids).await?;
    let mut page: Vec<OwnMatch> = rows.into_iter().map(|row| OwnMatch::of(row, player, &seats)).collect();
    for made in moves {
        let of_match = page.iter_mut().find(|it| it.id == made.match_id);
        if let (Some(of_match), Some(JsonText(chosen))) = (of_match, made.chosen) {
            of_match.moves.push(OwnMove { version: made.version, at: made.at, chosen });
        }
    }
    for result in written {
        if let Some(of_match) = page.iter_mut().find(|it| it.id == result.match_id) {
            of_match.results.push(OwnResult::of(result, player));
        }
    }
    Ok(page)
}

impl From<Joined> for OwnSitting {
    fn from(joined: Joined) -> Self {
        let Joined { id, table, joined_at, closed_at } = joined;
        Self { id, table, joined_at, closed_at }
    }
}

impl From<CallRow> for OwnCall {
    fn from(row: CallRow) -> Self {
        let CallRow { id, sitting_id, reason, note, status, called_at, over_at, .. } = row;
        Self { id, sitting_id, reason, note, status, called_at, over_at }
    }
}

impl OwnResult {
    fn of(row: ResultRow, player: &Player) -> Self {
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
    fn of(row: MatchRow, player: &Player, seats: &[SeatRow]) -> Self {
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
