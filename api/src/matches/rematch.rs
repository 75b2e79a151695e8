//! Once more: the same players play the same again, each one seat further on.

use diesel_async::{AsyncConnection, AsyncPgConnection};

use super::open::{Plan, Rules, lock, make, record_of_staff};
use super::sight::stranger;
use super::terms::Terms;
use super::{MatchRow, store};
use crate::error::{ApiResult, conflict, internal};
use crate::extract::Player;
use crate::ids::MatchId;
use crate::live::Live;
use crate::sessions::is_staff;
use crate::sittings;
use crate::world::World;

/// A match on the same terms, in which whoever sat second sits first. Asking again, whoever asks, gives the same match.
pub async fn rematch(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Player,
    of: MatchId,
) -> ApiResult<(MatchId, bool)> {
    let (id, news) = conn
        .transaction(async |conn| {
            let row = lock(conn, of).await?;
            let seats = store::list_seats(conn, &[of]).await?;
            let is_seated = seats.iter().any(|it| it.player_id == player.id);
            if !is_seated && row.created_by != player.id && !is_staff(conn, player).await? {
                return Err(stranger(conn, of, player.id, "not_seated").await);
            }
            if !row.status.is_over() {
                return Err(conflict("match_not_over"));
            }
            if let Some(id) = store::find_rematch(conn, of).await? {
                return Ok((id, None));
            }
            let again = make_again(conn, world, player, &row).await?;
            for seat in seats.iter().filter(|it| !it.deleted) {
                let next = (seat.seat + row.seat_count - 1) % row.seat_count;
                store::insert_seat(conn, again.id, next, seat.player_id, None, world.now()).await?;
            }
            store::copy_invitations(conn, of, again.id, world.now()).await?;
            record_of_staff(conn, world, player, "match.make", &again).await?;
            Ok((again.id, Some(again.news)))
        })
        .await?;
    if let Some(news) = news {
        live.tell(id, news);
    }
    Ok((id, news.is_some()))
}

async fn make_again(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: &Player,
    row: &MatchRow,
) -> ApiResult<MatchRow> {
    let terms = Terms { rematch_of: Some(row.id), ..store::find_terms(conn, row.id).await? };
    let seats = u8::try_from(row.seat_count).map_err(internal)?;
    let rules = Rules::settle(&row.game, Some(&row.options), seats)?;
    // The rules were revised in between: what was agreed can no longer be played.
    if rules.hash(&terms).0[..] != row.variant_hash[..] {
        return Err(conflict("other_revision"));
    }
    // At a table only as long as the party is there.
    let party = sittings::store::find_of_match(conn, row.id).await?;
    let plan = Plan {
        rules: &rules,
        seat_count: row.seat_count,
        name: row.name.as_deref(),
        mode: row.mode,
        table_id: party.as_ref().map(|party| party.table_id),
        sitting: party.map(|party| party.id),
        turn_seconds: row.turn_seconds,
        variant: row.variant_id.zip(row.variant_version),
    };
    make(conn, world, player.id, &plan, &terms).await
}
