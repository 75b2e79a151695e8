//! Whether WAL goes on from the last base backup: nothing comes back of what was written after the first segment that is missing.

use std::path::Path;

use super::timeline::{self, Timeline};
use super::{Archive, base, list, segment, wal_dir};
use crate::backup::connect;
use cafe::operations::checks::Archived;

/// What there is in this archive since its last base backup. None if that one does not say where it begins.
pub(crate) fn look(dir: &Path) -> anyhow::Result<Option<Archived>> {
    // First: as another base backup is taken, WAL goes that only an older one needed.
    let known = names(&wal_dir(dir))?;
    let Some(base) = base::newest(dir)? else { return Ok(Some(Archived::Lacks(None))) };
    let Some(first) = base.first_segment else { return Ok(None) };
    let missing = first_missing(&first, &known);
    Ok(Some(missing.map_or(Archived::Whole, |segment| Archived::Lacks(Some(segment)))))
}

impl Archive {
    /// Whether what PostgreSQL writes now goes on from no base backup in it: as in a directory that was named today, or that another
    /// one stood in for.
    pub(super) fn lacks_base(&self, spool: &Path) -> anyhow::Result<bool> {
        let mut client = connect(&self.superuser)?;
        let current: String = client.query_one("SELECT pg_walfile_name(pg_current_wal_lsn())", &[])?.get(0);
        // In the order in which segments come to the archive, so that none is missed that moves meanwhile.
        let mut known = vec![current.clone()];
        for row in client.query("SELECT name FROM pg_ls_archive_statusdir()", &[])? {
            let name: String = row.get(0);
            known.extend(name.strip_suffix(".ready").map(str::to_owned));
        }
        known.extend(names(spool)?);
        known.extend(names(&wal_dir(&self.dir))?);
        let first = base::newest(&self.dir)?.and_then(|base| base.first_segment);
        let is_same = |first: &str| timeline::number(first) == timeline::number(&current);
        Ok(first.is_none_or(|first| !is_same(&first) || first_missing(&first, &known).is_some()))
    }
}

/// The first segment that is missing between the first one of a base backup and the last of these.
fn first_missing(first: &str, known: &[String]) -> Option<String> {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    Timeline::of_base(first)?.first_missing(&[first.to_owned()], &known)
}

fn names(dir: &Path) -> anyhow::Result<Vec<String>> {
    list(dir)?.iter().map(|path| Ok(segment::name(path)?.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wal_goes_on_from_a_base_backup_up_to_a_gap() {
        let first = "000000010000000A000000FE";
        let [second, third] = ["000000010000000A000000FF", "000000010000000B00000000"];
        let missing = |known: &[&str]| {
            let known: Vec<String> = known.iter().map(|name| (*name).to_owned()).collect();
            first_missing(first, &known)
        };
        for whole in [&[][..], &[first], &[second], &[first, second, third], &[third, second]] {
            assert_eq!(missing(whole), None, "{whole:?}");
        }
        assert_eq!(missing(&[first, third]).as_deref(), Some(second));
        // Neither WAL from before the base backup, nor that of another timeline.
        let others = ["000000010000000A00000001", "000000020000000B00000007", "00000002.history"];
        assert_eq!(missing(&others), None);
        assert_eq!(missing(&[&others[..], &[third]].concat()).as_deref(), Some(second));
        assert_eq!(first_missing("nothing", &[third.to_owned()]), None);
    }
}
