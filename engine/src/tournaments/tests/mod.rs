//! The properties that pairings and standings have to have, under the names that the research on them gave: E
//! elimination, K round robin, S Swiss, P pods, T standings.

mod arena;
mod brackets;
mod consolation;
mod double;
mod exercises;
mod games;
mod groups;
mod knockout;
mod late;
mod matching;
mod pods;
mod prospects;
mod random;
mod round_robin;
mod series;
mod standings;
mod swiss;
mod tampering;
mod teams;

use super::*;
use crate::chance::Source;

/// So many participants, the first the strongest.
fn field(many: u32) -> Vec<Participant> {
    (1..=many).map(|it| Participant { entrant: it, seed: it, from_round: 1, until_round: None }).collect()
}

/// A stage that nothing was played of, a point for a win.
fn stage(format: Format, many: u32) -> Stage {
    Stage {
        format,
        scoring: Scoring::new(Points::Win { win: 100, draw: 50, loss: 0, bye: 100 }),
        tie_breaks: Vec::new(),
        participants: field(many),
        bouts: Vec::new(),
        draw: 7,
        rulings: Rulings::default(),
        teams: None,
    }
}

fn finish(entrant: u32, place: u16) -> Finish {
    Finish { entrant, place, score: None, absent: false }
}

/// Places in the order named.
fn order(entrants: &[u32]) -> Vec<Finish> {
    entrants.iter().zip(1..).map(|(entrant, place)| finish(*entrant, place)).collect()
}

/// Everybody shares the first place.
fn level(entrants: &[u32]) -> Vec<Finish> {
    entrants.iter().map(|it| finish(*it, 1)).collect()
}

/// Nobody appeared.
fn nobody(entrants: &[u32]) -> Vec<Finish> {
    entrants.iter().map(|it| Finish { absent: true, ..finish(*it, 1) }).collect()
}

fn bout(key: &str, entrants: &[u32], result: Vec<Finish>) -> Bout {
    let key = key.parse().expect("it names a bout");
    Bout { key, entrants: entrants.to_vec(), result: Some(result).filter(|it| !it.is_empty()) }
}

fn key(text: &str) -> BoutKey {
    text.parse().expect("it names a bout")
}

/// The better seed wins.
fn favourite(bout: &Bout) -> Vec<u32> {
    let mut ranked = bout.entrants.clone();
    ranked.sort_unstable();
    ranked
}

impl Stage {
    /// Pairs what is due.
    fn pair(&mut self) -> Vec<Pairing> {
        let due = self.due().expect("it can be paired");
        self.record(&due);
        due
    }

    fn record(&mut self, due: &[Pairing]) {
        for it in due {
            assert!(self.bouts.iter().all(|bout| bout.key != it.key), "{} is paired twice", it.key);
            assert!(!it.reasons.is_empty());
            self.bouts.push(Bout { key: it.key, entrants: it.entrants.clone(), result: None });
        }
    }

    /// The bouts that are being played.
    fn open(&self) -> Vec<BoutKey> {
        self.bouts.iter().filter(|it| !it.is_over()).map(|it| it.key).collect()
    }

    fn find(&self, key: BoutKey) -> &Bout {
        self.bouts.iter().find(|it| it.key == key).expect("it is paired")
    }

    /// Writes a result down that has to fit.
    fn end(&mut self, key: BoutKey, result: Vec<Finish>) {
        assert_eq!(self.check_result(key, &result), None, "{key} {result:?}");
        self.bouts.iter_mut().find(|it| it.key == key).expect("it is paired").result = Some(result);
    }

    /// Plays all that is open; who is named first in what the judge returns wins.
    fn play(&mut self, judge: &mut dyn FnMut(&Bout) -> Vec<u32>) {
        for key in self.open() {
            let ranked = judge(self.find(key));
            self.end(key, order(&ranked));
        }
    }

    /// Plays to the end.
    fn play_out(&mut self, judge: &mut dyn FnMut(&Bout) -> Vec<u32>) {
        while !self.pair().is_empty() {
            self.play(judge);
        }
        assert!(self.is_over());
    }

    fn ranks(&self) -> Vec<(u32, u32)> {
        self.standings().iter().map(|it| (it.rank, it.entrant)).collect()
    }

    /// Bouts of more than one.
    fn played(&self) -> usize {
        self.bouts.iter().filter(|it| !it.is_bye()).count()
    }

    fn drop_out(&mut self, entrant: u32, until: u16) {
        let participant = self.participants.iter_mut().find(|it| it.entrant == entrant).expect("they take part");
        participant.until_round = Some(until);
    }

    /// The same with all lists in another order.
    fn shuffled(&self, source: &mut dyn Source) -> Stage {
        let mut other = self.clone();
        crate::chance::shuffle(&mut other.participants, source);
        crate::chance::shuffle(&mut other.bouts, source);
        for bout in &mut other.bouts {
            bout.result.iter_mut().for_each(|it| crate::chance::shuffle(it, source));
        }
        other
    }
}

#[test]
fn a_key_reads_as_it_is_written() {
    for side in [Side::Main, Side::Losers, Side::Final, Side::ThirdPlace, Side::Places] {
        let key = BoutKey { side, round: 3, number: 12 };
        assert_eq!(key.to_string().parse(), Ok(key));
    }
    assert_eq!(key("main-1-3"), BoutKey::main(1, 3));
    for wrong in ["", "main", "main-1", "main-1-0", "main-01-1", "main-+1-1", "main-1-1-1", "side-1-1", "main-1-70000"]
    {
        assert_eq!(wrong.parse::<BoutKey>(), Err(InvalidBoutKey), "{wrong}");
    }
}

#[test]
fn what_does_not_go_together_is_unfit() {
    let single = Format::SingleElimination { third_place: true, consolation: Consolation::None };
    let code = |stage: &Stage| stage.check().map_err(|it| it.code());
    for (format, many, expected) in [
        (single.clone(), 1, Err("too_few")),
        (single.clone(), 2, Ok(())),
        (single.clone(), 512, Ok(())),
        (single.clone(), 513, Err("too_many")),
        (Format::DoubleElimination {}, 256, Ok(())),
        (Format::DoubleElimination {}, 257, Err("too_many")),
        (Format::RoundRobin { legs: 0 }, 4, Err("bad_rounds")),
        (Format::RoundRobin { legs: 4 }, 4, Err("bad_rounds")),
        (Format::Swiss { rounds: 0 }, 4, Err("bad_rounds")),
        (Format::Swiss { rounds: 3 }, 4, Ok(())),
        (Format::Swiss { rounds: 4 }, 4, Err("too_many_rounds")),
        (Format::Swiss { rounds: 5 }, 5, Ok(())),
        (Format::Swiss { rounds: 31 }, 64, Err("bad_rounds")),
        (Format::PodKnockout { least: 4, most: 3, advance: 1, wild_cards: false }, 8, Err("bad_sizes")),
        (Format::PodKnockout { least: 3, most: 11, advance: 1, wild_cards: false }, 8, Err("bad_sizes")),
        (Format::PodKnockout { least: 3, most: 4, advance: 3, wild_cards: false }, 8, Err("bad_advance")),
        (Format::PodKnockout { least: 3, most: 4, advance: 0, wild_cards: false }, 8, Err("bad_advance")),
        (Format::PodKnockout { least: 3, most: 4, advance: 2, wild_cards: false }, 2, Err("too_few")),
        (Format::PodKnockout { least: 3, most: 4, advance: 2, wild_cards: false }, 8, Ok(())),
    ] {
        assert_eq!(code(&stage(format.clone(), many)), expected, "{format:?} {many}");
    }
    let mut twice = stage(single.clone(), 4);
    twice.participants[3].entrant = 1;
    assert_eq!(code(&twice), Err("entered_twice"));
    let mut late = stage(single.clone(), 4);
    late.participants[3].from_round = 2;
    assert_eq!(code(&late), Err("late_entry"));
    for points in [
        Points::Win { win: 0, draw: 100, loss: 0, bye: 0 },
        Points::Places { scale: vec![], bye: 0 },
        Points::Places { scale: vec![100, 200], bye: 0 },
        Points::Places { scale: vec![i32::MAX, 200], bye: 0 },
        Points::Places { scale: vec![100], bye: i32::MIN },
    ] {
        let mut bad = stage(single.clone(), 4);
        bad.scoring.points = points;
        assert_eq!(code(&bad), Err("bad_scale"));
    }
    let mut bad = stage(single.clone(), 4);
    bad.scoring.missed = i32::MAX;
    assert_eq!(code(&bad), Err("bad_scale"));
}

#[test]
fn results_that_do_not_fit_are_refused() {
    let mut duel = stage(Format::Swiss { rounds: 2 }, 5);
    duel.pair();
    let code = |stage: &Stage, key: &str, result: &[Finish]| {
        stage.check_result(key.parse().expect("a key"), result).map(|it| it.code())
    };
    let absent = |entrant, place| Finish { absent: true, ..finish(entrant, place) };
    let [one, other] = duel.find(key("main-1-1")).entrants[..] else { panic!("it is a duel") };
    assert_eq!(code(&duel, "main-2-1", &order(&[one, other])), Some("no_such_bout"));
    assert_eq!(code(&duel, "main-1-3", &order(&[5])), Some("bye"));
    assert_eq!(code(&duel, "main-1-1", &order(&[one])), Some("wrong_entrants"));
    assert_eq!(code(&duel, "main-1-1", &order(&[one, one])), Some("wrong_entrants"));
    assert_eq!(code(&duel, "main-1-1", &[finish(one, 1), finish(other, 3)]), Some("bad_places"));
    assert_eq!(code(&duel, "main-1-1", &[finish(one, 2), finish(other, 2)]), Some("bad_places"));
    assert_eq!(code(&duel, "main-1-1", &[absent(one, 1), finish(other, 2)]), Some("absent_ahead"));
    assert_eq!(code(&duel, "main-1-1", &[absent(one, 1), finish(other, 1)]), Some("absent_ahead"));
    assert_eq!(code(&duel, "main-1-1", &[absent(one, 2), finish(other, 1)]), None);
    assert_eq!(code(&duel, "main-1-1", &nobody(&[one, other])), None);
    assert_eq!(code(&duel, "main-1-1", &level(&[one, other])), None);
    let much = Finish { score: Some(i64::MAX), ..finish(one, 1) };
    assert_eq!(code(&duel, "main-1-1", &[much, finish(other, 2)]), Some("bad_score"));
    duel.scoring.points = Points::Scores;
    assert_eq!(code(&duel, "main-1-1", &order(&[one, other])), Some("missing_score"));
    let scored = |entrant, place, score| Finish { score: Some(score), ..finish(entrant, place) };
    assert_eq!(code(&duel, "main-1-1", &[scored(one, 1, 100), scored(other, 2, 200)]), Some("score_order"));
    assert_eq!(code(&duel, "main-1-1", &[scored(one, 1, 200), scored(other, 2, 200)]), None);
}
