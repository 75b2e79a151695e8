//! Sittings as JSON and pages.

pub mod admin;
pub mod answers;
pub mod guest;
pub mod list;
pub mod rest;

pub use answers::Member;
pub use answers::SittingAnswer;
pub use answers::TableNow;
pub use answers::TableState;
