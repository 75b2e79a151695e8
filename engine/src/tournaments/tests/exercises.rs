//! The exercises in tie-breaking of FIDE's Technical Commission (2024), with the values that it published. Those of 2026
//! differ where unplayed rounds have caps.

use super::*;

const FIDE: [Edition; 2] = [Edition::Fide2024, Edition::Fide2026];

/// A round as pairs with the number of the winner, or 0 after a draw. `+` is who came to a bout alone.
fn round(stage: &mut Stage, number: u16, bouts: &[(u32, u32, u32)], alone: &[(u32, u32)], byes: &[u32]) {
    let mut at = 0;
    let mut add = |entrants: &[u32], result: Vec<Finish>| {
        at += 1;
        stage.bouts.push(bout(&format!("main-{number}-{at}"), entrants, result));
    };
    for (one, other, winner) in bouts {
        let result = match winner {
            0 => level(&[*one, *other]),
            _ => order(&[*winner, one + other - winner]),
        };
        add(&[*one, *other], result);
    }
    for (here, away) in alone {
        add(&[*away, *here], vec![finish(*here, 1), Finish { absent: true, ..finish(*away, 2) }]);
    }
    byes.iter().for_each(|it| add(&[*it], vec![]));
}

fn swiss() -> Stage {
    let mut stage = stage(Format::Swiss { rounds: 5 }, 16);
    let rounds = &mut stage;
    round(
        rounds,
        1,
        &[(1, 9, 1), (10, 2, 2), (3, 11, 0), (12, 4, 4), (5, 13, 13), (14, 6, 14), (7, 15, 7), (16, 8, 0)],
        &[],
        &[],
    );
    round(
        rounds,
        2,
        &[(13, 1, 0), (2, 7, 2), (6, 3, 3), (15, 5, 15), (8, 14, 8), (9, 10, 10), (11, 16, 16)],
        &[],
        &[4, 12],
    );
    round(rounds, 3, &[(1, 2, 0), (3, 8, 3), (4, 13, 4), (5, 11, 5), (16, 7, 16), (10, 15, 15)], &[(12, 14)], &[6, 9]);
    round(rounds, 4, &[(15, 1, 1), (2, 16, 2), (4, 3, 0), (7, 5, 0), (6, 10, 6), (8, 13, 8)], &[(11, 9)], &[]);
    round(
        rounds,
        5,
        &[(1, 4, 0), (3, 2, 0), (5, 10, 5), (8, 6, 6), (11, 7, 11), (13, 14, 14), (16, 15, 16)],
        &[],
        &[9],
    );
    stage.rulings.byes =
        vec![RequestedBye { entrant: 4, round: 2, points: 50 }, RequestedBye { entrant: 9, round: 3, points: 50 }];
    stage.rulings.ratings = (1..=16).map(|it| (it, 2250 - 50 * it as i32)).collect();
    stage
}

fn round_robin() -> Stage {
    let mut stage = stage(Format::RoundRobin { legs: 1 }, 6);
    round(&mut stage, 1, &[(1, 5, 0), (2, 6, 2), (3, 4, 3)], &[], &[]);
    round(&mut stage, 2, &[(1, 2, 1), (6, 3, 3), (5, 4, 5)], &[], &[]);
    round(&mut stage, 3, &[(3, 1, 1), (2, 5, 2), (4, 6, 0)], &[], &[]);
    round(&mut stage, 4, &[(1, 4, 4), (2, 3, 0)], &[(6, 5)], &[]);
    round(&mut stage, 5, &[(6, 1, 1), (4, 2, 2), (3, 5, 3)], &[], &[]);
    stage.rulings.ratings = (1..).zip([2200, 2150, 2100, 2050, 1950, 2000]).collect();
    stage
}

/// The values of everybody in hundredths, by number.
fn values(stage: &Stage, tie_break: TieBreak, edition: Edition) -> Vec<i64> {
    let mut stage = stage.clone();
    (stage.tie_breaks, stage.scoring.edition) = (vec![tie_break], edition);
    let mut rows = stage.standings();
    rows.sort_by_key(|it| it.entrant);
    rows.into_iter().map(|it| it.tie_breaks[0]).collect()
}

/// In both editions.
fn expect(stage: &Stage, tie_break: TieBreak, expected: &[f64]) {
    for edition in FIDE {
        expect_in(stage, edition, tie_break, expected);
    }
}

fn expect_in(stage: &Stage, edition: Edition, tie_break: TieBreak, expected: &[f64]) {
    let expected: Vec<i64> = expected.iter().map(|it| (it * 100.0).round() as i64).collect();
    assert_eq!(values(stage, tie_break, edition), expected, "{tie_break:?} {edition:?}");
}

#[test]
fn points_and_games_of_the_swiss_exercise_are_as_published() {
    let swiss = swiss();
    let mut rows = swiss.standings();
    rows.sort_by_key(|it| it.entrant);
    let points = [350, 400, 350, 350, 250, 300, 150, 250, 150, 100, 250, 200, 150, 200, 200, 350];
    assert_eq!(rows.iter().map(|it| it.points).collect::<Vec<_>>(), points);
    expect(&swiss, TieBreak::StandardPoints, &points.map(|it| it as f64 / 100.0));
    let wins = [2., 3., 2., 2., 2., 3., 1., 2., 1., 1., 2., 2., 1., 2., 2., 3.];
    expect(&swiss, TieBreak::Wins, &wins);
    let won = [2., 3., 2., 2., 2., 2., 1., 2., 0., 1., 1., 0., 1., 2., 2., 3.];
    expect(&swiss, TieBreak::GamesWon, &won);
    let black = [2., 3., 2., 2., 2., 2., 3., 2., 1., 3., 2., 0., 3., 2., 3., 2.];
    expect(&swiss, TieBreak::SecondSeats, &black);
    let won_black = [1., 1., 1., 1., 0., 1., 0., 0., 0., 1., 0., 0., 1., 1., 1., 1.];
    expect(&swiss, TieBreak::WonInSecondSeat, &won_black);
    let elected = [5., 5., 5., 4., 5., 5., 5., 5., 3., 5., 5., 3., 5., 3., 5., 5.];
    expect(&swiss, TieBreak::RoundsElected, &elected);
    let progressive = [11., 13., 11., 11.5, 5., 6., 6., 8.5, 2.5, 4., 5.5, 7., 7., 6., 7., 10.5];
    expect(&swiss, TieBreak::Progressive, &progressive);
    let cut = [10., 12., 10.5, 10.5, 5., 6., 5., 8., 2.5, 4., 5., 7., 6., 5., 7., 10.];
    expect(&swiss, TieBreak::ProgressiveCutOne, &cut);
    let kashdan = [14., 16., 14., 12., 12., 10., 9., 12., 2., 8., 8., 1., 9., 9., 11., 15.];
    expect(&swiss, TieBreak::Kashdan, &kashdan);
}

#[test]
fn sums_over_opponents_of_the_swiss_exercise_are_as_published() {
    let swiss = swiss();
    let [old, new] = FIDE;
    let mut buchholz = [12.5, 13., 15.5, 15., 8.5, 12., 14.5, 13.5, 9., 13., 13.5, 11.5, 14., 11., 12., 12.5];
    expect_in(&swiss, old, TieBreak::Buchholz, &buchholz);
    (buchholz[3], buchholz[5], buchholz[10]) = (14., 11.5, 12.5);
    expect_in(&swiss, new, TieBreak::Buchholz, &buchholz);
    let mut fore = [13.5, 13.5, 15., 15.5, 10., 12., 13.5, 12.5, 9.5, 12.5, 12.5, 11.5, 13.5, 10.5, 12., 13.5];
    expect_in(&swiss, old, TieBreak::ForeBuchholz, &fore);
    (fore[3], fore[10], fore[11]) = (14.5, 12., 11.);
    expect_in(&swiss, new, TieBreak::ForeBuchholz, &fore);
    let average = [12.6, 13.6, 13.4, 13.38, 13.4, 13.25, 11.9, 13., 12.75, 10.9, 12.75, 15., 12.1, 13.17, 12.2, 13.3];
    expect_in(&swiss, old, TieBreak::AverageBuchholz, &average);
    let average = [12.4, 13.6, 12.9, 13.38, 13.2, 13.25, 11.7, 12.9, 12.75, 10.8, 12.75, 14., 11.9, 13., 12.2, 13.1];
    expect_in(&swiss, new, TieBreak::AverageBuchholz, &average);
    let mut berger = [8., 9.5, 10.5, 9.75, 4.25, 6.5, 3.25, 5.25, 2.25, 1.5, 5.75, 4., 4.25, 4.5, 3.5, 7.25];
    expect_in(&swiss, old, TieBreak::SonnebornBerger, &berger);
    (berger[3], berger[5], berger[10]) = (9.25, 6., 4.75);
    expect_in(&swiss, new, TieBreak::SonnebornBerger, &berger);
    let mut cut = [7.25, 8.5, 9.25, 8., 3.25, 5.5, 1.25, 3.75, 2.25, 0., 4.25, 4., 4.25, 3., 2.5, 5.75];
    expect_in(&swiss, old, TieBreak::SonnebornBergerCutOne, &cut);
    (cut[3], cut[5], cut[10]) = (7.75, 5., 3.25);
    expect_in(&swiss, new, TieBreak::SonnebornBergerCutOne, &cut);
}

#[test]
fn a_round_that_somebody_chose_not_to_play_is_cut_first() {
    let swiss = swiss();
    let published = [
        (1, 11.),
        (3, 13.),
        (4, 11.5),
        (5, 7.5),
        (7, 12.5),
        (8, 12.),
        (9, 7.5),
        (12, 9.5),
        (13, 12.),
        (14, 9.),
        (15, 11.),
        (16, 11.),
    ];
    for (edition, of_eleven) in FIDE.into_iter().zip([1200, 1100]) {
        let found = values(&swiss, TieBreak::BuchholzCutOne, edition);
        for (entrant, value) in published {
            assert_eq!(found[entrant - 1], (value * 100.0) as i64, "{entrant} {edition:?}");
        }
        assert_eq!(found[10], of_eleven);
    }
}

#[test]
fn tie_breaks_from_ratings_are_as_published() {
    let swiss = swiss();
    let average = [
        1820., 1880., 1940., 1888., 1690., 1813., 1760., 1730., 1975., 1880., 1863., 2050., 1930., 1800., 1860., 1820.,
    ];
    expect(&swiss, TieBreak::OpponentsRating, &average);
    let cut =
        [1900., 1988., 2000., 1983., 1738., 1900., 1838., 1800., 2200., 1975., 2000., 0., 2025., 1900., 1963., 1900.];
    expect(&swiss, TieBreak::OpponentsRatingCutOne, &cut);
    let performance = [
        1969., 2120., 2089., 2081., 1690., 1813., 1611., 1730., 1175., 1640., 1776., 1250., 1781., 1925., 1788., 1969.,
    ];
    expect(&swiss, TieBreak::Performance, &performance);
    let opponents = [
        1789., 1856., 1904., 1772., 1719., 1846., 1869., 1915., 1805., 1717., 1840., 2081., 1879., 1775., 1776., 1805.,
    ];
    expect(&swiss, TieBreak::OpponentsPerformance, &opponents);
    let perfect =
        [2029., 2216., 2112., 2168., 1689., 1810., 1531., 1715., 950., 1575., 1763., 1250., 1744., 1942., 1768., 2013.];
    expect(&swiss, TieBreak::PerfectPerformance, &perfect);
    let opponents = [
        1769., 1852., 1934., 1784., 1676., 1836., 1890., 1924., 1802., 1687., 1836., 2168., 1909., 1756., 1767., 1799.,
    ];
    expect(&swiss, TieBreak::OpponentsPerfectPerformance, &opponents);
    expect(&round_robin(), TieBreak::Performance, &[2199., 2209., 2219., 1931., 2038., 1803.]);
    expect(&round_robin(), TieBreak::OpponentsPerformance, &[2040., 2038., 2036., 2094., 2140., 2140.]);
}

#[test]
fn in_a_round_robin_a_bout_counts_even_if_somebody_did_not_come() {
    let all = round_robin();
    expect(&all, TieBreak::SonnebornBerger, &[9.25, 6.25, 6.25, 4.25, 3.25, 2.25]);
    expect(&all, TieBreak::SonnebornBergerCutOne, &[9.25, 4.75, 4.75, 4.25, 3.25, 1.5]);
    expect(&all, TieBreak::Koya, &[2., 0.5, 0.5, 1., 0.5, 0.]);
    expect(&all, TieBreak::HeadToHead, &[2., 0.5, 0.5, 0.5, 1., 1.5]);
}
