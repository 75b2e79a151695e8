//! A tournament that nobody else changes until the transaction ends, and what is to be told once it has.

use std::ops::{Deref, DerefMut};

use diesel_async::AsyncPgConnection;
use serde_json::Value;

use super::store;
use super::{RoundStatus, Tournament, TournamentStatus, settle};
use crate::audit::{self, Entry};
use crate::error::{ApiResult, conflict, not_found};
use crate::ids::{MatchId, PlayerId, TournamentId};
use crate::live::Live;
use crate::world::World;

/// The `revision` that whoever asks has seen, if they say so.
pub type Asked = Option<i64>;

/// Locked, and up to date with its matches.
pub(super) struct Held {
    pub whole: Tournament,
    /// Of matches that were changed along with it.
    pub news: Vec<(MatchId, i64)>,
}

/// What is to be told once all of it is committed.
#[must_use]
pub(super) struct News {
    id: TournamentId,
    revision: i64,
    matches: Vec<(MatchId, i64)>,
}

impl Held {
    pub(super) async fn lock(
        conn: &mut AsyncPgConnection,
        world: &World,
        id: TournamentId,
        asked: Asked,
    ) -> ApiResult<Self> {
        let row = store::lock(conn, id).await?.ok_or_else(|| not_found("tournament_not_found"))?;
        if asked.is_some_and(|seen| seen != row.revision) {
            return Err(conflict("tournament_changed"));
        }
        let mut held = Self { whole: Tournament::read(conn, row).await?, news: Vec::new() };
        settle::catch_up(conn, world, &mut held).await?;
        Ok(held)
    }

    /// Refuses what is only for one that runs.
    pub(super) fn expect_running(&self) -> ApiResult<()> {
        match self.row.status {
            TournamentStatus::Running => Ok(()),
            TournamentStatus::Draft | TournamentStatus::Registration | TournamentStatus::CheckIn => {
                Err(conflict("tournament_not_running"))
            }
            TournamentStatus::Finished | TournamentStatus::Cancelled => Err(conflict("tournament_over")),
        }
    }

    /// Refuses what is only for one that has not begun.
    pub(super) fn expect_before_start(&self) -> ApiResult<()> {
        match self.row.status {
            TournamentStatus::Draft | TournamentStatus::Registration | TournamentStatus::CheckIn => Ok(()),
            TournamentStatus::Running => Err(conflict("tournament_started")),
            TournamentStatus::Finished | TournamentStatus::Cancelled => Err(conflict("tournament_over")),
        }
    }

    /// Something happened.
    pub(super) async fn move_on(&mut self, conn: &mut AsyncPgConnection) -> ApiResult<()> {
        self.whole.row.revision += 1;
        store::move_on(conn, &self.whole.row).await?;
        Ok(())
    }

    /// Something that staff did: it goes to the audit log.
    pub(super) async fn record(
        mut self,
        conn: &mut AsyncPgConnection,
        world: &World,
        (actor, action): (PlayerId, &str),
        mut details: Value,
    ) -> ApiResult<News> {
        if let Value::Object(fields) = &mut details {
            fields.insert("name".to_owned(), self.row.name.as_str().into());
        }
        let (subject_id, actor) = (Some(self.row.id.0), Some(actor));
        audit::record(conn, world, Entry { actor, action, subject: "tournament", subject_id, details }).await?;
        self.move_on(conn).await?;
        Ok(self.into_news())
    }

    pub(super) fn into_news(self) -> News {
        News { id: self.row.id, revision: self.row.revision, matches: self.news }
    }

    /// Takes the draft away, if there is one: who takes part is no longer who did.
    pub(super) async fn drop_draft(&mut self, conn: &mut AsyncPgConnection) -> ApiResult<bool> {
        let Some((stage, round)) = self.draft().map(|it| (it.stage, it.round)) else { return Ok(false) };
        let keys: Vec<_> = self.bouts_of(stage, round).map(|bout| bout.key).collect();
        store::delete_bouts(conn, (self.row.id, stage), &keys).await?;
        self.bouts.retain(|bout| (bout.stage, bout.round) != (stage, round));
        self.rounds.retain(|it| it.status != RoundStatus::Draft);
        Ok(true)
    }
}

impl News {
    pub(super) fn tell(self, live: &Live) {
        for (id, news) in self.matches {
            live.tell(id, news);
        }
        live.tell_tournament(self.id, self.revision);
    }
}

impl Deref for Held {
    type Target = Tournament;

    fn deref(&self) -> &Tournament {
        &self.whole
    }
}

impl DerefMut for Held {
    fn deref_mut(&mut self) -> &mut Tournament {
        &mut self.whole
    }
}
