//! That this process lives and who watches through it, told to the others every few seconds.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{Process, store};
use base::db::Db;
use base::error::{Error, Result};
use base::live::Live;
use base::stop::Stop;
use base::world::World;

const BETWEEN_BEATS: Duration = Duration::from_secs(5);
/// A process without a heartbeat for this long has stopped.
pub const ALIVE: SignedDuration = SignedDuration::from_secs(30);

#[derive(Clone)]
pub struct Heartbeat {
    id: Uuid,
    pub started_at: Timestamp,
}

impl Heartbeat {
    /// Tells for the first time now, and from then on until the process is asked to stop.
    pub async fn start(db: &Db, world: World, live: &Live, stop: Stop) -> Result<Self> {
        let heartbeat = Self { id: world.uuid(), started_at: world.now() };
        heartbeat.send(db, &world, live).await?;
        db.runtime().spawn(heartbeat.clone().keep_sending(db.clone(), world, live.clone(), stop));
        Ok(heartbeat)
    }

    async fn keep_sending(self, db: Db, world: World, live: Live, stop: Stop) {
        while stop.sleep(BETWEEN_BEATS).await {
            if let Err(err) = self.send(&db, &world, &live).await {
                tracing::debug!(process_id = %self.id, error = format!("{err:#}"), "recording the heartbeat failed");
            }
        }
        let gone = async {
            Ok::<_, Error>(store::forget_processes(&mut *db.conn().await?, Some(self.id), world.now() - ALIVE).await?)
        };
        if let Err(err) = gone.await {
            tracing::debug!(process_id = %self.id, error = format!("{err:#}"), "removing the heartbeat failed");
        }
    }

    async fn send(&self, db: &Db, world: &World, live: &Live) -> Result<()> {
        let mut conn = db.conn().await?;
        let process = Process {
            id: self.id,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at: self.started_at,
            seen_at: world.now(),
            viewers: i32::try_from(live.viewers()).unwrap_or(i32::MAX),
        };
        store::keep_process(&mut conn, &process).await?;
        store::forget_processes(&mut conn, None, world.now() - ALIVE).await?;
        Ok(())
    }
}
