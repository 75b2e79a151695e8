//! Whether the audit log of a database is whole, for commands and for the test of a backup.

use anyhow::bail;

use base::audit;
use base::audit::chain::{Check, Finding, Head};
use base::db::Db;
use base::error::Result;

use crate::error::in_words;

/// With what this server noted, and with a hash that somebody else did, or that a backup's label holds.
pub(crate) fn expect_whole(db: &Db, noted: Option<Head>, hash: Option<&[u8]>) -> anyhow::Result<Check> {
    let check = async {
        let conn = &mut *db.conn().await?;
        let check = audit::chain::check(conn, noted).await?;
        let is_noted_there = match hash {
            Some(hash) => audit::store::has_link(conn, hash).await?,
            None => true,
        };
        Result::Ok((check, is_noted_there))
    };
    let (check, is_noted_there) = db.runtime().block_on(check).map_err(in_words)?;
    match check.finding {
        Finding::Whole if is_noted_there => Ok(check),
        Finding::Whole => bail!(
            "the audit log fits together, but no line has the noted head: its end was cut off, or all of it was written again"
        ),
        Finding::BrokenAt(n) => bail!("the audit log is broken at line {n}"),
        Finding::NotAsNoted(n) => bail!(
            "the audit log fits together, but line {n} is not the one that this server noted: its end was cut off, or all of it \
             was written again. If you put another state of the database in its place yourself: houserules audit accept"
        ),
        Finding::Loose(count) => bail!("the audit log is broken: {count} lines are in no chain"),
    }
}
