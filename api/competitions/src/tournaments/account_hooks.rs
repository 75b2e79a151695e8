//! What becomes of somebody's tournaments when their account changes.

use diesel_async::AsyncPgConnection;

use super::check_in::drop_out_oneself;
use super::store;
use base::auth::Identity;
use base::error::Result;
use base::ids::{PlayerId, TournamentId};
use base::live::Live;
use base::world::World;

/// Drops the player out of every tournament that is not over.
pub async fn leave_all(conn: &mut AsyncPgConnection, world: &World, live: &Live, player: &Identity) -> Result<()> {
    for (id, _) in store::list_open_of(conn, player.id).await? {
        match drop_out_oneself(conn, world, live, player.id, id).await {
            // It was over by then.
            Err(err) if err.is_refusal() => {}
            left => left?,
        }
    }
    Ok(())
}

/// Whatever this guest was in any tournament is the player's, whom the guest was found to be. Gives the tournaments' news.
pub async fn hand_over(
    conn: &mut AsyncPgConnection,
    guest: PlayerId,
    player: PlayerId,
) -> Result<Vec<(TournamentId, i64)>> {
    Ok(store::hand_over(conn, guest, player).await?)
}
