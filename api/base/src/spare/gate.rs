//! Where threads of spare work wait while others need the machine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};

/// Open at first.
#[derive(Debug, Default)]
pub struct Gate {
    /// The same as in `shut`, for those who pass often.
    is_shut: AtomicBool,
    shut: Mutex<Shut>,
    opened: Condvar,
}

#[derive(Debug, Default)]
struct Shut {
    since: Option<Timestamp>,
    /// How long it was shut before.
    before: SignedDuration,
    /// Nobody shuts it any more.
    is_over: bool,
}

impl Gate {
    /// Waits until it is open.
    pub fn pass(&self) {
        if !self.is_shut.load(Ordering::Relaxed) {
            return;
        }
        let mut shut = self.lock();
        while shut.since.is_some() {
            shut = self.opened.wait(shut).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Opens or shuts it. Once it is over, it stays open.
    pub fn set(&self, is_open: bool, now: Timestamp) {
        let mut shut = self.lock();
        match shut.since {
            Some(since) if is_open => {
                shut.before += now.duration_since(since);
                shut.since = None;
                self.opened.notify_all();
            }
            None if !is_open && !shut.is_over => shut.since = Some(now),
            _ => {}
        }
        self.is_shut.store(shut.since.is_some(), Ordering::Relaxed);
    }

    /// Opens it for good. What passes has to ask whether it is over.
    pub fn end(&self, now: Timestamp) {
        self.lock().is_over = true;
        self.set(true, now);
    }

    pub fn is_over(&self) -> bool {
        self.lock().is_over
    }

    /// How long it has been shut so far.
    pub fn shut_for(&self, now: Timestamp) -> SignedDuration {
        let shut = self.lock();
        shut.before + shut.since.map_or(SignedDuration::ZERO, |since| now.duration_since(since))
    }

    fn lock(&self) -> MutexGuard<'_, Shut> {
        self.shut.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn the_time_that_it_is_shut_is_counted() {
        let gate = Gate::default();
        gate.set(true, at(5));
        assert_eq!(gate.shut_for(at(10)), SignedDuration::ZERO);
        gate.set(false, at(10));
        gate.set(false, at(12));
        assert_eq!(gate.shut_for(at(13)), SignedDuration::from_secs(3));
        gate.set(true, at(14));
        gate.set(true, at(15));
        gate.set(false, at(20));
        assert_eq!(gate.shut_for(at(21)), SignedDuration::from_secs(5));
    }

    #[test]
    fn who_waits_goes_on_once_it_opens_and_once_it_is_over() {
        for is_over in [false, true] {
            let gate = Gate::default();
            gate.set(false, at(0));
            let (tell, told) = mpsc::channel();
            std::thread::scope(|scope| {
                let waits = scope.spawn(|| {
                    tell.send(()).unwrap();
                    gate.pass();
                    gate.shut_for(at(9))
                });
                told.recv().unwrap();
                assert!(!waits.is_finished());
                if is_over {
                    gate.end(at(7))
                } else {
                    gate.set(true, at(7))
                }
                assert_eq!(waits.join().unwrap(), SignedDuration::from_secs(7));
            });
            gate.set(false, at(8));
            assert_eq!((gate.is_over(), gate.shut_for(at(9)).as_secs()), (is_over, if is_over { 7 } else { 8 }));
        }
    }
}
