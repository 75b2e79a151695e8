//! Server-sent events that only say "something changed". The page then asks for its part again, so that what it shows always
//! passed the same checks, in its own language.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::web::{Bytes, Data};
use diesel_async::AsyncPgConnection;
use futures_util::stream::unfold;
use jiff::{SignedDuration, Timestamp};
use tokio::time::{Instant, sleep, timeout};

use crate::limits::{Budget, Streams};
use base::db::Db;
use base::error::Result;
use base::live::{FloorWatch, Live, Signal, Watch, Woken};
use base::world::World;

const HEARTBEAT: Duration = Duration::from_secs(15);
/// Changes within this time are told together.
const TOGETHER: Duration = Duration::from_millis(150);
/// A browser that still listens by then connects again.
const LONGEST: SignedDuration = SignedDuration::from_mins(30);

/// A source of news that can be waited for.
pub trait Waits: 'static {
    /// Whether one piece of news is told at once, and only what follows it at its heels waits.
    const AT_ONCE: bool = false;

    fn woken(&mut self, patience: Duration) -> Pin<Box<dyn Future<Output = Woken> + '_>>;

    /// How much news there has been, for those who compare it with what they have.
    fn count(&self) -> Option<i64> {
        None
    }

    /// What tells of news.
    fn event(&self) -> String {
        let count = self.count().map(|count| count.to_string()).unwrap_or_default();
        format!("event: changed\ndata: {count}\n\n")
    }

    /// What tells of what a seat has sent: nothing, where it is not listened for.
    fn event_of(&self, _signal: &Signal) -> String {
        ":\n\n".to_owned()
    }
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

/// Tells of the news of the floor that concern one thing: those after which its fingerprint is another.
pub struct FingerprintWatch<F> {
    floor: FloorWatch,
    db: Data<Db>,
    find: F,
    /// As it was told last.
    fingerprint: String,
    /// So often at most it is looked at while things happen elsewhere on the floor.
    between: Duration,
}

impl<F: AsyncFn(&mut AsyncPgConnection) -> Result<String> + 'static> FingerprintWatch<F> {
    pub async fn begin(db: Data<Db>, live: &Live, between: Duration, find: F) -> Result<Self> {
        let floor = live.watch_floor();
        let fingerprint = find(&mut *db.conn().await?).await?;
        Ok(Self { floor, db, find, fingerprint, between })
    }

    async fn has_changed(&mut self) -> Result<bool> {
        let now = (self.find)(&mut *self.db.conn().await?).await?;
        Ok(std::mem::replace(&mut self.fingerprint, now) != self.fingerprint)
    }
}

impl<F: AsyncFn(&mut AsyncPgConnection) -> Result<String> + 'static> Waits for FingerprintWatch<F> {
    fn woken(&mut self, patience: Duration) -> Pin<Box<dyn Future<Output = Woken> + '_>> {
        Box::pin(async move {
            let news = async {
                loop {
                    match self.floor.woken(Duration::MAX).await {
                        // Where it cannot be told, the page asks and finds out.
                        Woken::News if !self.has_changed().await.unwrap_or(true) => sleep(self.between).await,
                        woken => return woken,
                    }
                }
            };
            timeout(patience, news).await.unwrap_or(Woken::Timeout)
        })
    }
}

struct Listener<W> {
    watch: W,
    world: Data<World>,
    until: Timestamp,
    /// When it was last told of news; never yet, and not even how things stand.
    told: Option<Instant>,
    _budget: Budget<Streams>,
}

/// The answer that tells of the news of this source.
pub fn stream(watch: impl Waits, world: Data<World>, budget: Budget<Streams>) -> HttpResponse {
    let listener = Listener { watch, until: world.now() + LONGEST, world, told: None, _budget: budget };
    let events = unfold(listener, |mut listener| async {
        let event = listener.next().await?;
        Some((Ok::<_, actix_web::Error>(Bytes::from(event)), listener))
    });
    HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(("cache-control", "no-store"))
        .insert_header(("x-accel-buffering", "no"))
        .streaming(events)
}

impl<W: Waits> Listener<W> {
    async fn next(&mut self) -> Option<String> {
        if self.told.is_none() {
            // Something may have happened between the page and this.
            return Some(format!("retry: 1000\n{}", self.changed()));
        }
        if self.world.now() >= self.until {
            return None;
        }
        match self.watch.woken(HEARTBEAT).await {
            Woken::News => {
                sleep(self.pause()).await;
                Some(self.changed())
            }
            Woken::Signal(signal) => Some(self.watch.event_of(&signal)),
            Woken::Timeout => Some("event: beat\ndata:\n\n".to_owned()),
            Woken::Stopping => None,
        }
    }

    /// How long more news is waited for.
    fn pause(&self) -> Duration {
        match self.told.filter(|_| W::AT_ONCE) {
            Some(told) => TOGETHER.saturating_sub(told.elapsed()),
            None => TOGETHER,
        }
    }

    fn changed(&mut self) -> String {
        self.told = Some(Instant::now());
        self.watch.event()
    }
}
