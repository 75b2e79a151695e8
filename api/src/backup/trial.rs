//! The test of a backup: restored into a private PostgreSQL of its own, which is thrown away afterwards. It shares nothing with
//! the database that serves but the disk.

use std::path::Path;

use anyhow::Context;

use super::{Checked, Dump, Label};
use crate::chain;
use crate::cluster::{self, Cluster};
use base::db::Db;
use base::ids::unhex;
use base::stop::Stop;

/// Restores it there, and compares the audit log with what the label says.
pub(super) fn restore(backup: Checked, scratch: &Path, stop: &Stop) -> anyhow::Result<Label<Dump>> {
    // A server may have been killed while it tested one.
    cluster::discard(scratch)?;
    let restored = restore_in(backup, scratch, stop);
    cluster::discard(scratch)?;
    restored
}

fn restore_in(backup: Checked, scratch: &Path, stop: &Stop) -> anyhow::Result<Label<Dump>> {
    let cluster = Cluster::start(scratch, false, stop)?;
    let access = cluster.access()?;
    let label = backup.restore(access.owner(), None)?;
    let db = Db::open(access.owner().clone(), 1)?;
    db.migrate(&access)?;
    let noted = unhex(&label.content.audit_head).context("the head of the audit log is not understood")?;
    chain::expect_whole(&db, None, Some(&noted).filter(|_| label.content.audit_lines > 0).map(Vec::as_slice))?;
    Ok(label)
}
