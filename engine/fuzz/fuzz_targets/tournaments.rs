//! Any JSON as a stage of a tournament: every method returns, whatever the stage holds.
#![no_main]

use engine::tournaments::{
    Consolation, Format, Free, GroupPlay, Participant, PodPairing, Points, Rulings, Scoring, ShortTables, Stage,
};
use engine_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let Ok(stage) = serde_json::from_value::<Stage>({
        let like = some_stage(&mut bytes);
        bytes.json(serde_json::to_value(like).expect("a stage is JSON"))
    }) else {
        return;
    };
    let _ = (stage.check(), stage.due(), stage.is_over(), stage.rounds(), stage.plan());
    let free = |entrant| Free { entrant, waited: 30 * entrant };
    let _ = stage.due_among(&(1..=6).map(free).collect::<Vec<_>>());
    assert_eq!(stage.standings().len(), stage.participants.len());
    for bout in &stage.bouts {
        let result = bout.result.clone().unwrap_or_default();
        let _ = (stage.check_result(bout.key, &result), stage.invalidated_by(bout.key, &result));
    }
});

/// Some format and a field for it.
fn some_stage(bytes: &mut Bytes<'_>) -> Stage {
    use engine::Source;
    let formats = [
        Format::SingleElimination { third_place: true, consolation: Consolation::All },
        Format::DoubleElimination {},
        Format::RoundRobin { legs: 1 },
        Format::Swiss { rounds: 5 },
        Format::Groups { groups: 2, play: GroupPlay::RoundRobin { legs: 1 } },
        Format::Pods { rounds: 5, least: 3, most: 4, pairing: PodPairing::Spread, reach: 0, short_tables: ShortTables::Rotate },
        Format::PodKnockout { least: 3, most: 4, advance: 2, wild_cards: false },
        Format::Arena { minutes: 60, least: 2, most: 4, patience: 60, streaks: true },
    ];
    let format = formats[bytes.below(formats.len() as u32) as usize].clone();
    let participant = |entrant| Participant { entrant, seed: entrant, from_round: 1, until_round: None };
    Stage {
        format,
        scoring: Scoring::new(Points::Win { win: 100, draw: 50, loss: 0, bye: 100 }),
        tie_breaks: Vec::new(),
        participants: (1..=6 + bytes.below(12)).map(participant).collect(),
        bouts: Vec::new(),
        draw: 1,
        rulings: Rulings::default(),
        teams: None,
    }
}
