//! Matches as the API tells of them.

use std::collections::HashMap;
use std::time::Duration;

use diesel_async::AsyncPgConnection;
use engine::{Audience, Json, Match, Seat, Turn, Viewer};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::replay::Perspective;
use base::auth::Identity;
use base::db::Db;
use base::games::guarded;
use base::games::shapes::{EventAudience, GameEvent, GameOptions, GameView, MatchOutcome};
use base::ids::{MatchId, PlayerId, TableId, VariantId, hex};
use base::live::Live;
use play::matches::access::{Access, seat_taken_by};
use play::matches::clock::{self, Clock};
use play::matches::feed::{self, Frame, Snapshot};
use play::matches::reveals::{Reveal, Reveals};
use play::matches::store::Reader;
use play::matches::terms::{Terms, Visibility};
use play::matches::{BotLevel, Leaving, MadeBy, MatchRow, Mode, SeatRow, Seats, Status, seats_in, store};
use play::players::PlayerCard;
use play::players::SOMEONE;
use web_base::error::ApiResult;

/// What everybody may see of a match.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Match)]
pub struct MatchAnswer {
    pub id: MatchId,
    /// To find it by.
    #[schema(example = "K7X2QD")]
    pub code: String,
    #[schema(example = "perudo")]
    pub game: String,
    /// What is played, if it is an `other` game.
    pub title: Option<String>,
    pub name: Option<String>,
    pub mode: Mode,
    /// All of them, defaults filled in.
    #[schema(value_type = GameOptions)]
    pub options: Value,
    /// The variant that was chosen, if one was, and its version.
    pub variant_id: Option<VariantId>,
    pub variant_version: Option<i32>,
    /// The same for all matches by the same rules: a SHA-256 of game, revision and options, in hexadecimal digits.
    pub variant_hash: String,
    pub status: Status,
    /// How many moves were made, as far as the caller may know.
    pub version: i32,
    pub seats: Vec<SeatAnswer>,
    /// The caller's own.
    #[schema(value_type = Option<u8>)]
    pub seat: Option<Seat>,
    /// The SHA-256 of the seed of its chance, in hexadecimal digits; the seed is in the record.
    pub commitment: String,
    pub created_by: PlayerId,
    pub table_id: Option<TableId>,
    pub turn_seconds: Option<i32>,
    /// What each seat has for the whole match beyond the time of its moves.
    pub reserve_seconds: Option<i32>,
    pub visibility: Visibility,
    /// Whether people without a seat may watch the running match …
    pub spectators: bool,
    /// … so many moves late.
    pub spectator_delay: i32,
    /// The match that was played before by the same players.
    pub rematch_of: Option<MatchId>,
    pub created_at: Timestamp,
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
    /// While it runs. Of a match that the caller sees late, as it was then; not in lists.
    pub clock: Option<Clock>,
    /// Looks of staff at what is hidden in it, at versions that the caller may know of. Not in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reveals: Option<Vec<Reveal>>,
    /// Places, points and the reason, once it is finished.
    #[schema(value_type = Option<MatchOutcome>)]
    pub outcome: Option<Value>,
    /// What everybody sees of it, once it has started, and as late as was agreed. Not in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<GameView>)]
    pub view: Option<Json>,
}

/// A chair in a match.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MatchSeat)]
pub struct SeatAnswer {
    pub seat: i16,
    /// What the seat is called, if it was given a name.
    pub name: Option<String>,
    /// None while it is free, and where a bot sits.
    pub player: Option<PlayerCard>,
    /// How strong the bot is that sits here, or plays on for a player who has left.
    pub bot: Option<BotLevel>,
    /// To show beside the name where another player here has one that looks the same; otherwise none.
    #[schema(example = "3F0A")]
    pub tag: Option<String>,
    pub joined_at: Option<Timestamp>,
    /// When the player left; the autopilot has moved for the seat since then.
    pub left_at: Option<Timestamp>,
    /// And why.
    pub left_why: Option<Leaving>,
    /// Who plays on for them, or did until they left as well.
    pub stand_in: Option<PlayerCard>,
}

/// What one version told, as one viewer may know it: perhaps nothing.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventFrame {
    pub version: i32,
    pub at: Timestamp,
    /// Who made the move: the player, or `house`, the server, for a bot or for a player who left or ran out of time. The server
    /// sets up.
    pub made_by: MadeBy,
    #[schema(value_type = Vec<GameEvent>)]
    pub events: Vec<Json>,
    /// With `text`, the sentence of each event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texts: Option<Vec<String>>,
    /// Looks of staff at what was hidden when this was the latest version.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reveals: Vec<Reveal>,
    /// With `omniscient`, who was told of each: `everyone`, `{"only":SEAT}` or `{"except":[SEAT, …]}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<EventAudience>>)]
    pub told_to: Option<Vec<Audience>>,
}

/// A frame as one who looks may read it.
pub(crate) trait FrameAnswer {
    fn for_viewer(&self, viewer: Viewer) -> EventFrame;
    fn through(&self, perspective: Perspective) -> EventFrame;
}

impl FrameAnswer for Frame {
    fn for_viewer(&self, viewer: Viewer) -> EventFrame {
        self.through(Perspective::Of(viewer))
    }

    fn through(&self, perspective: Perspective) -> EventFrame {
        let (addressed, told_to): (Vec<_>, _) = match perspective {
            Perspective::Of(viewer) => (self.events.iter().filter(|it| it.to.includes(viewer)).collect(), None),
            Perspective::Omniscient => {
                (self.events.iter().collect(), Some(self.events.iter().map(|it| it.to).collect()))
            }
        };
        let events = addressed.into_iter().map(|it| it.event.clone()).collect();
        let Frame { version, at, made_by, .. } = *self;
        EventFrame { version, at, made_by, events, texts: None, reveals: Vec::new(), told_to }
    }
}

impl EventFrame {
    pub(super) fn with(mut self, reveals: &Reveals) -> Self {
        self.reveals = reveals.at(self.version);
        self
    }
}

impl MatchAnswer {
    /// Without the view.
    pub(super) fn of(row: MatchRow, terms: &Terms, seats: &Seats, access: Access) -> Self {
        Self {
            seats: seat_answers(&row, terms, seats),
            seat: access.seat(),
            clock: None,
            commitment: hex(&row.commitment),
            id: row.id,
            code: row.code,
            game: row.game,
            title: terms.title.clone(),
            name: row.name,
            mode: row.mode,
            options: row.options,
            variant_id: row.variant_id,
            variant_version: row.variant_version,
            variant_hash: hex(&row.variant_hash),
            status: row.status,
            version: access.last_version(row.version).unwrap_or(0),
            created_by: row.created_by,
            table_id: row.table_id,
            turn_seconds: row.turn_seconds,
            reserve_seconds: terms.reserve_seconds,
            visibility: terms.visibility,
            spectators: terms.spectators,
            spectator_delay: terms.spectator_delay,
            rematch_of: terms.rematch_of,
            created_at: row.created_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
            outcome: row.outcome,
            reveals: None,
            view: None,
        }
    }
}

pub(super) fn seat_answers(row: &MatchRow, terms: &Terms, seats: &Seats) -> Vec<SeatAnswer> {
    let answer = |number| {
        let taken = seats.players.iter().find(|it| it.seat == number);
        let player =
            |it: &SeatRow| PlayerCard { id: it.player_id, display_name: it.display_name.clone(), deleted: it.deleted };
        SeatAnswer {
            seat: number,
            name: terms.seat_name(number).map(str::to_owned),
            player: taken.map(player),
            bot: seats.bots.iter().find(|it| it.seat == number).map(|it| it.level),
            tag: taken.and_then(|it| it.tag.clone()),
            joined_at: taken.map(|it| it.joined_at),
            left_at: taken.and_then(|it| it.left_at),
            left_why: taken.and_then(|it| it.left_why),
            stand_in: taken.and_then(stand_in),
        }
    };
    (0..row.seat_count).map(answer).collect()
}

fn stand_in(seat: &SeatRow) -> Option<PlayerCard> {
    let display_name = seat.stand_in_name.clone()?;
    Some(PlayerCard { id: seat.stand_in_id?, deleted: display_name == SOMEONE, display_name })
}

/// The match with its public view, as this caller may see it.
pub(super) async fn show(conn: &mut AsyncPgConnection, id: MatchId, caller: &Identity) -> ApiResult<MatchAnswer> {
    let snapshot = Snapshot::read(conn, id).await?;
    let access = snapshot.access(conn, caller).await?;
    let seen = match snapshot.play_seen(conn, access).await {
        // Played by earlier rules: its record tells of it still.
        Err(err) if err.code() == "other_revision" => None,
        seen => seen?,
    };
    let clock = snapshot.clock().filter(|_| access.is_up_to_date());
    let is_running = snapshot.row.status == Status::Running;
    let Snapshot { row, terms, reveals, seats, .. } = snapshot;
    let version = row.version;
    let mut answer = MatchAnswer { clock, ..MatchAnswer::of(row, &terms, &seats, access) };
    answer.reveals = Some(reveals.up_to(access.last_version(version)));
    if let Some((play, moved_at)) = seen {
        answer.view = Some(guarded(|| play.view(Viewer::Public))?);
        if is_running && !access.is_up_to_date() {
            answer.clock = Some(past_clock(&*play, moved_at)?);
        }
    }
    Ok(answer)
}

/// Waits until the caller may know of a later version than this one, or the match or the patience is over. Holds no connection
/// while it waits.
pub(super) async fn wait(
    db: &Db,
    live: &Live,
    caller: &Identity,
    id: MatchId,
    after: i64,
    patience: Duration,
) -> ApiResult<()> {
    let is_there = async |snapshot: &Snapshot| -> base::error::Result<bool> {
        let access = snapshot.access_through(db, caller).await?;
        let last = access.last_version(snapshot.row.version).filter(|_| snapshot.state.is_some());
        Ok(snapshot.row.status.is_over() || last.is_some_and(|last| i64::from(last) > after))
    };
    feed::until(&mut live.watch(id), db, patience, is_there).await?;
    Ok(())
}

/// Whom the match waited for then; how long they had is nobody's business now.
fn past_clock(play: &dyn Match, moved_at: Option<Timestamp>) -> ApiResult<Clock> {
    let to_move = match guarded(|| play.turn())? {
        Turn::Seats { to_move, .. } => to_move.iter().collect(),
        Turn::Chance | Turn::Over(_) => Vec::new(),
    };
    Ok(Clock { to_move, moved_at, turn_since: None, deadline: None, reserves_ms: None, now: None })
}

/// Matches in a list of what this player may know of.
pub(super) async fn show_all(
    conn: &mut AsyncPgConnection,
    rows: Vec<MatchRow>,
    reader: Reader,
    player: PlayerId,
) -> ApiResult<Vec<MatchAnswer>> {
    let ids: Vec<MatchId> = rows.iter().map(|row| row.id).collect();
    let mut seats = store::list_all_seats(conn, &ids).await?.by_match();
    let mut agreed: HashMap<MatchId, Terms> = store::list_terms(conn, &ids).await?.into_iter().collect();
    let (clocks, now) = clock::list(conn, &ids).await?;
    let answer = |row: MatchRow| {
        let (terms, seats) = (agreed.remove(&row.id).unwrap_or_default(), seats.remove(&row.id).unwrap_or_default());
        let access = Access::of(&row, &terms, seat_taken_by(&seats.players, player), reader == Reader::Staff);
        let clock = (row.status == Status::Running && access.is_up_to_date()).then(|| {
            let timed = clocks.iter().find(|it| it.match_id == row.id);
            Clock::of(seats_in(row.to_move).iter().collect(), row.moved_at, timed, now)
        });
        MatchAnswer { clock, ..MatchAnswer::of(row, &terms, &seats, access) }
    };
    Ok(rows.into_iter().map(answer).collect())
}
