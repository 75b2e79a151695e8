//! Sessions that ended recently. An access token is valid for a quarter of an hour, and no request asks the database about
//! it; this set stops it when its session ends earlier: by signing out, a ban, a new password.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jiff::SignedDuration;

use super::store;
use super::tokens::ACCESS_SECONDS;
use crate::db::Db;
use crate::error::Result;
use crate::ids::SessionId;
use crate::stop::Stop;
use crate::world::World;

const BETWEEN_READS: Duration = Duration::from_secs(1);
/// A token's life, and a minute for clocks that differ.
const REACH: SignedDuration = SignedDuration::from_secs(ACCESS_SECONDS + 60);

/// One set for the whole process; its clones are the same.
#[derive(Clone, Default)]
pub struct RevokedSessions(Arc<RwLock<HashSet<SessionId>>>);

impl RevokedSessions {
    /// Reads the set, and from then on keeps it as the database has it: whichever process ends a session, all know within
    /// a second.
    pub async fn start(db: &Db, world: World, stop: Stop) -> Result<Self> {
        let ended = Self::default();
        ended.read(db, &world).await?;
        db.runtime().spawn(keep_reading(ended.clone(), db.clone(), world, stop));
        Ok(ended)
    }

    pub fn has(&self, session: SessionId) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains(&session)
    }

    async fn read(&self, db: &Db, world: &World) -> Result<()> {
        let since = world.now() - REACH;
        let latest = store::list_ended(&mut *db.conn().await?, since).await?.into_iter().collect();
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = latest;
        Ok(())
    }
}

async fn keep_reading(ended: RevokedSessions, db: Db, world: World, stop: Stop) {
    let mut is_reading = true;
    while stop.sleep(BETWEEN_READS).await {
        let read = ended.read(&db, &world).await;
        if let Err(err) = &read
            && is_reading
        {
            tracing::warn!(error = format!("{err:#}"), "reading revoked sessions failed");
        }
        is_reading = read.is_ok();
    }
}
