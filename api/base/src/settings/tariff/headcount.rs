//! How many people of a party were there, since when. Those who came last are taken to leave first.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The changes of a party's number, the first first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Headcounts(Vec<Headcount>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Headcount {
    pub since: Timestamp,
    pub people: i16,
}

/// People who came and left together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    pub people: i16,
    pub since: Timestamp,
    pub until: Timestamp,
}

impl Headcounts {
    pub fn of(since: Timestamp, people: i16) -> Self {
        Self(vec![Headcount { since, people }])
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As many people from then on. Clocks of two processes differ: nothing happens before what is known.
    #[must_use]
    pub fn change(mut self, at: Timestamp, people: i16) -> Self {
        let last = self.0.last().copied();
        if last.is_none_or(|last| last.people != people) {
            let since = last.map_or(at, |last| last.since.max(at));
            self.0.push(Headcount { since, people });
        }
        self
    }

    /// As if somebody had never come who did at this moment, or the last who came if nobody did then.
    #[must_use]
    pub fn without_one(self, joined: Timestamp) -> Self {
        let grew = |it: &usize| self.0[*it].people > self.0[*it - 1].people;
        let then = (1..self.0.len()).filter(grew).find(|it| self.0[*it].since >= joined);
        let Some(grew) = then.or_else(|| (1..self.0.len()).rev().find(grew)) else { return self };
        let fewer = self.0.into_iter().enumerate().map(|(number, it)| match number < grew {
            true => it,
            false => Headcount { people: it.people - 1, ..it },
        });
        fewer.fold(Self::default(), |known, it| known.change(it.since, it.people))
    }

    /// Of two parties that sit down together, as if they always had.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut moments: Vec<Timestamp> = self.0.iter().chain(&other.0).map(|it| it.since).collect();
        moments.sort_unstable();
        moments.dedup();
        let both = |at: Timestamp| self.at(at).saturating_add(other.at(at));
        moments.into_iter().fold(Self::default(), |known, at| known.change(at, both(at)))
    }

    fn at(&self, moment: Timestamp) -> i16 {
        self.0.iter().rev().find(|it| it.since <= moment).map_or(0, |it| it.people)
    }

    /// Who was there from when until when, the first who came first.
    pub fn stays(&self, end: Timestamp) -> Vec<Stay> {
        let mut here: Vec<Headcount> = Vec::new();
        let mut stays = Vec::new();
        let mut known = 0;
        for change in &self.0 {
            let at = change.since.min(end);
            if change.people > known {
                here.push(Headcount { since: at, people: change.people - known });
            }
            let mut leaving = known - change.people;
            while leaving > 0
                && let Some(last) = here.pop()
            {
                let people = last.people.min(leaving);
                stays.push(Stay { people, since: last.since, until: at });
                if people < last.people {
                    here.push(Headcount { people: last.people - people, ..last });
                }
                leaving -= people;
            }
            known = change.people;
        }
        stays.extend(here.into_iter().map(|it| Stay { people: it.people, since: it.since, until: end }));
        stays.sort_by_key(|stay| (stay.since, std::cmp::Reverse(stay.until)));
        stays
    }
}

impl From<Value> for Headcounts {
    fn from(value: Value) -> Self {
        serde_json::from_value(value).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + minute * 60).unwrap()
    }

    fn stays(counts: &Headcounts, end: i64) -> Vec<(i16, i64, i64)> {
        let minute = |moment: Timestamp| (moment.as_second() - 1_800_000_000) / 60;
        counts.stays(at(end)).iter().map(|it| (it.people, minute(it.since), minute(it.until))).collect()
    }

    #[test]
    fn those_who_came_last_leave_first() {
        let counts = Headcounts::of(at(0), 2).change(at(30), 5).change(at(60), 4).change(at(90), 1);
        assert_eq!(stays(&counts, 120), [(1, 0, 120), (1, 0, 90), (2, 30, 90), (1, 30, 60)]);
        assert_eq!(stays(&Headcounts::of(at(0), 3), 50), [(3, 0, 50)]);
    }

    #[test]
    fn somebody_who_never_came_costs_nothing() {
        let counts = Headcounts::of(at(0), 2).change(at(30), 3).change(at(40), 4);
        assert_eq!(stays(&counts.clone().without_one(at(40)), 60), [(2, 0, 60), (1, 30, 60)]);
        assert_eq!(stays(&counts.clone().without_one(at(29)), 60), [(2, 0, 60), (1, 40, 60)]);
        assert_eq!(stays(&counts.without_one(at(50)), 60), [(2, 0, 60), (1, 30, 60)]);
        let then_left = Headcounts::of(at(0), 2).change(at(30), 3).change(at(40), 2).without_one(at(30));
        assert_eq!(stays(&then_left, 60), [(1, 0, 60), (1, 0, 40)]);
        assert_eq!(Headcounts::of(at(0), 2).without_one(at(0)), Headcounts::of(at(0), 2));
    }

    #[test]
    fn parties_that_merge_keep_the_time_that_each_was_there() {
        let early = Headcounts::of(at(0), 2).change(at(20), 3);
        let late = Headcounts::of(at(50), 4);
        assert_eq!(stays(&early.and(&late), 60), [(2, 0, 60), (1, 20, 60), (4, 50, 60)]);
        assert_eq!(early.and(&late), late.and(&early));
    }

    #[test]
    fn clocks_that_differ_make_nobody_leave_before_they_came() {
        let counts = Headcounts::of(at(10), 1).change(at(5), 2);
        assert_eq!(stays(&counts, 8), [(1, 8, 8), (1, 8, 8)]);
        assert!(counts.stays(at(60)).iter().all(|stay| stay.since <= stay.until));
    }
}
