//! Late people: how somebody comes in once the tournament runs. Until anybody sees a pairing, all are seeded again; after that they go
//! into a bye of the round under way, or join from the next round on.

use diesel_async::AsyncPgConnection;
use engine::tournaments::{Pairing, Participant};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::locked::LockedTournament;
use super::plan::takes_late_entries;
use super::store::{self, BoutKey, Doc, ParticipantRow};
use super::{RoundStatus, Tournament, TournamentStatus, bouts, lifecycle, seeds, table_assignment};
use base::error::{Result, conflict, internal};
use base::games::guarded;
use base::world::World;
use play::matches;

/// How somebody comes in who is entered now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = TournamentLateEntry)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum LateEntry {
    /// No pairing was published: all are seeded again, with them.
    SeededAgain,
    /// Into a bye of the round under way: they play at once.
    IntoBye {
        round: i16,
        #[schema(value_type = String, example = "main-1-3")]
        bout: BoutKey,
        /// Against whom, by number.
        entrant: i32,
    },
    /// From this round on.
    NextRound {
        round: i16,
        /// What each round before it is worth, in hundredths of a point.
        missed: i32,
    },
    /// Into the arena, where they wait to be paired.
    Arena,
}

impl Tournament {
    /// How somebody comes in who is entered now; none before the start and once it is too late.
    pub fn late_entry(&self, now: Timestamp) -> Result<Option<LateEntry>> {
        if self.row.status != TournamentStatus::Running || self.row.stage != 1 {
            return Ok(None);
        }
        if self.arena().is_some() {
            return Ok(self.takes_arrivals(now).then_some(LateEntry::Arena));
        }
        if self.is_unseen() {
            return Ok(Some(LateEntry::SeededAgain));
        }
        let Some(last) = self.row.late_until_round else { return Ok(None) };
        let number = self.entrants.last().map_or(0, |it| it.number) + 1;
        if let Some((round, pairing)) = self.open_bye(number)?.filter(|(round, _)| *round <= last) {
            let holder = pairing.entrants.iter().find(|it| i32::try_from(**it) != Ok(number));
            let entrant = holder.copied().unwrap_or_default().try_into().map_err(internal)?;
            return Ok(Some(LateEntry::IntoBye { round, bout: BoutKey(pairing.key), entrant }));
        }
        let (plan, round) = (self.plan_of(1)?, self.next_round());
        let is_in_time = takes_late_entries(&plan.format) && round <= last;
        Ok(is_in_time.then_some(LateEntry::NextRound { round, missed: plan.scoring.missed }))
    }

    /// Refuses to pair somebody again who has left or did not come, once it is too late for them.
    pub fn expect_in_time(&self, number: i32, now: Timestamp) -> Result<()> {
        let stage = self.row.stage;
        let is_of_stage = |it: &ParticipantRow| (it.stage, it.entrant) == (stage, number);
        let is_mate_in =
            |it: &ParticipantRow| it.stage == stage && it.until_round.is_none() && self.are_mates(it.entrant, number);
        let is_new = !self.participants.iter().any(is_of_stage);
        let is_in_time = if is_new {
            self.late_entry(now)?.is_some()
        } else if self.is_unseen() {
            true
        } else if self.arena().is_some() {
            self.takes_arrivals(now)
        } else {
            // In a bracket an entrant who was passed over has lost their place. A team that plays takes its members back at any time.
            takes_late_entries(&self.plan_of(stage)?.format)
                || self.participants.iter().any(is_mate_in)
                || !self.is_passed(number)?
        };
        if is_in_time { Ok(()) } else { Err(conflict("too_late_to_enter")) }
    }

    /// Whether nobody but staff has seen who meets whom.
    pub fn is_unseen(&self) -> bool {
        self.row.stage == 1 && self.arena().is_none() && self.next_round() == 1
    }

    /// The first round of the stage that is played of which nothing is published.
    pub fn next_round(&self) -> i16 {
        let published = self.bouts_in(self.row.stage).filter(|bout| !self.is_drafted(bout));
        let rounds = published.map(|bout| i16::try_from(bout.key.0.round).unwrap_or(i16::MAX));
        rounds.max().unwrap_or(0).saturating_add(1)
    }

    /// The last round of that stage for which this entrant was paired; 0 if none of them is published.
    pub(super) fn last_round_of(&self, number: i32) -> i16 {
        let published = self.bouts_in(self.row.stage).filter(|bout| !self.is_drafted(bout));
        let theirs = published.filter(|bout| bout.entrants.contains(&number));
        let rounds = theirs.map(|bout| i16::try_from(bout.key.0.round).unwrap_or(i16::MAX));
        rounds.max().unwrap_or(0)
    }

    /// This participant of that stage by the rounds that are published: who has left plays in none after them, and who came
    /// late in the next at the latest.
    fn by_published(&self, it: &ParticipantRow) -> ParticipantRow {
        ParticipantRow {
            from_round: it.from_round.min(self.next_round()),
            until_round: it.until_round.map(|until| until.min(self.last_round_of(it.entrant))),
            ..it.clone()
        }
    }

    /// Whether somebody was paired past this entrant, who has left, in the stage that is played.
    pub fn is_passed(&self, number: i32) -> Result<bool> {
        let (stage, entrant) = (self.stage(self.row.stage)?, number.try_into().map_err(internal)?);
        guarded(|| stage.is_passed(entrant))
    }

    /// The bye of a round under way into which this entrant could go, as the bout that it would become, and its round.
    pub(super) fn open_bye(&self, number: i32) -> Result<Option<(i16, Pairing)>> {
        let Some(pairing) = self.late_pairing(number)? else { return Ok(None) };
        let bout = self.bout(1, BoutKey(pairing.key)).and_then(|bout| self.round(1, bout.round));
        let is_open = bout.is_some_and(|it| matches!(it.status, RoundStatus::Published | RoundStatus::Running));
        let round = i16::try_from(pairing.key.round).map_err(internal)?;
        Ok(is_open.then_some((round, pairing)))
    }

    fn late_pairing(&self, number: i32) -> Result<Option<Pairing>> {
        let stage = self.stage(1)?;
        let newcomer = self.newcomer(number);
        let newcomer = Participant {
            entrant: number.try_into().map_err(internal)?,
            seed: newcomer.seed.try_into().map_err(internal)?,
            from_round: newcomer.from_round.try_into().map_err(internal)?,
            until_round: None,
        };
        guarded(|| stage.late_pairing(newcomer))
    }

    /// Somebody who plays in the first stage from the round on that was published last, behind all others.
    fn newcomer(&self, entrant: i32) -> ParticipantRow {
        let known = self.participants.iter().find(|it| (it.stage, it.entrant) == (1, entrant));
        let behind_all = || {
            let seed = 1 + self.participants.iter().filter(|it| it.stage == 1).map(|it| it.seed).max().unwrap_or(0);
            let takes_late = self.plan_of(1).is_ok_and(|plan| takes_late_entries(&plan.format));
            let from_round = if takes_late { (self.next_round() - 1).max(1) } else { 1 };
            ParticipantRow { stage: 1, entrant, seed, from_round, ..ParticipantRow::default() }
        };
        known.map_or_else(behind_all, |it| ParticipantRow { until_round: None, ..it.clone() })
    }
}

/// Seeds everybody again who has a place, before anybody sees a pairing. Who has left is out of it.
pub(super) async fn seed_again(conn: &mut AsyncPgConnection, locked: &mut LockedTournament) -> Result<()> {
    locked.delete_draft(conn).await?;
    let id = locked.row.id;
    let order = seeds::order(conn, locked).await?;
    store::set_seeds(conn, id, &order).await?;
    let participants = lifecycle::participants(1, &order)?;
    locked.participants.retain(|it| it.stage != 1);
    locked.participants.extend(participants.iter().cloned());
    lifecycle::expect_fit(locked, 1)?;
    store::delete_participants_but(conn, id, 1, &order).await?;
    store::put_participants(conn, id, &participants).await?;
    Ok(())
}

/// Lets those who have left or came late follow the rounds that are published, after one of them is a draft again. Whether
/// that changes anybody.
pub(super) async fn follow_published(conn: &mut AsyncPgConnection, locked: &mut LockedTournament) -> Result<bool> {
    let (id, stage) = (locked.row.id, locked.row.stage);
    let mut is_changed = false;
    for at in 0..locked.participants.len() {
        let known = &locked.participants[at];
        let now = locked.by_published(known);
        if known.stage == stage && now != *known {
            store::set_rounds_of(conn, id, &now).await?;
            locked.participants[at] = now;
            is_changed = true;
        }
    }
    Ok(is_changed)
}

/// Puts an entrant into an open bye, with table and match. Whether there was one.
pub(super) async fn fill_bye(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    number: i32,
) -> Result<bool> {
    let Some((_, pairing)) = locked.open_bye(number)? else { return Ok(false) };
    let newcomer = locked.newcomer(number);
    let id = locked.row.id;
    locked.delete_draft(conn).await?;
    store::put_participants(conn, id, std::slice::from_ref(&newcomer)).await?;
    locked.participants.retain(|it| (it.stage, it.entrant) != (1, number));
    locked.participants.push(newcomer);
    let at = locked.find_bout(1, BoutKey(pairing.key))?;
    let entrants: Result<Vec<i32>, _> = pairing.entrants.iter().map(|it| i32::try_from(*it)).collect();
    let bout = &mut locked.tournament.bouts[at];
    (bout.entrants, bout.reasons) = (entrants.map_err(internal)?, Doc(pairing.reasons));
    let round = bout.round;
    store::set_entrants(conn, id, bout).await?;
    if locked.row.sandbox {
        return Ok(true);
    }
    table_assignment::assign(conn, locked, 1, round).await?;
    play(conn, world, locked, at).await?;
    Ok(true)
}

/// Makes the match of a bout that is published, and starts it if its round is played. What cannot be played is written down by staff.
pub(super) async fn play(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    at: usize,
) -> Result<()> {
    let Some(made) = bouts::make_match_if_playable(conn, world, locked, at).await? else {
        store::set_match_and_table(conn, locked.row.id, &locked.bouts[at]).await?;
        return Ok(());
    };
    let (stage, round) = (locked.bouts[at].stage, locked.bouts[at].round);
    let is_running = locked.round(stage, round).is_some_and(|it| it.status == RoundStatus::Running);
    if is_running && let Some(news) = matches::begin(conn, world, made).await? {
        locked.news.push((made, news));
    }
    Ok(())
}
