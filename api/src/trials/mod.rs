//! Trials: staff play a variant for every seat before a guest does. The rules and the chance are the real ones, but a trial
//! is none of the house's matches, so it counts nowhere and leaves a draft free to change.

pub mod admin;
mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::{FairDealer, Json, Match, PlayError, Seat, SeatSet, Seed, StartError, Turn, Viewer};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use serde_json::value::to_raw_value;

use crate::audit::{self, Entry};
use crate::error::{ApiResult, conflict, internal, not_found, unprocessable};
use crate::extract::Player;
use crate::games::{bad_options, guarded};
pub use crate::ids::TrialId;
use crate::ids::VariantId;
use crate::matches::store::JsonText;
use crate::matches::{kind, resume};
use crate::variants;
use crate::world::World;
use store::{Advance, NewTrial, TrialRow};

const KEPT: SignedDuration = SignedDuration::from_hours(24);
const EVENTS_KEPT: usize = 60;
/// So many moves the house makes at once.
const MOST_HOUSE_MOVES: usize = 20;

/// Begins a trial of the variant's latest version, draft or not.
pub(crate) async fn start(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Player,
    variant: VariantId,
    seats: Option<u8>,
) -> ApiResult<TrialId> {
    let (variant, version) = variants::latest_of(conn, variant).await?;
    let kind = kind(&variant.game)?;
    // Some options do only for some numbers of seats.
    let mut counts = kind.info().seats.filter(|count| seats.is_none_or(|seats| seats == *count));
    let count = counts.find(|count| kind.settle_options(&version.options, *count).is_ok());
    let count = count.ok_or_else(|| unprocessable("invalid_seats"))?;
    let seed = world.bytes::<32>();
    let mut dealer = FairDealer::new(Seed(seed), [], 0);
    let (play, step) = guarded(|| kind.start(&version.options, count, &mut dealer))?.map_err(|err| match err {
        StartError::BadOptions(bad) => bad_options(&bad),
        StartError::Chance(err) => internal(err),
    })?;
    let told: Vec<&Json> = step.told_to(Viewer::Public).collect();
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
        told: kept(&told)?,
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
        ApiResult::Ok(())
    })
    .await?;
    Ok(id)
}

/// What is done in a trial.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice {
    /// The seat makes this one of its legal moves.
    Move { seat: Seat, number: usize },
    /// The house makes so many moves, for whoever is on turn.
    House(usize),
}

/// Does it, if the trial is still as it was seen.
pub(crate) async fn play(
    conn: &mut AsyncPgConnection,
    world: &World,
    id: TrialId,
    version: i32,
    choice: Choice,
) -> ApiResult<()> {
    let trial = Trial::find(conn, id, world.now()).await?;
    if trial.row.version != version {
        return Err(conflict("trial_moved"));
    }
    let mut play = trial.resume()?;
    let seed = trial.row.seed.as_slice().try_into().map(Seed).map_err(internal)?;
    let mut dealer = FairDealer::new(seed, [], u64::try_from(trial.row.chance_count).map_err(internal)?);
    let mut told: Vec<Json> = trial.told()?;
    let mut moves = 0;
    let most = match choice {
        Choice::Move { .. } => 1,
        Choice::House(count) => count.min(MOST_HOUSE_MOVES),
    };
    while moves < most {
        let Some((seat, chosen)) = choice.next(&*play)? else { break };
        let chosen = serde_json::from_str(chosen.get()).map_err(internal)?;
        let step = guarded(|| play.play(seat, &chosen, &mut dealer))?.map_err(|err| match err {
            PlayError::Refused(refusal) => unprocessable(refusal.0),
            PlayError::Chance(err) => internal(err),
        })?;
        told.extend(step.told_to(Viewer::Public).cloned());
        moves += 1;
    }
    if moves == 0 {
        return Err(conflict("trial_moved"));
    }
    let told: Vec<&Json> = told.iter().collect();
    let advance = Advance {
        version: version + i32::try_from(moves).map_err(internal)?,
        chance_count: i64::try_from(dealer.index()).map_err(internal)?,
        state: guarded(|| play.save())?,
        told: kept(&told)?,
    };
    match store::advance(conn, id, version, advance).await? {
        0 => Err(conflict("trial_moved")),
        _ => Ok(()),
    }
}

impl Choice {
    /// The next move that comes of it; none if there is none.
    fn next(self, play: &dyn Match) -> ApiResult<Option<(Seat, Json)>> {
        match self {
            Self::Move { seat, number } => {
                let moves = guarded(|| play.legal_moves(seat))?;
                Ok(moves.into_iter().nth(number).map(|chosen| (seat, chosen)))
            }
            Self::House(_) => match on_turn(play)?.0.iter().next() {
                Some(seat) => Ok(guarded(|| play.autopilot(seat))?.map(|chosen| (seat, chosen))),
                None => Ok(None),
            },
        }
    }
}

/// A trial with the variant that it is of.
pub(crate) struct Trial {
    row: TrialRow,
    game: String,
    name: String,
}

impl Trial {
    async fn find(conn: &mut AsyncPgConnection, id: TrialId, now: Timestamp) -> ApiResult<Self> {
        let found = store::find(conn, id, now - KEPT).await?;
        let (row, game, name) = found.ok_or_else(|| not_found("trial_not_found"))?;
        Ok(Self { row, game, name })
    }

    fn resume(&self) -> ApiResult<Box<dyn Match>> {
        resume(&self.game, self.row.revision, &self.row.state)
    }

    fn told(&self) -> ApiResult<Vec<Json>> {
        serde_json::from_str(self.row.told.0.get()).map_err(internal)
    }
}

/// Who is to move, and who may call something out of turn.
fn on_turn(play: &dyn Match) -> ApiResult<(SeatSet, SeatSet)> {
    Ok(match guarded(|| play.turn())? {
        Turn::Seats { to_move, interrupt } => (to_move, interrupt),
        Turn::Over(_) => (SeatSet::none(), SeatSet::none()),
        Turn::Chance => return Err(internal(anyhow::anyhow!("a trial waits for chance"))),
    })
}

/// The latest of them, as a row keeps them.
fn kept(told: &[&Json]) -> ApiResult<JsonText> {
    let latest = &told[told.len().saturating_sub(EVENTS_KEPT)..];
    Ok(JsonText(to_raw_value(latest).map_err(internal)?))
}
