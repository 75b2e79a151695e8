//! A finished match as player statistics and ratings need it, and the list of those whose projections are out of date.

pub mod store;

use std::collections::{HashMap, HashSet};

use diesel_async::AsyncPgConnection;
use engine::catalogue;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use base::error::Result;
use base::ids::{MatchId, PlayerId, hex};
use play::logs::{self, Makers};
use play::matches::Moment;
use store::{FinishedRow, TakenSeat};

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
    /// Those with a player and a place; none if bots sat at it, for then it was practice and counts for nobody.
    pub seats: Vec<FinishedSeat>,
}

#[derive(Clone, Copy, Debug)]
pub struct FinishedSeat {
    pub seat: i16,
    pub player: PlayerId,
    pub registered: bool,
    pub place: u8,
    /// Were all moves of this seat the autopilot's, although its player did not give up? They were perhaps never there.
    pub was_absent: bool,
    /// When the player left, if the match still needed them: if the autopilot or somebody else had to move in their stead.
    pub left_early: Option<Timestamp>,
}

/// What logs tell of seats.
struct Told {
    /// In these the autopilot or a stand-in had to move after their player had left.
    leavers: HashSet<(MatchId, i16)>,
    /// For these only the autopilot moved, and nobody was there to give up.
    absent: HashSet<(MatchId, i16)>,
}

#[derive(Deserialize)]
struct Ranks {
    ranks: Vec<Option<u8>>,
}

/// Those of these matches that are still finished, in the order in which they count.
pub async fn read(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> Result<Vec<Finished>> {
    let rows = store::list_finished(conn, ids).await?;
    let mut taken: HashMap<MatchId, Vec<TakenSeat>> = HashMap::new();
    for seat in store::list_taken_seats(conn, ids).await? {
        taken.entry(seat.match_id).or_default().push(seat);
    }
    let told = Told::of(&logs::read_makers(conn, ids).await?, taken.values().flatten());
    Ok(rows.into_iter().map(|row| Finished::of(&row, taken.remove(&row.id).unwrap_or_default(), &told)).collect())
}

/// Marks every finished match of this player for new projections: the player becomes another, or registers. That comes before the
/// account is locked or changed: the job that updates projections locks marks first and accounts after them, too.
pub async fn mark_all_of(conn: &mut AsyncPgConnection, player: PlayerId) -> Result<usize> {
    Ok(store::mark_all_of(conn, player).await?)
}

impl Told {
    fn of<'a>(makers: &HashMap<(MatchId, i16), Makers>, taken: impl Iterator<Item = &'a TakenSeat>) -> Self {
        let (mut leavers, mut absent) = (HashSet::new(), HashSet::new());
        for it in taken {
            let place = (it.match_id, it.seat);
            let theirs = makers.get(&place);
            // Who gives up before their first move was there: nobody escapes a defeat so.
            if theirs.is_some_and(|it| it.only_server) && !it.gave_up {
                absent.insert(place);
            }
            let last_of_server = theirs.and_then(|it| it.last_of_server);
            if it.left_at.is_some_and(|left| it.has_stand_in || last_of_server.is_some_and(|last| last >= left)) {
                leavers.insert(place);
            }
        }
        Self { leavers, absent }
    }
}

impl Finished {
    fn of(row: &FinishedRow, taken: Vec<TakenSeat>, told: &Told) -> Self {
        let places = places(row.outcome.as_ref());
        let seat = |taken: TakenSeat| {
            let place = usize::try_from(taken.seat).ok().and_then(|seat| *places.get(seat)?)?;
            let left_early = taken.left_at.filter(|_| told.leavers.contains(&(row.id, taken.seat)));
            let was_absent = told.absent.contains(&(row.id, taken.seat));
            let TakenSeat { seat, player: player_id, registered, .. } = taken;
            Some(FinishedSeat { seat, player: player_id, registered, place, was_absent, left_early })
        };
        Self {
            id: row.id,
            game: row.game.clone(),
            variant: hex(&row.variant_hash),
            finished: Moment { at: row.finished_at, id: row.id },
            seat_count: row.seat_count,
            has_log: row.has_log,
            seats: taken.into_iter().filter(|_| !row.has_bots).filter_map(seat).collect(),
        }
    }

    /// Whether it counts for ratings: it is one of our games, everybody at it is a registered player, and at least two of them
    /// were there.
    pub fn counts(&self) -> bool {
        let is_ours = catalogue::find(&self.game).is_some();
        let everybody = usize::try_from(self.seat_count) == Ok(self.seats.len());
        is_ours && everybody && self.seats.iter().all(|seat| seat.registered) && self.rated().count() >= 2
    }

    /// Those whose ratings it changes.
    pub fn rated(&self) -> impl Iterator<Item = &FinishedSeat> {
        self.seats.iter().filter(|seat| !seat.was_absent)
    }
}

fn places(outcome: Option<&Value>) -> Vec<Option<u8>> {
    let ranks = outcome.and_then(|outcome| Ranks::deserialize(outcome).ok());
    let is_place = |place: &u8| *place >= 1;
    ranks.map(|it| it.ranks.into_iter().map(|place| place.filter(is_place)).collect()).unwrap_or_default()
}
