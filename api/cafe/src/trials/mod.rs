//! Trials: staff play a variant for every seat before a guest does. The rules and the chance are the real ones, but a trial
//! is none of the café's matches, so it counts nowhere and leaves a draft free to change.

pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::{FairDealer, Json, Match, PlayError, Seat, SeatSet, Seed, StartError, Turn, Viewer};
use jiff::{SignedDuration, Timestamp};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use base::audit::{self, Entry};
use base::auth::{Actor, StaffContext, can};
use base::error::{Error, Result, conflict, internal, not_found, unprocessable};
use base::games::{bad_options, guarded, kind, resume};
pub use base::ids::TrialId;
use base::ids::VariantId;
use base::world::World;
use play::matches::refused_by_rules;
use play::matches::store::JsonText;
use play::variants;
use store::{Advance, NewTrial, TrialRow};

const KEPT: SignedDuration = SignedDuration::from_hours(24);
const EVENTS_KEPT: usize = 60;
/// So many moves the autopilot makes at once.
const MOST_AUTOPILOT_MOVES: usize = 20;

/// Begins a trial of the variant's latest version, draft or not.
pub async fn start(
    cx: &mut StaffContext<'_, can::ManageVariants>,
    variant: VariantId,
    seats: Option<u8>,
) -> Result<TrialId> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let (variant, version) = variants::latest_of(conn, variant).await?;
    let kind = kind(&variant.game)?;
    // Some options do only for some numbers of seats.
    let mut counts = kind.info().seats.filter(|count| seats.is_none_or(|seats| seats == *count));
    let count = counts.find(|count| kind.normalize_options(&version.options, *count).is_ok());
    let count = count.ok_or_else(|| unprocessable("invalid_seats"))?;
    let seed = world.bytes::<32>();
    let mut dealer = FairDealer::new(Seed(seed), [], 0);
    let (play, step) = guarded(|| kind.start(&version.options, count, &mut dealer))?.map_err(|err| match err {
        StartError::BadOptions(bad) => bad_options(kind, &version.options, &bad),
        StartError::Chance(err) => internal(err),
    })?;
    let events: Vec<&Json> = step.events_for(Viewer::Public).collect();
    let id = TrialId(world.uuid());
    let new = NewTrial {
        id,
        variant_id: variant.id,
        variant_version: version.number,
        options: &version.options,
        revision: i32::try_from(kind.info().revision).map_err(internal)?,
        seat_count: i16::from(count),
        seed: &seed,
        chance_count: i64::try_from(dealer.index()).map_err(internal)?,
        state: &guarded(|| play.save())?,
        events: kept(&events)?,
        created_by: staff.id,
        created_at: world.now().into(),
    };
    conn.transaction(async |conn| {
        store::delete_before(conn, world.now() - KEPT).await?;
        store::insert(conn, new).await?;
        let details = json!({ "version": version.number, "seats": count });
        let subject_id = Some(variant.id.0);
        let entry = Entry { actor: Some(staff.id), action: "variant.try", subject: "variant", subject_id, details };
        audit::record(conn, world, entry).await?;
        Ok::<_, Error>(())
    })
    .await?;
    Ok(id)
}

/// What is done in a trial.
#[derive(Clone, Debug)]
pub enum Choice {
    /// The seat makes this move.
    Move { seat: Seat, chosen: Value },
    /// The autopilot makes this many moves, for the seat on turn.
    Autopilot(usize),
}

/// Does it, if the trial is still as it was seen.
pub async fn play(
    cx: &mut StaffContext<'_, can::ManageVariants>,
    id: TrialId,
    version: i32,
    choice: Choice,
) -> Result<()> {
    let (conn, Actor { world, .. }) = cx.parts().await?;
    let trial = Trial::find(conn, id, world.now()).await?;
    if trial.row.version != version {
        return Err(conflict("trial_moved"));
    }
    let mut play = trial.resume()?;
    let seed = trial.row.seed.as_slice().try_into().map(Seed).map_err(internal)?;
    let mut dealer = FairDealer::new(seed, [], u64::try_from(trial.row.chance_count).map_err(internal)?);
    let mut events: Vec<Json> = trial.events()?;
    let mut moves = 0;
    let most = match &choice {
        Choice::Move { .. } => 1,
        Choice::Autopilot(count) => (*count).min(MOST_AUTOPILOT_MOVES),
    };
    while moves < most {
        let Some((seat, chosen)) = choice.next(world, &*play)? else { break };
        let step = guarded(|| play.play(seat, &chosen, &mut dealer))?.map_err(|err| match err {
            PlayError::Refused(refusal) => refused_by_rules(&trial.game, refusal.0),
            PlayError::Chance(err) => internal(err),
        })?;
        events.extend(step.events_for(Viewer::Public).cloned());
        moves += 1;
    }
    if moves == 0 {
        return Err(conflict("trial_moved"));
    }
    let events: Vec<&Json> = events.iter().collect();
    let advance = Advance {
        version: version + i32::try_from(moves).map_err(internal)?,
        chance_count: i64::try_from(dealer.index()).map_err(internal)?,
        state: guarded(|| play.save())?,
        events: kept(&events)?,
    };
    match store::advance(conn, id, version, advance).await? {
        0 => Err(conflict("trial_moved")),
        _ => Ok(()),
    }
}

impl Choice {
    /// The next move that comes of it; none if there is none.
    fn next(&self, world: &World, play: &dyn Match) -> Result<Option<(Seat, Value)>> {
        match self {
            Self::Move { seat, chosen } => Ok(Some((*seat, chosen.clone()))),
            Self::Autopilot(_) => {
                let Some(seat) = on_turn(play)?.0.iter().next() else { return Ok(None) };
                let chosen = guarded(|| play.autopilot(seat, &mut world.luck()))?;
                let chosen = chosen.map(|chosen| serde_json::from_str(chosen.get())).transpose().map_err(internal)?;
                Ok(chosen.map(|chosen| (seat, chosen)))
            }
        }
    }
}

/// A trial with the variant that it is of.
pub struct Trial {
    pub row: TrialRow,
    pub game: String,
    pub name: String,
}

impl Trial {
    pub async fn find(conn: &mut AsyncPgConnection, id: TrialId, now: Timestamp) -> Result<Self> {
        let found = store::find(conn, id, now - KEPT).await?;
        let (row, game, name) = found.ok_or_else(|| not_found("trial_not_found"))?;
        Ok(Self { row, game, name })
    }

    pub fn resume(&self) -> Result<Box<dyn Match>> {
        resume(&self.game, self.row.revision, &self.row.state)
    }

    pub fn events(&self) -> Result<Vec<Json>> {
        serde_json::from_str(self.row.events.0.get()).map_err(internal)
    }
}

/// Who is to move, and who may call something out of turn.
pub fn on_turn(play: &dyn Match) -> Result<(SeatSet, SeatSet)> {
    Ok(match guarded(|| play.turn())? {
        Turn::Seats { to_move, interrupt } => (to_move, interrupt),
        Turn::Over(_) => (SeatSet::none(), SeatSet::none()),
        Turn::Chance => return Err(internal(anyhow::anyhow!("a trial waits for chance"))),
    })
}

/// The latest of them, as a row keeps them.
fn kept(events: &[&Json]) -> Result<JsonText> {
    let latest = &events[events.len().saturating_sub(EVENTS_KEPT)..];
    Ok(JsonText(to_raw_value(latest).map_err(internal)?))
}
