//! News of a tournament: its revision, and what of it changed since the last news.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use serde::Serialize;

use base::auth::can;
use base::db::Db;
use base::error::Result;
use base::live::{Live, Watch, Woken};
use base::world::World;
use competitions::tournaments::{ChangedPart, TournamentId, list_news, load_for_staff};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Path};
use web_base::limits::{Budget, Streams};
use web_base::streams::{Waits, stream};

#[get("/admin/live/tournaments/{id}")]
pub async fn watch_tournament(
    budget: Budget<Streams>,
    (db, live, world): (Data<Db>, Data<Live>, Data<World>),
    Authorized(mut cx): Authorized<can::ViewTournaments>,
    Path(id): Path<TournamentId>,
) -> ApiResult<HttpResponse> {
    let revision = load_for_staff(&mut cx, id).await?.row.revision;
    Ok(stream(TournamentWatch::new(&live, db, id, revision), world, budget))
}

/// Somebody who watches a tournament.
pub(crate) struct TournamentWatch {
    watch: Watch,
    db: Data<Db>,
    id: TournamentId,
    news: News,
}

/// What an event says.
#[derive(Debug, Default, Serialize)]
struct News {
    revision: i64,
    /// Empty at first, and where the database could not be asked.
    changed: BTreeSet<ChangedPart>,
}

impl TournamentWatch {
    /// From this revision on.
    pub(crate) fn new(live: &Live, db: Data<Db>, id: TournamentId, revision: i64) -> Self {
        let news = News { revision, changed: BTreeSet::new() };
        Self { watch: live.watch_tournament(id), db, id, news }
    }

    async fn look(&mut self) -> Result<()> {
        let (revision, changed) = list_news(&mut *self.db.conn().await?, self.id, self.news.revision).await?;
        self.news = News { revision, changed };
        Ok(())
    }
}

impl Waits for TournamentWatch {
    fn woken(&mut self, patience: Duration) -> Pin<Box<dyn Future<Output = Woken> + '_>> {
        Box::pin(async move {
            loop {
                let (woken, known) = (self.watch.woken(patience).await, self.news.revision);
                if woken != Woken::News {
                    return woken;
                }
                match self.look().await {
                    // A notification may come after what it tells of was read.
                    Ok(()) if self.news.revision == known => {}
                    Ok(()) => return woken,
                    Err(_) => {
                        // Who listens asks, and finds out.
                        self.news.changed.clear();
                        return woken;
                    }
                }
            }
        })
    }

    fn event(&self) -> String {
        let data = serde_json::to_string(&self.news).unwrap_or_default();
        format!("event: changed\nid: {}\ndata: {data}\n\n", self.news.revision)
    }
}
