//! Rounds: paired as a draft that only staff see, published with tables and matches, played by the clock.

use diesel_async::AsyncPgConnection;
use engine::tournaments::{Format, Pairing, Reason, Unpairable};
use jiff::SignedDuration;
use serde_json::json;

use super::locked::{Change, ExpectedRevision, LockedTournament};
use super::store::{self, BoutKey, BoutRow, Doc, NewBout};
use super::{RoundKey, RoundStatus, Tournament, TournamentId, bouts, ingest, late, table_assignment};
use base::auth::{StaffContext, can};
use base::error::{Error, Result, conflict, internal, not_found};
use base::world::World;
use play::matches;

const MOST_ROUNDS: i16 = 999;

/// Whether people may meet again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// What the format forbids stays forbidden.
    Forbidden,
    /// Where no round can be paired otherwise, the one with the least harm is.
    IfNeeded,
}

/// What the next round would be.
#[derive(Clone, Debug, PartialEq)]
pub struct Rehearsal {
    pub stage: i16,
    pub round: i16,
    pub bouts: Vec<Pairing>,
}

/// What would be paired now, with reasons. Nothing is kept, and a draft stays as it is. Refused as pairing would be.
pub async fn rehearse(
    cx: &mut StaffContext<'_, can::ViewTournaments>,
    id: TournamentId,
    repeats: Repeats,
) -> Result<Rehearsal> {
    let tournament = super::load_for_staff(cx, id).await?;
    tournament.expect_running()?;
    let bouts = tournament.due_by(repeats)?;
    let stage = tournament.row.stage;
    // A draft that is paired again keeps its number, which need not be the last.
    let round = tournament.draft().map_or_else(|| tournament.next_number(stage), |draft| draft.round);
    if bouts.is_empty() { Err(nothing_due(&tournament)) } else { Ok(Rehearsal { stage, round, bouts }) }
}

/// Pairs what can be paired now: a draft, which only staff see. Asking again changes nothing.
pub async fn pair(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    repeats: Repeats,
    expected: ExpectedRevision,
) -> Result<RoundKey> {
    LockedTournament::change(cx, id, expected, "tournament.pair", async |conn, actor, locked| {
        locked.expect_running()?;
        if let Some(draft) = locked.draft() {
            let key = RoundKey { tournament: id, stage: draft.stage, round: draft.round };
            return Ok(Change::none().with(key));
        }
        let round = draw_up(conn, actor.world, locked, repeats).await?;
        let round = round.ok_or_else(|| nothing_due(locked))?;
        let stage = locked.row.stage;
        let details = json!({ "stage": stage, "round": round, "repeats": repeats == Repeats::IfNeeded });
        Ok(Change::audited(details).with(RoundKey { tournament: id, stage, round }))
    })
    .await
}

fn nothing_due(tournament: &Tournament) -> Error {
    match tournament.open_rounds().next() {
        Some(_) => conflict("bouts_open"),
        None => conflict("stage_over"),
    }
}

/// The next draft, if there is anything to be paired. In the place of one that was deleted it has that number.
pub async fn draw_up(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    repeats: Repeats,
) -> Result<Option<i16>> {
    let (id, stage) = (locked.row.id, locked.row.stage);
    let due = locked.due_by(repeats)?;
    if due.is_empty() {
        return Ok(None);
    }
    let deleted = locked.deleted_draft.filter(|it| it.0 == stage);
    let round = deleted.map_or_else(|| locked.next_number(stage), |(_, round)| round);
    if round > MOST_ROUNDS {
        return Err(conflict("too_many_rounds"));
    }
    let mut paired = Vec::with_capacity(due.len());
    for pairing in due {
        let entrants = pairing.entrants.iter().map(|it| i32::try_from(*it)).collect::<Result<_, _>>();
        paired.push((BoutKey(pairing.key), entrants.map_err(internal)?, Doc(pairing.reasons)));
    }
    let bout = |(key, entrants, reasons): &(BoutKey, Vec<i32>, Doc<Vec<Reason>>)| NewBout {
        tournament_id: id,
        stage,
        key: *key,
        round,
        entrants: entrants.clone(),
        reasons: reasons.clone(),
    };
    let new: Vec<NewBout> = paired.iter().map(bout).collect();
    store::insert_round(conn, id, stage, round, &new, world.now()).await?;
    Ok(Some(round))
}

/// The same where nothing asks for it: where it is refused, the attempt to pair says why.
pub async fn draw_up_if_possible(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
) -> Result<Option<i16>> {
    match draw_up(conn, world, locked, Repeats::Forbidden).await {
        Err(err) if err.is_refusal() => Ok(None),
        drawn => drawn,
    }
}

impl Tournament {
    /// The number of the round that is paired next in this stage.
    pub(super) fn next_number(&self, stage: i16) -> i16 {
        self.rounds.iter().filter(|it| it.stage == stage).map(|it| it.round).max().unwrap_or(0) + 1
    }

    /// What can be paired now.
    fn due_by(&self, repeats: Repeats) -> Result<Vec<Pairing>> {
        let due = match repeats {
            Repeats::Forbidden => self.due()?.as_ref().clone(),
            Repeats::IfNeeded => self.due_with_repeats()?,
        };
        due.map_err(unpairable)
    }
}

fn unpairable(why: Unpairable) -> Error {
    let code = why.code();
    let words = match why {
        Unpairable::InvalidStage(_) => format!("field-{code}"),
        Unpairable::TooFewLeft | Unpairable::NoLegalPairing => format!("unpairable-{code}"),
    };
    conflict("unpairable").with_field("", code).in_words(vec![words])
}

/// Throws a draft away. Asking again changes nothing.
pub async fn discard(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, expected, "tournament.discard", async |conn, _, locked| {
        locked.expect_running()?;
        let stage = locked.row.stage;
        if !locked.delete_draft(conn).await? {
            return Ok(Change::none());
        }
        // Nobody holds it back any more.
        locked.deleted_draft = None;
        Ok(Change::audited(json!({ "stage": stage })))
    })
    .await
}

/// Everybody sees the round from now on; its bouts have tables and matches, which wait. Asking again changes nothing.
pub async fn publish(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    key: RoundKey,
    expected: ExpectedRevision,
) -> Result<()> {
    let RoundKey { tournament: id, stage, round } = key;
    LockedTournament::change(cx, id, expected, "tournament.publish", async |conn, actor, locked| {
        let at = find(locked, stage, round)?;
        if locked.rounds[at].status != RoundStatus::Draft {
            return Ok(Change::none());
        }
        locked.expect_running()?;
        if is_outdated(locked, stage, round)? {
            return Err(conflict("draft_outdated"));
        }
        // What is tried out takes no table and counts nowhere: its results are written down.
        if !locked.row.sandbox {
            table_assignment::assign(conn, locked, stage, round).await?;
            for bout in to_play(locked, stage, round) {
                bouts::make_match(conn, actor.world, actor.staff.id, locked, bout).await?;
            }
        }
        let now = actor.world.now();
        let published = &mut locked.rounds[at];
        (published.status, published.published_at) = (RoundStatus::Published, Some(now));
        store::write_round(conn, id, &locked.rounds[at]).await?;
        // A round of nothing but byes is over with that.
        ingest::close_rounds(conn, actor.world, locked).await?;
        let details = json!({ "stage": stage, "round": round });
        Ok(Change::audited(details))
    })
    .await
}

/// Whether a draft of a knock-out has a bout that does not follow from the results as they are now.
fn is_outdated(locked: &LockedTournament, stage: i16, round: i16) -> Result<bool> {
    if !locked.plan_of(stage)?.format.is_knockout() {
        return Ok(false);
    }
    let due = locked.due()?;
    let due = due.as_ref().as_ref().map(Vec::as_slice).unwrap_or_default();
    let is_due = |bout: &BoutRow| {
        let is_in = |it: &u32| bout.entrants.iter().any(|entrant| i64::from(*entrant) == i64::from(*it));
        let is_it = |it: &Pairing| it.entrants.len() == bout.entrants.len() && it.entrants.iter().all(is_in);
        due.iter().any(|it| BoutKey(it.key) == bout.key && is_it(it))
    };
    Ok(!locked.bouts_of(stage, round).all(is_due))
}

/// Where the bouts of this round are that somebody has to play.
fn to_play(locked: &LockedTournament, stage: i16, round: i16) -> Vec<usize> {
    let is_of = |bout: &BoutRow| (bout.stage, bout.round) == (stage, round) && !bout.is_over();
    locked.bouts.iter().enumerate().filter(|(_, bout)| is_of(bout)).map(|(at, _)| at).collect()
}

pub(super) fn find(locked: &LockedTournament, stage: i16, round: i16) -> Result<usize> {
    let found = locked.rounds.iter().position(|it| (it.stage, it.round) == (stage, round));
    found.ok_or_else(|| not_found("round_not_found"))
}

impl Tournament {
    /// Refuses to make a published round a draft again that somebody plays, or from which somebody has gone on.
    pub fn expect_withdrawable(&self, stage: i16, round: i16) -> Result<()> {
        let row = self.round(stage, round).ok_or_else(|| not_found("round_not_found"))?;
        match row.status {
            RoundStatus::Draft => return Err(conflict("round_not_published")),
            RoundStatus::Published if !row.is_arena => self.expect_running()?,
            RoundStatus::Published | RoundStatus::Running | RoundStatus::Closed => {
                return Err(conflict("round_started"));
            }
        }
        if self.draft().is_some() {
            return Err(conflict("round_drafted"));
        }
        let is_running = |bout: &BoutRow| bout.match_status == Some(matches::Status::Running);
        let in_play = |bout: &BoutRow| bout.result.is_some() || !bout.games.is_empty() || is_running(bout);
        if self.bouts_of(stage, round).any(in_play) {
            return Err(conflict("round_started"));
        }
        if self.is_gone_on_from(stage, round) { Err(conflict("no_way_back")) } else { Ok(()) }
    }

    /// Whether somebody of this round is in a later bout already: after a bye, while others of the round have not begun.
    fn is_gone_on_from(&self, stage: i16, round: i16) -> bool {
        let is_later = |one: &BoutRow, other: &BoutRow| {
            one.key.0.round > other.key.0.round && one.entrants.iter().any(|it| other.entrants.contains(it))
        };
        let others = || self.bouts_in(stage).filter(|it| it.round != round && !self.is_drafted(it));
        self.bouts_of(stage, round).any(|bout| others().any(|it| is_later(it, bout)))
    }
}

/// Makes a published round a draft again, as long as nobody plays; its matches are called off. If people have left or come
/// since it was published, it is paired again. The draft, if anything can be paired; then asking again changes nothing.
pub async fn withdraw(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    key: RoundKey,
    expected: ExpectedRevision,
) -> Result<Option<RoundKey>> {
    let RoundKey { tournament: id, stage, round } = key;
    LockedTournament::change(cx, id, expected, "tournament.withdraw_round", async |conn, actor, locked| {
        let at = find(locked, stage, round)?;
        if locked.rounds[at].status == RoundStatus::Draft {
            return Ok(Change::none().with(Some(key)));
        }
        locked.expect_withdrawable(stage, round)?;
        for bout in to_play(locked, stage, round) {
            bouts::take_match_away(conn, actor.world, locked, bout).await?;
        }
        let draft = &mut locked.rounds[at];
        (draft.status, draft.published_at) = (RoundStatus::Draft, None);
        store::write_round(conn, id, &locked.rounds[at]).await?;
        let mut drafted = Some(round);
        if late::follow_published(conn, locked).await? {
            locked.delete_draft(conn).await?;
            drafted = draw_up_if_possible(conn, actor.world, locked).await?;
            // A bracket that runs by itself waits for staff while it has a draft.
            locked.tournament = locked.read_again(conn).await?;
        }
        let details = json!({ "stage": stage, "round": round });
        Ok(Change::audited(details).with(drafted.map(|round| RoundKey { round, ..key })))
    })
    .await
}

/// The round's clock goes, and all its matches start; the window of an arena opens. Asking again changes nothing.
pub async fn start_round(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    key: RoundKey,
    expected: ExpectedRevision,
) -> Result<()> {
    let RoundKey { tournament: id, stage, round } = key;
    LockedTournament::change(cx, id, expected, "tournament.start_round", async |conn, actor, locked| {
        let at = find(locked, stage, round)?;
        match locked.rounds[at].status {
            RoundStatus::Draft => return Err(conflict("round_not_published")),
            RoundStatus::Published => locked.expect_running()?,
            RoundStatus::Running | RoundStatus::Closed => return Ok(Change::none()),
        }
        for bout in to_play(locked, stage, round) {
            let Some(id) = locked.bouts[bout].match_id else { continue };
            if let Some(news) = matches::begin(conn, actor.world, id).await? {
                locked.news.push((id, news));
            }
        }
        let now = actor.world.now();
        let minutes = match locked.plan_of(stage)?.format {
            Format::Arena { minutes, .. } => Some(SignedDuration::from_mins(minutes.into())),
            _ => locked.row.round_minutes.map(|it| SignedDuration::from_mins(it.into())),
        };
        let running = &mut locked.rounds[at];
        (running.status, running.started_at) = (RoundStatus::Running, Some(now));
        running.ends_at = minutes.map(|minutes| now + minutes);
        store::write_round(conn, id, &locked.rounds[at]).await?;
        let details = json!({ "stage": stage, "round": round });
        Ok(Change::audited(details))
    })
    .await
}
