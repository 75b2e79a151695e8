//! The mark of a database whose restore has not finished: nobody may serve it yet, since it still knows sessions that have ended. The
//! mark is a table, since a role that can restore can make one. It goes in the transaction that ends the restore.

use anyhow::ensure;

use super::connect;
use base::db::Address;

/// Marks the database.
pub(crate) const BEGIN: &str = "CREATE TABLE IF NOT EXISTS public.restore_unfinished ()";
/// Takes the mark away.
pub(crate) const END: &str = "DROP TABLE public.restore_unfinished";

/// Refuses a database that is marked.
pub(crate) fn refuse(address: &Address) -> anyhow::Result<()> {
    // In a schema that is closed to this role there is nothing.
    let is_marked: bool =
        connect(address)?.query_one("SELECT to_regclass('restore_unfinished') IS NOT NULL", &[])?.get(0);
    ensure!(
        !is_marked,
        "the restore of this database did not finish: what is in it was not checked, and sign-ins that have ended would be good \
         again. Restore again, into another --data directory or into an empty database in DATABASE_URL"
    );
    Ok(())
}
