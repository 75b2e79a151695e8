//! Stages that somebody has tampered with: whatever stands in them, every question has an answer.

use serde_json::Value;

use super::*;
use crate::playout::random;
use crate::tampering::tamper;

fn formats() -> Vec<Format> {
    let pods = |pairing| {
        let (reach, short_tables) = (0, ShortTables::Rotate);
        Format::Pods { rounds: 4, least: 3, most: 4, pairing, reach, short_tables }
    };
    vec![
        Format::SingleElimination { third_place: true, consolation: Consolation::None },
        Format::SingleElimination { third_place: false, consolation: Consolation::All },
        Format::DoubleElimination {},
        Format::RoundRobin { legs: 2 },
        Format::Swiss { rounds: 4 },
        Format::Groups { groups: 2, play: GroupPlay::Swiss { rounds: 2 } },
        pods(PodPairing::Random),
        pods(PodPairing::ByStanding),
        pods(PodPairing::Spread),
        Format::PodKnockout { least: 3, most: 4, advance: 2, wild_cards: false },
        Format::Arena { minutes: 60, least: 2, most: 2, patience: 60, streaks: true },
        Format::Arena { minutes: 60, least: 3, most: 4, patience: 60, streaks: false },
    ]
}

/// Each of them, and those in which teams can play once more with teams of two.
fn stages() -> Vec<Stage> {
    let alone = formats().into_iter().map(|format| stage(format, 10));
    let rosters: Vec<Vec<u32>> = (0..5).map(|team| vec![2 * team + 1, 2 * team + 2]).collect();
    let in_teams = alone.clone().map(|it| Stage { teams: Some(Teams { boards: 2, rosters: rosters.clone() }), ..it });
    alone.chain(in_teams.filter(|it| it.check().is_ok())).collect()
}

fn value(stage: &Stage) -> Value {
    serde_json::to_value(stage).expect("it is JSON")
}

#[test]
fn a_stage_is_read_as_it_was_written() {
    for mut stage in stages() {
        stage.play_out(&mut favourite);
        assert_eq!(serde_json::from_value::<Stage>(value(&stage)).expect("it is a stage"), stage);
    }
}

#[test]
fn whatever_stands_in_a_stage_every_question_has_an_answer() {
    let mut source = random(8);
    let mut read = 0;
    for mut stage in stages() {
        stage.tie_breaks = vec![
            TieBreak::HeadToHead,
            TieBreak::BuchholzCutOne,
            TieBreak::Progressive,
            TieBreak::Berlin,
            TieBreak::WithoutLastBoard,
            TieBreak::Lot,
        ];
        stage.rulings.byes = vec![RequestedBye { entrant: 3, round: 2, points: 50 }];
        stage.rulings.ratings = (1..=10).map(|entrant| (entrant, 1500)).collect();
        let other = stage.clone();
        for _ in 0..2 {
            let free: Vec<Free> = (1..=9).map(|entrant| Free { entrant, waited: 70 }).collect();
            stage.record(&stage.due_among(&free));
            stage.pair();
            stage.play(&mut favourite);
        }
        let (good, other) = (value(&stage), value(&other));
        for _ in 0..400 {
            let mut bad = good.clone();
            tamper(&mut bad, &other, &mut source);
            let Ok(bad) = serde_json::from_value::<Stage>(bad) else { continue };
            read += 1;
            let _ = (bad.check(), bad.due(), bad.is_over(), bad.rounds(), bad.plan());
            let free = (0..9).map(|it| Free { entrant: it, waited: source.below(200) });
            let _ = bad.due_among(&free.collect::<Vec<_>>());
            let rows = bad.standings();
            assert!(bad.teams.is_some() || rows.len() == bad.participants.len());
            let _ = bad.team_bouts();
            let newcomer = Participant { entrant: 11, seed: 11, from_round: 1, until_round: None };
            let _ = bad.late_pairing(newcomer);
            let _ = bad.bouts.iter().map(|bout| bad.places_at_stake(bout.key)).collect::<Vec<_>>();
            for bout in &bad.bouts {
                let result = bout.result.clone().unwrap_or_default();
                let _ = (bad.check_result(bout.key, &result), bad.invalidated_by(bout.key, &result));
            }
        }
    }
    assert!(read > 500, "{read}");
}
