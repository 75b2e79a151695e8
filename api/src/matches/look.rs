//! What a player sees of a match: at once, or as soon as there is something new.

use std::time::Duration;

use diesel_async::AsyncPgConnection;
use engine::{Json, Seat, Viewer};
use serde::Serialize;
use utoipa::ToSchema;

use super::{MatchId, SeatRow, Snapshot, Status, guarded, resume, seat_of, seats_in, store};
use crate::db::Db;
use crate::error::{ApiResult, conflict, forbidden, not_found};
use crate::extract::Player;
use crate::live::{Live, Woken};

/// What a seat sees and may do.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatView {
    match_id: MatchId,
    version: i32,
    #[schema(value_type = u8)]
    seat: Seat,
    status: Status,
    #[schema(value_type = Object)]
    view: Json,
    #[schema(value_type = Vec<Object>)]
    legal_moves: Vec<Json>,
}

/// What the player's seat sees now.
pub(super) async fn look(conn: &mut AsyncPgConnection, player: &Player, id: MatchId) -> ApiResult<SeatView> {
    let found = store::find_with_state(conn, id).await?;
    let (row, state) = found.ok_or_else(|| not_found("match_not_found"))?;
    let seats = store::list_seats(conn, &[id]).await?;
    Snapshot { row, state, seats }.seat_view(player)
}

/// What the player's seat sees at a later version than this one, or once the match or the patience is over. Holds no
/// connection while it waits.
pub(super) async fn wait(
    db: &Db,
    live: &Live,
    player: &Player,
    id: MatchId,
    after: i64,
    patience: Duration,
) -> ApiResult<SeatView> {
    let mut patience = std::pin::pin!(tokio::time::sleep(patience));
    let mut watch = live.watch(id);
    loop {
        let snapshot = watch.snapshot(db).await?;
        snapshot.seat_of(player)?;
        let is_new = snapshot.state.is_some() && i64::from(snapshot.row.version) > after;
        if is_new || snapshot.row.status.is_over() {
            return snapshot.seat_view(player);
        }
        let woken = tokio::select! {
            woken = watch.woken(Duration::MAX) => woken,
            () = &mut patience => Woken::Timeout,
        };
        if woken != Woken::News {
            return snapshot.seat_view(player);
        }
    }
}

/// As whom this player looks.
pub(super) fn viewer(seats: &[SeatRow], player: &Player) -> ApiResult<Viewer> {
    let mine = seats.iter().find(|it| it.player_id == player.id);
    mine.map_or(Ok(Viewer::Public), |it| seat_of(it.seat).map(Viewer::Seat))
}

impl Snapshot {
    fn seat_of(&self, player: &Player) -> ApiResult<Seat> {
        viewer(&self.seats, player)?.seat().ok_or_else(|| forbidden("not_seated"))
    }

    fn seat_view(&self, player: &Player) -> ApiResult<SeatView> {
        let (row, seat) = (&self.row, self.seat_of(player)?);
        let state = self.state.as_deref().ok_or_else(|| conflict("match_not_running"))?;
        let play = resume(&row.game, row.revision, state)?;
        let may_move = row.status == Status::Running && !seats_in(row.resigned).has(seat);
        let legal_moves = if may_move { guarded(|| play.legal_moves(seat))? } else { Vec::new() };
        let view = guarded(|| play.view(Viewer::Seat(seat)))?;
        Ok(SeatView { match_id: row.id, version: row.version, seat, status: row.status, view, legal_moves })
    }
}
