//! Standings and tie-breaks: properties T1 to T6.

use super::*;

fn duels(many: u32, tie_breaks: &[TieBreak]) -> Stage {
    let mut stage = stage(Format::Swiss { rounds: 3 }, many);
    stage.tie_breaks = tie_breaks.to_vec();
    stage
}

fn values(stage: &Stage) -> Vec<(u32, Vec<i64>)> {
    let mut values: Vec<_> = stage.standings().into_iter().map(|it| (it.entrant, it.tie_breaks)).collect();
    values.sort_unstable();
    values
}

fn column(stage: &mut Stage, tie_break: TieBreak) -> Vec<i64> {
    stage.tie_breaks = vec![tie_break];
    values(stage).into_iter().map(|(_, it)| it[0]).collect()
}

/// After three rounds 1 has 3 points, 2 and 3 have 2 and 1½, 4 has 1, 5 rested in the first round.
fn three_rounds() -> Stage {
    let mut stage = duels(5, &[]);
    stage.scoring.edition = Edition::Fide2024;
    stage.bouts = vec![
        bout("main-1-1", &[1, 3], order(&[1, 3])),
        bout("main-1-2", &[2, 4], order(&[2, 4])),
        bout("main-1-3", &[5], vec![]),
        bout("main-2-1", &[1, 2], order(&[1, 2])),
        bout("main-2-2", &[3, 5], level(&[3, 5])),
        bout("main-2-3", &[4], vec![]),
        bout("main-3-1", &[1, 5], order(&[1, 5])),
        bout("main-3-2", &[3, 4], order(&[3, 4])),
        bout("main-3-3", &[2], vec![]),
    ];
    stage
}

#[test]
fn every_tie_break_is_what_the_guide_says() {
    let mut stage = three_rounds();
    let points: Vec<i64> = [1, 2, 3, 4, 5]
        .iter()
        .map(|entrant| stage.standings().iter().find(|it| it.entrant == *entrant).map_or(0, |it| it.points))
        .collect();
    assert_eq!(points, [300, 200, 150, 100, 150]);
    // A bye that is worth a win counts as one, but is no game.
    assert_eq!(column(&mut stage, TieBreak::Wins), [300, 200, 100, 100, 100]);
    assert_eq!(column(&mut stage, TieBreak::GamesWon), [300, 100, 100, 0, 0]);
    // 1 met 3, 2 and 5; 2 met 4 and 1 and rested: against 2's own points.
    assert_eq!(column(&mut stage, TieBreak::Buchholz), [500, 600, 550, 450, 600]);
    assert_eq!(column(&mut stage, TieBreak::BuchholzCutOne), [350, 500, 450, 350, 450]);
    assert_eq!(column(&mut stage, TieBreak::MedianBuchholz), [150, 200, 150, 150, 150]);
    assert_eq!(column(&mut stage, TieBreak::SonnebornBerger), [500, 300, 175, 100, 225]);
    assert_eq!(column(&mut stage, TieBreak::Progressive), [600, 400, 200, 200, 400]);
    // 1: of 3 (1½ of 3), 2 (1 of 2) and 5 (½ of 2, but a third at least).
    assert_eq!(column(&mut stage, TieBreak::OpponentsWinRate), [4444, 6666, 5555, 5000, 7500]);
    assert_eq!(column(&mut stage, TieBreak::Seed), [-100, -200, -300, -400, -500]);
    let mut lots = column(&mut stage, TieBreak::Lot);
    lots.sort_unstable();
    assert_eq!(lots, [100, 200, 300, 400, 500]);
    assert_eq!(column(&mut stage, TieBreak::BestPlaces)[..2], [30_000_000_000, 10_100_000_000]);
}

#[test]
fn scores_count_as_they_were_written() {
    let mut stage = stage(
        Format::Pods {
            rounds: 1,
            least: 3,
            most: 3,
            pairing: PodPairing::Random,
            reach: 0,
            short_tables: ShortTables::Rotate,
        },
        3,
    );
    let scored = |entrant, place, score| Finish { score: Some(score), ..finish(entrant, place) };
    stage.bouts = vec![bout("main-1-1", &[1, 2, 3], vec![scored(1, 1, 1000), scored(2, 2, 600), scored(3, 3, 400)])];
    assert_eq!(column(&mut stage, TieBreak::Scores), [1000, 600, 400]);
    assert_eq!(column(&mut stage, TieBreak::ScoreShare), [5000, 3000, 2000]);
    stage.scoring.points = Points::Scores;
    assert_eq!(stage.standings().iter().map(|it| it.points).collect::<Vec<_>>(), [1000, 600, 400]);
}

#[test]
fn tie_breaks_count_strictly_in_order_and_equals_share_a_rank() {
    let mut stage = three_rounds();
    stage.tie_breaks = vec![];
    assert_eq!(stage.ranks(), [(1, 1), (2, 2), (3, 3), (3, 5), (5, 4)]);
    stage.tie_breaks = vec![TieBreak::Buchholz];
    assert_eq!(stage.ranks(), [(1, 1), (2, 2), (3, 5), (4, 3), (5, 4)]);
    stage.tie_breaks = vec![TieBreak::GamesWon, TieBreak::Buchholz];
    assert_eq!(stage.ranks(), [(1, 1), (2, 2), (3, 3), (4, 5), (5, 4)]);
}

#[test]
fn equals_who_all_met_are_told_apart_by_that() {
    let mut stage = duels(4, &[TieBreak::HeadToHead]);
    stage.scoring.points = Points::Win { win: 100, draw: 100, loss: 100, bye: 100 };
    stage.bouts = vec![
        bout("main-1-1", &[1, 2], order(&[2, 1])),
        bout("main-2-1", &[1, 3], order(&[3, 1])),
        bout("main-3-1", &[2, 3], order(&[2, 3])),
    ];
    stage.participants.truncate(3);
    assert_eq!(values(&stage), [(1, vec![0]), (2, vec![200]), (3, vec![100])]);
}

#[test]
fn equals_who_have_not_all_met_are_told_apart_only_where_nothing_can_change_it() {
    let mut stage = duels(3, &[TieBreak::HeadToHead]);
    stage.scoring.points = Points::Win { win: 100, draw: 100, loss: 100, bye: 100 };
    // 2 beat both; 1 and 3 have not met.
    stage.bouts = vec![
        bout("main-1-1", &[1, 2], order(&[2, 1])),
        bout("main-1-2", &[3], vec![]),
        bout("main-2-1", &[3, 2], order(&[2, 3])),
        bout("main-2-2", &[1], vec![]),
    ];
    assert_eq!(values(&stage), [(1, vec![0]), (2, vec![200]), (3, vec![0])]);
    // 2 has not met 3, who could still catch up.
    stage.bouts.truncate(2);
    stage.participants[2].from_round = 1;
    assert_eq!(values(&stage), [(1, vec![0]), (2, vec![0]), (3, vec![0])]);
}

#[test]
fn who_has_left_still_counts_for_others() {
    let mut stage = three_rounds();
    let before = values(&stage);
    stage.drop_out(3, 3);
    assert_eq!(values(&stage), before);
    assert!(stage.standings().iter().all(|it| it.is_out == (it.entrant == 3)));
}

#[test]
fn walkovers_and_byes_count_as_played_as_they_were() {
    let mut stage = duels(3, &[TieBreak::Buchholz]);
    stage.bouts = vec![
        bout("main-1-1", &[1, 2], vec![finish(1, 1), Finish { absent: true, ..finish(2, 2) }]),
        bout("main-1-2", &[3], vec![]),
    ];
    let standings = stage.standings();
    let line = |entrant: u32| standings.iter().find(|it| it.entrant == entrant).expect("they are in the table");
    assert_eq!((line(1).played, line(1).wins, line(1).points), (1, 1, 100));
    assert_eq!((line(2).played, line(2).losses, line(2).points), (1, 1, 0));
    assert_eq!((line(3).played, line(3).wins, line(3).points), (0, 0, 100));
    // Since 2026 the dummy has no more points than who was to come.
    assert_eq!(line(1).tie_breaks, [0]);
    stage.scoring.edition = Edition::Fide2024;
    assert_eq!(stage.standings().iter().find(|it| it.entrant == 1).expect("in the table").tie_breaks, [100]);
}

#[test]
fn places_at_a_small_table_count_as_at_a_full_one_or_are_spread_over_the_scale() {
    let format = Format::Pods {
        rounds: 1,
        least: 3,
        most: 4,
        pairing: PodPairing::Random,
        reach: 0,
        short_tables: ShortTables::Rotate,
    };
    let mut stage = stage(format, 7);
    stage.scoring.points = Points::Places { scale: vec![500, 300, 200, 100], bye: 0 };
    stage.pair();
    stage.play(&mut favourite);
    let points = |stage: &Stage, seats: usize| {
        let table = stage.bouts.iter().find(|it| it.entrants.len() == seats).expect("there is such a table");
        let mut finishes = table.result.clone().expect("it was played");
        finishes.sort_by_key(|it| it.place);
        let rows = stage.standings();
        let of = |entrant| rows.iter().find(|it| it.entrant == entrant).map(|it| it.points);
        finishes.iter().filter_map(|it| of(it.entrant)).collect::<Vec<_>>()
    };
    assert_eq!((points(&stage, 4), points(&stage, 3)), (vec![500, 300, 200, 100], vec![500, 300, 200]));
    stage.scoring.short_scale = ShortScale::Scaled;
    assert_eq!((points(&stage, 4), points(&stage, 3)), (vec![500, 300, 200, 100], vec![500, 250, 100]));
    // Two who share the first place share what it and the second are worth.
    let table = stage.bouts.iter_mut().find(|it| it.entrants.len() == 3).expect("there is such a table");
    let places = [1, 1, 3];
    let finishes = table.result.iter_mut().flatten().zip(places);
    finishes.for_each(|(finish, place)| finish.place = place);
    assert_eq!(points(&stage, 3), [375, 375, 100]);
}
