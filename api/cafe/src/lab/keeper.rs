//! Runs what was asked of the lab and, where it may work ahead, what nobody has asked yet: one run at a time in each process, on
//! threads of the lowest priority, which rest while others need the machine.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering};
use std::time::Duration;

use engine::bots::Policy;
use engine::lab::{Experiment, Report, Size, Watch};
use jiff::{SignedDuration, Timestamp};
use serde_json::to_value;
use tokio::sync::oneshot;

use super::store::{self, Claim, RunRow};
use super::{LabRunId, PRECISION, RunStatus, first_topic};
use base::db::Db;
use base::error::{Result, internal};
use base::games::{bad_options, guarded, kind};
use base::spare::{self, Gate, Haste};
use base::stop::Stop;
use base::world::World;

const BETWEEN_LOOKS: Duration = Duration::from_secs(2);
const BETWEEN_BEATS: Duration = Duration::from_secs(1);
/// A process that has said nothing for so long is gone.
const LOST_AFTER: SignedDuration = SignedDuration::from_secs(30);
/// A run that works longer is given up.
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// So long bots that search may play, rests left out, then the verdict says how much is known. The page speaks of a minute.
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
                Ok::<_, base::error::Error>(())
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
struct Signals {
    /// In percent.
    progress: AtomicI16,
    /// Shut while the threads rest; over once the run is.
    gate: Gate,
    world: World,
    since: Timestamp,
}

impl Signals {
    fn new(world: World) -> Self {
        Self { progress: AtomicI16::new(0), gate: Gate::default(), world, since: world.now() }
    }

    fn end(&self) {
        self.gate.end(self.world.now());
    }
}

impl Watch for Signals {
    fn goes_on(&self, share: f64) -> bool {
        self.progress.fetch_max((share * 100.0).clamp(0.0, 100.0) as i16, Ordering::Relaxed);
        !self.gate.is_over()
    }

    fn make_way(&self) {
        self.gate.pass();
    }

    /// Without the time in which it rested.
    fn elapsed(&self) -> Duration {
        let now = self.world.now();
        (now.duration_since(self.since) - self.gate.shut_for(now)).try_into().unwrap_or_default()
    }
}

async fn run_claimed(db: &Db, world: &World, stop: &Stop, (claim, row): (Claim, RunRow)) -> Result<()> {
    let id = claim.run;
    tracing::debug!(lab_run_id = %id, game = row.game, seats = row.seat_count, "started a lab run");
    let signals = Arc::new(Signals::new(*world));
    let watch = signals.clone();
    let told = spare::begin("lab", Haste::None, move || experiment(&row, &*watch))?;
    let found = tokio::select! {
        found = attend(db, stop, claim, &signals, told) => found?,
        never = spare::make_way(&signals.gate, world) => match never {},
    };
    let (status, report) = match found {
        Ok(Some(report)) => (RunStatus::Finished, Some(to_value(report).map_err(internal)?)),
        Ok(None) if stop.is_requested() => (RunStatus::Waiting, None),
        // Somebody may have cancelled it: then it is not this process's any more, and stays so.
        Ok(None) => (RunStatus::Failed, None),
        Err(err) => {
            tracing::warn!(lab_run_id = %id, error = format!("{err:#}"), "running a lab run failed");
            (RunStatus::Failed, None)
        }
    };
    store::leave(&mut *db.conn().await?, claim, status, report).await?;
    tracing::debug!(lab_run_id = %id, status = status.as_str(), "ended a lab run");
    Ok(())
}

/// Says every second that this process is at the run, and ends it where it may not go on. Gives what it found.
async fn attend(
    db: &Db,
    stop: &Stop,
    claim: Claim,
    signals: &Signals,
    mut told: oneshot::Receiver<Result<Option<Report>>>,
) -> Result<Result<Option<Report>>> {
    loop {
        tokio::select! {
            found = &mut told => return found.map_err(internal),
            () = tokio::time::sleep(BETWEEN_BEATS) => {}
            () = stop.requested() => signals.end(),
        }
        let is_ours = async {
            let progress = signals.progress.load(Ordering::Relaxed);
            let now = signals.world.now();
            Ok::<_, base::error::Error>(store::beat(&mut *db.conn().await?, claim, progress, now).await?)
        };
        // Without the database it goes on: what it finds can be kept once the database is back.
        if stop.is_requested() || signals.elapsed() > LONGEST || matches!(is_ours.await, Ok(false)) {
            signals.end();
            return told.await.map_err(internal);
        }
    }
}

/// Plays for as long as the run is not over.
fn experiment(row: &RunRow, watch: &dyn Watch) -> Result<Option<Report>> {
    let kind = kind(&row.game)?;
    let mut policies = vec![Policy::Random, Policy::Autopilot];
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicI64;
    use std::sync::mpsc;

    use serde_json::json;

    use super::*;

    /// A world whose clock a test sets.
    fn world() -> (World, &'static AtomicI64) {
        static NOW: AtomicI64 = AtomicI64::new(0);
        (World::of(|| Timestamp::from_second(NOW.load(Ordering::Relaxed)).unwrap(), |bytes| bytes.fill(7)), &NOW)
    }

    fn row() -> RunRow {
        RunRow {
            id: LabRunId(uuid::Uuid::nil()),
            game: "animal-kingdom".to_owned(),
            variant_hash: Vec::new(),
            against_hash: Vec::new(),
            options: json!({}),
            against: json!({}),
            seat_count: 10,
            search: true,
            status: RunStatus::Running,
            progress: 0,
            report: None,
        }
    }

    #[test]
    fn a_run_that_rests_does_not_go_on_and_can_be_ended() {
        let (world, now) = world();
        let signals = Signals::new(world);
        signals.gate.set(false, world.now());
        let (tell, told) = mpsc::sync_channel(1);
        let watch = Telling { signals: &signals, tell };
        std::thread::scope(|scope| {
            let run = scope.spawn(|| experiment(&row(), &watch));
            told.recv().unwrap();
            now.store(3600, Ordering::Relaxed);
            assert_eq!(signals.elapsed(), Duration::ZERO, "an hour of rest is no hour of work");
            assert!(!run.is_finished());
            signals.end();
            assert!(run.join().unwrap().unwrap().is_none(), "there is no report");
        });
        now.store(3605, Ordering::Relaxed);
        assert_eq!((signals.elapsed(), signals.goes_on(0.5)), (Duration::from_secs(5), false));
    }

    /// Tells when the run comes to the gate.
    struct Telling<'a> {
        signals: &'a Signals,
        tell: mpsc::SyncSender<()>,
    }

    impl Watch for Telling<'_> {
        fn goes_on(&self, share: f64) -> bool {
            self.signals.goes_on(share)
        }

        fn make_way(&self) {
            let _ = self.tell.try_send(());
            self.signals.make_way();
        }
    }
}
