//! Who goes on into the next stage, and what decides where the line falls among equals.

use engine::tournaments::{GroupLine, Stage};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::{ParticipantRow, Tournament};
use base::error::{Result, conflict, internal, invalid_field};
use base::games::guarded;
use base::world::World;

/// Where the line falls between those who go on and those who do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Those who go on in any case, the best first; of teams, by the numbers that the standings know.
    pub through: Vec<i32>,
    /// Those who are equal in everything that the stage counts, with fewer places than there are of them, by seed.
    pub equals: Vec<i32>,
    /// The places that are left for them.
    pub places: usize,
    /// Of groups: how many of those who share places in one of them go on.
    pub quotas: Vec<Quota>,
    /// Of groups: everybody, the best first.
    pub order: Vec<i32>,
}

/// Of these of the equals, so many go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quota {
    pub of: Vec<i32>,
    pub least: usize,
    pub most: usize,
}

/// Who of the equals goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = TournamentCut)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum Cut {
    /// Those with the better seeds.
    Seed {},
    /// All of them: more go on than was planned.
    All {},
    /// None of them: fewer go on than was planned.
    None {},
    /// A lot, drawn now. Its number is kept in the log of the tournament.
    Lot {},
    /// As staff say, or as a play-off that they held says.
    Hand {
        /// Those who go on, the best first: as many as there are places.
        #[schema(min_items = 1, max_items = 128)]
        going: Vec<i32>,
        #[schema(min_length = 1, max_length = 200)]
        reason: String,
    },
}

/// What was decided of these equals, of whom so many had a place, as the log keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    pub cut: Cut,
    pub equals: Vec<i32>,
    pub places: usize,
    /// The number of the lot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lot: Option<u32>,
}

impl Tournament {
    /// The line below those who go on from the stage that is played, as it stands.
    pub fn line(&self) -> Result<Line> {
        self.line_in(self.row.stage, &self.stage(self.row.stage)?)
    }

    /// The same of this stage as it would be.
    pub(super) fn line_in(&self, stage: i16, played: &Stage) -> Result<Line> {
        let many = usize::from(self.plan_of(stage)?.advance.unwrap_or(0));
        // Who leaves in a later stage was there when this one ended.
        let stayed = |it: &&ParticipantRow| it.stage == stage && it.until_round.is_none();
        let here = self.sides_of(self.participants.iter().filter(stayed));
        let is_here = |it: u32| i32::try_from(it).is_ok_and(|it| here.contains(&it));
        if let Some(line) = guarded(|| played.group_line(many, is_here))? {
            return Line::of_groups(line);
        }
        let standings = guarded(|| played.standings())?;
        let mut ranked = Vec::with_capacity(standings.len());
        for it in standings.into_iter().filter(|it| is_here(it.entrant)) {
            ranked.push((it.rank, i32::try_from(it.entrant).map_err(internal)?));
        }
        Ok(Line::of(&ranked, many))
    }
}

impl Line {
    /// Of these ranks and numbers, the best first, so many go on.
    fn of(here: &[(u32, i32)], many: usize) -> Self {
        let numbers = |of: &[(u32, i32)]| of.iter().map(|(_, number)| *number).collect();
        let (Some((rank, _)), Some((next, _))) = (many.checked_sub(1).and_then(|last| here.get(last)), here.get(many))
        else {
            return Self { through: numbers(&here[..many.min(here.len())]), ..Self::default() };
        };
        if rank != next {
            return Self { through: numbers(&here[..many]), ..Self::default() };
        }
        let first = here.partition_point(|(it, _)| it < rank);
        let last = here.partition_point(|(it, _)| it <= rank);
        let (through, equals) = (numbers(&here[..first]), numbers(&here[first..last]));
        Self { through, equals, places: many - first, ..Self::default() }
    }

    fn of_groups(line: GroupLine) -> Result<Self> {
        let numbers = |of: Vec<u32>| of.into_iter().map(i32::try_from).collect::<Result<_, _>>().map_err(internal);
        let mut quotas = Vec::with_capacity(line.quotas.len());
        for it in line.quotas {
            quotas.push(Quota { of: numbers(it.of)?, least: it.least, most: it.most });
        }
        let (through, equals, order) = (numbers(line.through)?, numbers(line.equals)?, numbers(line.order)?);
        Ok(Self { through, equals, places: line.places, quotas, order })
    }

    /// Those who go on, the best first, and what decided it among equals.
    pub fn decide(&self, world: &World, cut: Option<&Cut>) -> Result<(Vec<i32>, Option<Decision>)> {
        if self.equals.is_empty() {
            return Ok((self.through.clone(), None));
        }
        let cut = cut.cloned().ok_or_else(|| conflict("equals_at_line"))?;
        let lot = matches!(cut, Cut::Lot {}).then(|| u32::from_be_bytes(world.bytes()));
        let decision = Decision { cut, equals: self.equals.clone(), places: self.places, lot };
        Ok((self.going_by(&decision)?, Some(decision)))
    }

    /// Those who go on if what was decided before still holds; none if it was about others.
    pub fn decide_again(&self, before: Option<&Decision>) -> Option<Vec<i32>> {
        if self.equals.is_empty() {
            return Some(self.through.clone());
        }
        let decision = before.filter(|it| it.equals == self.equals && it.places == self.places)?;
        self.going_by(decision).ok()
    }

    fn going_by(&self, decision: &Decision) -> Result<Vec<i32>> {
        let going = match &decision.cut {
            Cut::Seed {} => self.first(&self.equals),
            Cut::All {} => self.equals.clone(),
            Cut::None {} => Vec::new(),
            Cut::Lot {} => self.drawn(decision.lot.unwrap_or_default()),
            Cut::Hand { going, .. } => self.by_hand(going)?,
        };
        let mut all: Vec<i32> = self.through.iter().copied().chain(going).collect();
        if !self.order.is_empty() {
            all.sort_by_key(|it| self.order.iter().position(|other| other == it));
        }
        Ok(all)
    }

    /// The first of these equals, as many as there are places and as their groups allow.
    fn first(&self, equals: &[i32]) -> Vec<i32> {
        let mut going: Vec<i32> = Vec::new();
        for Quota { of, least, .. } in &self.quotas {
            going.extend(equals.iter().filter(|it| of.contains(it)).take(*least));
        }
        for it in equals {
            let is_full = |quota: &Quota| quota.of.contains(it) && quota.count(&going) >= quota.most;
            if going.len() < self.places && !going.contains(it) && !self.quotas.iter().any(is_full) {
                going.push(*it);
            }
        }
        going.sort_by_key(|it| equals.iter().position(|other| other == it));
        going
    }

    /// The equals who go on by the lot of this number: those whose SHA-256 of the number and their own is the smallest.
    fn drawn(&self, number: u32) -> Vec<i32> {
        let lot = |entrant: &i32| -> [u8; 32] {
            Sha256::new().chain_update(number.to_be_bytes()).chain_update(entrant.to_be_bytes()).finalize().into()
        };
        let mut drawn = self.equals.clone();
        drawn.sort_by_cached_key(lot);
        self.first(&drawn)
    }

    fn by_hand(&self, going: &[i32]) -> Result<Vec<i32>> {
        let is_twice = |(at, it): (usize, &i32)| going[..at].contains(it);
        let is_of_them = going.iter().all(|it| self.equals.contains(it)) && !going.iter().enumerate().any(is_twice);
        let fits = |it: &Quota| (it.least..=it.most).contains(&it.count(going));
        match is_of_them && going.len() == self.places && self.quotas.iter().all(fits) {
            true => Ok(going.to_vec()),
            false => Err(invalid_field("/cut/going", "one_each")),
        }
    }
}

impl Quota {
    fn count(&self, going: &[i32]) -> usize {
        going.iter().filter(|it| self.of.contains(it)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIED: [(u32, i32); 6] = [(1, 7), (2, 1), (2, 4), (2, 5), (5, 2), (6, 3)];

    fn tied(places: usize) -> Line {
        Line { through: vec![7], equals: vec![1, 4, 5], places, ..Line::default() }
    }

    /// 1 and 4 share the first place of a group, and one of them goes on; 5 and 6 share that of another.
    #[test]
    fn of_each_group_as_many_go_on_as_it_has_places() {
        let quota = |of: &[i32], least, most| Quota { of: of.to_vec(), least, most };
        let quotas = vec![quota(&[1, 4], 1, 1), quota(&[5, 6], 1, 1)];
        let (equals, order) = (vec![1, 4, 5, 6], vec![5, 6, 1, 4, 7]);
        let line = Line { through: vec![7], equals, places: 2, quotas, order };
        let going = |cut| line.decide(&World::real(), Some(&cut)).map(|(order, _)| order);
        assert_eq!(going(Cut::Seed {}).unwrap(), [5, 1, 7], "the best first");
        for _ in 0..20 {
            let drawn = going(Cut::Lot {}).unwrap();
            assert!(drawn.len() == 3 && [5, 6].contains(&drawn[0]) && [1, 4].contains(&drawn[1]), "{drawn:?}");
        }
        let hand = |going: &[i32]| Cut::Hand { going: going.to_vec(), reason: "연장전".to_owned() };
        assert_eq!(going(hand(&[4, 6])).unwrap(), [6, 4, 7]);
        for wrong in [&[1, 4][..], &[5, 6], &[1]] {
            assert!(going(hand(wrong)).is_err(), "{wrong:?}");
        }
        // A place more, for one of either group.
        let more = Line { places: 3, quotas: vec![quota(&[1, 4], 1, 2), quota(&[5, 6], 1, 2)], ..line };
        assert_eq!(more.first(&more.equals), [1, 4, 5]);
        assert_eq!(more.first(&[6, 5, 4, 1]), [6, 5, 4]);
    }

    #[test]
    fn the_line_names_the_equals_through_whom_it_falls() {
        let line = |many| Line::of(&TIED, many);
        assert_eq!(line(1), Line { through: vec![7], ..Line::default() });
        assert_eq!(line(2), tied(1));
        assert_eq!(line(3), tied(2));
        assert_eq!(line(4), Line { through: vec![7, 1, 4, 5], ..Line::default() });
        assert_eq!(line(6).through.len(), 6);
        assert_eq!(line(9).through.len(), 6);
    }

    #[test]
    fn nobody_goes_through_equals_without_a_decision() {
        let (line, world) = (Line::of(&TIED, 3), World::real());
        let going = |cut| line.decide(&world, Some(&cut)).map(|(order, _)| order);
        assert_eq!(line.decide(&world, None).unwrap_err().code(), "equals_at_line");
        assert_eq!(going(Cut::Seed {}).unwrap(), [7, 1, 4]);
        assert_eq!(going(Cut::All {}).unwrap(), [7, 1, 4, 5]);
        assert_eq!(going(Cut::None {}).unwrap(), [7]);
        let hand = |going: &[i32]| Cut::Hand { going: going.to_vec(), reason: "연장전".to_owned() };
        assert_eq!(going(hand(&[5, 1])).unwrap(), [7, 5, 1]);
        for wrong in [&[5][..], &[5, 5], &[5, 7], &[1, 4, 5]] {
            assert!(going(hand(wrong)).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn what_was_decided_holds_for_the_same_equals_alone() {
        let (line, world) = (tied(2), World::real());
        let hand = Cut::Hand { going: vec![5, 1], reason: "연장전".to_owned() };
        for cut in [Cut::Seed {}, Cut::All {}, Cut::None {}, Cut::Lot {}, hand] {
            let (going, decision) = line.decide(&world, Some(&cut)).unwrap();
            let kept = serde_json::to_value(&decision).unwrap();
            let decision: Option<Decision> = serde_json::from_value(kept).unwrap();
            assert_eq!(line.decide_again(decision.as_ref()), Some(going), "{cut:?}");
            let more = Line { equals: vec![1, 4, 5, 6], ..tied(2) };
            for other in [tied(1), more] {
                assert_eq!(other.decide_again(decision.as_ref()), None, "{cut:?}");
            }
            let clear = Line { through: vec![7, 5, 1], ..Line::default() };
            assert_eq!(clear.decide_again(decision.as_ref()), Some(vec![7, 5, 1]), "there is nothing to decide");
        }
        assert_eq!(line.decide_again(None), None);
    }

    #[test]
    fn a_lot_can_be_drawn_again_from_its_number() {
        let line = Line::of(&TIED, 3);
        let (order, decision) = line.decide(&World::real(), Some(&Cut::Lot {})).unwrap();
        let number = decision.unwrap().lot.unwrap();
        assert_eq!(order[1..], line.drawn(number));
        let firsts: std::collections::BTreeSet<i32> = (0..100).map(|number| line.drawn(number)[0]).collect();
        assert_eq!(firsts.len(), 3, "everybody can be drawn");
    }
}
