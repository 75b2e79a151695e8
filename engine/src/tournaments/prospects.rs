//! Who surely goes on from a stage, and who surely does not, whatever its bouts to come bring. Points alone decide that: where
//! equals are told apart by tie-breaks or by people, nothing is sure.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bouts::Bout;
use super::history::History;
use super::stage::{Format, GroupPlay, Participant, Points, Stage, TieBreak};
use super::teams::Boards;

/// So many bouts to come are played in every way that there is. With more of them each entrant is looked at alone, by the fewest
/// and the most points that are possible: that is right as well, but less is sure.
const MOST_PLAYED_THROUGH: usize = 6;

/// What is sure of an entrant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Prospect {
    /// They go on.
    Through,
    /// They do not.
    Out,
}

impl Stage {
    /// Those of whom it is sure whether they go on, where so many of the whole stage do. It holds as long as nobody joins or
    /// leaves, and nothing that was written down changes. Knock-outs and arenas say nothing, and points that are written down have no bounds.
    pub fn prospects(&self, going: u16) -> BTreeMap<u32, Prospect> {
        if let Some(boards) = Boards::of(self) {
            return boards.between.prospects(going);
        }
        let (play, groups) = match self.format {
            Format::RoundRobin { .. } | Format::Swiss { .. } | Format::Pods { .. } => (&self.format, 1),
            Format::Groups { groups, .. } => (&self.format, groups.max(1).into()),
            Format::SingleElimination { .. }
            | Format::DoubleElimination {}
            | Format::PodKnockout { .. }
            | Format::Arena { .. } => return BTreeMap::new(),
        };
        let (Some(values), Some(rounds), None) = (Values::of(&self.scoring.points), self.rounds(), &self.teams) else {
            return BTreeMap::new();
        };
        let legs = match play {
            Format::RoundRobin { legs } | Format::Groups { play: GroupPlay::RoundRobin { legs }, .. } => Some(*legs),
            _ => None,
        };
        let mut of_groups: BTreeMap<u16, Vec<Participant>> = BTreeMap::new();
        for row in self.standings() {
            let participant = self.participants.iter().find(|it| it.entrant == row.entrant);
            of_groups.entry(row.group.map_or(0, |it| it.group)).or_default().extend(participant);
        }
        let mut places = Places { sure: going / groups, most: going.div_ceil(groups), keep_dropped: groups > 1 };
        // Who share a place in one group stand before those in others who have the next; then nobody is sure of theirs.
        let is_strict = self.tie_breaks.iter().any(|it| matches!(it, TieBreak::Lot | TieBreak::Seed));
        if groups > 1 && !is_strict {
            places.sure = 0;
        }
        let history = History::new(self);
        let is_filled =
            |it: &Vec<Participant>| it.iter().filter(|it| it.until_round.is_none()).count() >= places.most.into();
        if groups > 1 && !of_groups.values().all(is_filled) {
            places.most = u16::MAX;
        }
        let of_group = |it: &Vec<Participant>| Field::of(self, &history, it, (rounds, legs), &values).decide(places);
        of_groups.values().flat_map(of_group).collect()
    }
}

/// How many of a group go on: at least, and at most. In a group those who dropped keep their place.
#[derive(Clone, Copy)]
struct Places {
    sure: u16,
    most: u16,
    keep_dropped: bool,
}

/// What a bout can bring.
struct Values {
    /// To the two of a duel.
    duels: Vec<[i64; 2]>,
    /// The fewest and the most points of a round.
    round: [i64; 2],
    bye: i64,
}

impl Values {
    fn of(points: &Points) -> Option<Self> {
        let (win, draw, loss, others) = match points {
            Points::Win { win, draw, loss, .. } => (i64::from(*win), i64::from(*draw), i64::from(*loss), Vec::new()),
            Points::Places { scale, .. } => {
                let at = |place: usize| i64::from(scale.get(place).or(scale.last()).copied().unwrap_or_default());
                let all = scale.iter().map(|it| i64::from(*it)).collect();
                (at(0), i64::midpoint(at(0), at(1)), at(1), all)
            }
            Points::Scores => return None,
        };
        let mut duels = vec![[win, loss], [loss, win], [draw, draw], [0, 0]];
        // Who does not come has nothing, whatever a loss is worth.
        if loss != 0 {
            duels.extend([[win, 0], [0, win]]);
        }
        let bye = points.bye();
        let all = || others.iter().copied().chain([win, draw, loss, bye, 0]);
        let round = [all().min().unwrap_or(0), all().max().unwrap_or(0)];
        Some(Values { duels, round, bye })
    }
}

/// An entrant: what they have, and what is to come for them beside the bouts that are known.
struct Runner {
    entrant: u32,
    points: i64,
    more: [i64; 2],
    has_dropped: bool,
}

/// Those who are ranked together.
struct Field<'a> {
    runners: Vec<Runner>,
    /// The bouts to come that are known, by the places of their entrants in `runners`.
    bouts: Vec<Vec<usize>>,
    values: &'a Values,
}

impl<'a> Field<'a> {
    fn of(
        stage: &Stage,
        history: &History,
        all: &[Participant],
        (rounds, legs): (u16, Option<u8>),
        values: &'a Values,
    ) -> Self {
        let is_here = |bout: &Bout| bout.entrants.iter().any(|entrant| all.iter().any(|it| it.entrant == *entrant));
        let bouts: Vec<&Bout> = stage.bouts_in_order().into_values().filter(|it| is_here(it)).collect();
        let last = bouts.iter().map(|it| it.key.round).max().unwrap_or_default();
        let at = |entrant: &u32| all.iter().position(|it| it.entrant == *entrant);
        let mut to_come: Vec<Vec<usize>> =
            bouts.iter().filter(|it| !it.is_over()).map(|it| it.entrants.iter().filter_map(at).collect()).collect();
        // Where everybody meets everybody, and all are there from the beginning to the end, it is known who meets.
        let is_whole = all.iter().all(|it| it.from_round <= 1 && it.until_round.is_none())
            && !stage.rulings.byes.iter().any(|it| at(&it.entrant).is_some());
        let mut known = vec![0; all.len()];
        if let Some(legs) = legs.filter(|_| is_whole) {
            for one in 0..all.len() {
                for other in one + 1..all.len() {
                    let meet = |bout: &&&Bout| [one, other].iter().all(|it| bout.entrants.contains(&all[*it].entrant));
                    for _ in bouts.iter().filter(meet).count()..legs.into() {
                        to_come.push(vec![one, other]);
                        known[one] += 1;
                        known[other] += 1;
                    }
                }
            }
        }
        let is_known = legs.is_some() && is_whole;
        let rounds = match legs.filter(|_| is_known) {
            Some(legs) => u16::from(legs) * (all.len() - 1 + all.len() % 2) as u16,
            None => rounds,
        };
        let runner = |(place, it): (usize, &Participant)| {
            let mut more = [0, 0];
            for round in (last + 1..=rounds).filter(|round| it.plays_in(*round)).skip(known[place]) {
                let asked = stage.rulings.bye(it.entrant, round).map(|bye| [i64::from(bye.points); 2]);
                let of_round = asked.unwrap_or(if is_known { [values.bye; 2] } else { values.round });
                more = [more[0] + of_round[0], more[1] + of_round[1]];
            }
            let has_dropped = it.until_round.is_some();
            Runner { entrant: it.entrant, points: history.points(it.entrant), more, has_dropped }
        };
        Field { runners: all.iter().enumerate().map(runner).collect(), bouts: to_come, values }
    }

    fn decide(&self, places: Places) -> Vec<(u32, Prospect)> {
        let is_played_through = self.bouts.len() <= MOST_PLAYED_THROUGH
            && self.bouts.iter().all(|it| it.len() == 2)
            && self.runners.iter().all(|it| it.more[0] == it.more[1]);
        let mut seen = vec![Seen { reached: 0, passed: usize::MAX }; self.runners.len()];
        if is_played_through {
            let points: Vec<i64> = self.runners.iter().map(|it| it.points + it.more[0]).collect();
            self.play_through(&self.bouts, points, &mut |points| {
                for (at, seen) in seen.iter_mut().enumerate() {
                    seen.note(self.rivals(at, places, |rival| [points[rival]; 2], [points[at]; 2]));
                }
            });
        } else {
            let bounds: Vec<[i64; 2]> = (0..self.runners.len()).map(|at| self.bounds(at)).collect();
            for (at, seen) in seen.iter_mut().enumerate() {
                seen.note(self.rivals(at, places, |rival| bounds[rival], bounds[at]));
            }
        }
        let sure = |(runner, seen): (&Runner, &Seen)| match () {
            () if runner.has_dropped => None,
            () if seen.reached < places.sure.into() => Some((runner.entrant, Prospect::Through)),
            () if seen.passed >= places.most.into() => Some((runner.entrant, Prospect::Out)),
            () => None,
        };
        self.runners.iter().zip(&seen).filter_map(sure).collect()
    }

    /// How many others can come to as many points, if this one has few; and how many surely have more, if this one has many.
    fn rivals(&self, at: usize, places: Places, of: impl Fn(usize) -> [i64; 2], own: [i64; 2]) -> Seen {
        let others = || self.runners.iter().enumerate().filter(|(rival, _)| *rival != at);
        let reached =
            others().filter(|(_, it)| places.keep_dropped || !it.has_dropped).filter(|(it, _)| of(*it)[1] >= own[0]);
        let passed = others().filter(|(_, it)| !it.has_dropped).filter(|(it, _)| of(*it)[0] > own[1]);
        Seen { reached: reached.count(), passed: passed.count() }
    }

    /// The fewest and the most points that somebody can end with.
    fn bounds(&self, at: usize) -> [i64; 2] {
        let Runner { points, more, .. } = &self.runners[at];
        let bouts = self.bouts.iter().filter(|it| it.contains(&at)).count() as i64;
        [0, 1].map(|end| points + more[end] + bouts * self.values.round[end])
    }

    fn play_through(&self, bouts: &[Vec<usize>], points: Vec<i64>, end: &mut impl FnMut(&[i64])) {
        let Some((bout, later)) = bouts.split_first() else { return end(&points) };
        for outcome in &self.values.duels {
            let mut after = points.clone();
            for (place, more) in bout.iter().zip(outcome) {
                after[*place] += more;
            }
            self.play_through(later, after, end);
        }
    }
}

/// What the worst for an entrant was, and what the best.
#[derive(Clone, Copy)]
struct Seen {
    /// At most so many others had as many points.
    reached: usize,
    /// At least so many had more.
    passed: usize,
}

impl Seen {
    fn note(&mut self, other: Seen) {
        self.reached = self.reached.max(other.reached);
        self.passed = self.passed.min(other.passed);
    }
}
