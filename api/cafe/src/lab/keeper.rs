//! Runs what was asked of the lab and, where it may work ahead, what nobody has asked yet: one run at a time in each process, on
//! threads of the lowest priority.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI16, Ordering};
use std::time::Duration;

use engine::bots::Policy;
use engine::lab::{Experiment, Report, Size, Watch};
use jiff::{SignedDuration, Timestamp};
use serde_json::to_value;

use super::store::{self, Claim, RunRow};
use super::{LabRunId, PRECISION, RunStatus, first_topic};
use crate::db::Db;
use crate::error::{Result, internal};
use crate::games::{bad_options, guarded, kind};
use crate::spare::{self, Haste};
use crate::stop::Stop;
use crate::world::World;

const BETWEEN_LOOKS: Duration = Duration::from_secs(2);
const BETWEEN_BEATS: Duration = Duration::from_secs(1);
/// A process that has said nothing for so long is gone.
const LOST_AFTER: SignedDuration = SignedDuration::from_secs(30);
/// A run that takes longer is given up.
const LONGEST: SignedDuration = SignedDuration::from_mins(15);
/// So long bots that search may play, then the verdict says how much is known. The page speaks of a minute.
const SEARCHES: Duration = Duration::from_secs(60);
/// So many versions are looked through for one that can be asked about.
const LOOKED_THROUGH: i64 = 20;

/// Runs them from now on; with `ahead` also what nobody has asked.
pub fn start(db: Db, world: World, ahead: bool, stop: Stop) {
    let runtime = db.runtime().clone();
    runtime.spawn(async move {
        while stop.sleep(BETWEEN_LOOKS).await {
            let ran = async {
                while let Some(run) = next(&db, &world, ahead).await? {
                    run_claimed(&db, &world, &stop, run).await?;
                    if stop.is_requested() {
                        break;
                    }
                }
                Ok::<_, crate::error::Error>(())
            };
            if let Err(err) = ran.await {
                tracing::warn!(error = format!("{err:#}"), "running the lab failed");
            }
        }
    });
}

/// The next run, claimed by this process. Where nobody asks, it may ask about rules that it does not know.
async fn next(db: &Db, world: &World, ahead: bool) -> Result<Option<(Claim, RunRow)>> {
    let conn = &mut *db.conn().await?;
    let (claim, now) = (world.uuid(), world.now());
    let mut claimed = store::claim(conn, claim, now, now - LOST_AFTER).await?;
    if claimed.is_none() && ahead {
        let unknown = store::list_unknown(conn, LOOKED_THROUGH).await?;
        let Some(topic) = unknown.iter().find_map(|(game, version)| first_topic(game, version)) else {
            return Ok(None);
        };
        store::ask(conn, LabRunId(world.uuid()), &topic, now).await?;
        claimed = store::claim(conn, claim, now, now - LOST_AFTER).await?;
    }
    Ok(claimed.map(|row| (Claim { run: row.id, claim }, row)))
}

/// What the threads of a run and its keeper tell each other.
#[derive(Default)]
struct Signals {
    /// In percent.
    progress: AtomicI16,
    is_over: AtomicBool,
}

/// What the threads of a run ask.
struct LabWatch {
    signals: Arc<Signals>,
    world: World,
    since: Timestamp,
}

impl Watch for LabWatch {
    fn goes_on(&self, share: f64) -> bool {
        self.signals.progress.fetch_max((share * 100.0).clamp(0.0, 100.0) as i16, Ordering::Relaxed);
        !self.signals.is_over.load(Ordering::Relaxed)
    }

    fn elapsed(&self) -> Duration {
        self.world.now().duration_since(self.since).try_into().unwrap_or_default()
    }
}

async fn run_claimed(db: &Db, world: &World, stop: &Stop, (claim, row): (Claim, RunRow)) -> Result<()> {
    let id = claim.run;
    tracing::debug!(lab_run_id = %id, game = row.game, seats = row.seat_count, "lab run started");
    let (signals, since) = (Arc::new(Signals::default()), world.now());
    let watch = LabWatch { signals: signals.clone(), world: *world, since };
    let mut told = spare::begin("lab", Haste::None, move || experiment(&row, &watch))?;
    let found = loop {
        tokio::select! {
            found = &mut told => break found.map_err(internal)?,
            () = tokio::time::sleep(BETWEEN_BEATS) => {}
            () = stop.requested() => signals.is_over.store(true, Ordering::Relaxed),
        }
        let is_ours = async {
            let progress = signals.progress.load(Ordering::Relaxed);
            Ok::<_, crate::error::Error>(store::beat(&mut *db.conn().await?, claim, progress, world.now()).await?)
        };
        // Without the database it goes on: what it finds can be kept once the database is back.
        if stop.is_requested() || world.now() > since + LONGEST || matches!(is_ours.await, Ok(false)) {
            signals.is_over.store(true, Ordering::Relaxed);
            break told.await.map_err(internal)?;
        }
    };
    let (status, report) = match found {
        Ok(Some(report)) => (RunStatus::Finished, Some(to_value(report).map_err(internal)?)),
        Ok(None) if stop.is_requested() => (RunStatus::Waiting, None),
        // Somebody may have cancelled it: then it is not this process's any more, and stays so.
        Ok(None) => (RunStatus::Failed, None),
        Err(err) => {
            tracing::warn!(lab_run_id = %id, error = format!("{err:#}"), "lab run failed");
            (RunStatus::Failed, None)
        }
    };
    store::leave(&mut *db.conn().await?, claim, status, report).await?;
    tracing::debug!(lab_run_id = %id, status = status.as_str(), "lab run ended");
    Ok(())
}

/// Plays for as long as the run is not over.
fn experiment(row: &RunRow, watch: &LabWatch) -> Result<Option<Report>> {
    let kind = kind(&row.game)?;
    let mut policies = vec![Policy::Random, Policy::House];
    if row.search {
        policies.push(kind.lab_search());
    }
    let experiment = Experiment {
        against: (row.variant_hash != row.against_hash).then(|| row.against.clone()),
        policies,
        size: Size::Precision(PRECISION),
        patience: Some(SEARCHES),
        ..Experiment::new(row.options.clone(), u8::try_from(row.seat_count).map_err(internal)?)
    };
    // The other processors are for people, and for the database.
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    guarded(|| experiment.run(kind, (processors / 2).max(1), watch))?
        .map_err(|bad| bad_options(kind, &row.options, &bad))
}
