//! Bots: they take free seats before the start, and play on for players who have left. `autopilot` makes their moves.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::bots::Level;
use engine::catalogue;

use super::access::stranger;
use super::reveals::refuse_party;
use super::seats::Seated;
use super::store::{self, Seats};
use super::{Autopilot, MatchRow, Status, lock, record_of_staff, seat_of};
use base::auth::{Identity, Permission, holds};
use base::error::{Result, conflict, invalid_field, unprocessable};
use base::ids::MatchId;
use base::live::Live;
use base::world::World;

base::text_enum! {
    /// How strong a bot is.
    pub enum BotLevel {
        Easy = "easy",
        Medium = "medium",
        Hard = "hard",
    }
}

impl BotLevel {
    pub fn key(self) -> &'static str {
        match self {
            Self::Easy => "bot-easy",
            Self::Medium => "bot-medium",
            Self::Hard => "bot-hard",
        }
    }
}

impl BotLevel {
    /// Those that bots of this game have.
    pub fn of_game(game: &str) -> Vec<Self> {
        let has = |level: &Self| catalogue::find(game).is_some_and(|kind| kind.levels().contains(&Level::from(*level)));
        Self::ALL.iter().copied().filter(has).collect()
    }
}

impl From<BotLevel> for Level {
    fn from(level: BotLevel) -> Self {
        match level {
            BotLevel::Easy => Level::Easy,
            BotLevel::Medium => Level::Medium,
            BotLevel::Hard => Level::Hard,
        }
    }
}

/// Seats a bot here, or on the lowest free seat. In a match that runs it plays on for a player who has left. The match's
/// creator and staff may. Asking again for the same seat sets the level.
pub async fn seat_bot(
    conn: &mut AsyncPgConnection,
    (world, live): (&World, &Live),
    autopilot: &Autopilot,
    player: &Identity,
    id: MatchId,
    wanted: Option<i64>,
    level: BotLevel,
) -> Result<Seated> {
    let seated = conn
        .transaction(async |conn| {
            let row = lock_own(conn, player, id).await?;
            if !BotLevel::of_game(&row.game).contains(&level) {
                return Err(invalid_field("/bot", "unknown_value"));
            }
            let seats = store::list_all_seats(conn, &[id]).await?;
            let wanted = wanted.map(|wanted| seat_in(&row, wanted)).transpose()?;
            let (seat, is_new) = match row.status {
                Status::Waiting => sit_down(conn, world, &row, &seats, wanted, level).await?,
                Status::Running => {
                    if row.created_by != player.id {
                        refuse_party(conn, id, player.id).await?;
                    }
                    play_on(conn, &row, &seats, wanted, level).await?
                }
                Status::Finished | Status::Aborted | Status::Expired => return Err(conflict("match_over")),
            };
            record_of_staff(conn, world, player, "match.seat_bot", &row).await?;
            let change_seq = store::raise_news(conn, id).await?;
            Ok(Seated { row: MatchRow { change_seq, ..row }, seat: seat_of(seat)?, is_new })
        })
        .await?;
    live.tell(id, seated.row.change_seq);
    autopilot.call(id);
    Ok(seated)
}

/// The bot on this seat gets up again, before the start.
pub async fn remove_bot(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Identity,
    id: MatchId,
    seat: i64,
) -> Result<()> {
    let news = conn
        .transaction(async |conn| {
            let row = lock_own(conn, player, id).await?;
            if row.status != Status::Waiting {
                return Err(conflict("match_not_waiting"));
            }
            if store::delete_bot(conn, id, seat_in(&row, seat)?).await? == 0 {
                return Err(conflict("no_bot_there"));
            }
            record_of_staff(conn, world, player, "match.remove_bot", &row).await?;
            Ok(store::raise_news(conn, id).await?)
        })
        .await?;
    live.tell(id, news);
    Ok(())
}

/// The match, locked, if this player decides about its bots.
async fn lock_own(conn: &mut AsyncPgConnection, player: &Identity, id: MatchId) -> Result<MatchRow> {
    let row = lock(conn, id).await?;
    if row.created_by != player.id && !holds(conn, player, Permission::RunFloor).await? {
        return Err(stranger(conn, id, player.id, "forbidden").await);
    }
    row.refuse_scored()?;
    if store::is_of_tournament(conn, id).await? {
        return Err(conflict("match_of_tournament"));
    }
    Ok(row)
}

fn seat_in(row: &MatchRow, wanted: i64) -> Result<i16> {
    let seat = i16::try_from(wanted).ok().filter(|seat| (0..row.seat_count).contains(seat));
    seat.ok_or_else(|| unprocessable("invalid_seat").with_field("/seat", "out_of_range"))
}

async fn sit_down(
    conn: &mut AsyncPgConnection,
    world: &World,
    row: &MatchRow,
    seats: &Seats,
    wanted: Option<i16>,
    level: BotLevel,
) -> Result<(i16, bool)> {
    let seat = match wanted {
        Some(seat) if seats.bots.iter().any(|bot| bot.seat == seat) => {
            store::set_bot(conn, row.id, seat, level).await?;
            return Ok((seat, false));
        }
        Some(seat) if seats.is_taken(seat) => return Err(conflict("seat_taken")),
        Some(seat) => seat,
        None => (0..row.seat_count).find(|seat| !seats.is_taken(*seat)).ok_or_else(|| conflict("match_full"))?,
    };
    store::insert_bot(conn, row.id, seat, level, world.now()).await?;
    Ok((seat, true))
}

async fn play_on(
    conn: &mut AsyncPgConnection,
    row: &MatchRow,
    seats: &Seats,
    wanted: Option<i16>,
    level: BotLevel,
) -> Result<(i16, bool)> {
    let mut left = seats.players.iter().map(|it| it.seat).filter(|seat| row.has_resigned(*seat));
    let has_bot = |seat: i16| seats.bots.iter().any(|bot| bot.seat == seat);
    let seat = match wanted {
        Some(wanted) => left.find(|seat| *seat == wanted),
        None => left.find(|seat| !has_bot(*seat)),
    };
    let seat = seat.ok_or_else(|| conflict("seat_not_left"))?;
    store::set_bot(conn, row.id, seat, level).await?;
    Ok((seat, !has_bot(seat)))
}
