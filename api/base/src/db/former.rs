//! What was computed before: set aside while it is computed again, and compared with what came of that.

use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};

use super::Count;

/// Empties these tables, keeping what was in them for a comparison until the transaction ends.
pub async fn set_aside(conn: &mut AsyncPgConnection, tables: &[&str]) -> QueryResult<()> {
    for table in tables {
        let text =
            format!("CREATE TEMPORARY TABLE former_{table} ON COMMIT DROP AS TABLE {table}; DELETE FROM {table}");
        conn.batch_execute(&text).await?;
    }
    Ok(())
}

/// Rows that were set aside and did not come again, or that came and had not been there.
pub async fn count_differing(conn: &mut AsyncPgConnection, tables: &[&str]) -> QueryResult<i64> {
    let mut differing = 0;
    for table in tables {
        let count = format!(
            "SELECT (SELECT count(*) FROM (TABLE {table} EXCEPT ALL TABLE former_{table}) AS new)
                  + (SELECT count(*) FROM (TABLE former_{table} EXCEPT ALL TABLE {table}) AS gone) AS count"
        );
        differing += diesel::sql_query(count).get_result::<Count>(conn).await?.count;
    }
    Ok(differing)
}
