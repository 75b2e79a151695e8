//! What becomes of somebody's sittings and calls when their account changes.

use diesel_async::AsyncPgConnection;

use super::store;
use crate::calls;
use crate::error::ApiResult;
use crate::ids::PlayerId;

/// Wherever `from` sat and called, `into` did.
pub async fn merge(conn: &mut AsyncPgConnection, from: PlayerId, into: PlayerId) -> ApiResult<()> {
    store::merge_player(conn, from, into).await?;
    calls::store::merge_player(conn, from, into).await?;
    Ok(())
}
