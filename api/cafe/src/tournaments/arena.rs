//! The arena: for a window of time everybody who is free is paired, by whatever change lets them be and at the latest by the clock.

use std::collections::HashSet;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::tournaments::{Format, Free, Pairing, Stage};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::locked::{Change, ExpectedRevision, LockedTournament, LogStep, PlayerStep};
use super::store::{self, BoutKey, BoutRow, Doc, NewBout, ParticipantRow, RoundRow};
use super::{RoundStatus, Tournament, TournamentId, TournamentStatus, bouts, table_assignment};
use crate::auth::{StaffContext, can};
use crate::error::{Error, Result, conflict, internal, not_found};
use crate::games::guarded;
use crate::ids::PlayerId;
use crate::live::Live;
use crate::matches;
use crate::world::World;

/// The round that is the window.
pub const WINDOW: i16 = 1;
/// How soon tables are looked for again, for those who wait for one.
const TABLES_AGAIN: SignedDuration = SignedDuration::from_secs(3);

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
        let is_before_end =
            |it: &RoundRow| it.status != RoundStatus::Closed && it.ends_at.is_none_or(|ends| now < ends);
        self.row.status == TournamentStatus::Running && self.arena().is_some_and(is_before_end)
    }

    /// Whether tables may be given to bouts by any change.
    pub fn pairs_by_itself(&self) -> bool {
        self.row.status == TournamentStatus::Running && !self.row.sandbox && self.arena().is_some()
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

    /// Whether the time of this window is up.
    pub fn is_past(&self, now: Timestamp) -> bool {
        self.paused_at.is_none() && self.ends_at.is_some_and(|ends| ends <= now)
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
        stage,
        round: WINDOW,
        status: RoundStatus::Published,
        drafted_at: now,
        published_at: Some(now),
        started_at: None,
        ends_at: None,
        closed_at: None,
        is_arena: true,
        paused_at: None,
        resumed_at: None,
        look_at: None,
    };
    store::put_round(conn, locked.row.id, &window).await?;
    locked.rounds.push(window);
    Ok(())
}

/// What became of an arena.
#[derive(Default)]
pub struct Settled {
    pub is_news: bool,
    /// For the log: who was free, and who was paired.
    pub paired: Option<Value>,
}

impl Settled {
    /// Adds what was paired to what the log tells of a step.
    pub fn note_in(self, details: &mut Value) {
        let Some(paired) = self.paired else { return };
        if details.is_null() {
            *details = json!({});
        }
        if let Value::Object(fields) = details {
            fields.insert("arena".to_owned(), paired);
        }
    }
}

/// Pairs those who are free, lets those pause who did not come, and closes the window whose time is up.
pub async fn settle(conn: &mut AsyncPgConnection, world: &World, locked: &mut LockedTournament) -> Result<Settled> {
    let stage = locked.row.stage;
    let is_open = |it: &RoundRow| it.is_arena && it.stage == stage && it.status == RoundStatus::Running;
    let Some(at) = locked.rounds.iter().position(is_open) else { return Ok(Settled::default()) };
    if locked.row.status != TournamentStatus::Running {
        return Ok(Settled::default());
    }
    let now = world.now();
    let mut settled = Settled { is_news: pause_absent(conn, locked, now).await?, paired: None };
    let mut waits_for_table = false;
    if locked.rounds[at].pairs(now)
        && let Some(paired) = pair(conn, world, locked, now).await?
    {
        waits_for_table = paired.is_short_of_tables;
        settled.is_news |= !paired.keys.is_empty();
        settled.paired = (!paired.keys.is_empty()).then(|| paired.details());
    }
    let mut window = locked.rounds[at].clone();
    if window.is_past(now) && locked.bouts_in(stage).all(BoutRow::is_over) {
        (window.status, window.closed_at) = (RoundStatus::Closed, Some(now));
        settled.is_news = true;
    }
    window.look_at = next_look(locked, &window, now, waits_for_table)?;
    if window != locked.rounds[at] {
        store::write_round(conn, locked.row.id, &window).await?;
        locked.rounds[at] = window;
    }
    Ok(settled)
}

/// When something may be due by the clock alone: the end, the end of somebody's patience, or a free table.
fn next_look(
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
    let tables = waits_for_table.then(|| now + TABLES_AGAIN);
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

/// What was paired at one time.
struct Paired {
    free: Vec<Free>,
    keys: Vec<BoutKey>,
    /// How many bouts wait for one of the tournament's tables that is large enough.
    without_table: usize,
    /// Whether somebody waits for one of the tournament's tables.
    is_short_of_tables: bool,
}

impl Paired {
    fn details(&self) -> Value {
        let free: Vec<_> = self.free.iter().map(|it| [it.entrant, it.waited]).collect();
        json!({ "free": free, "bouts": self.keys, "without_table": self.without_table })
    }
}

async fn pair(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    now: Timestamp,
) -> Result<Option<Paired>> {
    let all = locked.free(now)?;
    let stage = locked.stage(locked.row.stage)?;
    let tables = match locked.row.table_ids {
        Some(_) if !locked.row.sandbox => Some(table_assignment::count_free(conn, locked).await?),
        _ => None,
    };
    let (free, due) = guarded(|| due_at(&stage, &all, tables))?;
    if due.is_empty() {
        let is_short_of_tables = tables == Some(0) && !all.is_empty();
        return Ok(Some(Paired { free, keys: Vec::new(), without_table: 0, is_short_of_tables }));
    }
    let first = locked.bouts.len();
    for pairing in due {
        let bout = BoutRow::drafted(locked.row.stage, pairing)?;
        locked.bouts.push(bout);
    }
    let without_table = match locked.row.sandbox {
        true => 0,
        false => give_tables(conn, locked, first).await?,
    };
    let new: Vec<NewBout> = locked.bouts[first..].iter().map(|it| it.new_in(locked.row.id)).collect();
    store::insert_bouts(conn, &new).await?;
    for at in first..locked.bouts.len() {
        play(conn, world, locked, at).await?;
    }
    let keys = locked.bouts[first..].iter().map(|it| it.key).collect();
    let is_short_of_tables = without_table > 0 || free.len() < all.len();
    Ok(Some(Paired { free, keys, without_table, is_short_of_tables }))
}

/// What can be paired at so many tables: of more than can sit there, those who waited longest, unless they have just met.
fn due_at(stage: &Stage, all: &[Free], tables: Option<usize>) -> (Vec<Free>, Vec<Pairing>) {
    let Format::Arena { most, .. } = stage.format else { return (Vec::new(), Vec::new()) };
    let first = tables.map_or(all.len(), |tables| all.len().min(tables * usize::from(most)));
    let due = stage.due_among(&all[..first]);
    if tables.is_some_and(|tables| tables > due.len()) && first < all.len() {
        return (all.to_vec(), stage.due_among(all));
    }
    (all[..first].to_vec(), due)
}

/// Gives the new bouts their tables. Where the tournament has tables of its own, bouts wait that get none: how many.
async fn give_tables(conn: &mut AsyncPgConnection, locked: &mut LockedTournament, first: usize) -> Result<usize> {
    table_assignment::assign(conn, locked, locked.row.stage, WINDOW).await?;
    if locked.row.table_ids.is_none() {
        return Ok(0);
    }
    let mut new = locked.bouts.split_off(first);
    let all = new.len();
    let numbers: Vec<u16> = new.iter().map(|it| it.key.0.number).collect();
    new.retain(|it| it.table_id.is_some());
    for (bout, number) in new.iter_mut().zip(numbers) {
        bout.key.0.number = number;
    }
    let without = all - new.len();
    locked.bouts.extend(new);
    Ok(without)
}

/// Makes the bout's match and starts it.
async fn play(conn: &mut AsyncPgConnection, world: &World, locked: &mut LockedTournament, at: usize) -> Result<()> {
    if locked.row.sandbox {
        return Ok(());
    }
    let creator = locked.row.created_by;
    let made = match bouts::make_match(conn, world, creator, locked, at).await {
        Ok(made) => made,
        // What cannot be played is written down by staff.
        Err(Error::Refused(_)) => {
            store::set_match_and_table(conn, locked.row.id, &locked.bouts[at]).await?;
            return Ok(());
        }
        Err(err) => return Err(err),
    };
    if let Some(news) = matches::begin(conn, world, made).await? {
        locked.news.push((made, news));
    }
    Ok(())
}

impl BoutRow {
    fn drafted(stage: i16, Pairing { key, entrants, reasons }: Pairing) -> Result<Self> {
        Ok(Self {
            stage,
            key: BoutKey(key),
            round: WINDOW,
            entrants: entrants.into_iter().map(i32::try_from).collect::<Result<_, _>>().map_err(internal)?,
            reasons: Doc(reasons),
            arranged_by: None,
            arranger: None,
            table_id: None,
            table_name: None,
            match_id: None,
            match_code: None,
            match_status: None,
            games: Doc(Vec::new()),
            result: None,
            settled_by: None,
            settled_at: None,
            claim: None,
            claimed_at: None,
        })
    }

    fn new_in(&self, tournament_id: TournamentId) -> NewBout {
        let Self { stage, key, round, .. } = *self;
        NewBout { tournament_id, stage, key, round, entrants: self.entrants.clone(), reasons: self.reasons.clone() }
    }
}

/// Pairs wherever the clock alone makes something due. An error in one tournament does not stop the others.
pub async fn pair_by_clock(conn: &mut AsyncPgConnection, world: &World, live: &Live) -> Result<()> {
    for id in store::list_arenas_to_look_at(conn, world.now()).await? {
        let looked = conn.transaction(async |conn| look_again(conn, world, id).await).await;
        match looked {
            Ok(Some(locked)) => locked.into_news().tell(live),
            Ok(None) => {}
            Err(err) => tracing::warn!(tournament_id = %id, error = format!("{err:#}"), "pairing in an arena failed"),
        }
    }
    Ok(())
}

/// The tournament, if anything changed.
async fn look_again(conn: &mut AsyncPgConnection, world: &World, id: TournamentId) -> Result<Option<LockedTournament>> {
    let mut locked = LockedTournament::lock_and_ingest(conn, world, id, None).await?;
    let settled = settle(conn, world, &mut locked).await?;
    if !settled.is_news {
        return Ok(None);
    }
    let details = json!({ "arena": settled.paired });
    locked.log(conn, world, LogStep { actor: None, action: "tournament.pair_free", details: &details }).await?;
    Ok(Some(locked))
}

/// Staff let an entrant pause: they are not paired until they are back. Asking again changes nothing.
pub async fn pause_entrant(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    number: i32,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.pause_entrant", async |conn, actor, locked| {
        set_pause(conn, locked, number, Some(actor.world.now()), actor.world.now()).await
    })
    .await
}

/// Staff let an entrant play again. Asking again changes nothing.
pub async fn resume_entrant(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    number: i32,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.resume_entrant", async |conn, actor, locked| {
        set_pause(conn, locked, number, None, actor.world.now()).await
    })
    .await
}

/// A player pauses. Asking again changes nothing.
pub async fn pause_oneself(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    id: TournamentId,
) -> Result<()> {
    let step = PlayerStep { player, action: "tournament.pause_entrant" };
    LockedTournament::change_as_player(conn, world, live, id, step, async |conn, locked| {
        let number = find_own(locked, player)?;
        set_pause(conn, locked, number, Some(world.now()), world.now()).await
    })
    .await
}

/// A player is back. Asking again changes nothing.
pub async fn resume_oneself(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: PlayerId,
    id: TournamentId,
) -> Result<()> {
    let step = PlayerStep { player, action: "tournament.resume_entrant" };
    LockedTournament::change_as_player(conn, world, live, id, step, async |conn, locked| {
        let number = find_own(locked, player)?;
        set_pause(conn, locked, number, None, world.now()).await
    })
    .await
}

fn find_own(locked: &LockedTournament, player: PlayerId) -> Result<i32> {
    let own = locked.entrant_of(player).filter(|_| locked.row.status != TournamentStatus::Draft);
    own.map(|it| it.number).ok_or_else(|| not_found("entrant_not_found"))
}

async fn set_pause(
    conn: &mut AsyncPgConnection,
    locked: &mut LockedTournament,
    number: i32,
    paused_since: Option<Timestamp>,
    now: Timestamp,
) -> Result<Change> {
    expect_window(locked)?;
    let (id, stage) = (locked.row.id, locked.row.stage);
    let known = locked.entrant(number).is_some();
    let theirs = locked.tournament.participants.iter_mut().find(|it| (it.stage, it.entrant) == (stage, number));
    let Some(participant) = theirs.filter(|it| it.until_round.is_none()) else {
        return Err(if known { conflict("entrant_out") } else { not_found("entrant_not_found") });
    };
    if participant.paused_since.is_some() == paused_since.is_some() {
        return Ok(Change::none());
    }
    participant.paused_since = paused_since;
    if paused_since.is_none() {
        participant.ready_since = Some(now);
    }
    store::set_pause(conn, id, participant).await?;
    Ok(Change::audited(json!({ "entrant": number })))
}

/// Where the window of the arena that is played is, until it is closed.
fn expect_window(locked: &LockedTournament) -> Result<usize> {
    locked.expect_running()?;
    let at = locked.rounds.iter().position(|it| it.is_arena && it.stage == locked.row.stage);
    let at = at.ok_or_else(|| conflict("no_arena"))?;
    match locked.rounds[at].status {
        RoundStatus::Closed => Err(conflict("arena_over")),
        RoundStatus::Draft | RoundStatus::Published | RoundStatus::Running => Ok(at),
    }
}

/// The same once it is open.
fn expect_open_window(locked: &LockedTournament) -> Result<usize> {
    let at = expect_window(locked)?;
    match locked.rounds[at].status {
        RoundStatus::Running => Ok(at),
        RoundStatus::Draft | RoundStatus::Published | RoundStatus::Closed => Err(conflict("round_not_running")),
    }
}

/// Nobody is paired until staff go on, and the clock stands. Asking again changes nothing.
pub async fn pause(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.pause_arena", async |conn, actor, locked| {
        let at = expect_open_window(locked)?;
        if locked.rounds[at].paused_at.is_some() {
            return Ok(Change::none());
        }
        locked.rounds[at].paused_at = Some(actor.world.now());
        store::write_round(conn, id, &locked.rounds[at]).await?;
        Ok(Change::audited(json!({})))
    })
    .await
}

/// The arena goes on, with as much time as was left. Asking again changes nothing.
pub async fn resume(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.resume_arena", async |conn, actor, locked| {
        let at = expect_open_window(locked)?;
        let (window, now) = (&mut locked.tournament.rounds[at], actor.world.now());
        let Some(paused) = window.paused_at.take() else { return Ok(Change::none()) };
        window.resumed_at = Some(now);
        window.ends_at = window.ends_at.map(|ends| ends + now.duration_since(paused));
        store::write_round(conn, id, &locked.rounds[at]).await?;
        Ok(Change::audited(json!({})))
    })
    .await
}

/// Nobody is paired any more; bouts that are played may finish. Asking again changes nothing.
pub async fn end(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: TournamentId,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.end_arena", async |conn, actor, locked| {
        let is_closed = |it: &RoundRow| it.status == RoundStatus::Closed;
        if locked.arena().is_some_and(is_closed) {
            return Ok(Change::none());
        }
        let (at, now) = (expect_open_window(locked)?, actor.world.now());
        if locked.rounds[at].is_past(now) {
            return Ok(Change::none());
        }
        (locked.rounds[at].paused_at, locked.rounds[at].ends_at) = (None, Some(now));
        store::write_round(conn, id, &locked.rounds[at]).await?;
        Ok(Change::audited(json!({})))
    })
    .await
}
