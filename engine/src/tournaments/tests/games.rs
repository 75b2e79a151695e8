//! Bouts of several games: when they are over, what results fit them, and whole stages of them.

use super::*;
use crate::playout::random;

fn with(format: Format, many: u32, games: Games) -> Stage {
    let mut stage = stage(format, many);
    stage.scoring.games = games;
    stage
}

fn best_of(games: u8, last: &[u8]) -> Games {
    Games::BestOf { games, last: last.to_vec() }
}

fn race_to(wins: u8) -> Games {
    Games::RaceTo { wins, last: Vec::new() }
}

/// What these games come to, each by its winner: who is ahead, and how many each has won.
fn comes_to(stage: &Stage, games: &[u32]) -> Option<(Option<u32>, Vec<i64>)> {
    let games: Vec<Option<u32>> = games.iter().map(|it| Some(*it).filter(|it| *it > 0)).collect();
    let result = stage.result_of_games(BoutKey::main(1, 1), &games)?;
    Some((winner_of(&result), result.iter().filter_map(|it| it.score).collect()))
}

fn duel(format: Format, games: Games) -> Stage {
    let mut stage = with(format, 2, games);
    stage.bouts = vec![Bout { key: BoutKey::main(1, 1), entrants: vec![1, 2], result: None }];
    stage
}

#[test]
fn best_of_three_is_over_once_the_rest_can_change_nothing() {
    let stage = duel(Format::RoundRobin { legs: 1 }, best_of(3, &[]));
    assert_eq!(comes_to(&stage, &[]), None);
    assert_eq!(comes_to(&stage, &[1]), None);
    assert_eq!(comes_to(&stage, &[1, 1]), Some((Some(1), vec![200, 0])));
    assert_eq!(comes_to(&stage, &[1, 2]), None);
    assert_eq!(comes_to(&stage, &[1, 2, 2]), Some((Some(2), vec![100, 200])));
    // A draw is a game that nobody won.
    assert_eq!(comes_to(&stage, &[1, 0]), None);
    assert_eq!(comes_to(&stage, &[1, 0, 0]), Some((Some(1), vec![100, 0])));
    assert_eq!(comes_to(&stage, &[1, 2, 0]), Some((None, vec![100, 100])));
}

#[test]
fn a_knock_out_goes_on_until_somebody_leads() {
    let stage = duel(Format::SingleElimination { third_place: false, consolation: Consolation::None }, best_of(3, &[]));
    assert_eq!(comes_to(&stage, &[1, 2, 0]), None);
    assert_eq!(comes_to(&stage, &[1, 2, 0, 0]), None);
    assert_eq!(comes_to(&stage, &[1, 2, 0, 0, 2]), Some((Some(2), vec![100, 200])));
}

#[test]
fn a_race_counts_wins_alone() {
    let stage = duel(Format::Swiss { rounds: 1 }, race_to(2));
    assert_eq!(comes_to(&stage, &[1, 0, 0, 2, 0]), None);
    assert_eq!(comes_to(&stage, &[1, 0, 0, 2, 0, 1]), Some((Some(1), vec![200, 100])));
}

#[test]
fn the_last_rounds_may_have_more_games() {
    let stage =
        with(Format::SingleElimination { third_place: true, consolation: Consolation::None }, 8, best_of(1, &[5, 3]));
    let of = |side, round| stage.games_of(BoutKey { side, round, number: 1 });
    assert_eq!([1, 2, 3].map(|round| of(Side::Main, round)), [1, 3, 5].map(Limit::BestOf));
    assert_eq!(of(Side::ThirdPlace, 3), Limit::BestOf(1));
    let double = with(Format::DoubleElimination {}, 8, best_of(3, &[5]));
    assert_eq!(double.games_of(BoutKey { side: Side::Final, round: 6, number: 1 }), Limit::BestOf(5));
    assert_eq!(double.games_of(BoutKey { side: Side::Losers, round: 5, number: 1 }), Limit::BestOf(3));
}

#[test]
fn numbers_of_games_that_decide_nothing_are_refused() {
    let single = || Format::SingleElimination { third_place: false, consolation: Consolation::None };
    for games in [best_of(2, &[]), best_of(3, &[4]), best_of(0, &[]), race_to(16), best_of(3, &[3; 6])] {
        assert_eq!(with(single(), 4, games.clone()).check(), Err(InvalidStage::BadGames), "{games:?}");
    }
    assert_eq!(with(Format::RoundRobin { legs: 1 }, 4, best_of(2, &[])).check(), Ok(()));
    let pods = Format::Pods {
        rounds: 1,
        least: 2,
        most: 4,
        pairing: PodPairing::Random,
        reach: 0,
        short_tables: ShortTables::Rotate,
    };
    assert_eq!(with(pods, 4, best_of(3, &[])).check(), Err(InvalidStage::BadGames));
}

#[test]
fn a_result_says_how_many_games_were_won() {
    let stage = duel(Format::RoundRobin { legs: 1 }, best_of(3, &[]));
    let check = |one: (u16, Option<i64>), other: (u16, Option<i64>)| {
        let finish = |entrant, (place, score)| Finish { entrant, place, score, absent: false };
        stage.check_result(BoutKey::main(1, 1), &[finish(1, one), finish(2, other)])
    };
    assert_eq!(check((1, Some(200)), (2, Some(100))), None);
    assert_eq!(check((1, Some(100)), (1, Some(100))), None);
    // Where time was up, as far as they came; or only who won.
    assert_eq!(check((1, Some(100)), (2, Some(0))), None);
    assert_eq!(check((1, None), (2, None)), None);
    assert_eq!(check((2, Some(200)), (1, Some(100))), Some(BadResult::ScoreOrder));
    for (one, other) in [(300, 0), (200, 200), (150, 0), (200, -100)] {
        assert_eq!(check((1, Some(one)), (2, Some(other))), Some(BadResult::BadGames), "{one} and {other}");
    }
}

/// Every bout is played game by game at random, with draws; each ends by itself, with a result that fits it, and so does the stage.
#[test]
fn stages_of_several_games_never_stick() {
    let formats = [
        Format::SingleElimination { third_place: true, consolation: Consolation::None },
        Format::DoubleElimination {},
        Format::RoundRobin { legs: 1 },
        Format::Swiss { rounds: 3 },
    ];
    let lengths = [best_of(3, &[]), best_of(1, &[5, 3]), best_of(7, &[]), race_to(2), race_to(3)];
    for seed in 0..400_u64 {
        let mut source = random(seed);
        let format = formats[source.below(4) as usize].clone();
        let games = lengths[source.below(5) as usize].clone();
        let mut stage = with(format, 4 + source.below(9), games);
        for _ in 0..200 {
            let due = stage.due().unwrap_or_default();
            stage.record(&due);
            let open = stage.open();
            if open.is_empty() && due.is_empty() {
                break;
            }
            for key in open {
                let entrants = stage.find(key).entrants.clone();
                let mut played = Vec::new();
                let result = loop {
                    if let Some(result) = stage.result_of_games(key, &played) {
                        break result;
                    }
                    assert!(played.len() < 300, "a bout ends");
                    played.push(entrants.get(source.below(3) as usize).copied());
                };
                assert_eq!(stage.check_result(key, &result), None, "{played:?}");
                assert_eq!(winner_of(&result).is_none(), result.iter().all(|it| it.place == 1));
                stage.end(key, result);
            }
        }
        assert!(stage.is_over(), "{:?}", stage.format);
    }
}
