//! `/api/v1/library/…`

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

pub(crate) mod copies;
pub(crate) mod notes;
pub(crate) mod sheet;
pub(crate) mod titles;

pub(crate) use copies::{
    add_copy, change_copy, find_copy, list_copies, list_copies_by_state, list_copy_history, move_copy,
};
pub(crate) use notes::{add_copy_note, list_copy_notes, settle_copy_note};
pub(crate) use sheet::{export_library, import_library};
pub(crate) use titles::{archive_title, change_title, create_title, find_title, list_titles, restore_title};
