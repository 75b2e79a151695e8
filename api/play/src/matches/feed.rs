//! What watchers of a match read: one of them reads the database, for all that watch in this process.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use diesel_async::AsyncPgConnection;
use engine::{Addressed, Json, Viewer};
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use super::clock::{Clock, ClockRow};
use super::reveals::{Reveal, Reveals};
use super::store::{self, LogRow, WholeMatch};
use super::terms::Terms;
use super::{MadeBy, MatchRow, Seats, Status, heal, replay, seats_in};
use base::db::Db;
use base::error::{Result, not_found};
use base::ids::MatchId;
use base::live::{FeedSlot, Topic, Watch, Woken};
use base::text::Lang;

/// So many of the latest frames are kept for those who are nearly up to date; who is not reads for themselves.
const FRAMES_KEPT: usize = 64;
const FRAMES_A_READ: i64 = 100;

/// What was read of a watched match.
pub struct Feed {
    snapshot: Arc<Snapshot>,
    frames: VecDeque<Arc<Frame>>,
}

/// A match at one moment.
pub struct Snapshot {
    pub row: MatchRow,
    pub state: Option<Vec<u8>>,
    /// The first version of the decision that it waits for: what was chosen since then is still good.
    pub decision_since: i32,
    pub terms: Terms,
    pub reveals: Reveals,
    clock: Option<ClockRow>,
    /// The database's time when it was read, and since when that is.
    now: Timestamp,
    read: Instant,
    pub seats: Seats,
    /// What its status is as a text, by the looks of staff that its readers may know of.
    pub status: Memo<Vec<Reveal>>,
}

/// One version: what was told, and to whom.
pub struct Frame {
    pub version: i32,
    pub at: Timestamp,
    pub made_by: MadeBy,
    pub events: Vec<Addressed<Json>>,
    /// It as a text, for each kind of viewer, the language of its sentences and the looks of staff since this version.
    pub texts: Memo<(Viewer, Option<Lang>, Vec<Reveal>)>,
}

/// Texts that all watchers of a kind share: the first who needs one makes it.
#[derive(Debug)]
pub struct Memo<K>(Mutex<Vec<(K, Arc<str>)>>);

impl<K> Default for Memo<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: PartialEq> Memo<K> {
    pub fn get_or<E>(&self, key: K, make: impl FnOnce() -> Result<String, E>) -> Result<Arc<str>, E> {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, text)) = made.iter().find(|(of, _)| *of == key) {
            return Ok(text.clone());
        }
        let text: Arc<str> = make()?.into();
        made.push((key, text.clone()));
        Ok(text)
    }
}

impl Frame {
    pub fn of(row: &LogRow) -> Result<Self> {
        Ok(Self {
            version: row.version,
            at: row.at,
            made_by: row.made_by,
            events: replay::events_of(row)?,
            texts: Memo::default(),
        })
    }
}

/// The match as it is, up to all news that were heard when this was called.
pub async fn snapshot(watch: &mut Watch, db: &Db) -> Result<Arc<Snapshot>> {
    watch.catch_up();
    let mut feed = watch.topic.feed.lock().await;
    refresh(&watch.topic, &mut feed, db).await
}

/// The frames after this version: some of them, if there are many.
pub async fn frames_after(watch: &mut Watch, db: &Db, after: i32) -> Result<(Arc<Snapshot>, Vec<Arc<Frame>>)> {
    watch.catch_up();
    let mut guard = watch.topic.feed.lock().await;
    let snapshot = refresh(&watch.topic, &mut guard, db).await?;
    if snapshot.state.is_none() || after >= snapshot.row.version {
        return Ok((snapshot, Vec::new()));
    }
    let (Some(feed), version) = (guard.get_mut::<Feed>(), snapshot.row.version) else {
        return Ok((snapshot, Vec::new()));
    };
    let kept_to = feed.frames.back().map(|frame| frame.version);
    if kept_to.is_none_or(|kept| kept < version) {
        let from = kept_to.unwrap_or(-1).max(version - FRAMES_KEPT as i32);
        if kept_to.is_some_and(|kept| kept < from) {
            feed.frames.clear();
        }
        for row in store::list_log(&mut *db.conn().await?, watch.topic.id, from, FRAMES_KEPT as i64).await? {
            feed.frames.push_back(Arc::new(Frame::of(&row)?));
        }
        while feed.frames.len() > FRAMES_KEPT {
            feed.frames.pop_front();
        }
    }
    let first = feed.frames.front().map(|frame| frame.version);
    if first.is_some_and(|first| first <= after + 1) {
        let frames = feed.frames.iter().filter(|frame| frame.version > after && frame.version <= version);
        return Ok((snapshot, frames.cloned().collect()));
    }
    // Far behind: the others need not wait for this.
    drop(guard);
    let rows = store::list_log(&mut *db.conn().await?, watch.topic.id, after, FRAMES_A_READ).await?;
    let frames = rows.iter().map(|row| Frame::of(row).map(Arc::new));
    Ok((snapshot, frames.collect::<Result<_>>()?))
}

/// The match as soon as it is as somebody waits for, or as it is when their patience or the server is at its end. Holds no
/// connection while it waits.
pub async fn until(
    watch: &mut Watch,
    db: &Db,
    patience: Duration,
    is_there: impl AsyncFn(&Snapshot) -> Result<bool>,
) -> Result<Arc<Snapshot>> {
    let mut patience = std::pin::pin!(tokio::time::sleep(patience));
    loop {
        let snapshot = snapshot(watch, db).await?;
        if is_there(snapshot.as_ref()).await? {
            return Ok(snapshot);
        }
        let woken = tokio::select! {
            woken = watch.woken(Duration::MAX) => woken,
            () = &mut patience => Woken::Timeout,
        };
        if woken != Woken::News {
            return Ok(snapshot);
        }
    }
}

async fn refresh(topic: &Topic, slot: &mut FeedSlot, db: &Db) -> Result<Arc<Snapshot>> {
    if let Some(feed) = slot.get::<Feed>().filter(|feed| feed.snapshot.row.change_seq >= topic.news()) {
        return Ok(feed.snapshot.clone());
    }
    let mut conn = db.conn().await?;
    let found = heal::find_whole(&mut conn, topic.id).await?;
    let found = found.ok_or_else(|| not_found("match_not_found"))?;
    let row = &found.row;
    let before: Option<Feed> = slot.take();
    let seats = match &before {
        Some(before) if before.snapshot.has_seats_of(row) => before.snapshot.seats.clone(),
        _ => store::list_all_seats(&conn, &[row.id]).await?,
    };
    topic.hear(row.change_seq);
    let snapshot = Arc::new(Snapshot::of(found, seats));
    let frames = before.map(|before| before.frames).unwrap_or_default();
    slot.put(Feed { snapshot: snapshot.clone(), frames });
    Ok(snapshot)
}

impl Snapshot {
    pub async fn read(conn: &mut AsyncPgConnection, id: MatchId) -> Result<Self> {
        let ids = [id];
        let (found, seats) = tokio::try_join!(store::find_whole(conn, id), store::list_all_seats(conn, &ids))?;
        let found = heal::healed(conn, found).await?.ok_or_else(|| not_found("match_not_found"))?;
        Ok(Self::of(found, seats))
    }

    pub fn of(found: WholeMatch, seats: Seats) -> Self {
        let WholeMatch { row, state, decision_since, terms, clock, reveals, now } = found;
        Self {
            row,
            state,
            decision_since,
            terms: terms.unwrap_or_default(),
            reveals,
            seats,
            clock,
            now,
            read: Instant::now(),
            status: Memo::default(),
        }
    }

    /// While it runs, for those who see it without delay.
    pub fn clock(&self) -> Option<Clock> {
        let row = &self.row;
        let since_read = i64::try_from(self.read.elapsed().as_micros()).unwrap_or_default();
        let clock = || {
            let to_move = seats_in(row.to_move).iter().collect();
            Clock::of(to_move, row.moved_at, self.clock.as_ref(), self.now + SignedDuration::from_micros(since_read))
        };
        (row.status == Status::Running).then(clock)
    }

    /// Whether nothing but moves has happened since: a move counts as one piece of news.
    fn has_seats_of(&self, row: &MatchRow) -> bool {
        row.change_seq - self.row.change_seq == i64::from(row.version - self.row.version)
    }
}

#[cfg(test)]
mod tests {
    use engine::Seat;

    use super::*;

    #[test]
    fn a_text_is_made_once_for_each_kind_of_viewer() {
        let memo = Memo::default();
        let get = |key, text: &str| memo.get_or(key, || Ok::<_, ()>(text.to_owned())).unwrap();
        let public = get(Viewer::Public, "public");
        assert!(Arc::ptr_eq(&public, &get(Viewer::Public, "again")));
        let first = Viewer::Seat(Seat(0));
        assert_eq!(memo.get_or(first, || Err("broken")), Err("broken"));
        assert_eq!(&*get(first, "the first seat"), "the first seat");
    }
}
