//! The one frame in which a tournament changes: locked, up to date with its matches, audited, and told to those who watch.

use std::ops::{Deref, DerefMut};

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::Value;

use super::state::{self, State};
use super::store::{self, Doc, NewLogRow};
use super::{RoundStatus, Tournament, TournamentStatus, by_itself, ingest, places};
use base::audit::{self, Entry};
use base::auth::{Actor, Grant, StaffContext};
use base::error::{Result, conflict, forbidden, not_found};
use base::ids::{MatchId, PlayerId, TournamentId};
use base::live::Live;
use base::world::World;
use play::tables;

/// The `revision` that the caller has seen, if they name one: a later one is refused.
pub type ExpectedRevision = Option<i64>;

/// A tournament whose row is locked until the transaction ends.
pub struct LockedTournament {
    pub tournament: Tournament,
    /// Matches that changed with it, each with its latest event.
    pub news: Vec<(MatchId, i64)>,
    /// As it was when the log was written last.
    pub before: State,
    /// Stage and number of the draft that was deleted since then.
    pub deleted_draft: Option<(i16, i16)>,
}

/// A step as the log tells it.
pub struct LogStep<'a> {
    /// None where a match ended by itself.
    pub actor: Option<PlayerId>,
    pub action: &'a str,
    pub details: &'a Value,
}

/// A player who changes their own part in a tournament.
#[derive(Clone, Copy)]
pub struct PlayerStep {
    pub player: PlayerId,
    pub action: &'static str,
}

/// What to announce after the commit.
#[must_use]
pub struct News {
    id: TournamentId,
    revision: i64,
    matches: Vec<(MatchId, i64)>,
}

/// What a change came to.
pub struct Change<T = ()> {
    value: T,
    /// For the audit log; `None` if nothing changed.
    details: Option<Value>,
}

impl Change {
    /// Asking again changed nothing: no audit record, no new revision.
    pub fn none() -> Self {
        Self { value: (), details: None }
    }

    /// Something changed. `details` go to the audit log.
    pub fn audited(details: Value) -> Self {
        Self { value: (), details: Some(details) }
    }

    /// Something changed that is not audited.
    pub fn made() -> Self {
        Self::audited(Value::Null)
    }

    pub fn with<T>(self, value: T) -> Change<T> {
        Change { value, details: self.details }
    }
}

/// A change by staff: `async |conn, actor, tournament| …`. The trait names its future, which has to be `Send`.
pub trait StaffChange<'a, T>:
    AsyncFnOnce(&'a mut AsyncPgConnection, Actor<'a>, &'a mut LockedTournament) -> Result<Change<T>>
    + FnOnce(&'a mut AsyncPgConnection, Actor<'a>, &'a mut LockedTournament) -> Self::Fut
{
    type Fut: Future<Output = Result<Change<T>>> + Send;
}

impl<'a, T, F, Fut> StaffChange<'a, T> for F
where
    F: AsyncFnOnce(&'a mut AsyncPgConnection, Actor<'a>, &'a mut LockedTournament) -> Result<Change<T>>
        + FnOnce(&'a mut AsyncPgConnection, Actor<'a>, &'a mut LockedTournament) -> Fut,
    Fut: Future<Output = Result<Change<T>>> + Send,
{
    type Fut = Fut;
}

/// A change by a player: `async |conn, tournament| …`.
pub trait PlayerChange<'a, T>:
    AsyncFnOnce(&'a mut AsyncPgConnection, &'a mut LockedTournament) -> Result<Change<T>>
    + FnOnce(&'a mut AsyncPgConnection, &'a mut LockedTournament) -> Self::Fut
{
    type Fut: Future<Output = Result<Change<T>>> + Send;
}

impl<'a, T, F, Fut> PlayerChange<'a, T> for F
where
    F: AsyncFnOnce(&'a mut AsyncPgConnection, &'a mut LockedTournament) -> Result<Change<T>>
        + FnOnce(&'a mut AsyncPgConnection, &'a mut LockedTournament) -> Fut,
    Fut: Future<Output = Result<Change<T>>> + Send,
{
    type Fut = Fut;
}

impl LockedTournament {
    /// Changes a tournament as staff, all or nothing: locks it, ingests results, runs `change`, writes the audit record and
    /// the next revision, and announces it after the commit.
    pub async fn change<P: Grant, T: Send, F>(
        cx: &mut StaffContext<'_, P>,
        id: TournamentId,
        expected: ExpectedRevision,
        action: &str,
        change: F,
    ) -> Result<T>
    where
        for<'a> F: AsyncFnOnce(&'a mut AsyncPgConnection, Actor<'a>, &'a mut Self) -> Result<Change<T>>
            + StaffChange<'a, T>
            + Send,
    {
        let (conn, actor) = cx.parts().await?;
        let (value, news) = conn
            .transaction(async |conn| -> Result<_> {
                let mut locked = Self::lock_and_ingest(conn, actor.world, id, expected).await?;
                actor.staff.expect_in_reach(locked.row.sandbox)?;
                let Change { value, details } = change(conn, actor, &mut locked).await?;
                let news = match details {
                    None => locked.into_news(),
                    Some(mut details) => {
                        by_itself::advance(conn, actor.world, &mut locked).await?.note_in(&mut details);
                        locked.record(conn, actor.world, actor.staff.id, action, details).await?
                    }
                };
                Ok((value, news))
            })
            .await?;
        news.tell(actor.live);
        Ok(value)
    }

    /// The same as a player who changes their own part in it: that is not audited.
    pub async fn change_as_player<T: Send, F>(
        conn: &mut AsyncPgConnection,
        world: &World,
        live: &Live,
        id: TournamentId,
        step: PlayerStep,
        change: F,
    ) -> Result<T>
    where
        for<'a> F:
            AsyncFnOnce(&'a mut AsyncPgConnection, &'a mut Self) -> Result<Change<T>> + PlayerChange<'a, T> + Send,
    {
        let (value, news) = conn
            .transaction(async |conn| -> Result<_> {
                let mut locked = Self::lock_and_ingest(conn, world, id, None).await?;
                let Change { value, details } = change(conn, &mut locked).await?;
                if let Some(mut details) = details {
                    by_itself::advance(conn, world, &mut locked).await?.note_in(&mut details);
                    let PlayerStep { player, action } = step;
                    let step = LogStep { actor: Some(player), action, details: &details };
                    locked.log(conn, world, step).await?;
                }
                Ok((value, locked.into_news()))
            })
            .await?;
        news.tell(live);
        Ok(value)
    }

    /// Locks the tournament, and writes the results of its matches that have ended since.
    pub async fn lock_and_ingest(
        conn: &mut AsyncPgConnection,
        world: &World,
        id: TournamentId,
        expected: ExpectedRevision,
    ) -> Result<Self> {
        let row = store::lock(conn, id).await?.ok_or_else(|| not_found("tournament_not_found"))?;
        let tournament = Tournament::read(conn, row).await?;
        let before = state::of(&tournament)?;
        let mut locked = Self { tournament, news: Vec::new(), before, deleted_draft: None };
        locked.expect_revision(expected)?;
        if locked.pairs_by_itself() {
            // Any change may give tables to bouts; they are locked before matches.
            store::lock_table_assignment(conn).await?;
            tables::store::lock_all(conn).await?;
        }
        ingest::ingest_results(conn, world, &mut locked).await?;
        Ok(locked)
    }

    /// Refuses if the caller has seen an older revision.
    pub fn expect_revision(&self, expected: ExpectedRevision) -> Result<()> {
        match expected.is_some_and(|seen| seen != self.row.revision) {
            true => Err(conflict("tournament_changed")),
            false => Ok(()),
        }
    }

    /// Refuses what would take real players or tables into a sandbox.
    pub fn expect_real(&self) -> Result<()> {
        if self.row.sandbox { Err(forbidden("sandbox_only")) } else { Ok(()) }
    }

    /// Refuses once it has started.
    pub fn expect_before_start(&self) -> Result<()> {
        match self.row.status {
            TournamentStatus::Draft | TournamentStatus::Registration | TournamentStatus::CheckIn => Ok(()),
            TournamentStatus::Running => Err(conflict("tournament_started")),
            TournamentStatus::Finished | TournamentStatus::Cancelled => Err(conflict("tournament_over")),
        }
    }

    /// The tournament as it is in this transaction.
    pub async fn read_again(&self, conn: &mut AsyncPgConnection) -> Result<Tournament> {
        let row = store::find(conn, self.row.id).await?.ok_or_else(|| not_found("tournament_not_found"))?;
        Tournament::read(conn, row).await
    }

    /// Writes the next revision, and to the log what changed since the last.
    pub async fn log(&mut self, conn: &mut AsyncPgConnection, world: &World, step: LogStep<'_>) -> Result<()> {
        self.tournament.row.revision += 1;
        store::bump_revision(conn, &self.tournament.row).await?;
        self.tournament = self.read_again(conn).await?;
        places::keep(conn, &self.tournament).await?;
        let after = state::of(&self.tournament)?;
        let new = NewLogRow {
            tournament_id: self.row.id,
            revision: self.row.revision,
            at: world.now().into(),
            actor: step.actor,
            action: step.action,
            details: step.details,
            changes: Doc(state::diff(&self.before, &after)),
        };
        store::insert_log(conn, &new).await?;
        (self.before, self.deleted_draft) = (after, None);
        Ok(())
    }

    /// Writes the audit record of a change by staff, and the next revision.
    pub async fn record(
        mut self,
        conn: &mut AsyncPgConnection,
        world: &World,
        actor: PlayerId,
        action: &str,
        mut details: Value,
    ) -> Result<News> {
        if let Value::Object(fields) = &mut details {
            fields.insert("name".to_owned(), self.row.name.as_str().into());
        }
        let (subject_id, actor) = (Some(self.row.id.0), Some(actor));
        self.log(conn, world, LogStep { actor, action, details: &details }).await?;
        audit::record(conn, world, Entry { actor, action, subject: "tournament", subject_id, details }).await?;
        Ok(self.into_news())
    }

    pub fn into_news(self) -> News {
        News { id: self.row.id, revision: self.row.revision, matches: self.news }
    }

    /// Deletes the draft, if there is one: the people in it have changed. What is drafted instead has its number.
    pub async fn delete_draft(&mut self, conn: &mut AsyncPgConnection) -> Result<bool> {
        let Some((stage, round)) = self.draft().map(|it| (it.stage, it.round)) else { return Ok(false) };
        let keys: Vec<_> = self.bouts_of(stage, round).map(|bout| bout.key).collect();
        store::delete_bouts(conn, self.row.id, stage, &keys).await?;
        self.bouts.retain(|bout| (bout.stage, bout.round) != (stage, round));
        self.rounds.retain(|it| it.status != RoundStatus::Draft);
        self.deleted_draft = Some((stage, round));
        Ok(true)
    }
}

impl News {
    pub fn tell(self, live: &Live) {
        for (id, news) in self.matches {
            live.tell(id, news);
        }
        live.tell_tournament(self.id, self.revision);
    }
}

impl Deref for LockedTournament {
    type Target = Tournament;

    fn deref(&self) -> &Tournament {
        &self.tournament
    }
}

impl DerefMut for LockedTournament {
    fn deref_mut(&mut self) -> &mut Tournament {
        &mut self.tournament
    }
}
