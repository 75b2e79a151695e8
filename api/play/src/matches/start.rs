//! The start of a match: its set-up, as far as the first decision.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::{FairDealer, Seed, StartError};
use serde_json::value::to_raw_value;

use super::access::{seat_taken_by, stranger};
use super::store::{self, JsonText, Started};
use super::{Autopilot, MatchRow, MatchState, Mode, Seats, Status, bits, lock, record_of_staff};
use base::auth::{Identity, Permission, holds};
use base::error::{Result, conflict, internal};
use base::games::{bad_options, guarded, kind_as_played};
use base::ids::{MatchId, PlayerId};
use base::live::Live;
use base::world::World;

/// Sets the match up as far as its first decision. Asking again changes nothing.
pub async fn start(
    conn: &mut AsyncPgConnection,
    (world, live): (&World, &Live),
    autopilot: &Autopilot,
    player: &Identity,
    id: MatchId,
) -> Result<()> {
    let news = conn
        .transaction(async |conn| {
            let row = lock(conn, id).await?;
            let by_staff = row.created_by != player.id && !plays_again(conn, &row, player.id).await?;
            if by_staff && !holds(conn, player, Permission::RunFloor).await? {
                return Err(stranger(conn, id, player.id, "forbidden").await);
            }
            match row.status {
                Status::Waiting => {}
                Status::Running => return Ok(None),
                Status::Finished | Status::Aborted | Status::Expired => return Err(conflict("match_over")),
            }
            let seats = store::list_all_seats(conn, &[id]).await?;
            if (0..row.seat_count).any(|seat| !seats.is_taken(seat)) {
                return Err(conflict("seats_open"));
            }
            if seats.players.is_empty() {
                return Err(conflict("only_bots"));
            }
            if by_staff {
                record_of_staff(conn, world, player, "match.start", &row).await?;
            }
            Ok(Some(begin(conn, world, &row, &seats).await?))
        })
        .await?;
    if let Some(news) = news {
        live.tell(id, news);
        autopilot.call(id);
    }
    Ok(())
}

/// Whether it is a rematch, and this player sits down to it: who asked for it may be asleep.
async fn plays_again(conn: &mut AsyncPgConnection, row: &MatchRow, player: PlayerId) -> Result<bool> {
    if store::find_terms(conn, row.id).await?.rematch_of.is_none() {
        return Ok(false);
    }
    let seats = store::list_seats(conn, &[row.id]).await?;
    Ok(seat_taken_by(&seats, player).is_some())
}

/// Of a match that is locked and waits, and whose seats are all taken. Gives the count of news.
pub async fn begin(conn: &mut AsyncPgConnection, world: &World, row: &MatchRow, seats: &Seats) -> Result<i64> {
    Ok(match row.mode {
        Mode::Played => {
            let started = set_up(conn, world, row, seats).await?;
            store::start(conn, row.id, &started).await?
        }
        Mode::Scored => store::start_scored(conn, row.id, world.now()).await?,
    })
}

/// The match as far as its first decision, with all the chance that this takes.
async fn set_up(conn: &mut AsyncPgConnection, world: &World, row: &MatchRow, seats: &Seats) -> Result<Started> {
    let seed = seed(store::find_seed(conn, row.id).await?)?;
    let mut dealer = FairDealer::new(seed, seats.nonces(row), 0);
    let kind = kind_as_played(&row.game, row.revision)?;
    let count = u8::try_from(row.seat_count).map_err(internal)?;
    let set_up = guarded(|| kind.start(&row.options, count, &mut dealer))?;
    let (play, step) = set_up.map_err(|err| match err {
        StartError::BadOptions(bad) => bad_options(kind, &row.options, &bad),
        StartError::Chance(err) => internal(err),
    })?;
    let standing = MatchState::of(&*play)?;
    Ok(Started {
        status: standing.status,
        state: guarded(|| play.save())?,
        chance_count: i64::try_from(dealer.index()).map_err(internal)?,
        to_move: bits(standing.to_move),
        interrupt: bits(standing.interrupt),
        bots: seats.of_bots(),
        outcome: standing.outcome,
        chance: JsonText(to_raw_value(&step.chance).map_err(internal)?),
        events: JsonText(to_raw_value(&step.events).map_err(internal)?),
        at: world.now(),
    })
}

pub fn seed(bytes: Vec<u8>) -> Result<Seed> {
    let bytes = bytes.try_into().map_err(|_| internal(anyhow::anyhow!("a seed is not 32 bytes long")))?;
    Ok(Seed(bytes))
}
