//! What keeps the log from growing for ever: logs of matches that have been over for as long as the café says are packed, and the log's
//! partitions are made ahead and dropped when they are empty.
//!
//! A log is unpacked again and compared before its rows go, and in the same transaction the database compares what was packed with the
//! rows by itself. A process that is killed meanwhile has changed nothing. Of several processes each packs other matches.

use std::time::Duration;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

use super::packed;
use super::store::{self, Archive, Due, Packed};
use base::db::Db;
use base::error::{Error, Result, internal};
use base::ids::MatchId;
use base::settings;
use base::spare::{self, Haste};
use base::stop::Stop;
use base::world::World;

const BETWEEN_ROUNDS: Duration = Duration::from_secs(60);
/// Nobody waits for it: requests come in between.
const BETWEEN_TRANSACTIONS: Duration = Duration::from_millis(100);
/// Partitions are looked after once in so many rounds, and at first.
const ROUNDS_BETWEEN_PARTITIONS: u32 = 60;
/// So many in one transaction.
const MATCHES_AT_ONCE: i64 = 10;

/// Packs from now on.
pub fn start(db: Db, world: World, stop: Stop) {
    let runtime = db.runtime().clone();
    runtime.spawn(async move {
        for round in (0..ROUNDS_BETWEEN_PARTITIONS).cycle() {
            if round == 0 {
                keep_partitions(&db).await;
            }
            let packed = pack_all(&db, &world, &stop).await;
            metrics::gauge!("log_packing_failing").set(u32::from(packed.is_err()));
            if packed.is_ok() {
                metrics::gauge!("log_packing_last_success_timestamp_seconds").set(world.now().as_second() as f64);
            }
            match packed {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "packed logs of matches"),
                Err(err) => tracing::warn!(error = format!("{err:#}"), "packing logs of matches failed"),
            }
            if !stop.sleep(BETWEEN_ROUNDS).await {
                return;
            }
        }
    });
}

/// What would have to wait for somebody else is left to another time.
async fn keep_partitions(db: &Db) {
    let made = async { Ok::<_, Error>(store::make_partitions(&mut *db.conn().await?).await?) };
    match made.await {
        Ok(0) => {}
        Ok(count) => tracing::info!(count, "made partitions of the log"),
        Err(err) => tracing::warn!(error = format!("{err:#}"), "making partitions of the log failed"),
    }
    let dropped = async { Ok::<_, Error>(store::drop_partition(&mut *db.conn().await?).await?) };
    match dropped.await {
        Ok(0) => {}
        Ok(_) => tracing::info!("dropped an empty partition of the log"),
        Err(err) => tracing::info!(error = format!("{err:#}"), "dropping an empty partition of the log failed"),
    }
}

async fn pack_all(db: &Db, world: &World, stop: &Stop) -> Result<i64> {
    let mut count = 0;
    loop {
        // The connection goes back in between: other work in the background waits for one, too.
        let Some(packed) = pack_some(&mut *db.conn().await?, world).await? else { return Ok(count) };
        count += packed;
        if !stop.sleep(BETWEEN_TRANSACTIONS).await {
            return Ok(count);
        }
    }
}

/// Packs the next of them, if the café packs logs at all: how many. None if there are none.
pub async fn pack_some(conn: &mut AsyncPgConnection, world: &World) -> Result<Option<i64>> {
    let Some(days) = settings::store::find(conn, false).await?.pack_logs_after_days else { return Ok(None) };
    let now = world.now();
    let before = now - SignedDuration::from_hours(24 * i64::from(days));
    conn.transaction(async |conn| {
        let due = store::claim(conn, before, MATCHES_AT_ONCE).await?;
        if due.is_empty() {
            return Ok(None);
        }
        let ids: Vec<MatchId> = due.iter().map(|it| it.match_id).collect();
        let work = spare::begin("packing", Haste::None, move || pack(due))?;
        let (archives, text_bytes) = work.await.map_err(internal)?;
        keep(conn, &ids, archives, (text_bytes, now)).await.map(Some)
    })
    .await
}

async fn keep(
    conn: &mut AsyncPgConnection,
    ids: &[MatchId],
    archives: Vec<Archive>,
    (text_bytes, at): (usize, Timestamp),
) -> Result<i64> {
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    if !archives.is_empty() {
        store::insert(conn, &archives).await?;
        let packed: Vec<MatchId> = archives.iter().map(|it| it.match_id).collect();
        let expected: i64 = archives.iter().map(|it| i64::from(it.versions)).sum();
        let deleted = store::forget_rows(conn, &packed).await?;
        if deleted != expected {
            return Err(internal(anyhow::anyhow!("{deleted} rows were deleted, and {expected} were packed")));
        }
        let archive_bytes = number(archives.iter().map(|it| it.content.len()).sum());
        let packed = Packed { matches: number(archives.len()), text_bytes: number(text_bytes), archive_bytes, at };
        store::add_up(conn, &packed).await?;
    }
    // Also those that are packed already and those that can't be: these stay rows.
    store::settle(conn, ids).await?;
    metrics::counter!("logs_packed_total").increment(archives.len() as u64);
    Ok(number(archives.len()))
}

/// Those that can be packed, and the bytes of their texts.
fn pack(due: Vec<Due>) -> (Vec<Archive>, usize) {
    let (mut archives, mut bytes) = (Vec::new(), 0);
    for Due { match_id, text } in due {
        let Some(text) = text else { continue };
        match pack_one(match_id, &text) {
            Ok(archive) => {
                bytes += text.len();
                archives.push(archive);
            }
            Err(err) => {
                tracing::warn!(%match_id, error = %err, "packing the log of a match failed: it stays as it is");
            }
        }
    }
    (archives, bytes)
}

fn pack_one(match_id: MatchId, text: &str) -> std::io::Result<Archive> {
    let content = packed::pack(text)?;
    let read = packed::unpack(&content)?;
    if read != text {
        return Err(std::io::Error::other("it comes back as another"));
    }
    let versions = i32::try_from(packed::rows(&read)?.len()).map_err(std::io::Error::other)?;
    Ok(Archive { match_id, versions, sha256: Sha256::digest(text).to_vec(), content })
}
