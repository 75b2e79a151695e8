//! The matches that this process moved in last, as it left them, so that the next move need not read them. Whether they still are
//! so is for the statement to say that writes the move.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::MatchId;
use super::position::Position;

/// So many matches at most, of a few kilobytes each. Those that were not moved in for longest are forgotten first.
const MOST: usize = 2000;

/// Its clones are the same.
#[derive(Clone, Default)]
pub(super) struct Known(Arc<Mutex<Positions>>);

/// By age: the old ones are forgotten together once there are as many young ones.
#[derive(Default)]
struct Positions {
    young: HashMap<MatchId, Position>,
    old: HashMap<MatchId, Position>,
}

impl Known {
    /// Gives it to one at a time: somebody else reads it from the database.
    pub(super) fn take(&self, id: MatchId) -> Option<Position> {
        let mut positions = self.positions();
        positions.young.remove(&id).or_else(|| positions.old.remove(&id))
    }

    pub(super) fn put(&self, position: Position) {
        let mut positions = self.positions();
        let Positions { young, old } = &mut *positions;
        if [&*young, &*old].into_iter().filter_map(|them| them.get(&position.id)).any(|it| it.news > position.news) {
            return;
        }
        if young.len() >= MOST / 2 {
            *old = std::mem::take(young);
        }
        young.insert(position.id, position);
    }

    fn positions(&self) -> std::sync::MutexGuard<'_, Positions> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use engine::{catalogue, playout};
    use jiff::Timestamp;
    use serde_json::json;
    use uuid::Uuid;

    use super::super::Status;
    use super::super::statements::Found;
    use super::*;

    fn position(number: u128, news: i64) -> Position {
        let kind = catalogue::find("liars-dice").unwrap();
        let (play, _) = kind.start(&json!({}), 2, &mut playout::random(7)).unwrap();
        let found = Found {
            game: "liars-dice".to_owned(),
            revision: i32::try_from(kind.info().revision).unwrap(),
            status: Status::Running,
            version: 0,
            news,
            moved_at: Some(Timestamp::UNIX_EPOCH.into()),
            decision_since: 0,
            resigned: 0,
            chance_count: 0,
            seed: vec![0; 32],
            state: Some(play.save()),
            seat: None,
            holders: None,
            nonces: None,
            played_before: None,
        };
        Position::of(MatchId(Uuid::from_u128(number)), found).unwrap()
    }

    #[test]
    fn a_match_is_given_to_one_at_a_time_and_the_latest_stays() {
        let (known, id) = (Known::default(), MatchId(Uuid::from_u128(1)));
        known.put(position(1, 5));
        known.put(position(1, 4));
        assert_eq!(known.take(id).map(|it| it.news), Some(5));
        assert!(known.take(id).is_none());
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let known = Known::default();
        let many = u128::try_from(MOST).unwrap();
        (1..=2 * many).for_each(|number| known.put(position(number, 1)));
        let kept = {
            let positions = known.positions();
            positions.young.len() + positions.old.len()
        };
        assert!(kept <= MOST);
        assert!(known.take(MatchId(Uuid::from_u128(1))).is_none());
        assert!(known.take(MatchId(Uuid::from_u128(2 * many))).is_some());
    }
}
