//! Floor as JSON and pages.

pub(crate) mod admin;
pub(crate) mod live;
mod parts;
pub(crate) mod words;
