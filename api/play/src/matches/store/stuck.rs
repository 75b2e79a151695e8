//! Running matches in which the autopilot has failed to move.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Integer, Timestamptz};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use super::super::Status;
use base::db::fixed;
use base::ids::MatchId;
use base::schema::{matches, stuck_matches};

/// After so many failures in a row somebody has to look at the match.
pub const PUT_ASIDE_AFTER: i32 = 3;
/// Two seconds after the first failure, four after the second, at last an hour.
const FIRST_WAIT: &str = "now() + interval '2 seconds'";
const NEXT_WAIT: &str =
    "now() + least(interval '2 seconds' * 2 ^ least(stuck_matches.attempts, 20), interval '1 hour')";

/// Those for which the autopilot waits before it tries again.
#[diesel::dsl::auto_type(no_type_alias)]
pub fn waiting() -> _ {
    stuck_matches::table.filter(stuck_matches::next_attempt_at.gt(diesel::dsl::now)).select(stuck_matches::match_id)
}

/// One more failure: how many there were in a row.
pub async fn note_failure(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<i32> {
    diesel::insert_into(stuck_matches::table)
        .values((
            stuck_matches::match_id.eq(id),
            stuck_matches::attempts.eq(1),
            stuck_matches::next_attempt_at.eq(fixed::<Timestamptz>(FIRST_WAIT)),
        ))
        .on_conflict(stuck_matches::match_id)
        .do_update()
        .set((
            stuck_matches::attempts.eq(fixed::<Integer>("stuck_matches.attempts + 1")),
            stuck_matches::next_attempt_at.eq(fixed::<Timestamptz>(NEXT_WAIT)),
        ))
        .returning(stuck_matches::attempts)
        .get_result(conn)
        .await
}

/// Those that the autopilot tries again, or tries no more.
pub async fn list(conn: &mut AsyncPgConnection) -> QueryResult<Vec<MatchId>> {
    stuck_matches::table.select(stuck_matches::match_id).load(conn).await
}

/// Those that somebody has to look at.
pub async fn list_put_aside(conn: &mut AsyncPgConnection) -> QueryResult<Vec<MatchId>> {
    let put_aside = stuck_matches::table.filter(stuck_matches::attempts.ge(PUT_ASIDE_AFTER));
    put_aside.select(stuck_matches::match_id).load(conn).await
}

/// The autopilot has moved.
pub async fn forget_failures(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<usize> {
    diesel::delete(stuck_matches::table.find(id)).execute(conn).await
}

/// Nobody has to move in what is over.
pub async fn forget_over(conn: &mut AsyncPgConnection) -> QueryResult<usize> {
    let running = matches::table.filter(matches::status.eq(Status::Running)).select(matches::id);
    diesel::delete(stuck_matches::table.filter(stuck_matches::match_id.ne_all(running))).execute(conn).await
}
