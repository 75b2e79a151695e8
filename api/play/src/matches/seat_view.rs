//! What a player sees of a match: at once, or as soon as there is something new.

use std::time::Duration;

use diesel_async::AsyncPgConnection;
use engine::{Json, Seat, Viewer};
use serde::Serialize;
use utoipa::ToSchema;

use super::access::{seat_taken_by, stranger};
use super::clock::Clock;
use super::{MatchId, Snapshot, Status, feed, seats_in};
use base::auth::Identity;
use base::db::Db;
use base::error::{Result, conflict, forbidden};
use base::games::shapes::{GameMove, GameView};
use base::games::{guarded, resume};
use base::live::Live;

/// What a seat sees and may do.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatView {
    pub match_id: MatchId,
    pub version: i32,
    #[schema(value_type = u8)]
    pub seat: Seat,
    pub status: Status,
    /// While it runs.
    pub clock: Option<Clock>,
    #[schema(value_type = GameView)]
    pub view: Json,
    #[schema(value_type = Vec<GameMove>)]
    pub legal_moves: Vec<Json>,
    /// With `text`, what each of them says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_texts: Option<Vec<String>>,
}

/// What the player's seat sees now.
pub async fn find(conn: &mut AsyncPgConnection, player: &Identity, id: MatchId) -> Result<SeatView> {
    let snapshot = Snapshot::read(conn, id).await?;
    match seat_taken_by(&snapshot.seats.players, player.id) {
        Some(seat) => snapshot.seat_view(seat),
        None => Err(stranger(conn, id, player.id, "not_seated").await),
    }
}

/// What the player's seat sees at a later version than this one, or once the match or the patience is over. Holds no
/// connection while it waits.
pub async fn wait(
    db: &Db,
    live: &Live,
    player: &Identity,
    id: MatchId,
    after: i64,
    patience: Duration,
) -> Result<SeatView> {
    let seat_of = |snapshot: &Snapshot| seat_taken_by(&snapshot.seats.players, player.id);
    let is_there = async |snapshot: &Snapshot| -> Result<bool> {
        if seat_of(snapshot).is_none() {
            return Err(stranger(&mut *db.conn().await?, id, player.id, "not_seated").await);
        }
        snapshot.row.refuse_scored()?;
        let is_new = snapshot.state.is_some() && i64::from(snapshot.row.version) > after;
        Ok(is_new || snapshot.row.status.is_over())
    };
    let snapshot = feed::until(&mut live.watch(id), db, patience, is_there).await?;
    snapshot.seat_view(seat_of(&snapshot).ok_or_else(|| forbidden("not_seated"))?)
}

impl Snapshot {
    fn seat_view(&self, seat: Seat) -> Result<SeatView> {
        let row = &self.row;
        row.refuse_scored()?;
        let state = self.state.as_deref().ok_or_else(|| conflict("match_not_running"))?;
        let play = resume(&row.game, row.revision, state)?;
        let may_move = row.status == Status::Running && !seats_in(row.resigned).has(seat);
        let legal_moves = if may_move { guarded(|| play.legal_moves(seat))? } else { Vec::new() };
        let view = guarded(|| play.view(Viewer::Seat(seat)))?;
        Ok(SeatView {
            match_id: row.id,
            version: row.version,
            seat,
            status: row.status,
            clock: self.clock(),
            view,
            legal_moves,
            move_texts: None,
        })
    }
}
