use std::sync::atomic::AtomicU64;

use super::*;
use crate::catalogue;

fn run(game: &str, experiment: &Experiment, threads: usize) -> Report {
    let kind = catalogue::find(game).expect("a game of the catalogue");
    experiment.run(kind, threads, &|_| true).expect("allowed options").expect("nobody stops it")
}

fn matches(many: u64, options: Value, seats: u8) -> Experiment {
    Experiment { size: Size::Matches(many), ..Experiment::new(options, seats) }
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    let experiment = Experiment { against: Some(json!({"palifico": false})), ..matches(700, json!({}), 4) };
    assert_eq!(run("perudo", &experiment, 1), run("perudo", &experiment, 3));
    let other = Experiment { seed: 2, ..experiment.clone() };
    assert_ne!(run("perudo", &experiment, 2), run("perudo", &other, 2));
}

#[test]
fn shares_are_of_a_whole() {
    for kind in catalogue::GAMES {
        let seats = *kind.info().seats.end();
        let report = run(kind.info().id, &matches(60, json!({}), seats), 2);
        for findings in &report.policies {
            let sum: f64 = findings.wins_by_seat.iter().map(|it| it.share).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{}: {sum}", report.game);
            assert!(findings.wins_by_seat.iter().all(|it| it.holds(it.share)));
            assert!(findings.wins_by_order.is_empty() || findings.wins_by_order.len() == usize::from(seats));
            assert_eq!(findings.endings.values().sum::<u64>(), 60);
            assert!(findings.waiting + findings.out < 1.0 && findings.forced <= 1.0);
            assert!(findings.moves.p10 <= findings.moves.median && findings.moves.p90 <= findings.moves.max);
        }
    }
}

#[test]
fn the_same_rules_do_not_differ_from_themselves() {
    let experiment = Experiment { against: Some(json!({})), ..matches(200, json!({}), 3) };
    let against = run("liars-dice", &experiment, 2).against.expect("compared");
    for differences in &against.differences {
        assert_eq!(differences.changed.share, 0.0);
        assert!(!differences.moves.is_shown());
    }
}

#[test]
fn a_precise_run_stops_when_it_knows_enough() {
    let precise = Experiment { size: Size::Precision(0.05), ..matches(0, json!({}), 2) };
    for findings in run("perudo", &precise, 2).policies {
        assert!(findings.wins_by_seat.iter().all(|it| it.high - it.low <= 0.1));
        assert!(findings.matches < 5_000);
    }
}

#[test]
fn a_run_that_shall_not_go_on_has_no_report() {
    let kind = catalogue::find("perudo").expect("a game of the catalogue");
    let asked = AtomicU64::new(0);
    let goes_on = |share: f64| {
        assert!((0.0..=1.0).contains(&share));
        asked.fetch_add(1, Ordering::Relaxed) < 3
    };
    let stopped = matches(100_000, json!({}), 4).run(kind, 2, &goes_on).expect("allowed options");
    assert!(stopped.is_none());
}

/// Counts how often a run makes way.
struct Polite(AtomicU64);

impl Watch for Polite {
    fn goes_on(&self, _: f64) -> bool {
        true
    }

    fn make_way(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn a_run_makes_way_at_every_move_and_in_every_world_of_a_search() {
    let kind = catalogue::find("liars-dice").expect("a game of the catalogue");
    let made_way = |policies: Vec<Policy>| {
        let experiment = Experiment { policies, ..matches(4, json!({}), 3) };
        let watch = Polite(AtomicU64::new(0));
        let report = experiment.run(kind, 2, &watch).expect("allowed options").expect("nobody stops it");
        assert_eq!(report, run("liars-dice", &experiment, 1), "it finds the same");
        (watch.0.into_inner(), u64::from(report.policies[0].moves.p10) * 4)
    };
    let (quick, moves) = made_way(vec![Policy::Autopilot]);
    assert!(quick > moves, "{quick} times in {moves} moves and those of other questions");
    let Policy::Search { rollouts } = kind.lab_search() else { panic!("it searches") };
    let (thorough, moves) = made_way(vec![Policy::Autopilot, kind.lab_search()]);
    let worlds = u64::from(rollouts) / 16;
    assert!(thorough > quick + moves * worlds, "{thorough} times in {moves} moves of {rollouts} rollouts");
}

#[test]
fn an_option_that_hardly_matters_is_told() {
    // Nearly all matches are decided in round 4, the first in which one may end.
    let report = run("animal-kingdom", &matches(100, json!({}), 10), 2);
    let of = |option: &str| {
        let effects = report.effects.iter().filter(|it| it.option == option);
        effects.map(|it| it.changed.share).fold(0.0, f64::max)
    };
    assert!(of("max_rounds") < 0.2, "{}", of("max_rounds"));
    assert!(report.policies.iter().all(|it| it.wins_by_role.len() == 10 && it.wins_by_order.is_empty()));
}

#[test]
fn a_move_that_the_rules_do_not_have_is_not_missed() {
    let used = |calza: bool| run("perudo", &matches(50, json!({ "calza": calza }), 3), 2).policies.remove(0).never_used;
    assert_eq!(used(false), [""; 0]);
    assert_eq!(used(true), [""; 0]);
    let worth = run("perudo", &matches(50, json!({ "calza": false }), 3), 2).worth;
    assert!(worth.iter().all(|it| it.chosen != "calza"), "{worth:?}");
}

#[test]
fn bad_rules_are_refused() {
    let kind = catalogue::find("perudo").expect("a game of the catalogue");
    assert!(matches(10, json!({ "calza": 3 }), 3).run(kind, 1, &|_| true).is_err());
    assert!(matches(10, json!({}), 9).run(kind, 1, &|_| true).is_err());
}

#[test]
fn what_a_dealt_role_is_worth_is_told_by_who_may_not_use_it() {
    let report = run("animal-kingdom", &matches(200, json!({}), 10), 2);
    let crow = report.roles.iter().find(|it| it.role == "crow").expect("it is dealt");
    let unused = crow.unused.expect("nobody else predicts");
    assert!(crow.untaken.is_none() && unused.share < crow.wins.share, "{crow:?}");
    let hyena = report.roles.iter().find(|it| it.role == "hyena").expect("it is dealt");
    assert!(hyena.untaken.is_none(), "{hyena:?}");
    assert!(run("perudo", &matches(20, json!({}), 3), 1).roles.is_empty());
}

#[test]
fn what_a_chosen_role_is_worth_is_told_by_who_may_not_take_it() {
    let report = run("middle-race", &matches(60, json!({ "characters": "draft" }), 3), 2);
    assert!(report.roles.len() > 3, "{:?}", report.roles);
    assert!(report.roles.iter().all(|it| it.untaken.is_some() && it.unused.is_none()), "{:?}", report.roles);
}

#[test]
fn what_is_never_chosen_is_told() {
    let report = run("perudo", &matches(100, json!({}), 4), 2);
    let [random, autopilot] = report.policies.as_slice() else { panic!("two policies") };
    assert_eq!(random.never_picked, []);
    // No bid of so many dice was ever the likeliest.
    let pick = autopilot.never_picked.iter().find(|it| it.field == "count" && it.value == 19).expect("it was offered");
    assert!(pick.chosen == "bid" && pick.offered >= 50);
}

/// A clock that moves on whenever it is looked at.
struct Ticking(AtomicU64);

impl Watch for Ticking {
    fn goes_on(&self, _: f64) -> bool {
        true
    }

    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn searches_that_take_too_long_say_what_they_know_by_then() {
    let kind = catalogue::find("liars-dice").expect("a game of the catalogue");
    let policies = vec![Policy::Autopilot, kind.lab_search()];
    let patience = Some(Duration::from_secs(40));
    let experiment = Experiment { policies, patience, ..Experiment::new(json!({}), 2) };
    let watch = Ticking(AtomicU64::new(0));
    let report = experiment.run(kind, 1, &watch).expect("allowed options").expect("nobody stops it");
    let [autopilot, search] = report.policies.as_slice() else { panic!("two policies") };
    assert!(autopilot.precision() <= 0.02, "no search, no hurry: {}", autopilot.precision());
    assert!((20..32).contains(&search.matches) && search.precision() > 0.1, "{} matches", search.matches);
    let skill = report.skill.last().expect("one searches among others");
    assert!((1..20).contains(&skill.matches), "{skill:?}");
    // They are the first matches of those that patience would have played.
    let whole = Experiment { size: Size::Matches(search.matches), patience: None, ..experiment };
    assert_eq!(&run("liars-dice", &whole, 2).policies[1], search);
}
