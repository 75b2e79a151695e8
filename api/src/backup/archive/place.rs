//! Where files of the archive stand in PostgreSQL's WAL: by their names, never by their times, which a share with another clock or
//! somebody who copies an archive may change.

/// How many segments of 16 MB each number of the log has. That number is the first half of a place.
const SEGMENTS: u64 = 256;

/// The place of a segment in the WAL, or of what PostgreSQL names after one (`.backup`, `.partial`): two of them are in order as
/// text. The first eight digits of a name are the timeline, which a restore changes, and no part of it.
pub(super) fn place(name: &str) -> Option<&str> {
    let (segment, rest) = name.split_at_checked(24)?;
    let is_segment = segment.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F'));
    (is_segment && (rest.is_empty() || rest.starts_with('.'))).then(|| &segment[8..])
}

/// How many segments there are before this place.
pub(super) fn index(place: &str) -> Option<u64> {
    let (log, segment) = place.split_at_checked(8)?;
    let (log, segment) = (u64::from_str_radix(log, 16).ok()?, u64::from_str_radix(segment, 16).ok()?);
    (segment < SEGMENTS).then_some(log * SEGMENTS + segment)
}

/// The place that has so many segments before it.
pub(super) fn place_of(index: u64) -> String {
    format!("{:08X}{:08X}", index / SEGMENTS, index % SEGMENTS)
}

/// Whether it is the name of a whole segment.
pub(super) fn is_segment(name: &str) -> bool {
    name.len() == 24 && place(name).is_some()
}

/// Whether it comes before the first segment of a base backup. Of a base backup that does not say its first one, nothing does.
pub(super) fn is_before(name: &str, first: Option<&str>) -> bool {
    matches!((place(name), first.and_then(place)), (Some(place), Some(first)) if place < first)
}

/// Whether a recovery from a base backup with this first segment may read the file: a segment, or the history of a timeline.
pub(super) fn is_needed(name: &str, first: Option<&str>) -> bool {
    (is_segment(name) || name.ends_with(".history")) && !is_before(name, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Option<&str> = Some("000000010000000A000000FE");
    const OLD: [&str; 2] = ["000000010000000A000000FD", "000000020000000A000000FD"];

    #[test]
    fn segments_are_needed_from_the_base_backup_on_and_all_history() {
        for needed in ["000000010000000A000000FE", "000000010000000A000000FF", "000000010000000B00000000"] {
            assert!(is_needed(needed, FIRST), "{needed}");
        }
        assert!(is_needed("000000020000000A000000FE", FIRST) && is_needed("00000002.history", FIRST));
        for other in OLD.into_iter().chain(["000000010000000A000000FE.00000028.backup", "segment", ""]) {
            assert!(!is_needed(other, FIRST), "{other}");
        }
    }

    #[test]
    fn after_256_segments_comes_the_next_number_of_the_log() {
        for (place, before) in [("0000000000000000", 0), ("00000000000000FF", 255), ("0000000100000000", 256)] {
            assert_eq!((index(place), place_of(before)), (Some(before), place.to_owned()));
        }
        assert_eq!(place_of(0xFFFF_FFFF * 256 + 0xFE), "FFFFFFFF000000FE");
        for unknown in ["", "0000000A", "0000000A00000100", "0000000A000000GG"] {
            assert_eq!(index(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn nothing_is_before_an_unknown_beginning_and_no_unknown_file_is_before_any() {
        for old in OLD {
            assert!(is_before(old, FIRST), "{old}");
            for unknown in [None, Some(""), Some("A"), Some("000000010000000a000000fe"), Some("00000002.history")] {
                assert!(!is_before(old, unknown) && is_needed(old, unknown), "{old} {unknown:?}");
            }
        }
        assert!(is_before("000000010000000A000000FD.00000028.backup", FIRST));
        for kept in ["000000010000000A000000FF.partial", "00000001.history", "000000010000000A000000FDX", "notes.txt"] {
            assert!(!is_before(kept, FIRST), "{kept}");
        }
    }
}
