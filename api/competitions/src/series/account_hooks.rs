//! What becomes of seasons when an account changes. Where somebody came is their tournaments'; this is what staff said of them.

use diesel_async::AsyncPgConnection;

use super::store;
use base::error::Result;
use base::ids::PlayerId;

/// What was said of this guest is said of the player, whom the guest was found to be.
pub async fn hand_over(conn: &mut AsyncPgConnection, guest: PlayerId, player: PlayerId) -> Result<()> {
    Ok(store::hand_over(conn, guest, player).await?)
}
