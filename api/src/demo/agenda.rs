//! What is still to happen in the story, in the order of time.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::tournaments::Contest;
use super::visits::{Visit, Want};
use base::ids::{CallId, CopyId, MatchId, NoteId};
use play::calls::CallStatus;
use play::library::Transfer;

/// Something that happens. Parties, house rules and people are known by their number.
#[derive(Debug)]
pub(super) enum Task {
    Arrive(Visit),
    Lend {
        party: usize,
    },
    Handle {
        copy: CopyId,
        errand: Transfer,
    },
    Play {
        party: usize,
    },
    /// A player gives up, and the autopilot plays on.
    Resign {
        party: usize,
        id: MatchId,
        who: usize,
    },
    Abort {
        id: MatchId,
    },
    Call {
        party: usize,
        want: Want,
    },
    Answer {
        id: CallId,
        status: CallStatus,
    },
    Closing {
        party: usize,
    },
    Leave {
        party: usize,
    },
    NextVersion {
        rule: usize,
    },
    Publish {
        rule: usize,
    },
    Retire {
        rule: usize,
    },
    Note,
    SettleNote {
        id: NoteId,
    },
    Mishap(Transfer),
    LendAnother,
    OutOfService,
    Ban,
    Merge,
    Lobby {
        number: usize,
    },
    Tournament(Contest),
    /// The day's end: what was forgotten ends.
    CloseUp,
}

#[derive(Default)]
pub(super) struct Agenda {
    // The number tells those apart that happen at once.
    tasks: BTreeMap<(Timestamp, usize), Task>,
    entered: usize,
}

impl Agenda {
    pub(super) fn enter(&mut self, at: Timestamp, task: Task) {
        self.tasks.insert((at, self.entered), task);
        self.entered += 1;
    }

    /// The next to happen, if it happens before this time.
    pub(super) fn next(&mut self, until: Timestamp) -> Option<(Timestamp, Task)> {
        let first = self.tasks.first_entry().filter(|first| first.key().0 < until)?;
        let ((at, _), task) = first.remove_entry();
        Some((at, task))
    }
}
