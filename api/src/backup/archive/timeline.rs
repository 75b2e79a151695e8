//! Timelines. PostgreSQL begins another one each time a database was brought back: what is written from then on has other names
//! than what had been written before, from the same place on.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

use super::place::{index, is_segment, place, place_of};

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

    /// That of a base backup with this first segment. Before it there is nothing that matters.
    pub(super) fn of_base(first: &str) -> Option<Self> {
        Some(Self { number: number(first)?, ancestors: Some(Vec::new()) })
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

    /// Whether a recovery follows the WAL in the segment of this name, and does not leave it for another timeline before.
    pub(super) fn follows(&self, name: &str) -> bool {
        let (Some(timeline), Some(place)) = (number(name), place(name)) else { return false };
        is_segment(name) && self.at(place).is_none_or(|at| at == timeline)
    }

    /// The name of the first segment that is missing of those between the base backup, with which these came, and the last one in the
    /// archive. That last one may be the end of everything.
    pub(super) fn first_missing(&self, with_base: &[String], archived: &[&str]) -> Option<String> {
        let index_of = |name: &str| index(place(name)?);
        let last = with_base.iter().filter(|name| is_segment(name)).filter_map(|name| index_of(name)).max()?;
        let archived = archived.iter().filter(|name| self.follows(name)).filter_map(|name| index_of(name));
        let after: BTreeSet<u64> = archived.filter(|index| *index > last).collect();
        let (missing, _) = (last + 1..).zip(after).find(|(expected, found)| expected != found)?;
        let place = place_of(missing);
        Some(format!("{:08X}{place}", self.at(&place).unwrap_or(self.number)))
    }

    /// The one that the WAL at this place is of; none if nothing tells of it. The segment in which another one begins is of that: it
    /// holds what came before as well.
    fn at(&self, place: &str) -> Option<u32> {
        let ancestor = self.ancestors.as_ref()?.iter().find(|(_, end)| place < end.as_str());
        Some(ancestor.map_or(self.number, |(ancestor, _)| *ancestor))
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

    fn first_missing(timeline: &Timeline, with_base: &str, archived: &[&str]) -> Option<String> {
        timeline.first_missing(&["archive_status".to_owned(), with_base.to_owned()], archived)
    }

    #[test]
    fn a_segment_that_is_missing_between_others_is_named() {
        let first = Timeline::new(1, None).unwrap();
        let base = "000000010000000A000000FD";
        let all = ["000000010000000A000000FE", "000000010000000A000000FF", "000000010000000B00000000"];
        assert_eq!(first_missing(&first, base, &all), None);
        for (number, missing) in all.iter().enumerate() {
            let others: Vec<&str> = all.iter().filter(|name| *name != missing).copied().collect();
            // Nobody knows whether there was another one after the last.
            let expected = (number < 2).then(|| (*missing).to_owned());
            assert_eq!(first_missing(&first, base, &others), expected);
        }
        // Neither one from before the base backup, nor what is not whole.
        let others = ["000000010000000A00000001", "000000010000000A000000FE.partial", "00000001.history", "notes.txt"];
        assert_eq!(first_missing(&first, base, &others), None);
        assert_eq!(first_missing(&first, base, &[others[1], all[1]]).as_deref(), Some(all[0]));
        assert_eq!(first_missing(&first, "000000010000000A000000FF", &[all[2]]), None);
    }

    #[test]
    fn the_segments_of_each_timeline_count_up_to_where_the_next_one_begins() {
        // It left the first one in A/FE, and the second one in B/03.
        let third = Timeline::new(3, Some(THIRD)).unwrap();
        let base = "000000010000000A000000FD";
        let all = [
            "000000020000000A000000FE",
            "000000020000000A000000FF",
            "000000020000000B00000000",
            "000000020000000B00000001",
            "000000020000000B00000002",
            "000000030000000B00000003",
            "000000030000000B00000004",
        ];
        // What the others went on with is no part of it.
        let left = ["000000010000000A000000FE", "000000010000000A000000FF", "000000020000000B00000003"];
        let more = ["000000010000000B00000008", "000000020000000B00000009"];
        assert_eq!(first_missing(&third, base, &[&all[..], &left, &more].concat()), None);
        assert_eq!(first_missing(&third, base, &more), None);
        for (number, missing) in all.iter().enumerate().take(6) {
            let others: Vec<&str> = all.iter().chain(&left).filter(|name| *name != missing).copied().collect();
            assert_eq!(first_missing(&third, base, &others).as_deref(), Some(*missing), "{number}");
        }
        let unknown = Timeline::new(3, None).unwrap();
        assert_eq!(first_missing(&unknown, base, &all), None);
        assert_eq!(first_missing(&unknown, base, &all[1..]).as_deref(), Some("000000030000000A000000FE"));
    }

    #[test]
    fn what_is_no_history_is_refused() {
        assert!(Timeline::new(2, Some("1\tA-FE\tno reason")).is_err());
        assert!(Timeline::new(2, Some("<html>")).is_err());
        assert_eq!(history_name(0x1F), "0000001F.history");
        assert_eq!(number("0000001F.history"), Some(31));
    }
}
