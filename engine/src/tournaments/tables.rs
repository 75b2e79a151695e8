//! The sizes of the tables of a round.

use super::stage::Format;

impl Format {
    /// The sizes of the tables at which so many sit down to the first round, the larger first, with as few byes as possible.
    /// `None` in a format of duels, and if so many cannot fill a table.
    pub fn table_sizes(&self, many: usize) -> Option<Vec<usize>> {
        match self {
            Format::Pods { least, most, .. }
            | Format::PodKnockout { least, most, .. }
            | Format::Arena { least, most: most @ 3.., .. } => {
                sizes_with_byes(many, (*least).into(), (*most).into()).map(|(_, sizes)| sizes)
            }
            Format::SingleElimination { .. }
            | Format::DoubleElimination {}
            | Format::RoundRobin { .. }
            | Format::Swiss { .. }
            | Format::Groups { .. }
            | Format::Arena { .. } => None,
        }
    }
}

/// The sizes of as few tables as possible for this many players, the larger first. Sizes differ by one at most. `None`
/// if no such sizes are within the bounds.
pub(super) fn sizes(many: usize, least: usize, most: usize) -> Option<Vec<usize>> {
    let tables = many.div_ceil(most.max(1));
    if tables == 0 || many / tables < least {
        return None;
    }
    Some((0..tables).map(|it| (many - it).div_ceil(tables)).collect())
}

/// The same with as few byes as possible. Returns the number of byes and the sizes, or `None` if one table cannot be
/// filled.
pub(super) fn sizes_with_byes(many: usize, least: usize, most: usize) -> Option<(usize, Vec<usize>)> {
    (0..many).find_map(|byes| sizes(many - byes, least, most).map(|sizes| (byes, sizes)))
}
