//! What becomes of somebody's matches when their account changes.

use diesel_async::AsyncPgConnection;

use super::{Autopilot, Status, abort, leave, resign, store};
use base::auth::Identity;
use base::error::Result;
use base::ids::PlayerId;
use base::live::Live;
use base::world::World;

/// Gives up every seat of this player, and calls off what only they could have started.
pub async fn leave_all(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    autopilot: &Autopilot,
    player: &Identity,
) -> Result<()> {
    for (id, status) in store::list_open_seats(conn, player.id).await? {
        match status {
            Status::Waiting => leave(conn, live, player.id, id).await?,
            Status::Running => resign(conn, world, live, autopilot, player.id, id).await?,
            Status::Finished | Status::Aborted | Status::Expired => {}
        }
    }
    for id in store::list_waiting_of(conn, player.id).await? {
        abort(conn, world, live, player, id, None).await?;
    }
    Ok(())
}

/// Tells those who watch this player's matches that somebody at them is called otherwise, or is somebody else.
pub async fn tell_of(conn: &mut AsyncPgConnection, live: &Live, player: PlayerId) -> Result<()> {
    for (id, news) in store::raise_news_of(conn, player).await? {
        live.tell(id, news);
    }
    Ok(())
}
