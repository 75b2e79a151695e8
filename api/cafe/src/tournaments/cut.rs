//! Who goes on into the next stage, and what decides where the line falls among equals.

use engine::tournaments::StandingsRow;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::Tournament;
use base::error::{Result, conflict, internal, invalid_field};
use base::world::World;

/// Where the line falls between those who go on and those who do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Those who go on in any case, the best first; of teams, by the numbers that the standings know.
    pub through: Vec<i32>,
    /// Those who are equal in everything that the stage counts, with fewer places than there are of them, by seed.
    pub equals: Vec<i32>,
    /// The places that are left for them.
    pub places: usize,
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

impl Tournament {
    /// The line below those who go on from the stage that is played, as it stands.
    pub fn line(&self) -> Result<Line> {
        self.line_in(self.row.stage, &self.standings(self.row.stage)?)
    }

    /// The same of a stage with these standings.
    pub(super) fn line_in(&self, stage: i16, standings: &[StandingsRow]) -> Result<Line> {
        let many = usize::from(self.plan_of(stage)?.advance.unwrap_or(0));
        let mut here = Vec::with_capacity(standings.len());
        for it in standings {
            let number = i32::try_from(it.entrant).map_err(internal)?;
            if !self.members_with_place(number).is_empty() {
                here.push((it.rank, number));
            }
        }
        Ok(Line::of(&here, many))
    }
}

impl Line {
    /// Of these ranks and numbers, the best first, so many go on.
    fn of(here: &[(u32, i32)], many: usize) -> Self {
        let numbers = |of: &[(u32, i32)]| of.iter().map(|(_, number)| *number).collect();
        let (Some((rank, _)), Some((next, _))) = (many.checked_sub(1).and_then(|last| here.get(last)), here.get(many))
        else {
            return Self { through: numbers(&here[..many.min(here.len())]), equals: Vec::new(), places: 0 };
        };
        if rank != next {
            return Self { through: numbers(&here[..many]), equals: Vec::new(), places: 0 };
        }
        let first = here.partition_point(|(it, _)| it < rank);
        let last = here.partition_point(|(it, _)| it <= rank);
        Self { through: numbers(&here[..first]), equals: numbers(&here[first..last]), places: many - first }
    }

    /// Those who go on, the best first, and what decided it for the log.
    pub fn decide(&self, world: &World, cut: Option<&Cut>) -> Result<(Vec<i32>, Value)> {
        if self.equals.is_empty() {
            return Ok((self.through.clone(), Value::Null));
        }
        let cut = cut.ok_or_else(|| conflict("equals_at_line"))?;
        let mut details = json!({ "cut": cut, "equals": self.equals, "places": self.places });
        let going = match cut {
            Cut::Seed {} => self.equals[..self.places].to_vec(),
            Cut::All {} => self.equals.clone(),
            Cut::None {} => Vec::new(),
            Cut::Lot {} => {
                let number = u32::from_be_bytes(world.bytes());
                details["lot"] = number.into();
                self.drawn(number)
            }
            Cut::Hand { going, .. } => self.by_hand(going)?,
        };
        Ok((self.through.iter().copied().chain(going).collect(), details))
    }

    /// The equals who go on by the lot of this number: those whose SHA-256 of the number and their own is the smallest.
    fn drawn(&self, number: u32) -> Vec<i32> {
        let lot = |entrant: &i32| -> [u8; 32] {
            Sha256::new().chain_update(number.to_be_bytes()).chain_update(entrant.to_be_bytes()).finalize().into()
        };
        let mut drawn = self.equals.clone();
        drawn.sort_by_cached_key(lot);
        drawn.truncate(self.places);
        drawn
    }

    fn by_hand(&self, going: &[i32]) -> Result<Vec<i32>> {
        let is_twice = |(at, it): (usize, &i32)| going[..at].contains(it);
        let is_of_them = going.iter().all(|it| self.equals.contains(it)) && !going.iter().enumerate().any(is_twice);
        match is_of_them && going.len() == self.places {
            true => Ok(going.to_vec()),
            false => Err(invalid_field("/cut/going", "one_each")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIED: [(u32, i32); 6] = [(1, 7), (2, 1), (2, 4), (2, 5), (5, 2), (6, 3)];

    #[test]
    fn the_line_names_the_equals_through_whom_it_falls() {
        let line = |many| Line::of(&TIED, many);
        assert_eq!(line(1), Line { through: vec![7], equals: vec![], places: 0 });
        assert_eq!(line(2), Line { through: vec![7], equals: vec![1, 4, 5], places: 1 });
        assert_eq!(line(3), Line { through: vec![7], equals: vec![1, 4, 5], places: 2 });
        assert_eq!(line(4), Line { through: vec![7, 1, 4, 5], equals: vec![], places: 0 });
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
    fn a_lot_can_be_drawn_again_from_its_number() {
        let line = Line::of(&TIED, 3);
        let (order, details) = line.decide(&World::real(), Some(&Cut::Lot {})).unwrap();
        let number = u32::try_from(details["lot"].as_u64().unwrap()).unwrap();
        assert_eq!(order[1..], line.drawn(number));
        let firsts: std::collections::BTreeSet<i32> = (0..100).map(|number| line.drawn(number)[0]).collect();
        assert_eq!(firsts.len(), 3, "everybody can be drawn");
    }
}
