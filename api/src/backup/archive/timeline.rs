//! Timelines. PostgreSQL begins another one each time a database was brought back: what is written from then on has other names
//! than what had been written before, from the same place on.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

use super::place::place;

/// The one that a recovery follows to its end.
#[derive(Debug)]
pub(super) struct Timeline {
    pub(super) number: u32,
    /// Those that it came from, each with the place of the segment in which the next one begins. None if nothing tells of them.
    ancestors: Option<Vec<(u32, String)>>,
}

impl Timeline {
    /// With what PostgreSQL wrote down as it began, which it does for all but the first one.
    pub(super) fn new(number: u32, history: Option<&str>) -> anyhow::Result<Self> {
        let ancestors = match history {
            Some(history) => Some(ancestors(history)?),
            None => (number == 1).then(Vec::new),
        };
        Ok(Self { number, ancestors })
    }

    /// Whether a recovery from a base backup with this first segment can follow it.
    pub(super) fn comes_from(&self, first: Option<&str>) -> bool {
        let (Some(ancestors), Some(first)) = (&self.ancestors, first) else { return true };
        let (Some(timeline), Some(place)) = (number(first), place(first)) else { return true };
        // A base backup ends in a later segment than its first one, so none that began in the segment of the change fits.
        let is_of_ancestor = |(ancestor, end): &(u32, String)| *ancestor == timeline && place < end.as_str();
        timeline == self.number || ancestors.iter().any(is_of_ancestor)
    }

    /// Whether a recovery may read the segment of this name.
    pub(super) fn holds(&self, name: &str) -> bool {
        let (Some(timeline), Some(_)) = (number(name), place(name)) else { return false };
        let is_of_ancestor = |all: &Vec<(u32, String)>| all.iter().any(|(ancestor, _)| *ancestor == timeline);
        timeline == self.number || self.ancestors.as_ref().is_none_or(is_of_ancestor)
    }
}

/// The timeline of a segment, or the one that a history is of.
pub(super) fn number(name: &str) -> Option<u32> {
    u32::from_str_radix(name.get(..8)?, 16).ok()
}

pub(super) fn history_name(number: u32) -> String {
    format!("{number:08X}.history")
}

/// The text of a history, which is compressed.
pub(super) fn read_history(path: &Path) -> anyhow::Result<String> {
    let file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    let read = Command::new("gzip").args(["--decompress", "--stdout"]).stdin(file).output();
    let read = read.context("gzip does not run")?;
    ensure!(read.status.success(), "gzip failed:\n{}", String::from_utf8_lossy(&read.stderr).trim());
    String::from_utf8(read.stdout).with_context(|| format!("{} is no history of a timeline", path.display()))
}

/// A line for each: its number, where the next one begins, and why.
fn ancestors(history: &str) -> anyhow::Result<Vec<(u32, String)>> {
    let lines = history.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parsed = lines.map(|line| {
        let mut words = line.split_ascii_whitespace();
        let number = words.next()?.parse().ok()?;
        let (high, low) = words.next()?.split_once('/')?;
        let (high, low) = (u32::from_str_radix(high, 16).ok()?, u32::from_str_radix(low, 16).ok()?);
        // A segment is of 16 MB.
        Some((number, format!("{high:08X}{:08X}", low >> 24)))
    });
    parsed.collect::<Option<_>>().context("the history of a timeline is not understood")
}

#[cfg(test)]
mod tests {
    use super::*;

    const THIRD: &str = "1\tA/FE0001A8\tbefore 2026-11-24 12:00:00+00\n\n2\tB/3000028\tno recovery target specified\n";

    #[test]
    fn a_base_backup_leads_to_timelines_that_began_after_it() {
        let third = Timeline::new(3, Some(THIRD)).unwrap();
        for leads in ["000000010000000A000000FD", "000000020000000B00000002", "000000030000000C00000000"] {
            assert!(third.comes_from(Some(leads)), "{leads}");
        }
        for other in ["000000010000000A000000FE", "000000010000000B00000000", "000000020000000B00000003"] {
            assert!(!third.comes_from(Some(other)), "{other}");
        }
        assert!(!third.comes_from(Some("000000040000000A00000000")));
        assert!(third.comes_from(None));
        let first = Timeline::new(1, None).unwrap();
        assert!(first.comes_from(Some("000000010000000A000000FE")));
        assert!(!first.comes_from(Some("000000020000000A000000FE")));
    }

    #[test]
    fn segments_of_other_timelines_are_not_read() {
        let first = Timeline::new(1, None).unwrap();
        assert!(first.holds("000000010000000A000000FE") && !first.holds("000000020000000A000000FE"));
        let third = Timeline::new(3, Some(THIRD)).unwrap();
        for (name, is_held) in [("1", true), ("2", true), ("3", true), ("4", false)] {
            assert_eq!(third.holds(&format!("0000000{name}0000000A000000FE")), is_held, "{name}");
        }
        assert!(!third.holds("00000002.history") && !third.holds("notes.txt"));
        let unknown = Timeline::new(3, None).unwrap();
        assert!(unknown.holds("000000010000000A000000FE") && unknown.comes_from(Some("000000010000000A000000FE")));
    }

    #[test]
    fn what_is_no_history_is_refused() {
        assert!(Timeline::new(2, Some("1\tA-FE\tno reason")).is_err());
        assert!(Timeline::new(2, Some("<html>")).is_err());
        assert_eq!(history_name(0x1F), "0000001F.history");
        assert_eq!(number("0000001F.history"), Some(31));
    }
}
