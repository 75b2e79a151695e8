//! Sittings as JSON and pages.

pub(crate) mod admin;
pub(crate) mod answers;
pub(crate) mod guest;
pub(crate) mod list;
pub(crate) mod rest;

pub use answers::SittingAnswer;
pub use answers::TableNow;
pub use answers::TableState;
