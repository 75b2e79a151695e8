//! A seat moves: the rules and one statement, for which nothing is read where this process wrote the match last.

use engine::{Json, Seat};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::access::stranger;
use super::group_commit::GroupCommit;
use super::heal::heal;
use super::known::Known;
use super::position::{Choice, Made, Position};
use super::statements::{self, Advance, Found};
use super::{Autopilot, MadeBy, MatchId, Status, replay, seat_of, seats_in};
use base::db::Db;
use base::error::{Error, Result, conflict, forbidden, not_found};
use base::games::shapes::{GameEvent, GameMove, GameView};
use base::ids::PlayerId;
use base::live::Live;
use base::world::World;

/// How often a move is checked again because somebody else was quicker, before its sender is asked to.
const ATTEMPTS: usize = 10;

/// A move as it was sent.
#[derive(Clone, Copy, Debug)]
pub struct Move<'a> {
    pub chosen: &'a Value,
    /// The version that the player saw when choosing; none if any will do.
    pub version: Option<i64>,
    pub idempotency_key: Option<&'a str>,
}

/// A move that was made, as its seat may know it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Played {
    pub version: i32,
    /// What the seat was told.
    #[schema(value_type = Vec<GameEvent>)]
    pub events: Vec<Json>,
    #[schema(value_type = GameView)]
    pub view: Json,
    #[schema(value_type = Vec<GameMove>)]
    pub legal_moves: Vec<Json>,
}

/// What all moves of this process share; its clones are the same.
#[derive(Clone)]
pub struct Mover {
    pub world: World,
    pub live: Live,
    group: GroupCommit,
    known: Known,
}

impl Mover {
    pub fn new(db: &Db, world: World, live: Live) -> Self {
        Self { world, live, group: GroupCommit::new(db), known: Known::default() }
    }

    /// Tells everybody of a move that is written, and keeps the match in mind for the next.
    fn tell(&self, made: Made, news: i64) {
        self.live.tell(made.id(), news);
        metrics::counter!("moves_total").increment(1);
        if !made.is_over {
            self.known.put(made.written(news));
        }
    }

    /// Writes a move unless somebody holds the match, and tells of it: whether it did.
    pub(super) async fn write_unless_busy(&self, made: Made, advance: Advance) -> Result<bool> {
        let news = self.group.write_unless_busy(advance).await?;
        Ok(news.map(|news| self.tell(made, news)).is_some())
    }
}

pub async fn play(
    mover: &Mover,
    autopilot: &Autopilot,
    db: &Db,
    player: PlayerId,
    id: MatchId,
    sent: Move<'_>,
) -> Result<Played> {
    let tell = |made: Made, news| {
        let calls_autopilot = made.calls_autopilot;
        let played = made.played();
        mover.tell(made, news);
        if calls_autopilot {
            autopilot.call(id);
        }
        played
    };
    // Only what the database holds is a reason to refuse.
    let known = mover.known.take(id).and_then(|position| sent.make_known(position, player, &mover.world).ok());
    let mut with_others = known.is_none();
    if let Some((made, advance)) = known
        && let Some(news) = mover.group.write(db, advance).await?
    {
        return tell(made, news);
    }
    for _ in 0..ATTEMPTS {
        let mut conn = db.conn().await?;
        let found = statements::find(&mut conn, id, Some(player), sent.idempotency_key).await?;
        let found = found.ok_or_else(|| not_found("match_not_found"))?;
        let Some(seat) = found.seat else { return Err(stranger(&mut conn, id, player, "not_seated").await) };
        let seat = seat_of(seat)?;
        if let Some(version) = found.played_before {
            return replay::play_again(&mut conn, id, seat, version, sent).await;
        }
        refuse_unplayable(&found, seat)?;
        let (made, advance) = match sent.make(Position::of(id, found), seat, &mover.world) {
            Err(Error::Internal(_)) if heal(&mut conn, id).await? => continue,
            made => made?,
        };
        let news = if std::mem::take(&mut with_others) {
            drop(conn);
            mover.group.write(db, advance).await?
        } else {
            statements::advance(&mut conn, &advance).await?
        };
        if let Some(news) = news {
            return tell(made, news);
        }
    }
    Err(conflict("busy"))
}

impl Move<'_> {
    fn make(&self, position: Result<Position>, seat: Seat, world: &World) -> Result<(Made, Advance)> {
        let Self { chosen, version, idempotency_key } = *self;
        let position = position?;
        position.refuse_out_of_date(version)?;
        position.make(Choice { seat, chosen, made_by: MadeBy::Player, idempotency_key }, world)
    }

    /// In a match that this process knows, if nobody has written it since.
    fn make_known(&self, position: Position, player: PlayerId, world: &World) -> Result<(Made, Advance)> {
        let seat = position.seat_of(player).filter(|seat| !seats_in(position.resigned).has(*seat));
        let seat = seat.ok_or_else(|| forbidden("not_seated"))?;
        self.make(Ok(position), seat, world)
    }
}

fn refuse_unplayable(found: &Found, seat: Seat) -> Result<()> {
    if seats_in(found.resigned).has(seat) {
        return Err(forbidden("resigned"));
    }
    match found.status {
        Status::Running | Status::Finished if found.state.is_none() => Err(conflict("match_scored")),
        Status::Running | Status::Finished => Ok(()),
        Status::Waiting | Status::Aborted | Status::Expired => Err(conflict("match_not_running")),
    }
}
