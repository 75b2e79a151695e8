//! `/api/v1/library/…`

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

pub mod copies;
pub mod notes;
pub mod sheet;
pub mod titles;

pub use copies::{add_copy, change_copy, find_copy, list_copies, list_copies_by_state, list_copy_history, move_copy};
pub use notes::{add_copy_note, list_copy_notes, settle_copy_note};
pub use sheet::{export_library, import_library};
pub use titles::{archive_title, change_title, create_title, find_title, list_titles, restore_title};
