//! What merging two accounts does to sittings and calls.

use diesel_async::AsyncPgConnection;

use super::store;
use crate::calls;
use base::error::Result;
use base::ids::PlayerId;

/// Makes the sittings and calls of `from` those of `into`.
pub async fn merge(conn: &mut AsyncPgConnection, from: PlayerId, into: PlayerId) -> Result<()> {
    store::merge_player(conn, from, into).await?;
    calls::store::merge_player(conn, from, into).await?;
    Ok(())
}
