//! News: who watches what in this process, and how the processes on one database tell each other.
//!
//! Nothing relies on this. News is a count in the match's row that only rises; a watcher that hears of a higher one
//! reads the database. The mover's own process hears at once. The others hear by `NOTIFY`, which is sent in batches by a
//! task with a connection of its own, after the commit: inside the move's transaction it would take a lock that all
//! committing transactions of the database share. What gets lost on that way is found by asking once a second for the
//! counts of the matches that are being watched.
//!
//! A signal is what a seat sends to those who watch its match now. It goes the same way with the same notifications, raises no
//! count, and is kept nowhere: a signal that gets lost stays lost.

use std::any::Any;
use std::collections::HashMap;
use std::future::{pending, poll_fn};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use anyhow::Context;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, broadcast, watch};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};
use tokio_postgres::{AsyncMessage, Client};
use uuid::Uuid;

use crate::db::{Address, Db};
use crate::ids::{MatchId, TournamentId};
use crate::stop::Stop;

const CHANNEL: &str = "house_rules_news";
/// The floor as a whole: any match or table. No match has this id.
const FLOOR: Uuid = Uuid::nil();
/// A notification holds less than 8000 bytes; one match takes up to 56.
const MATCHES_A_NOTIFICATION: usize = 140;
/// Beyond this the others find out by asking.
const MATCHES_PENDING: usize = 20_000;
/// Signals that no other process could be told of yet, and how long it is worth while to tell of one.
const SIGNALS_PENDING: usize = 1000;
const SIGNAL_LIFE: Duration = Duration::from_secs(5);
/// A watcher that is slower misses those before.
const SIGNALS_KEPT: usize = 16;
const BETWEEN_BATCHES: Duration = Duration::from_millis(15);
const BETWEEN_POLLS: Duration = Duration::from_secs(1);
const FLOOR_POLLS: u32 = 5;
const PATIENCE: Duration = Duration::from_secs(5);
/// Nothing that is sent for news must be durable, and nobody must wait for it.
const SETTINGS: &str = "-c synchronous_commit=off -c statement_timeout=5s";

/// The news of this process; its clones are the same.
#[derive(Clone)]
pub struct Live(Arc<Inner>);

struct Inner {
    topics: Mutex<HashMap<MatchId, Weak<Topic>>>,
    floor: watch::Sender<u64>,
    /// What the other processes have not been told yet: the highest count per match.
    pending: Mutex<HashMap<Uuid, i64>>,
    /// And what seats have sent, as a notification holds it.
    signals: Mutex<Vec<(Instant, String)>>,
    any_pending: Notify,
    stop: Stop,
}

/// A match that somebody watches.
pub struct Topic {
    pub id: MatchId,
    /// The highest count of news heard of.
    news: watch::Sender<i64>,
    /// What its seats send, once somebody listens for it.
    signals: OnceLock<broadcast::Sender<Signal>>,
    /// What its watchers have read lately: one of them reads for all.
    pub feed: tokio::sync::Mutex<FeedSlot>,
}

/// What a seat sends to those who watch its match now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    pub seat: u8,
    /// At most `CODE_LENGTH` ASCII letters, digits and `_`.
    pub code: String,
}

impl Signal {
    /// A notification has room for no more.
    pub const CODE_LENGTH: usize = 16;
}

/// A feed of any kind. What is watched decides what its watchers read.
#[derive(Default)]
pub struct FeedSlot(Option<Box<dyn Any + Send>>);

impl FeedSlot {
    pub fn get<F: Any>(&self) -> Option<&F> {
        self.0.as_ref()?.downcast_ref()
    }

    pub fn get_mut<F: Any>(&mut self) -> Option<&mut F> {
        self.0.as_mut()?.downcast_mut()
    }

    pub fn take<F: Any>(&mut self) -> Option<F> {
        self.0.take()?.downcast().ok().map(|feed| *feed)
    }

    pub fn put<F: Any + Send>(&mut self, feed: F) {
        self.0 = Some(Box::new(feed));
    }
}

/// Somebody who watches a match. Dropping it ends the watching.
pub struct Watch {
    pub topic: Arc<Topic>,
    heard: watch::Receiver<i64>,
    signals: Option<broadcast::Receiver<Signal>>,
    stop: Stop,
    live: Live,
}

/// Somebody who watches the floor.
pub struct FloorWatch {
    heard: watch::Receiver<u64>,
    stop: Stop,
}

/// Why a watcher woke up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Woken {
    /// Something may have changed.
    News,
    /// A seat has sent something, and the watcher listens for that.
    Signal(Signal),
    /// Nothing did for as long as it would wait.
    Timeout,
    /// The server is about to stop.
    Stopping,
}

impl Live {
    /// Starts hearing and telling. Works, more slowly, while the database cannot be reached for it. `counts` is the query of ids and
    /// counts of news for a list of ids.
    pub fn start(db: &Db, counts: &'static str, stop: Stop) -> Self {
        let live = Self::unheard(stop);
        db.runtime().spawn(keep_in_touch(live.clone(), db.address().clone(), counts));
        live
    }

    /// Tells no other process: for a command that is over before anybody could look.
    pub fn unheard(stop: Stop) -> Self {
        Self(Arc::new(Inner {
            topics: Mutex::default(),
            floor: watch::channel(0).0,
            pending: Mutex::default(),
            signals: Mutex::default(),
            any_pending: Notify::new(),
            stop,
        }))
    }

    /// Something happened to this match, as is committed: wakes its watchers here and has the other processes told.
    pub fn tell(&self, id: MatchId, news: i64) {
        self.hear(id, news);
        self.hear_of_floor();
        self.post(id.0, news);
    }

    /// The same of a tournament, whose revision counts its news. No match has its id.
    pub fn tell_tournament(&self, id: TournamentId, revision: i64) {
        self.tell(MatchId(id.0), revision);
    }

    /// Something happened on the floor that is no match's: a table was made or changed.
    pub fn tell_floor(&self) {
        self.hear_of_floor();
        self.post(FLOOR, 0);
    }

    /// Tells all who watch this match now, in every process: this one hears of it as the others do, so that no one hears it twice.
    pub fn signal(&self, id: MatchId, signal: &Signal) {
        let mut signals = self.0.signals.lock().unwrap_or_else(PoisonError::into_inner);
        if signals.len() < SIGNALS_PENDING {
            signals.push((Instant::now(), format!("{}!{}:{}", id.0.simple(), signal.seat, signal.code)));
        }
        drop(signals);
        self.0.any_pending.notify_one();
    }

    pub fn watch(&self, id: MatchId) -> Watch {
        let mut topics = self.topics();
        let topic = topics.get(&id).and_then(Weak::upgrade).unwrap_or_else(|| {
            let (news, signals, feed) = (watch::channel(0).0, OnceLock::new(), tokio::sync::Mutex::default());
            let topic = Arc::new(Topic { id, news, signals, feed });
            topics.insert(id, Arc::downgrade(&topic));
            topic
        });
        let heard = topic.news.subscribe();
        Watch { topic, heard, signals: None, stop: self.0.stop.clone(), live: self.clone() }
    }

    pub fn watch_tournament(&self, id: TournamentId) -> Watch {
        self.watch(MatchId(id.0))
    }

    pub fn watch_floor(&self) -> FloorWatch {
        FloorWatch { heard: self.0.floor.subscribe(), stop: self.0.stop.clone() }
    }

    /// How many watch anything through this process.
    pub fn viewers(&self) -> usize {
        let topics: Vec<_> = self.topics().values().filter_map(Weak::upgrade).collect();
        let of_matches: usize = topics.iter().map(|topic| topic.news.receiver_count()).sum();
        of_matches + self.0.floor.receiver_count()
    }

    fn hear(&self, id: MatchId, news: i64) {
        if let Some(topic) = self.topic(id) {
            topic.hear(news);
        }
    }

    fn hear_signal(&self, id: MatchId, signal: Signal) {
        if let Some(topic) = self.topic(id)
            && let Some(signals) = topic.signals.get()
        {
            // It is an error if nobody listens any more.
            let _ = signals.send(signal);
        }
    }

    fn topic(&self, id: MatchId) -> Option<Arc<Topic>> {
        self.topics().get(&id).and_then(Weak::upgrade)
    }

    fn hear_of_floor(&self) {
        self.0.floor.send_modify(|count| *count = count.wrapping_add(1));
    }

    fn post(&self, id: Uuid, news: i64) {
        let mut pending = self.0.pending.lock().unwrap_or_else(PoisonError::into_inner);
        if pending.len() < MATCHES_PENDING {
            let highest = pending.entry(id).or_insert(news);
            *highest = news.max(*highest);
        }
        drop(pending);
        self.0.any_pending.notify_one();
    }

    /// All that the other processes have not been told yet, as notifications hold it.
    fn take_pending(&self) -> Vec<String> {
        let pending = std::mem::take(&mut *self.0.pending.lock().unwrap_or_else(PoisonError::into_inner));
        let signals = std::mem::take(&mut *self.0.signals.lock().unwrap_or_else(PoisonError::into_inner));
        let told = pending.iter().map(|(id, news)| format!("{}:{news}", id.simple()));
        let fresh = signals.into_iter().filter(|(at, _)| at.elapsed() < SIGNAL_LIFE);
        told.chain(fresh.map(|(_, signal)| signal)).collect()
    }

    fn topics(&self) -> std::sync::MutexGuard<'_, HashMap<MatchId, Weak<Topic>>> {
        self.0.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watched(&self) -> Vec<String> {
        let mut topics = self.topics();
        // A topic that was being told of something while its last watcher left is still in the map.
        topics.retain(|_, topic| topic.strong_count() > 0);
        topics.keys().map(|id| id.0.to_string()).collect()
    }
}

impl Topic {
    /// The count that a feed must have to be up to date.
    pub fn news(&self) -> i64 {
        *self.news.borrow()
    }

    pub fn hear(&self, news: i64) {
        self.news.send_if_modified(|known| {
            let is_new = news > *known;
            *known = news.max(*known);
            is_new
        });
    }
}

impl Watch {
    /// From now on it wakes for signals as well.
    pub fn with_signals(mut self) -> Self {
        let signals = self.topic.signals.get_or_init(|| broadcast::channel(SIGNALS_KEPT).0);
        self.signals = Some(signals.subscribe());
        self
    }

    /// Waits for news that came after the last call, at most this long.
    pub async fn woken(&mut self, patience: Duration) -> Woken {
        tokio::select! {
            changed = timeout(patience, self.heard.changed()) => match changed {
                Ok(_) => Woken::News,
                Err(_) => Woken::Timeout,
            },
            signal = next_of(&mut self.signals) => Woken::Signal(signal),
            () = self.stop.requested() => Woken::Stopping,
        }
    }

    /// Takes what was told up to now as heard.
    pub fn catch_up(&mut self) {
        self.heard.mark_unchanged();
    }
}

/// Never, where nobody listens for signals.
async fn next_of(signals: &mut Option<broadcast::Receiver<Signal>>) -> Signal {
    while let Some(listening) = signals {
        match listening.recv().await {
            Ok(signal) => return signal,
            Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => break,
        }
    }
    pending().await
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut topics = self.live.topics();
        // The last one out: nobody can join while the topics are locked.
        if Arc::strong_count(&self.topic) == 1 {
            topics.remove(&self.topic.id);
        }
    }
}

impl FloorWatch {
    pub async fn woken(&mut self, patience: Duration) -> Woken {
        tokio::select! {
            changed = timeout(patience, self.heard.changed()) => match changed {
                Ok(_) => Woken::News,
                Err(_) => Woken::Timeout,
            },
            () = self.stop.requested() => Woken::Stopping,
        }
    }
}

/// For as long as the process lives: connects, hears and tells, and connects again when that breaks off.
async fn keep_in_touch(live: Live, address: Arc<Address>, counts: &str) {
    let mut failures = 0_u32;
    while !live.0.stop.is_requested() {
        match timeout(PATIENCE, connect(&live, &address)).await.context("no answer").and_then(|connected| connected) {
            Ok((client, own)) => {
                failures = 0;
                // News may have been missed in between.
                live.hear_of_floor();
                if let Err(err) = talk(&live, &client, counts).await {
                    tracing::warn!(error = format!("{err:#}"), "listening for notifications failed");
                }
                own.abort();
            }
            Err(err) => tracing::warn!(error = format!("{err:#}"), "connecting for notifications failed"),
        }
        failures = (failures + 1).min(5);
        if !live.0.stop.sleep(Duration::from_millis(100 << failures)).await {
            return;
        }
    }
}

/// A connection past any pooler that listens, and the task that drives it.
async fn connect(live: &Live, address: &Address) -> anyhow::Result<(Client, tokio::task::JoinHandle<()>)> {
    let (client, mut connection) = address.direct().connect(SETTINGS).await.map_err(anyhow::Error::msg)?;
    let hearer = live.clone();
    let driving = tokio::spawn(async move {
        while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(notification) = message {
                hearer.take_in(notification.payload());
            }
        }
    });
    client.batch_execute(&format!("LISTEN {CHANNEL}")).await?;
    Ok((client, driving))
}

impl Live {
    /// A notification: `<match>:<count>` or `<match>!<seat>:<code>`, and spaces between. One's own counts are known already and
    /// change nothing.
    fn take_in(&self, payload: &str) {
        let mut is_news = false;
        for (about, what) in payload.split(' ').filter_map(|told| told.split_once(':')) {
            if let (Ok(id), Ok(news)) = (Uuid::try_parse(about), what.parse()) {
                self.hear(MatchId(id), news);
                is_news = true;
            } else if let Some((id, seat)) = about.split_once('!')
                && let (Ok(id), Ok(seat)) = (Uuid::try_parse(id), seat.parse())
            {
                self.hear_signal(MatchId(id), Signal { seat, code: what.to_owned() });
            }
        }
        if is_news {
            self.hear_of_floor();
        }
    }
}

/// Tells the others what is pending, and asks for what they may have failed to tell.
async fn talk(live: &Live, client: &Client, counts: &str) -> anyhow::Result<()> {
    let notify = client.prepare("SELECT pg_notify($1, it) FROM unnest($2::text[]) AS it").await?;
    let news_of = client.prepare(counts).await?;
    let mut polls = interval(BETWEEN_POLLS);
    polls.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut polled = 0_u32;
    loop {
        tokio::select! {
            () = live.0.any_pending.notified() => {
                let batch = payloads(&live.take_pending());
                if !batch.is_empty() {
                    timeout(PATIENCE, client.query(&notify, &[&CHANNEL, &batch])).await??;
                }
                // Under load, news of the meantime goes out together.
                sleep(BETWEEN_BATCHES).await;
            }
            _ = polls.tick() => {
                let watched = live.watched();
                if !watched.is_empty() {
                    for row in timeout(PATIENCE, client.query(&news_of, &[&watched])).await?? {
                        let id: &str = row.try_get(0)?;
                        live.hear(id.parse()?, row.try_get(1)?);
                    }
                }
                polled = polled.wrapping_add(1);
                if polled.is_multiple_of(FLOOR_POLLS) && live.0.floor.receiver_count() > 0 {
                    live.hear_of_floor();
                }
                anyhow::ensure!(!client.is_closed(), "it is closed");
            }
            () = live.0.stop.requested() => return Ok(()),
        }
    }
}

fn payloads(told: &[String]) -> Vec<String> {
    told.chunks(MATCHES_A_NOTIFICATION).map(|some| some.join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn live() -> Live {
        Live(Arc::new(Inner {
            topics: Mutex::default(),
            floor: watch::channel(0).0,
            pending: Mutex::default(),
            signals: Mutex::default(),
            any_pending: Notify::new(),
            stop: Stop::never(),
        }))
    }

    const ID: MatchId = MatchId(Uuid::max());

    #[tokio::test]
    async fn a_watcher_wakes_for_news_and_only_for_news() {
        let live = live();
        let mut watch = live.watch(ID);
        assert_eq!(watch.woken(Duration::from_millis(5)).await, Woken::Timeout);
        live.tell(ID, 3);
        assert_eq!(watch.woken(Duration::from_secs(5)).await, Woken::News);
        live.take_in(&format!("{}:3 nonsense {}:x :", ID.0.simple(), ID.0.simple()));
        assert_eq!(watch.woken(Duration::from_millis(5)).await, Woken::Timeout);
        live.take_in(&format!("{}:4", ID.0.simple()));
        assert_eq!(watch.woken(Duration::from_secs(5)).await, Woken::News);
    }

    #[tokio::test]
    async fn watchers_share_a_topic_and_leave_nothing_behind() {
        let live = live();
        let (one, other) = (live.watch(ID), live.watch(ID));
        assert!(Arc::ptr_eq(&one.topic, &other.topic));
        assert_eq!(live.watched(), [ID.0.to_string()]);
        drop((one, other));
        assert!(live.topics().is_empty());
    }

    #[test]
    fn a_batch_fits_into_notifications_and_keeps_the_highest_count() {
        let live = live();
        for number in 0..300_u128 {
            live.tell(MatchId(Uuid::from_u128(number + 1)), i64::MAX - 1);
            live.tell(MatchId(Uuid::from_u128(number + 1)), i64::MAX);
            live.tell(MatchId(Uuid::from_u128(number + 1)), 5);
        }
        let payloads = payloads(&live.take_pending());
        assert_eq!(payloads.len(), 3);
        assert!(payloads.iter().all(|payload| payload.len() < 8000));
        assert!(
            payloads.iter().all(|payload| payload.split(' ').all(|told| told.ends_with(&format!(":{}", i64::MAX))))
        );
        assert!(live.take_pending().is_empty());
    }

    #[tokio::test]
    async fn a_signal_reaches_those_who_listen_now_and_raises_no_count() {
        let (here, there) = (live(), live());
        let mut listener = there.watch(ID).with_signals();
        let mut watcher = there.watch(ID);
        let mut floor = there.watch_floor();
        let signal = Signal { seat: 15, code: "x".repeat(Signal::CODE_LENGTH) };
        here.signal(ID, &signal);
        let told = here.take_pending();
        assert!(told.len() == 1 && told[0].len() <= 56, "{told:?}");
        there.take_in(&told[0]);
        assert_eq!(listener.woken(Duration::from_secs(5)).await, Woken::Signal(signal));
        for nothing in [listener.woken(Duration::from_millis(5)).await, watcher.woken(Duration::from_millis(5)).await] {
            assert_eq!(nothing, Woken::Timeout);
        }
        assert_eq!(floor.woken(Duration::from_millis(5)).await, Woken::Timeout);
        assert_eq!(there.watch(ID).topic.news(), 0);
        // Who comes later hears nothing of it.
        assert_eq!(there.watch(ID).with_signals().woken(Duration::from_millis(5)).await, Woken::Timeout);
    }

    #[test]
    fn a_signal_that_could_not_be_sent_in_time_is_not_sent_late() {
        let live = live();
        live.0.signals.lock().unwrap().push((Instant::now() - SIGNAL_LIFE, "early".to_owned()));
        live.signal(ID, &Signal { seat: 0, code: "now".to_owned() });
        assert_eq!(live.take_pending(), [format!("{}!0:now", ID.0.simple())]);
    }
}
