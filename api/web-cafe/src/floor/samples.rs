//! A party that waits, for the samples of the pages that show one.

use cafe::waiting::outlook::{Ahead, QueueEntry};
use cafe::waiting::{Span, WaitingId, WaitingRow, WaitingStatus};
use jiff::Timestamp;
use uuid::Uuid;

use web_base::page::samples;

/// A party on the waiting list.
pub(crate) fn waiting_party(status: WaitingStatus) -> QueueEntry {
    let is_over = !matches!(status, WaitingStatus::Waiting | WaitingStatus::Called);
    let table = |name: &str, free| Ahead { table: samples::table(name).id, name: name.to_owned(), seats: 4, free };
    let row = WaitingRow {
        id: WaitingId(Uuid::from_u128(9 + status as u128)),
        token: "token".to_owned(),
        name: (status != WaitingStatus::NoShow).then(|| "하늘".to_owned()),
        phone: Some("010-1234-5678".to_owned()),
        party_size: 3,
        status,
        joined_at: Timestamp::UNIX_EPOCH,
        by_guest: true,
        called_at: (status != WaitingStatus::Waiting).then_some(Timestamp::UNIX_EPOCH),
        ended_at: is_over.then_some(Timestamp::UNIX_EPOCH),
        sitting_id: None,
    };
    let later = Span { least: 10, most: 40 };
    let fits = vec![table("1번", Some(Span::NOW)), table("2번", Some(later))];
    QueueEntry { row, position: 2, wait: Some(later), ready: Some(fits[0].table), fits }
}
