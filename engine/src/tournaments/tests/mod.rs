//! The properties that pairings and standings have to have.

mod brackets;
mod round_robin;

use super::*;

/// So many participants, the first the strongest.
fn field(many: u32) -> Vec<Participant> {
    (1..=many).map(|it| Participant { entrant: it, seed: it, from_round: 1, until_round: None }).collect()
}

/// A stage that nothing was played of, a point for a win.
fn stage(format: Format, many: u32) -> Stage {
    Stage {
        format,
        scoring: Scoring { points: Points::Win { win: 100, draw: 50, loss: 0, bye: 100 } },
        tie_breaks: Vec::new(),
        participants: field(many),
        bouts: Vec::new(),
        draw: 7,
    }
}

/// Places in the order named.
fn order(entrants: &[u32]) -> Vec<Finish> {
    let finish = |(entrant, place): (&u32, u16)| Finish { entrant: *entrant, place, score: None, absent: false };
    entrants.iter().zip(1..).map(finish).collect()
}

impl Stage {
    /// Pairs what is due.
    fn pair(&mut self) -> Vec<Pairing> {
        let due = self.due().expect("it can be paired");
        for it in &due {
            self.bouts.push(Bout { key: it.key, entrants: it.entrants.clone(), result: None });
        }
        due
    }

    /// The first bout that is being played.
    fn open(&self) -> Option<&Bout> {
        self.bouts.iter().find(|it| !it.is_over())
    }

    /// Writes a result down that has to fit.
    fn end(&mut self, key: BoutKey, result: Vec<Finish>) {
        assert_eq!(self.refuses(key, &result), None, "{key} {result:?}");
        let bout = self.bouts.iter_mut().find(|it| it.key == key).expect("it is paired");
        bout.result = Some(result);
    }

    /// Plays all that is open; who is named first in what the judge returns wins.
    fn play(&mut self, judge: &mut dyn FnMut(&Bout) -> Vec<u32>) {
        while let Some(open) = self.open() {
            let (key, ranked) = (open.key, judge(open));
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
}

/// The better seed wins.
fn favourite(bout: &Bout) -> Vec<u32> {
    let mut ranked = bout.entrants.clone();
    ranked.sort_unstable();
    ranked
}
