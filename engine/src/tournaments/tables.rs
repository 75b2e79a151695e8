//! How many sit at each table of a round.

/// The sizes of as few tables as possible for so many, the larger first and none larger than another by more than one; nothing
/// if they do not come out within bounds.
pub(super) fn sizes(many: usize, least: usize, most: usize) -> Option<Vec<usize>> {
    let tables = many.div_ceil(most.max(1));
    if tables == 0 || many / tables < least {
        return None;
    }
    Some((0..tables).map(|it| (many - it).div_ceil(tables)).collect())
}

/// The same with as few left over as must be: how many, and the sizes. Nothing if there are too few for one table.
pub(super) fn sizes_with_byes(many: usize, least: usize, most: usize) -> Option<(usize, Vec<usize>)> {
    (0..many).find_map(|byes| sizes(many - byes, least, most).map(|sizes| (byes, sizes)))
}
