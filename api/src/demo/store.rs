//! What the demo asks of the database as a whole.

use diesel::dsl::exists;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};

use base::schema::{matches, players, tables, variants};

/// Whether nobody has used it yet.
pub(super) async fn is_empty(conn: &mut AsyncPgConnection) -> QueryResult<bool> {
    let anything = exists(players::table.select(players::id))
        .or(exists(tables::table.select(tables::id)))
        .or(exists(matches::table.select(matches::id)))
        .or(exists(variants::table.select(variants::id)));
    diesel::select(diesel::dsl::not(anything)).get_result(conn).await
}

/// Lifts the time limits of statements and of pauses between them, for this transaction.
pub(super) async fn be_patient(conn: &mut AsyncPgConnection) -> QueryResult<()> {
    conn.batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0").await
}

/// What was written in this transaction is nothing to the planner until then.
pub(super) async fn analyze(conn: &mut AsyncPgConnection) -> QueryResult<()> {
    const OURS: &str = "DO $$ BEGIN EXECUTE (
        SELECT 'ANALYZE ' || string_agg(quote_ident(tablename), ', ') FROM pg_tables WHERE schemaname = 'public'); END $$";
    conn.batch_execute(OURS).await
}
