//! What becomes of somebody's matches when their account changes.

use diesel_async::AsyncPgConnection;

use super::{Autopilot, Status, abort, leave, resign, store};
use base::auth::Identity;
use base::error::Result;
use base::ids::PlayerId;
use base::live::Live;
use base::world::World;

/// Gives up every seat of this player, and calls off what only they could have started. What has ended meanwhile needs
/// nothing.
pub async fn leave_all(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    autopilot: &Autopilot,
    player: &Identity,
) -> Result<()> {
    for (id, status) in store::list_open_seats(conn, player.id).await? {
        match status {
            Status::Waiting => {
                if !is_done(leave(conn, live, player.id, id).await)? {
                    // It has started.
                    is_done(resign(conn, world, live, autopilot, player.id, id).await)?;
                }
            }
            Status::Running => {
                is_done(resign(conn, world, live, autopilot, player.id, id).await)?;
            }
            Status::Finished | Status::Aborted | Status::Expired => {}
        }
    }
    for id in store::list_waiting_of(conn, player.id).await? {
        is_done(abort(conn, world, live, player, id, None).await)?;
    }
    Ok(())
}

/// Whether it was done. A match that went on since it was listed is no reason to leave out the others, as a database
/// that is away is.
fn is_done(done: Result<()>) -> Result<bool> {
    match done {
        Ok(()) => Ok(true),
        Err(err) if err.is_refusal() => Ok(false),
        Err(err) => Err(err),
    }
}

/// Tells those who watch this player's matches that somebody at them is called otherwise, or is somebody else.
pub async fn tell_of(conn: &mut AsyncPgConnection, live: &Live, player: PlayerId) -> Result<()> {
    for (id, news) in store::raise_news_of(conn, player).await? {
        live.tell(id, news);
    }
    Ok(())
}
