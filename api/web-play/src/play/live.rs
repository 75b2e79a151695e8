//! `/m/{code}/live`: says that something changed; what it was, the page asks itself. Reactions are told as they are: no page
//! could ask for them later.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use serde::Serialize;
use tokio::time::Instant;

use super::visit::{Act, Visit};
use base::auth::Identity;
use base::db::Db;
use base::error::Result;
use base::live::{Live, Signal, Watch, Woken};
use base::world::World;
use play::matches::access::Access;
use play::matches::{Reaction, Snapshot, feed};
use web_base::error::ApiResult;
use web_base::limits::{Budget, Streams};
use web_base::page::Page;
use web_base::streams::{Waits, stream};

#[get("/m/{code}/live")]
pub async fn watch_match(
    budget: Budget<Streams>,
    visit: Visit,
    (db, live, world): (Data<Db>, Data<Live>, Data<World>),
) -> ApiResult<HttpResponse> {
    let Act { visitor, id, page, .. } = visit.open().await?;
    // Watched before it is read, so that nothing happens in between.
    let watch = live.watch(id).with_signals();
    let mut watch = MatchWatch { watch, db, visitor, page, others: 0, count: None, snapshot: None };
    watch.read().await?;
    Ok(stream(watch, world, budget))
}

/// A match, watched by somebody who may not be allowed to see it played.
struct MatchWatch {
    watch: Watch,
    db: Data<Db>,
    visitor: Option<Identity>,
    page: Page,
    /// How often something other than a move has happened.
    others: i64,
    /// How much news there is, for those who see the match as it is.
    count: Option<i64>,
    /// The match as it was read last.
    snapshot: Option<Arc<Snapshot>>,
}

/// The data of a `reaction` event.
#[derive(Serialize)]
struct Phrase {
    seat: u8,
    name: String,
    text: String,
}

/// How often something other than a move has happened: a move counts as one piece of news.
fn besides_moves(snapshot: &Snapshot) -> i64 {
    snapshot.row.change_seq - i64::from(snapshot.row.version)
}

impl MatchWatch {
    /// Reads what all watchers read together, and with a connection of its own only what their seats do not tell.
    async fn read(&mut self) -> Result<Access> {
        self.count = None;
        let snapshot = feed::snapshot(&mut self.watch, &self.db).await?;
        let access = self.access(&snapshot).await?;
        self.others = besides_moves(&snapshot);
        self.count = access.is_up_to_date().then_some(snapshot.row.change_seq);
        self.snapshot = Some(snapshot);
        Ok(access)
    }

    async fn access(&self, snapshot: &Snapshot) -> Result<Access> {
        match &self.visitor {
            Some(visitor) => snapshot.access_through(&self.db, visitor).await,
            None => snapshot.access_of_nobody(),
        }
    }

    /// Whether the news is for this visitor: those who may not watch do not even learn when moves are made.
    async fn concerns(&mut self) -> Result<bool> {
        let before = self.others;
        Ok(self.read().await? != Access::Outside || before != self.others)
    }

    /// Whether a reaction is for this visitor: to people who see the match late it would tell what is yet to come. Reads nothing, or
    /// news that came at the same time would be taken as told.
    async fn hears(&self) -> Result<bool> {
        match &self.snapshot {
            Some(snapshot) => Ok(self.access(snapshot).await?.is_up_to_date()),
            None => Ok(false),
        }
    }

    /// A reaction as the page shows it, if the seat has a player and this version knows the reaction.
    fn phrase(&self, signal: &Signal) -> Option<Phrase> {
        let seats = &self.snapshot.as_ref()?.seats.players;
        let seat = seats.iter().find(|it| it.seat == i16::from(signal.seat))?;
        let name = seat.stand_in_name.clone().unwrap_or_else(|| self.page.name(seat));
        Some(Phrase { seat: signal.seat, name, text: self.page.t(&Reaction::of(signal)?.key()) })
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
                    Woken::Signal(_) if !self.hears().await.unwrap_or(false) => {}
                    woken => return woken,
                }
            }
        })
    }

    fn count(&self) -> Option<i64> {
        self.count
    }

    fn event_of(&self, signal: &Signal) -> String {
        match self.phrase(signal).and_then(|phrase| serde_json::to_string(&phrase).ok()) {
            Some(data) => format!("event: reaction\ndata: {data}\n\n"),
            None => ":\n\n".to_owned(),
        }
    }
}
