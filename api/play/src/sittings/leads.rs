//! Who leads the matches that somebody made whom staff took off the party: the first of the others who sit there. One at which nobody
//! else sits is called off before its start.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Nullable, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;
use serde::{Deserialize, Serialize};

use super::{SittingId, SittingRow, store};
use crate::players;
use base::db::statement;
use base::error::Result;
use base::ids::{MatchId, PlayerId};
use base::undo::MatchNews;

/// A match that a player had made who is no longer of its party.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PassedOn {
    id: MatchId,
    /// Who leads it since; nobody if it was called off.
    to: Option<PlayerId>,
}

#[derive(QueryableByName)]
struct Changed {
    #[diesel(sql_type = SqlUuid)]
    id: MatchId,
    #[diesel(sql_type = BigInt)]
    change_seq: i64,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    leader: Option<PlayerId>,
}

/// Until the transaction ends nobody sits down at the party's matches, gets up or starts one.
pub(super) async fn lock_matches(conn: &mut AsyncPgConnection, id: SittingId) -> QueryResult<usize> {
    const LOCK: &str = "SELECT FROM matches m JOIN match_sittings w ON w.match_id = m.id
        WHERE w.sitting_id = $1 AND m.status IN ('waiting', 'running') ORDER BY m.id FOR NO KEY UPDATE OF m";
    statement(LOCK).bind::<SqlUuid, _>(id).execute(conn).await
}

/// Of a player who is no longer of the party, whose matches are locked: what became of those that they had made, and the counts of news.
pub(super) async fn pass_on(
    conn: &mut AsyncPgConnection,
    id: SittingId,
    player: PlayerId,
    now: Timestamp,
) -> QueryResult<(Vec<PassedOn>, Vec<MatchNews>)> {
    // In a match that runs somebody may sit who was taken off the party before.
    const PASS_ON: &str = "WITH successors AS (
            SELECT DISTINCT ON (m.id) m.id, s.player_id
            FROM match_sittings w JOIN matches m ON m.id = w.match_id JOIN match_seats s ON s.match_id = m.id
                JOIN players p ON p.id = s.player_id
            WHERE w.sitting_id = $1 AND m.created_by = $2 AND m.status IN ('waiting', 'running')
                AND s.player_id <> $2 AND s.left_at IS NULL AND (p.role <> 'player'
                    OR EXISTS (SELECT FROM sitting_members b WHERE b.sitting_id = $1 AND b.player_id = s.player_id))
            ORDER BY m.id, s.joined_at, s.seat
        )
        UPDATE matches m SET created_by = successors.player_id, change_seq = m.change_seq + 1
        FROM successors WHERE m.id = successors.id
        RETURNING m.id, m.change_seq, m.created_by AS leader";
    const ABORT: &str =
        "UPDATE matches m SET status = 'aborted', finished_at = $1, change_seq = m.change_seq + 1 FROM match_sittings w
        WHERE w.match_id = m.id AND w.sitting_id = $2 AND m.created_by = $3 AND m.status = 'waiting'
        RETURNING m.id, m.change_seq, NULL::uuid AS leader";
    let pass_on = statement(PASS_ON).bind::<SqlUuid, _>(id).bind::<SqlUuid, _>(player);
    let mut changed: Vec<Changed> = pass_on.load(conn).await?;
    let abort = statement(ABORT).bind::<Timestamptz, _>(SqlTimestamp::from(now));
    let abort = abort.bind::<SqlUuid, _>(id).bind::<SqlUuid, _>(player);
    let aborted: Vec<Changed> = abort.load(conn).await?;
    changed.extend(aborted);
    let news = news_of(&changed);
    Ok((changed.into_iter().map(|it| PassedOn { id: it.id, to: it.leader }).collect(), news))
}

/// The player is of the party again, and leads what is still as it was left: what was called off waits again. Gives the counts of news.
pub(super) async fn give_back(
    conn: &mut AsyncPgConnection,
    party: &SittingRow,
    player: PlayerId,
    passed_on: &[PassedOn],
) -> Result<Vec<MatchNews>> {
    const LOCK: &str = "SELECT FROM matches WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE";
    const GIVE_BACK: &str = "UPDATE matches m SET created_by = $1, change_seq = m.change_seq + 1, finished_at = NULL,
            status = CASE m.status WHEN 'aborted' THEN 'waiting' ELSE m.status END
        FROM unnest($2, $3) AS passed_on (id, leader)
        WHERE m.id = passed_on.id AND (m.status IN ('waiting', 'running') AND m.created_by = passed_on.leader
            OR m.status = 'aborted' AND m.started_at IS NULL AND passed_on.leader IS NULL)
        RETURNING m.id, m.change_seq, m.created_by AS leader";
    if passed_on.is_empty() {
        return Ok(Vec::new());
    }
    let (ids, leaders): (Vec<MatchId>, Vec<Option<PlayerId>>) = passed_on.iter().map(|it| (it.id, it.to)).unzip();
    statement(LOCK).bind::<Array<SqlUuid>, _>(ids.clone()).execute(conn).await?;
    // An account that is gone could neither start nor call off what it leads.
    if !players::store::may_make(conn, player).await? {
        return Ok(Vec::new());
    }
    let give_back = statement(GIVE_BACK).bind::<SqlUuid, _>(player).bind::<Array<SqlUuid>, _>(ids);
    let changed: Vec<Changed> = give_back.bind::<Array<Nullable<SqlUuid>>, _>(leaders).load(conn).await?;
    let mut news = news_of(&changed);
    // The party may sit elsewhere by now.
    news.extend(store::move_matches(conn, party.id, party.table_id).await?);
    Ok(news)
}

fn news_of(changed: &[Changed]) -> Vec<MatchNews> {
    changed.iter().map(|it| (it.id, it.change_seq)).collect()
}
