//! `/admin/live/…`: server-sent events that only say "something changed". The page then asks for its part anew, so that
//! what it shows always went through the same door, in its own language.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use actix_web::web::{Bytes, Data};
use actix_web::{HttpResponse, get};
use futures_util::stream::unfold;
use jiff::{SignedDuration, Timestamp};
use tokio::time::sleep;

use crate::error::ApiResult;
use crate::extract::{Path, Staff};
use crate::ids::{MatchId, TournamentId};
use crate::live::{FloorWatch, Live, Watch, Woken};
use crate::staff::Deed;
use crate::world::World;

const HEARTBEAT: Duration = Duration::from_secs(15);
/// Changes within this time are told together.
const TOGETHER: Duration = Duration::from_millis(150);
/// Whoever may still listen by then connects again.
const LONGEST: SignedDuration = SignedDuration::from_mins(30);

#[get("/admin/live/floor")]
pub(crate) async fn watch_floor(live: Data<Live>, world: Data<World>, Staff(staff): Staff) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeFloor)?;
    Ok(stream(live.watch_floor(), world))
}

#[get("/admin/live/matches/{id}")]
pub(crate) async fn watch_match(
    live: Data<Live>,
    world: Data<World>,
    Staff(staff): Staff,
    Path(id): Path<MatchId>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeMatches)?;
    Ok(stream(live.watch(id), world))
}

#[get("/admin/live/tournaments/{id}")]
pub(crate) async fn watch_tournament(
    live: Data<Live>,
    world: Data<World>,
    Staff(staff): Staff,
    Path(id): Path<TournamentId>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeTournaments)?;
    Ok(stream(live.watch_tournament(id), world))
}

/// Whoever can wait for news.
pub(crate) trait Waits: 'static {
    fn woken(&mut self, patience: Duration) -> Pin<Box<dyn Future<Output = Woken> + '_>>;
}

impl Waits for FloorWatch {
    fn woken(&mut self, patience: Duration) -> Pin<Box<dyn Future<Output = Woken> + '_>> {
        Box::pin(FloorWatch::woken(self, patience))
    }
}

impl Waits for Watch {
    fn woken(&mut self, patience: Duration) -> Pin<Box<dyn Future<Output = Woken> + '_>> {
        Box::pin(Watch::woken(self, patience))
    }
}

struct Listener<W> {
    watch: W,
    world: Data<World>,
    until: Timestamp,
    is_new: bool,
}

pub(crate) fn stream(watch: impl Waits, world: Data<World>) -> HttpResponse {
    let listener = Listener { watch, until: world.now() + LONGEST, world, is_new: true };
    let events = unfold(listener, |mut listener| async {
        let event = listener.next().await?;
        Some((Ok::<_, actix_web::Error>(Bytes::from_static(event.as_bytes())), listener))
    });
    HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(("cache-control", "no-store"))
        .insert_header(("x-accel-buffering", "no"))
        .streaming(events)
}

impl<W: Waits> Listener<W> {
    async fn next(&mut self) -> Option<&'static str> {
        if std::mem::take(&mut self.is_new) {
            // Something may have happened between the page and this.
            return Some("retry: 1000\nevent: changed\ndata:\n\n");
        }
        if self.world.now() >= self.until {
            return None;
        }
        match self.watch.woken(HEARTBEAT).await {
            Woken::News => {
                sleep(TOGETHER).await;
                Some("event: changed\ndata:\n\n")
            }
            Woken::Timeout => Some("event: beat\ndata:\n\n"),
            Woken::Stopping => None,
        }
    }
}
