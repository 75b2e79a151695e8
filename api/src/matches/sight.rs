//! What a caller may know of a match: whether there is one, and how far into it they see.

use diesel_async::AsyncPgConnection;
use engine::{Match, Seat, Viewer};

use super::feed::Snapshot;
use super::store;
use super::terms::{Terms, Visibility};
use super::{MatchRow, SeatRow, Status, replay, resume, seat_of};
use crate::db::Db;
use crate::error::{ApiError, ApiResult, forbidden, not_found};
use crate::extract::Player;
use crate::ids::{MatchId, PlayerId};
use crate::sessions::is_staff;

/// How far into a match somebody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    Seat(Seat),
    /// What everybody sees who may watch.
    Public,
    /// The same, so many versions late.
    Late(i32),
    /// Nothing of what is played, until it is over.
    Outside,
}

impl Sight {
    /// Of who has this seat, or none, in a match that staff see as it happens.
    pub(super) fn of(row: &MatchRow, terms: &Terms, seat: Option<Seat>, by_staff: bool) -> Self {
        match seat {
            Some(seat) => Self::Seat(seat),
            None if by_staff || row.status != Status::Running => Self::Public,
            None if !terms.spectators => Self::Outside,
            None if terms.spectator_delay > 0 => Self::Late(terms.spectator_delay),
            None => Self::Public,
        }
    }

    pub(super) fn viewer(self) -> Viewer {
        match self {
            Self::Seat(seat) => Viewer::Seat(seat),
            Self::Public | Self::Late(_) | Self::Outside => Viewer::Public,
        }
    }

    pub(super) fn seat(self) -> Option<Seat> {
        self.viewer().seat()
    }

    /// The latest version of this match that they may know of.
    pub(super) fn last_version(self, version: i32) -> Option<i32> {
        match self {
            Self::Seat(_) | Self::Public => Some(version),
            Self::Late(by) => Some(version - by).filter(|version| *version >= 0),
            Self::Outside => None,
        }
    }

    /// Whether they see the match as it is.
    pub(super) fn is_up_to_date(self) -> bool {
        matches!(self, Self::Seat(_) | Self::Public)
    }
}

impl Snapshot {
    /// How far this caller sees into the match, if they may know of it at all.
    pub(super) async fn sight(&self, conn: &mut AsyncPgConnection, player: &Player) -> ApiResult<Sight> {
        if let Some(sight) = self.sight_at_once(player) {
            return Ok(sight);
        }
        let by_staff = is_staff(conn, player).await?;
        let is_hidden = self.terms.visibility == Visibility::Private;
        if is_hidden && !by_staff && !may_know(conn, &self.row, &self.seats, player.id).await? {
            return Err(not_found("match_not_found"));
        }
        Ok(Sight::of(&self.row, &self.terms, None, by_staff))
    }

    /// The same, with a connection only where the database has to be asked.
    pub(super) async fn sight_through(&self, db: &Db, player: &Player) -> ApiResult<Sight> {
        match self.sight_at_once(player) {
            Some(sight) => Ok(sight),
            None => self.sight(&mut *db.conn().await?, player).await,
        }
    }

    /// Where seats and terms say all there is to know.
    fn sight_at_once(&self, player: &Player) -> Option<Sight> {
        let seat = seat_taken_by(&self.seats, player.id);
        let Terms { visibility, spectators, spectator_delay, .. } = self.terms;
        let is_watched_by_all = visibility != Visibility::Private && spectators && spectator_delay == 0;
        (seat.is_some() || is_watched_by_all).then(|| Sight::of(&self.row, &self.terms, seat, false))
    }

    /// The match as it was at the latest version that may be known, and when that was.
    pub(super) async fn play_seen(
        &self,
        conn: &mut AsyncPgConnection,
        sight: Sight,
    ) -> ApiResult<Option<(Box<dyn Match>, Option<jiff::Timestamp>)>> {
        let (row, Some(state)) = (&self.row, &self.state) else { return Ok(None) };
        if sight.is_up_to_date() {
            return Ok(Some((resume(&row.game, row.revision, state)?, row.moved_at)));
        }
        let Some(version) = sight.last_version(row.version) else { return Ok(None) };
        let log = replay::read_log(conn, row.id, version).await?;
        Ok(Some((replay::replay(row, &log)?, log.last().map(|it| it.at))))
    }
}

/// Who must know that there is this match, as nobody else may who is not invited.
async fn may_know(
    conn: &mut AsyncPgConnection,
    row: &MatchRow,
    seats: &[SeatRow],
    player: PlayerId,
) -> ApiResult<bool> {
    let takes_part = row.created_by == player || seats.iter().any(|it| it.knows(player));
    Ok(takes_part || store::is_invited(conn, row.id, player).await?)
}

/// The refusal for whoever has no part in this match: 403, or 404 where they may not even know of it.
pub(super) async fn stranger(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    player: PlayerId,
    code: &'static str,
) -> ApiError {
    match is_known_to(conn, id, player).await {
        Ok(true) => forbidden(code),
        Ok(false) => not_found("match_not_found"),
        Err(err) => err,
    }
}

/// Whether this player may know of the match.
pub(super) async fn is_known_to(conn: &mut AsyncPgConnection, id: MatchId, player: PlayerId) -> ApiResult<bool> {
    let Snapshot { row, terms, seats, .. } = Snapshot::read(conn, id).await?;
    Ok(terms.visibility != Visibility::Private || may_know(conn, &row, &seats, player).await?)
}

pub(super) fn seat_taken_by(seats: &[SeatRow], player: PlayerId) -> Option<Seat> {
    seats.iter().find(|it| it.holder() == player).and_then(|it| seat_of(it.seat).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_no_seat_sees_as_far_as_was_agreed() {
        let late = |by| Sight::Late(by);
        assert_eq!(late(3).last_version(2), None);
        assert_eq!(late(3).last_version(3), Some(0));
        assert_eq!(late(3).last_version(10), Some(7));
        assert_eq!(Sight::Outside.last_version(10), None);
        assert_eq!(Sight::Public.last_version(10), Some(10));
    }
}
