//! Sitting down at a match and getting up again, before it starts.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::Seat;
use utoipa::ToSchema;

use super::access::{is_visible_to, stranger};
use super::stand_ins::accept;
use super::{MatchRow, Status, lock, seat_of, store};
use crate::sittings;
use base::error::{FieldError, Result, conflict, not_found, unauthorized, unprocessable};
use base::ids::{MatchId, PlayerId};
use base::inputs::tidy_text;
use base::live::Live;
use base::world::World;

/// What a player adds to the chance: any text. Used as it is given, to the letter.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 64)]
pub struct Nonce(pub String);

base::deserialize_checked!(Nonce);

impl Nonce {
    const MAX: usize = 64;

    pub fn parse(text: &str) -> Result<Self, FieldError> {
        if text.chars().nth(Self::MAX).is_some() {
            return Err(FieldError::new("", "too_long").with_limit(Self::MAX));
        }
        tidy_text(text, Self::MAX).map(|_| Self(text.to_owned()))
    }
}

/// A player in a seat, and whether they sat down only now.
#[derive(Debug)]
pub struct Seated {
    pub row: MatchRow,
    pub seat: Seat,
    pub is_new: bool,
}

/// Sits down on this seat, or on the lowest free one; in a match that runs, on one that was offered to them. Asking again changes
/// nothing, but that who was given a seat may still add a nonce.
pub async fn sit(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    id: MatchId,
    wanted: Option<i64>,
    nonce: Option<&Nonce>,
) -> Result<Seated> {
    let seated = conn.transaction(async |conn| take_seat(conn, world, player, id, wanted, nonce).await).await?;
    if seated.is_new {
        live.tell(id, seated.row.change_seq);
    }
    Ok(seated)
}

/// The same as a part of a transaction, which tells of it once it is done.
pub(super) async fn take_seat(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: PlayerId,
    id: MatchId,
    wanted: Option<i64>,
    nonce: Option<&Nonce>,
) -> Result<Seated> {
    let (row, ids) = (lock(conn, id).await?, [id]);
    let (taken, terms) = tokio::try_join!(biased; store::list_all_seats(conn, &ids), store::find_terms(conn, id))?;
    let mine = taken.players.iter().find(|it| it.holder() == player);
    if mine.is_none_or(|it| row.has_resigned(it.seat))
        && let Some((seat, news)) = accept(conn, world, &row, player, wanted).await?
    {
        return Ok(Seated { row: MatchRow { change_seq: news, ..row }, seat: seat_of(seat)?, is_new: true });
    }
    if let Some(mine) = mine {
        if wanted.is_some_and(|wanted| wanted != i64::from(mine.seat)) {
            return Err(conflict("already_seated"));
        }
        if let Some(nonce) = nonce.filter(|_| mine.nonce.is_none() && row.status == Status::Waiting) {
            store::add_nonce(conn, id, mine.seat, &nonce.0).await?;
        }
        return Ok(Seated { seat: seat_of(mine.seat)?, row, is_new: false });
    }
    if !is_visible_to(conn, &row, &terms, &taken.players, player).await? {
        return Err(not_found("match_not_found"));
    }
    if row.status != Status::Waiting {
        return Err(conflict("match_not_waiting"));
    }
    if row.table_id.is_some() {
        sittings::lets_in(conn, id, player).await?;
    }
    let is_free = |seat: i16| !taken.is_taken(seat);
    let seat = match wanted {
        Some(wanted) => {
            let seat = i16::try_from(wanted).ok().filter(|seat| (0..row.seat_count).contains(seat));
            let seat = seat.ok_or_else(|| unprocessable("invalid_seat").with_field("/seat", "out_of_range"))?;
            if !is_free(seat) {
                return Err(conflict("seat_taken"));
            }
            seat
        }
        None => (0..row.seat_count).find(|seat| is_free(*seat)).ok_or_else(|| conflict("match_full"))?,
    };
    let nonce = nonce.map(|it| it.0.as_str());
    // The first error is the cause of the second.
    let sat = tokio::try_join!(
        biased;
        store::sit_down(conn, id, seat, player, nonce, world.now()),
        store::raise_news(conn, id)
    );
    let (is_seated, news) = sat?;
    if !is_seated {
        return Err(unauthorized("session_ended"));
    }
    Ok(Seated { row: MatchRow { change_seq: news, ..row }, seat: seat_of(seat)?, is_new: true })
}

/// Gets up again, before the start.
pub async fn leave(conn: &mut AsyncPgConnection, live: &Live, player: PlayerId, id: MatchId) -> Result<()> {
    let news = conn
        .transaction(async |conn| {
            let row = lock(conn, id).await?;
            let is_seated = store::list_seats(conn, &[id]).await?.iter().any(|it| it.player_id == player);
            if !is_seated {
                return Err(stranger(conn, id, player, "not_seated").await);
            }
            if row.status != Status::Waiting {
                return Err(conflict("match_not_waiting"));
            }
            // Who wants out drops out of the tournament.
            if store::is_of_tournament(conn, id).await? {
                return Err(conflict("match_of_tournament"));
            }
            store::delete_seat(conn, id, player).await?;
            Ok(store::raise_news(conn, id).await?)
        })
        .await?;
    live.tell(id, news);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_used_to_the_letter_or_refused() {
        assert_eq!(Nonce::parse(" e\u{301}  x").unwrap().0, " e\u{301}  x");
        for (text, code) in [("", "empty"), ("a\u{0}", "invisible_characters"), (&*"x".repeat(65), "too_long")] {
            assert_eq!(Nonce::parse(text).unwrap_err().code, code);
        }
    }
}
