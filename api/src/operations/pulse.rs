//! That this process lives and who watches through it, told to the others every few seconds.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{Process, store};
use crate::db::Db;
use crate::error::ApiResult;
use crate::live::Live;
use crate::stop::Stop;
use crate::world::World;

const BETWEEN_BEATS: Duration = Duration::from_secs(5);
/// Who was not heard of for so long serves no more.
pub(super) const ALIVE: SignedDuration = SignedDuration::from_secs(30);

#[derive(Clone)]
pub struct Pulse {
    id: Uuid,
    pub started_at: Timestamp,
}

impl Pulse {
    /// Tells for the first time now, and from then on until the process is asked to stop.
    pub async fn start(db: &Db, world: World, live: &Live, stop: Stop) -> ApiResult<Self> {
        let pulse = Self { id: world.uuid(), started_at: world.now() };
        pulse.beat(db, &world, live).await?;
        db.runtime().spawn(pulse.clone().keep_beating(db.clone(), world, live.clone(), stop));
        Ok(pulse)
    }

    async fn keep_beating(self, db: Db, world: World, live: Live, stop: Stop) {
        while stop.sleep(BETWEEN_BEATS).await {
            if let Err(err) = self.beat(&db, &world, &live).await {
                tracing::debug!(reason = %err, "the others do not hear of this process for the moment");
            }
        }
        let gone = async {
            ApiResult::Ok(store::forget_processes(&mut *db.conn().await?, Some(self.id), world.now() - ALIVE).await?)
        };
        if let Err(err) = gone.await {
            tracing::debug!(reason = %err, "the others will notice by themselves that this process is gone");
        }
    }

    async fn beat(&self, db: &Db, world: &World, live: &Live) -> ApiResult<()> {
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
