//! `/m/{code}/live`: says that something changed; what it was, the page asks itself.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use tokio::time::Instant;

use super::visit::{Act, Visit};
use crate::error::ApiResult;
use crate::floor::live::{Waits, stream};
use crate::limits::{Budget, Streams};
use cafe::auth::Identity;
use cafe::db::Db;
use cafe::error::Result;
use cafe::live::{Live, Watch, Woken};
use cafe::matches::Snapshot;
use cafe::matches::access::Access;
use cafe::world::World;

#[get("/m/{code}/live")]
pub(crate) async fn watch_match(
    budget: Budget<Streams>,
    visit: Visit,
    (db, live, world): (Data<Db>, Data<Live>, Data<World>),
) -> ApiResult<HttpResponse> {
    let Act { visitor, id, .. } = visit.open().await?;
    // Watched before it is read, so that nothing happens in between.
    let mut watch = MatchWatch { watch: live.watch(id), db, visitor, others: 0, count: None };
    watch.read().await?;
    Ok(stream(watch, world, budget))
}

/// A match, watched by somebody who may not be allowed to see it played.
struct MatchWatch {
    watch: Watch,
    db: Data<Db>,
    visitor: Option<Identity>,
    /// How often something other than a move has happened.
    others: i64,
    /// How much news there is, for those who see the match as it is.
    count: Option<i64>,
}

/// How often something other than a move has happened: a move counts as one piece of news.
fn besides_moves(snapshot: &Snapshot) -> i64 {
    snapshot.row.change_seq - i64::from(snapshot.row.version)
}

impl MatchWatch {
    /// Reads what all watchers read together, and with a connection of its own only what their seats do not tell.
    async fn read(&mut self) -> Result<Access> {
        self.count = None;
        let snapshot = self.watch.snapshot(&self.db).await?;
        let access = match &self.visitor {
            Some(visitor) => snapshot.access_through(&self.db, visitor).await?,
            None => snapshot.access_of_nobody()?,
        };
        self.others = besides_moves(&snapshot);
        self.count = access.is_up_to_date().then_some(snapshot.row.change_seq);
        Ok(access)
    }

    /// Whether the news is for this visitor: those who may not watch do not even learn when moves are made.
    async fn concerns(&mut self) -> Result<bool> {
        let before = self.others;
        Ok(self.read().await? != Access::Outside || before != self.others)
    }
}

impl Waits for MatchWatch {
    const AT_ONCE: bool = true;

    fn woken(&mut self, patience: Duration) -> Pin<Box<dyn Future<Output = Woken> + '_>> {
        Box::pin(async move {
            let until = Instant::now() + patience;
            loop {
                match self.watch.woken(until.saturating_duration_since(Instant::now())).await {
                    // Where it cannot be told, the page asks and finds out.
                    Woken::News if !self.concerns().await.unwrap_or(true) => {}
                    woken => return woken,
                }
            }
        })
    }

    fn count(&self) -> Option<i64> {
        self.count
    }
}
