//! Open streams and long polls: how many there are at one time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::policy::{Per, Policy, What};
use super::{Caller, Key, Left};
use crate::error::ApiResult;
use base::error::{Kind, refused};

/// When somebody may try again: by then the server has noticed that a closed stream is closed.
const AGAIN: Duration = Duration::from_secs(15);

/// The open streams of this process.
pub(super) struct Places {
    policies: Vec<Policy>,
    open: Mutex<HashMap<Key, u32>>,
}

/// An open stream. Dropping it closes it.
pub(super) struct Place {
    places: Arc<Places>,
    keys: Vec<Key>,
}

impl Places {
    pub(super) fn new(policies: Vec<Policy>) -> Arc<Self> {
        Arc::new(Self { policies, open: Mutex::default() })
    }

    /// One more for this caller, and what is left to them; or what they have reached.
    pub(super) fn take(self: &Arc<Self>, caller: &Caller) -> (Vec<Left<'_>>, ApiResult<Place>) {
        let held: Vec<(&Policy, Key)> =
            self.policies.iter().filter_map(|policy| Some((policy, caller.key(policy.per)?))).collect();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let left = |policy, remaining| Left { policy, remaining, reset: None };
        let count = |open: &HashMap<Key, u32>, key: &Key| open.get(key).copied().unwrap_or(0);
        if let Some((policy, _)) = held.iter().find(|(policy, key)| count(&open, key) >= policy.quota) {
            return (vec![left(policy, 0)], Err(full(policy).into()));
        }
        for (_, key) in &held {
            *open.entry(*key).or_default() += 1;
        }
        let all = held.iter().map(|(policy, key)| left(*policy, policy.quota - count(&open, key))).collect();
        let keys = held.into_iter().map(|(_, key)| key).collect();
        (all, Ok(Place { places: Arc::clone(self), keys }))
    }

    pub(super) fn count(&self) -> u32 {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).get(&Key::Process).copied().unwrap_or(0)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.places.open.lock().unwrap_or_else(PoisonError::into_inner);
        for key in &self.keys {
            if let Some(count) = open.get_mut(key) {
                *count -= 1;
                if *count == 0 {
                    open.remove(key);
                }
            }
        }
    }
}

fn full(policy: &Policy) -> base::error::Error {
    super::count_refusal(policy);
    debug_assert_eq!(policy.what, What::Streams);
    match policy.per {
        Per::Process => refused(Kind::Unavailable, "streams_full"),
        _ => refused(Kind::TooMany, "too_many_streams").with("limit", i64::from(policy.quota)),
    }
    .retry_after(AGAIN)
}
