//! Which tournaments need a person, and why: for the floor's queue.

use diesel_async::AsyncPgConnection;
use jiff::Timestamp;

use super::TournamentId;
use super::store;
use base::error::{Result, internal};
use base::ids::TableId;

base::text_enum! {
    /// Why a tournament needs somebody.
    pub enum AttentionCause {
        /// The time to check in is over, and somebody has not.
        CheckInOver = "check_in_over",
        /// The clock of a round has run out, and bouts are open.
        RoundOverTime = "round_over_time",
        /// All bouts are over: the next round can be paired, or the stage is over.
        RoundComplete = "round_complete",
        /// A match was called off, and its bout has no result.
        MatchOff = "match_off",
        /// A match says what cannot count before somebody has had a look.
        ResultDisputed = "result_disputed",
    }
}

impl AttentionCause {
    /// Of the sentence in the catalogues.
    pub fn key(self) -> &'static str {
        match self {
            Self::CheckInOver => "attention-tournament-check-in-over",
            Self::RoundOverTime => "attention-tournament-round-over-time",
            Self::RoundComplete => "attention-tournament-round-complete",
            Self::MatchOff => "attention-tournament-match-off",
            Self::ResultDisputed => "attention-tournament-result",
        }
    }
}

/// A tournament that needs somebody.
#[derive(Clone, Debug, PartialEq)]
pub struct AttentionItem {
    pub id: TournamentId,
    pub name: String,
    pub cause: AttentionCause,
    pub round: Option<i16>,
    pub table: Option<TableId>,
    pub since: Timestamp,
}

/// The longest first.
pub async fn list_attention(conn: &mut AsyncPgConnection, now: Timestamp) -> Result<Vec<AttentionItem>> {
    let need = |row: store::AttentionRow| {
        let cause = row.cause.parse().map_err(|_| internal(anyhow::anyhow!("no need is {}", row.cause)))?;
        let store::AttentionRow { id, name, round, table_id, since, .. } = row;
        Ok(AttentionItem { id, name, cause, round, table: table_id, since: since.to_jiff() })
    };
    store::list_attention(conn, now).await?.into_iter().map(need).collect()
}
