//! The sizes of the tables of a round.

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
