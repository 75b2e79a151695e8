//! Teams: on boards where two meet, by sums at tables of several.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// So many teams with as many members as boards: 1, 2, 3 are the first where there are three.
fn teams_of(format: Format, teams: u32, boards: u8) -> Stage {
    let size = u32::from(boards);
    let rosters = (0..teams).map(|team| (team * size + 1..=(team + 1) * size).collect()).collect();
    Stage { teams: Some(Teams { boards, rosters }), ..stage(format, teams * size) }
}

fn formats() -> Vec<Format> {
    vec![
        Format::RoundRobin { legs: 1 },
        Format::Swiss { rounds: 3 },
        Format::SingleElimination { third_place: true, consolation: Consolation::None },
        Format::DoubleElimination {},
        Format::Groups { groups: 2, play: GroupPlay::RoundRobin { legs: 1 } },
    ]
}

fn pods(rounds: u8, size: u8) -> Format {
    let (reach, short_tables) = (0, ShortTables::Rotate);
    Format::Pods { rounds, least: size - 1, most: size, pairing: PodPairing::Random, reach, short_tables }
}

impl Stage {
    fn team(&self, entrant: u32) -> u32 {
        self.teams.as_ref().and_then(|it| it.team_of(entrant)).expect("everybody has a team")
    }
}

#[test]
fn teams_meet_on_boards_as_their_stage_says_and_members_keep_their_boards() {
    for format in formats() {
        for (teams, boards) in [(4, 2), (5, 3), (6, 4), (7, 6)] {
            let mut stage = teams_of(format.clone(), teams, boards);
            loop {
                let between = stage.between_teams().expect("teams meet");
                let (due, of_teams) = (stage.pair(), between.due().expect("teams can be paired"));
                assert_eq!(due.len(), of_teams.len() * usize::from(boards), "{format:?}");
                for pairing in &of_teams {
                    let of = |it: &&Pairing| it.key.side == pairing.key.side && it.key.round == pairing.key.round;
                    let here = due
                        .iter()
                        .filter(of)
                        .filter(|it| (it.key.number - 1) / u16::from(boards) + 1 == pairing.key.number);
                    for (board, on_board) in here.enumerate() {
                        let mut met: Vec<u32> = on_board.entrants.iter().map(|it| stage.team(*it)).collect();
                        if board % 2 == 1 {
                            met.reverse();
                        }
                        assert_eq!(met, pairing.entrants, "the first seat changes from board to board");
                        for entrant in &on_board.entrants {
                            assert_eq!((*entrant - 1) as usize % usize::from(boards), board);
                        }
                    }
                }
                if due.is_empty() {
                    break;
                }
                stage.play(&mut favourite);
            }
            assert!(stage.is_over());
            assert_eq!(stage.standings().len(), teams as usize);
            assert_eq!(stage.rounds(), stage.between_teams().expect("teams meet").rounds());
            let first = &stage.standings()[0];
            assert_eq!((first.rank, first.entrant), (1, 1), "{format:?}: the strongest team wins");
            assert_eq!(
                first.members.iter().map(|it| it.entrant).collect::<Vec<_>>(),
                (1..=u32::from(boards)).collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn boards_add_up_to_the_result_of_a_bout() {
    let mut stage = teams_of(Format::RoundRobin { legs: 1 }, 2, 4);
    stage.tie_breaks = vec![TieBreak::Scores, TieBreak::Berlin, TieBreak::FirstBoard, TieBreak::WithoutLastBoard];
    stage.pair();
    let of_board = |stage: &Stage, board: u16| stage.find(BoutKey::main(1, board)).entrants.clone();
    let is_over = |stage: &Stage| stage.between_teams().expect("teams meet").bouts[0].result.clone();
    // 1–5 is won, 2–6 drawn, 7 beats 3, and 8 does not come.
    stage.end(BoutKey::main(1, 1), order(&[1, 5]));
    stage.end(BoutKey::main(1, 2), level(&of_board(&stage, 2)));
    stage.end(BoutKey::main(1, 3), order(&[7, 3]));
    assert_eq!(is_over(&stage), None, "a board is open");
    let so_far = stage.team_bouts().remove(0);
    let mut points: Vec<_> = so_far.sides.iter().map(|it| (it.team, it.points, it.place)).collect();
    points.sort_unstable();
    assert_eq!((points, so_far.is_over), (vec![(1, 150, None), (5, 150, None)], false));
    stage.end(BoutKey::main(1, 4), vec![finish(4, 1), Finish { absent: true, ..finish(8, 2) }]);
    let finish = |entrant, place, score| Finish { entrant, place, score: Some(score), absent: false };
    let mut result = is_over(&stage).expect("it is over");
    result.sort();
    assert_eq!(result, [finish(1, 1, 250), finish(5, 2, 150)]);
    let rows = stage.standings();
    let values: Vec<_> = rows.iter().map(|it| (it.entrant, it.points, it.tie_breaks.clone())).collect();
    let of_winner = vec![250, 4 * 100 + 3 * 50 + 100, 100, 150];
    assert_eq!(values, [(1, 100, of_winner), (5, 0, vec![150, 3 * 50 + 2 * 100, 0, 150])]);
    let own = |row: &StandingsRow| row.members.iter().map(|it| (it.entrant, it.points)).collect::<Vec<_>>();
    assert_eq!(own(&rows[0]), [(1, 100), (2, 50), (3, 0), (4, 100)]);
    assert_eq!(own(&rows[1]), [(5, 0), (6, 50), (7, 100), (8, 0)]);
}

#[test]
fn the_higher_boards_decide_a_knockout_between_equals() {
    let single = Format::SingleElimination { third_place: false, consolation: Consolation::None };
    // By board, who wins; and which of the teams, 1 and 5, goes on. Where 1 and 4 weigh as much as 2 and 3, the first board decides.
    for (winners, through) in [([1, 2, 7, 8], 1), ([5, 6, 3, 4], 5), ([1, 6, 7, 4], 1), ([5, 2, 3, 8], 5)] {
        let mut stage = teams_of(single.clone(), 2, 4);
        stage.pair();
        for (board, winner) in (1..).zip(winners) {
            let loser = if winner > 4 { winner - 4 } else { winner + 4 };
            stage.end(BoutKey::main(1, board), order(&[winner, loser]));
        }
        assert_eq!(stage.standings()[0].entrant, through, "{winners:?}");
    }
    let mut nobody_came = teams_of(single, 4, 2);
    nobody_came.pair();
    for key in nobody_came.open() {
        let entrants = nobody_came.find(key).entrants.clone();
        nobody_came
            .end(key, if key.number <= 2 { nobody(&entrants) } else { order(&favourite(nobody_came.find(key))) });
    }
    let last = nobody_came.pair();
    assert!(last.iter().all(|it| it.entrants.len() == 1), "who is left has nobody to play");
}

#[test]
fn reserves_move_up_and_an_empty_board_is_lost() {
    let mut stage = teams_of(Format::Swiss { rounds: 2 }, 4, 2);
    // Team 1 has a third; team 7 has only one in the end.
    stage.participants.push(Participant { entrant: 9, seed: 9, from_round: 1, until_round: None });
    stage.teams.as_mut().expect("teams play").rosters[0].push(9);
    stage.pair();
    assert!(stage.bouts.iter().all(|it| !it.entrants.contains(&9)), "boards go to the first two");
    stage.play(&mut favourite);
    stage.drop_out(1, 1);
    stage.drop_out(8, 1);
    let due = stage.pair();
    let of = |entrant: u32| due.iter().find(|it| it.entrants.contains(&entrant)).map(|it| (it.key.number - 1) % 2);
    assert_eq!((of(1), of(2), of(9)), (None, Some(0), Some(1)), "who is behind moves up");
    let alone = due.iter().find(|it| it.entrants.len() == 1).expect("nobody is on the second board of team 7");
    let (winner, bout) = (stage.team(alone.entrants[0]), (alone.key.number - 1) / 2);
    stage.play(&mut favourite);
    let between = stage.between_teams().expect("teams meet");
    let met = between.bouts.iter().find(|it| it.key == BoutKey::main(2, bout + 1)).expect("it was played");
    let score = |team: u32| met.result.iter().flatten().find(|it| it.entrant == team).and_then(|it| it.score);
    assert!(met.entrants.contains(&7) && score(winner) >= Some(100));
}

#[test]
fn a_bye_of_a_team_is_worth_half_of_its_boards() {
    let mut stage = teams_of(Format::Swiss { rounds: 2 }, 3, 3);
    stage.tie_breaks = vec![TieBreak::Scores, TieBreak::Berlin, TieBreak::FirstBoard];
    let due = stage.pair();
    assert_eq!(due.iter().filter(|it| it.entrants.len() == 1).count(), 3, "each of them rests");
    stage.play(&mut favourite);
    let rests = stage.team(due.iter().find(|it| it.entrants.len() == 1).expect("somebody rests").entrants[0]);
    let row = stage.standings().into_iter().find(|it| it.entrant == rests).expect("they stand");
    assert_eq!((row.points, row.tie_breaks, row.played), (100, vec![150, 300, 50], 0));
    stage.scoring.points = Points::Scores;
    let row = stage.standings().into_iter().find(|it| it.entrant == rests).expect("they stand");
    assert_eq!(row.points, 150);
}

#[test]
fn mates_sit_apart_in_pods_and_what_they_have_adds_up() {
    for (teams, size) in [(4, 4), (5, 3), (6, 2), (4, 6)] {
        let mut stage = teams_of(pods(3, 4), teams, size);
        stage.scoring.points = Points::Places { scale: vec![400, 300, 200, 100], bye: 250 };
        stage.tie_breaks = vec![TieBreak::Wins];
        while !stage.pair().is_empty() {
            stage.play(&mut favourite);
        }
        let tables = stage.bouts.iter().filter(|it| !it.is_bye());
        for table in tables {
            let met: BTreeSet<u32> = table.entrants.iter().map(|it| stage.team(*it)).collect();
            assert_eq!(met.len(), table.entrants.len(), "{teams} teams of {size}: {:?}", table.entrants);
        }
        let alone = Stage { teams: None, ..stage.clone() };
        let own: BTreeMap<u32, StandingsRow> = alone.standings().into_iter().map(|it| (it.entrant, it)).collect();
        let rows = stage.standings();
        for row in &rows {
            let members: Vec<&StandingsRow> = row.members.iter().map(|it| &own[&it.entrant]).collect();
            assert_eq!(members.len(), usize::from(size));
            assert_eq!(row.points, members.iter().map(|it| it.points).sum::<i64>());
            assert_eq!(row.tie_breaks[0], members.iter().map(|it| it.tie_breaks[0]).sum::<i64>());
        }
        let keys: Vec<_> = rows.iter().map(|it| (it.points, it.tie_breaks.clone())).collect();
        assert!(keys.is_sorted_by(|one, other| one >= other));
    }
}

#[test]
fn a_correction_names_the_boards_that_it_would_invalidate() {
    let mut stage = teams_of(Format::SingleElimination { third_place: false, consolation: Consolation::None }, 4, 3);
    stage.pair();
    stage.play(&mut favourite);
    let second = stage.pair();
    assert_eq!(second.len(), 3);
    let first = stage.find(key("main-1-1")).entrants.clone();
    let mut upset = favourite(stage.find(key("main-1-1")));
    upset.reverse();
    assert_eq!(stage.invalidated_by(key("main-1-1"), &order(&upset)), [], "two boards of three still win");
    stage.end(key("main-1-2"), {
        let mut upset = favourite(stage.find(key("main-1-2")));
        upset.reverse();
        order(&upset)
    });
    let invalid: BTreeSet<BoutKey> = stage.invalidated_by(key("main-1-1"), &order(&upset)).into_iter().collect();
    assert_eq!(invalid, second.iter().map(|it| it.key).collect(), "{first:?}");
}

#[test]
fn what_cannot_be_a_team_is_refused() {
    let code = |stage: &Stage| stage.check().map_err(|it| it.code());
    let swiss = || teams_of(Format::Swiss { rounds: 3 }, 4, 2);
    let with = |change: fn(&mut Teams)| {
        let mut stage = swiss();
        change(stage.teams.as_mut().expect("teams play"));
        code(&stage)
    };
    assert_eq!(code(&swiss()), Ok(()));
    assert_eq!(with(|it| it.boards = 1), Err("bad_boards"));
    assert_eq!(with(|it| it.boards = 7), Err("bad_boards"));
    assert_eq!(with(|it| it.rosters[1].clear()), Err("without_team"));
    assert_eq!(with(|it| it.rosters[1].push(1)), Err("entered_twice"));
    assert_eq!(with(|it| it.rosters = vec![vec![1, 2, 3, 4], vec![5, 6, 7, 8]]), Err("too_many_rounds"));
    assert_eq!(with(|it| it.rosters = vec![vec![1, 2, 3, 4, 5], vec![6, 7, 8]]), Err("team_too_large"));
    assert_eq!(with(|it| it.rosters = vec![(1..=8).collect()]), Err("team_too_large"));
    assert_eq!(code(&teams_of(Format::Swiss { rounds: 4 }, 4, 2)), Err("too_many_rounds"), "of teams, not of people");
    assert_eq!(code(&teams_of(Format::RoundRobin { legs: 1 }, 1, 2)), Err("too_few"));
    for format in [
        Format::Arena { minutes: 60, least: 2, most: 2, patience: 60, streaks: false },
        Format::PodKnockout { least: 3, most: 4, advance: 2, wild_cards: false },
    ] {
        assert_eq!(code(&teams_of(format, 4, 2)), Err("no_teams"));
    }
    assert_eq!(code(&teams_of(pods(2, 4), 4, 3)), Ok(()));
    let mut reserve = teams_of(pods(2, 4), 4, 2);
    reserve.teams.as_mut().expect("teams play").rosters = vec![vec![1, 2, 3], vec![4, 5], vec![6, 7], vec![8]];
    assert_eq!(code(&reserve), Err("team_too_large"), "everybody plays in pods");
}

#[test]
fn a_team_that_asks_to_rest_gets_what_was_agreed_and_others_take_the_board_of_one_who_asks() {
    let mut stage = teams_of(Format::Swiss { rounds: 2 }, 4, 2);
    let bye = |entrant, round| RequestedBye { entrant, round, points: 50 };
    stage.rulings.byes = vec![bye(1, 1), bye(2, 1), bye(3, 2)];
    let due = stage.pair();
    let resting: Vec<&Pairing> = due.iter().filter(|it| it.entrants.iter().any(|it| *it <= 2)).collect();
    assert_eq!(resting.len(), 1, "one stands for the team");
    assert_eq!(resting[0].reasons, [Reason::RequestedBye { points: 50 }]);
    stage.play(&mut favourite);
    let points = |stage: &Stage, team: u32| stage.standings().iter().find(|it| it.entrant == team).map(|it| it.points);
    assert_eq!(points(&stage, 1), Some(50));
    let second = stage.pair();
    assert!(second.iter().all(|it| !it.entrants.contains(&3)), "3 asked not to play");
    assert!(second.iter().any(|it| it.entrants.contains(&4) && (it.key.number - 1) % 2 == 0), "4 has the first board");
    // Who comes back later does not change what was.
    stage.drop_out(2, 1);
    stage.play(&mut favourite);
    assert!(points(&stage, 1) >= Some(50));
}

#[test]
fn who_has_dropped_leaves_their_place_to_another() {
    let mut stage = teams_of(pods(3, 4), 4, 3);
    stage.pair();
    stage.play(&mut favourite);
    stage.drop_out(1, 1);
    stage.participants.push(Participant { entrant: 13, seed: 13, from_round: 2, until_round: None });
    stage.teams.as_mut().expect("teams play").rosters[0].push(13);
    assert_eq!(stage.check(), Ok(()));
    let due = stage.pair();
    assert!(due.iter().any(|it| it.entrants.contains(&13)));
    assert_eq!(stage.standings()[0].members.len(), 4);
}

#[test]
fn each_group_of_teams_keeps_its_places() {
    let format = Format::Groups { groups: 2, play: GroupPlay::RoundRobin { legs: 1 } };
    let mut stage = teams_of(format, 6, 2);
    while !stage.pair().is_empty() {
        for key in stage.open() {
            let result = level(&stage.find(key).entrants.clone());
            stage.end(key, result);
        }
    }
    let line = stage.group_line(2, |_| true).expect("all teams of a group are level");
    let (sizes, places): (Vec<usize>, usize) = (line.quotas.iter().map(|it| it.of.len()).collect(), line.places);
    assert_eq!((line.through.len(), places, sizes.as_slice()), (0, 2, &[3, 3][..]));
    assert!(line.quotas.iter().all(|it| (it.least, it.most) == (1, 1)), "{line:?}");
    let seen: Vec<u32> = stage.standings().iter().map(|it| it.entrant).collect();
    assert!(line.order == seen, "teams go by the numbers that the standings know");
}
