//! The arena: for a window of time everybody who is free is paired, by whatever change lets them be and at the latest by the clock.

mod pairing;
mod steps;

use std::collections::HashSet;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::tournaments::{Format, Free};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::by_itself::{Advance, IN_ARENA};
use super::locked::{LockedTournament, LogStep};
use super::store::{self, BoutRow, ParticipantRow, RoundRow};
use super::{RoundStatus, Tournament, TournamentId, TournamentStatus};
use base::error::{Result, internal};
use base::live::Live;
use base::world::World;

pub use self::steps::{Pause, end, pause, resume, set_own_pause, set_pause};

/// The round that is the window.
pub const WINDOW: i16 = 1;
/// How soon tables are looked for again, for those who wait for one.
const TABLE_RETRY: SignedDuration = SignedDuration::from_secs(3);

/// What somebody does in an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(as = ArenaActivity)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// Waits to be paired.
    Waiting,
    Playing,
    Pausing,
}

/// An entrant of the arena who has not left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArenaEntrant {
    pub number: i32,
    pub activity: Activity,
    /// Since when they wait or pause.
    pub since: Option<Timestamp>,
    /// Whether they pause, or will once their bout is over.
    pub is_pausing: bool,
}

impl Tournament {
    /// The window of the arena that is played; none in another format.
    pub fn arena(&self) -> Option<&RoundRow> {
        self.rounds.iter().find(|it| it.is_arena && it.stage == self.row.stage)
    }

    /// Whether people come and go as they like now.
    pub fn takes_arrivals(&self, now: Timestamp) -> bool {
        let is_before_end = |it: &RoundRow| it.status != RoundStatus::Closed && !it.is_past(now);
        self.row.status == TournamentStatus::Running && self.arena().is_some_and(is_before_end)
    }

    /// Whether tables may be given to bouts by any change.
    pub fn pairs_by_itself(&self) -> bool {
        let goes_on = self.arena().is_some() || self.runs_by_itself();
        self.row.status == TournamentStatus::Running && !self.row.sandbox && goes_on
    }

    /// Everybody in the arena who has not left: who waits, the longest first, who plays, and who pauses.
    pub fn arena_entrants(&self) -> Vec<ArenaEntrant> {
        let Some(window) = self.arena() else { return Vec::new() };
        let playing: HashSet<i32> =
            self.bouts_in(window.stage).filter(|it| !it.is_over()).flat_map(|it| it.entrants.iter().copied()).collect();
        let here = self.participants.iter().filter(|it| it.stage == window.stage && it.until_round.is_none());
        let mut all: Vec<ArenaEntrant> = here
            .map(|it| {
                let (activity, since) = match it.paused_since {
                    _ if playing.contains(&it.entrant) => (Activity::Playing, None),
                    Some(paused) => (Activity::Pausing, Some(paused)),
                    None => (Activity::Waiting, self.free_since(window, it)),
                };
                ArenaEntrant { number: it.entrant, activity, since, is_pausing: it.paused_since.is_some() }
            })
            .collect();
        all.sort_by_key(|it| (it.activity, it.since, it.number));
        all
    }

    /// Since when this entrant waits for the next bout.
    fn free_since(&self, window: &RoundRow, entrant: &ParticipantRow) -> Option<Timestamp> {
        let last = self.last_bout(window.stage, entrant.entrant).and_then(|it| it.settled_at);
        [entrant.ready_since, window.started_at, window.resumed_at, last].into_iter().flatten().max()
    }

    /// The bout that this entrant plays.
    pub fn open_bout_of(&self, stage: i16, entrant: i32) -> Option<&BoutRow> {
        self.bouts_in(stage).find(|it| !it.is_over() && it.entrants.contains(&entrant))
    }

    fn last_bout(&self, stage: i16, entrant: i32) -> Option<&BoutRow> {
        self.bouts_in(stage).filter(|it| it.entrants.contains(&entrant)).max_by_key(|it| it.key.0.number)
    }

    /// Those who are free, as the engine knows them.
    fn free(&self, now: Timestamp) -> Result<Vec<Free>> {
        let waits = |it: &ArenaEntrant| it.activity == Activity::Waiting;
        let free = |it: ArenaEntrant| {
            let waited = it.since.map_or(0, |since| now.duration_since(since).as_secs().max(0));
            Ok(Free { entrant: it.number.try_into().map_err(internal)?, waited: waited.try_into().unwrap_or(u32::MAX) })
        };
        self.arena_entrants().into_iter().filter(waits).map(free).collect()
    }
}

impl RoundRow {
    /// Whether people are paired in this window now.
    pub fn pairs(&self, now: Timestamp) -> bool {
        self.status == RoundStatus::Running && self.paused_at.is_none() && self.ends_at.is_none_or(|ends| now < ends)
    }

    /// Whether the time of this window is up. A clock that stands has nothing left if it was stopped after the end.
    pub fn is_past(&self, now: Timestamp) -> bool {
        self.ends_at.is_some_and(|ends| ends <= self.paused_at.unwrap_or(now))
    }
}

/// The window of an arena that begins; it opens once staff start the round.
pub async fn begin(
    conn: &mut AsyncPgConnection,
    locked: &mut LockedTournament,
    stage: i16,
    now: Timestamp,
) -> Result<()> {
    let window = RoundRow {
        status: RoundStatus::Published,
        published_at: Some(now),
        is_arena: true,
        ..RoundRow::drafted(stage, WINDOW, now)
    };
    store::put_round(conn, locked.row.id, &window).await?;
    locked.rounds.push(window);
    Ok(())
}

/// Pairs those who are free, lets those pause who did not come, and closes the window whose time is up.
pub async fn advance(conn: &mut AsyncPgConnection, world: &World, locked: &mut LockedTournament) -> Result<Advance> {
    let stage = locked.row.stage;
    let is_open = |it: &RoundRow| it.is_arena && it.stage == stage && it.status == RoundStatus::Running;
    let Some(at) = locked.rounds.iter().position(is_open) else { return Ok(Advance::default()) };
    if locked.row.status != TournamentStatus::Running {
        return Ok(Advance::default());
    }
    let now = world.now();
    let mut advance = Advance { is_news: pause_absent(conn, locked, now).await?, note: None };
    let mut waits_for_table = false;
    if locked.rounds[at].pairs(now)
        && let Some(paired) = pairing::pair(conn, world, locked, now).await?
    {
        waits_for_table = paired.is_short_of_tables;
        advance.is_news |= !paired.keys.is_empty();
        advance.note = (!paired.keys.is_empty()).then(|| (IN_ARENA, paired.details()));
    }
    let mut window = locked.rounds[at].clone();
    if window.is_past(now) && locked.bouts_in(stage).all(BoutRow::is_over) {
        (window.status, window.closed_at, window.paused_at) = (RoundStatus::Closed, Some(now), None);
        advance.is_news = true;
    }
    window.due_at = next_due(locked, &window, now, waits_for_table)?;
    if window != locked.rounds[at] {
        store::write_round(conn, locked.row.id, &window).await?;
        locked.rounds[at] = window;
    }
    Ok(advance)
}

/// When something may be due by the clock alone: the end, the end of somebody's patience, or a free table.
fn next_due(
    tournament: &Tournament,
    window: &RoundRow,
    now: Timestamp,
    waits_for_table: bool,
) -> Result<Option<Timestamp>> {
    let Format::Arena { patience, .. } = tournament.plan_of(window.stage)?.format else { return Ok(None) };
    if !window.pairs(now) {
        return Ok(None);
    }
    let waiting = tournament.arena_entrants().into_iter().filter(|it| it.activity == Activity::Waiting);
    let patience = SignedDuration::from_secs(patience.into());
    let impatient = waiting.filter_map(|it| it.since).map(|since| since + patience).filter(|at| *at > now);
    let tables = waits_for_table.then(|| now + TABLE_RETRY);
    Ok(impatient.chain(window.ends_at).chain(tables).min())
}

/// Who did not come to the last bout pauses until they say that they are there.
async fn pause_absent(conn: &mut AsyncPgConnection, locked: &mut LockedTournament, now: Timestamp) -> Result<bool> {
    let id = locked.row.id;
    let waiting = locked.arena_entrants().into_iter().filter(|it| it.activity == Activity::Waiting);
    let missing: Vec<i32> = waiting.map(|it| it.number).filter(|it| has_missed_last(locked, *it)).collect();
    for number in &missing {
        let stage = locked.row.stage;
        let theirs = locked.tournament.participants.iter_mut().find(|it| (it.stage, it.entrant) == (stage, *number));
        if let Some(participant) = theirs {
            participant.paused_since = Some(now);
            store::set_pause(conn, id, participant).await?;
        }
    }
    Ok(!missing.is_empty())
}

fn has_missed_last(tournament: &Tournament, entrant: i32) -> bool {
    let stage = tournament.row.stage;
    let ready = tournament.participants.iter().find(|it| (it.stage, it.entrant) == (stage, entrant));
    let Some(last) = tournament.last_bout(stage, entrant) else { return false };
    let is_since = ready.and_then(|it| it.ready_since) <= last.settled_at;
    let own = |it: &&engine::tournaments::Finish| i32::try_from(it.entrant) == Ok(entrant);
    is_since && last.result.as_ref().and_then(|it| it.iter().find(own)).is_some_and(|it| it.absent)
}

/// Pairs wherever the clock alone makes something due. An error in one tournament does not stop the others.
pub async fn pair_by_clock(conn: &mut AsyncPgConnection, world: &World, live: &Live) -> Result<()> {
    for id in store::list_due_arenas(conn, world.now()).await? {
        let advanced = conn.transaction(async |conn| advance_by_clock(conn, world, id).await).await;
        match advanced {
            Ok(Some(locked)) => locked.into_news().tell(live),
            Ok(None) => {}
            Err(err) => tracing::warn!(tournament_id = %id, error = format!("{err:#}"), "pairing in an arena failed"),
        }
    }
    Ok(())
}

/// The tournament, if anything changed.
async fn advance_by_clock(
    conn: &mut AsyncPgConnection,
    world: &World,
    id: TournamentId,
) -> Result<Option<LockedTournament>> {
    let mut locked = LockedTournament::lock_and_ingest(conn, world, id, None).await?;
    let advanced = advance(conn, world, &mut locked).await?;
    if !advanced.is_news {
        return Ok(None);
    }
    let mut details = json!({});
    advanced.note_in(&mut details);
    locked.log(conn, world, LogStep { actor: None, action: "tournament.pair_free", details: &details }).await?;
    Ok(Some(locked))
}
