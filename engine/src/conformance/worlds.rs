//! The laws of [`Game::determinize`](crate::Game::determinize): a world looks to its seat like the truth, and whatever is
//! hidden differs from world to world.

use std::collections::{BTreeMap, BTreeSet};

use super::leaves::differing;
use super::twins::saved;
use super::{LOOK, Laws, MOST_MOVES, Rng};
use crate::chance::{Random, Source};
use crate::erased::{Json, Match, Step};
use crate::game::Viewer;
use crate::playout::{self, random_move};
use crate::record::value;
use crate::seats::Seat;

/// What resampling changes so often, some world has otherwise than another.
const OFTEN: u32 = 60;

/// The places in saved matches of a game that vary.
#[derive(Default)]
pub(super) struct Varied {
    /// How often resampling changed each.
    resampled: BTreeMap<String, u32>,
    /// Those in which two worlds differed.
    imagined: BTreeSet<String>,
    looks: u64,
}

impl Varied {
    /// Nothing that is hidden is the same in all worlds.
    pub(super) fn covers_what_is_hidden(&self, game: &str) {
        let often = self.resampled.iter().filter(|(_, times)| **times >= OFTEN).map(|(at, _)| at);
        let same: Vec<&String> = often.filter(|at| !self.imagined.contains(*at)).collect();
        assert!(same.is_empty(), "{game}: {same:?} is hidden, but the same in all worlds");
    }
}

impl Laws<'_> {
    pub(super) fn worlds_look_like_the_truth(&self, varied: &mut Varied, random: &mut Random<Rng>) {
        let (mut play, step) = self.kind.start(&self.options, self.seats, random).expect("the options are allowed");
        let mut told: Vec<Vec<Json>> = vec![Vec::new(); self.seats.into()];
        let tell = |told: &mut Vec<Vec<Json>>, step: &Step| {
            for seat in self.every_seat() {
                told[seat.index()].extend(step.events_for(Viewer::Seat(seat)).cloned());
            }
        };
        tell(&mut told, &step);
        while let Some((seat, chosen)) = random_move(play.as_ref(), random) {
            if random.below(LOOK) == 0 {
                self.world_looks_like(play.as_ref(), seat, &told[seat.index()], random);
                self.worlds_differ(play.as_ref(), seat, &told[seat.index()], varied);
            }
            let step = play.play(seat, &value(&chosen), random).expect("a listed move is accepted");
            tell(&mut told, &step);
        }
    }

    fn world_looks_like(&self, play: &dyn Match, seat: Seat, told: &[Json], random: &mut Random<Rng>) {
        let name = self.name();
        let world = play.determinize(seat, told, random).expect("events are read");
        let mut world = world.unwrap_or_else(|| panic!("{name}: {seat:?} finds no world"));
        let texts = |moves: Vec<Json>| moves.iter().map(|it| it.get().to_owned()).collect::<Vec<_>>();
        assert_eq!(
            world.view(Viewer::Seat(seat)).get(),
            play.view(Viewer::Seat(seat)).get(),
            "{name}: view of {seat:?}"
        );
        assert_eq!(texts(world.legal_moves(seat)), texts(play.legal_moves(seat)), "{name}: legal moves of {seat:?}");
        assert!(self.kind.resume(&world.save()).is_ok(), "{name}: {seat:?} draws a world that cannot be");
        for _ in 0..MOST_MOVES {
            let Some((seat, chosen)) = random_move(world.as_ref(), random) else { return };
            world.play(seat, &value(&chosen), random).expect("a listed move is accepted");
        }
        panic!("{name}: a world that was drawn does not end");
    }

    fn worlds_differ(&self, play: &dyn Match, seat: Seat, told: &[Json], varied: &mut Varied) {
        varied.looks += 1;
        let random = &mut playout::random(varied.looks);
        let resampled = play.resample(Viewer::Seat(seat), random);
        for at in differing(&saved(play), &saved(resampled.as_ref())) {
            *varied.resampled.entry(at).or_default() += 1;
        }
        let [one, other] = [(); 2].map(|()| play.determinize(seat, told, random).expect("events are read"));
        if let (Some(one), Some(other)) = (one, other) {
            varied.imagined.extend(differing(&saved(one.as_ref()), &saved(other.as_ref())));
        }
    }
}
