//! Round robin: property K1.

use super::super::round_robin::berger;

#[test]
fn the_tables_are_bergers() {
    assert_eq!(berger(4, 1), [(1, 4), (2, 3)]);
    assert_eq!(berger(4, 2), [(4, 3), (1, 2)]);
    assert_eq!(berger(4, 3), [(2, 4), (3, 1)]);
    assert_eq!(berger(8, 2), [(8, 5), (6, 4), (7, 3), (1, 2)]);
    assert_eq!(berger(8, 3), [(2, 8), (3, 1), (4, 7), (5, 6)]);
}
