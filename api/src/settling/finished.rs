//! A finished match as tallies and ratings need it.

use std::collections::{HashMap, HashSet};

use diesel_async::AsyncPgConnection;
use engine::catalogue;
use serde::Deserialize;
use serde_json::Value;

use super::store::{self, FinishedRow, Moment, TakenSeat};
use crate::error::ApiResult;
use crate::ids::{MatchId, PlayerId, hex};

/// A match that was played to its end.
#[derive(Clone, Debug)]
pub struct Finished {
    pub id: MatchId,
    pub game: String,
    /// In hexadecimal digits.
    pub variant: String,
    pub finished: Moment,
    pub seat_count: i16,
    /// Whether the server played it, and its log tells how.
    pub has_log: bool,
    /// Those with a player and a place.
    pub seats: Vec<FinishedSeat>,
}

#[derive(Clone, Copy, Debug)]
pub struct FinishedSeat {
    pub seat: i16,
    pub player: PlayerId,
    pub registered: bool,
    pub place: u8,
    /// Did the player leave while the match still needed them: had the house to move in their stead?
    pub left_early: bool,
}

#[derive(Deserialize)]
struct Ranks {
    ranks: Vec<Option<u8>>,
}

/// Those of these matches that are finished still, in the order in which they are reckoned.
pub(super) async fn read(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> ApiResult<Vec<Finished>> {
    let rows = store::list_finished(conn, ids).await?;
    let mut taken: HashMap<MatchId, Vec<TakenSeat>> = HashMap::new();
    for seat in store::list_taken_seats(conn, ids).await? {
        taken.entry(seat.match_id).or_default().push(seat);
    }
    let leavers: HashSet<(MatchId, i16)> = store::list_leavers(conn, ids).await?.into_iter().collect();
    Ok(rows.into_iter().map(|row| Finished::of(&row, taken.remove(&row.id).unwrap_or_default(), &leavers)).collect())
}

impl Finished {
    fn of(row: &FinishedRow, taken: Vec<TakenSeat>, leavers: &HashSet<(MatchId, i16)>) -> Self {
        let places = places(row.outcome.as_ref());
        let seat = |taken: TakenSeat| {
            let place = usize::try_from(taken.seat).ok().and_then(|seat| *places.get(seat)?)?;
            let left_early = leavers.contains(&(row.id, taken.seat));
            let TakenSeat { seat, player: player_id, registered, .. } = taken;
            Some(FinishedSeat { seat, player: player_id, registered, place, left_early })
        };
        Self {
            id: row.id,
            game: row.game.clone(),
            variant: hex(&row.variant_hash),
            finished: Moment { at: row.finished_at, id: row.id },
            seat_count: row.seat_count,
            has_log: row.has_log,
            seats: taken.into_iter().filter_map(seat).collect(),
        }
    }

    /// Whether it counts for ratings: it is one of our games, everybody at it is a registered player, and there are two at
    /// least.
    pub fn counts(&self) -> bool {
        let is_ours = catalogue::find(&self.game).is_some();
        let everybody = usize::try_from(self.seat_count) == Ok(self.seats.len());
        is_ours && everybody && self.seats.len() >= 2 && self.seats.iter().all(|seat| seat.registered)
    }
}

fn places(outcome: Option<&Value>) -> Vec<Option<u8>> {
    let ranks = outcome.and_then(|outcome| Ranks::deserialize(outcome).ok());
    let is_place = |place: &u8| *place >= 1;
    ranks.map(|it| it.ranks.into_iter().map(|place| place.filter(is_place)).collect()).unwrap_or_default()
}
