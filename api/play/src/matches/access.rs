//! What a caller may know of a match: whether there is one, and how far into it they see.

use diesel_async::AsyncPgConnection;
use engine::{Match, Seat, Viewer};

use super::feed::Snapshot;
use super::store::{self, Reader};
use super::terms::{Terms, Visibility};
use super::{MatchRow, SeatRow, Status, replay, seat_of};
use base::auth::{Identity, Permission, holds};
use base::db::Db;
use base::error::{Error, Result, forbidden, not_found};
use base::games::resume;
use base::ids::{MatchId, PlayerId};

/// How far into a match somebody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Seat(Seat),
    /// What everybody sees who may watch.
    Public,
    /// The same, so many versions late.
    Late(i32),
    /// Nothing of what is played, until it is over.
    Outside,
}

impl Access {
    /// Of who has this seat, or none, in a match that staff see as it happens.
    pub fn of(row: &MatchRow, terms: &Terms, seat: Option<Seat>, by_staff: bool) -> Self {
        match seat {
            Some(seat) => Self::Seat(seat),
            None if by_staff || row.status != Status::Running => Self::Public,
            None if !terms.spectators => Self::Outside,
            None if terms.spectator_delay > 0 => Self::Late(terms.spectator_delay),
            None => Self::Public,
        }
    }

    pub fn viewer(self) -> Viewer {
        match self {
            Self::Seat(seat) => Viewer::Seat(seat),
            Self::Public | Self::Late(_) | Self::Outside => Viewer::Public,
        }
    }

    pub fn seat(self) -> Option<Seat> {
        self.viewer().seat()
    }

    /// The latest version of this match that they may know of.
    pub fn last_version(self, version: i32) -> Option<i32> {
        match self {
            Self::Seat(_) | Self::Public => Some(version),
            Self::Late(by) => Some(version - by).filter(|version| *version >= 0),
            Self::Outside => None,
        }
    }

    /// Whether they see the match as it is.
    pub fn is_up_to_date(self) -> bool {
        matches!(self, Self::Seat(_) | Self::Public)
    }
}

impl Snapshot {
    /// How far this caller sees into the match, if they may know of it at all.
    pub async fn access(&self, conn: &mut AsyncPgConnection, player: &Identity) -> Result<Access> {
        if let Some(access) = self.access_at_once(player) {
            return Ok(access);
        }
        let by_staff = holds(conn, player, Permission::ViewMatches).await?;
        let is_hidden = self.terms.visibility == Visibility::Private;
        if is_hidden && !by_staff && !may_know(conn, &self.row, &self.seats.players, player.id).await? {
            return Err(not_found("match_not_found"));
        }
        Ok(Access::of(&self.row, &self.terms, None, by_staff))
    }

    /// The same for anybody, signed in or not.
    pub async fn access_of_visitor(&self, conn: &mut AsyncPgConnection, visitor: Option<&Identity>) -> Result<Access> {
        match visitor {
            Some(player) => self.access(conn, player).await,
            None => self.access_of_nobody(),
        }
    }

    /// The same for who is not signed in.
    pub fn access_of_nobody(&self) -> Result<Access> {
        match self.terms.visibility {
            Visibility::Private => Err(not_found("match_not_found")),
            _ => Ok(Access::of(&self.row, &self.terms, None, false)),
        }
    }

    /// The same, with a connection only where the database has to be asked.
    pub async fn access_through(&self, db: &Db, player: &Identity) -> Result<Access> {
        match self.access_at_once(player) {
            Some(access) => Ok(access),
            None => self.access(&mut *db.conn().await?, player).await,
        }
    }

    /// Where seats and terms say all there is to know.
    fn access_at_once(&self, player: &Identity) -> Option<Access> {
        let seat = seat_taken_by(&self.seats.players, player.id);
        let Terms { visibility, spectators, spectator_delay, .. } = self.terms;
        let is_watched_by_all = visibility != Visibility::Private && spectators && spectator_delay == 0;
        (seat.is_some() || is_watched_by_all).then(|| Access::of(&self.row, &self.terms, seat, false))
    }

    /// The match as it was at the latest version that may be known, and when that was.
    pub async fn play_seen(
        &self,
        conn: &mut AsyncPgConnection,
        access: Access,
    ) -> Result<Option<(Box<dyn Match>, Option<jiff::Timestamp>)>> {
        let (row, Some(state)) = (&self.row, &self.state) else { return Ok(None) };
        if access.is_up_to_date() {
            return Ok(Some((resume(&row.game, row.revision, state)?, row.moved_at)));
        }
        let Some(version) = access.last_version(row.version) else { return Ok(None) };
        let log = replay::read_log(conn, row.id, version).await?;
        Ok(Some((replay::replay(row, &log)?, log.last().map(|it| it.at))))
    }
}

impl Reader {
    /// This caller as a reader of lists.
    pub async fn of(conn: &mut AsyncPgConnection, caller: &Identity) -> Result<Self> {
        let sees_all = holds(conn, caller, Permission::ViewMatches).await?;
        Ok(if sees_all { Self::Staff } else { Self::Player(caller.id) })
    }
}

/// Who must know that there is this match, as nobody else may who is not invited.
async fn may_know(conn: &mut AsyncPgConnection, row: &MatchRow, seats: &[SeatRow], player: PlayerId) -> Result<bool> {
    let takes_part = row.created_by == player || seats.iter().any(|it| it.knows(player));
    Ok(takes_part || store::is_invited(conn, row.id, player).await?)
}

/// The refusal for people who have no part in this match: 403, or 404 where they may not even know of it.
pub async fn stranger(conn: &mut AsyncPgConnection, id: MatchId, player: PlayerId, code: &'static str) -> Error {
    match is_known_to(conn, id, player).await {
        Ok(true) => forbidden(code),
        Ok(false) => not_found("match_not_found"),
        Err(err) => err,
    }
}

/// Whether this player may know of the match.
async fn is_known_to(conn: &mut AsyncPgConnection, id: MatchId, player: PlayerId) -> Result<bool> {
    let Snapshot { row, terms, seats, .. } = Snapshot::read(conn, id).await?;
    is_visible_to(conn, &row, &terms, &seats.players, player).await
}

/// The same of a match that was read.
pub async fn is_visible_to(
    conn: &mut AsyncPgConnection,
    row: &MatchRow,
    terms: &Terms,
    seats: &[SeatRow],
    player: PlayerId,
) -> Result<bool> {
    Ok(terms.visibility != Visibility::Private || may_know(conn, row, seats, player).await?)
}

pub fn seat_taken_by(seats: &[SeatRow], player: PlayerId) -> Option<Seat> {
    seats.iter().find(|it| it.holder() == player).and_then(|it| seat_of(it.seat).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_no_seat_sees_as_far_as_was_agreed() {
        let late = |by| Access::Late(by);
        assert_eq!(late(3).last_version(2), None);
        assert_eq!(late(3).last_version(3), Some(0));
        assert_eq!(late(3).last_version(10), Some(7));
        assert_eq!(Access::Outside.last_version(10), None);
        assert_eq!(Access::Public.last_version(10), Some(10));
    }
}
