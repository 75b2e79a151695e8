//! Elimination: properties E1 to E10.

use super::*;

#[test]
fn the_favourites_win_single_elimination_in_the_order_of_their_seeds() {
    for many in 2..=64 {
        let mut stage = stage(Format::SingleElimination { third_place: false }, many);
        stage.play_out(&mut favourite);
        assert_eq!(stage.bouts.iter().filter(|it| !it.is_bye()).count() as u32, many - 1);
        assert_eq!(stage.ranks()[0], (1, 1));
        assert_eq!(stage.ranks()[1], (2, 2));
    }
}
