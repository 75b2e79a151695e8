//! What is still to happen in the story, in the order of time.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::tournaments::Contest;
use super::visits::{Visit, Want};
use crate::calls::CallStatus;
use crate::ids::{CallId, CopyId, MatchId, NoteId};
use crate::library::Errand;

/// Something that happens. Parties, house rules and people are known by their number.
#[derive(Debug)]
pub(super) enum Deed {
    Arrive(Visit),
    Lend {
        party: usize,
    },
    Handle {
        copy: CopyId,
        errand: Errand,
    },
    Play {
        party: usize,
    },
    /// A player gives up, and the house plays on.
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
    Mishap(Errand),
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
    deeds: BTreeMap<(Timestamp, usize), Deed>,
    entered: usize,
}

impl Agenda {
    pub(super) fn enter(&mut self, at: Timestamp, deed: Deed) {
        self.deeds.insert((at, self.entered), deed);
        self.entered += 1;
    }

    /// The next to happen, if it happens before this time.
    pub(super) fn next(&mut self, until: Timestamp) -> Option<(Timestamp, Deed)> {
        let first = self.deeds.first_entry().filter(|first| first.key().0 < until)?;
        let ((at, _), deed) = first.remove_entry();
        Some((at, deed))
    }
}
