//! What can be paired now. A large round takes long to pair and every page asks for it, so the last answers are kept, each
//! under the whole stage from which it follows: they are right for as long as they are kept.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use engine::tournaments::{Bout, Pairing, Stage, Unpairable};

use base::error::Result;
use base::games::guarded;

/// What can be paired, or why nothing can.
pub type Due = Arc<std::result::Result<Vec<Pairing>, Unpairable>>;

/// So many tournaments at a time are looked at again and again.
const MOST_KEPT: usize = 16;

static KEPT: Mutex<VecDeque<(Stage, Due)>> = Mutex::new(VecDeque::new());

/// What can be paired now.
pub fn due(stage: &Stage) -> Result<Due> {
    if let Some(kept) = find(stage) {
        return Ok(kept);
    }
    let due = Arc::new(guarded(|| stage.due())?);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.truncate(MOST_KEPT - 1);
    kept.push_front((stage.clone(), Arc::clone(&due)));
    Ok(due)
}

fn find(stage: &Stage) -> Option<Due> {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    kept.iter().find(|(of, _)| of == stage).map(|(_, due)| Arc::clone(due))
}

/// Whether the stage is over: all bouts are, and nothing more can be paired.
pub fn is_over(stage: &Stage) -> Result<bool> {
    if !stage.bouts.iter().all(Bout::is_over) {
        return Ok(false);
    }
    Ok(due(stage)?.as_ref().as_ref().map_or(true, |due| due.is_empty()))
}

#[cfg(test)]
mod tests {
    use engine::tournaments::{Format, Participant, Points, Rulings, Scoring};

    use super::*;

    fn stage(draw: u64) -> Stage {
        let participant = |entrant| Participant { entrant, seed: entrant, from_round: 1, until_round: None };
        Stage {
            format: Format::Swiss { rounds: 3 },
            scoring: Scoring::new(Points::Win { win: 100, draw: 50, loss: 0, bye: 100 }),
            rulings: Rulings::default(),
            teams: None,
            tie_breaks: Vec::new(),
            participants: (1..=6).map(participant).collect(),
            bouts: Vec::new(),
            draw,
        }
    }

    #[test]
    fn a_round_is_paired_once_for_all_who_look_at_it() {
        let (one, other) = (due(&stage(901)).unwrap(), due(&stage(901)).unwrap());
        assert!(Arc::ptr_eq(&one, &other));
        let mut begun = stage(901);
        begun.participants[5].until_round = Some(0);
        assert_ne!(due(&begun).unwrap(), one, "five are left");
        assert!(!is_over(&begun).unwrap());
    }
}
