//! Floor as JSON and pages.

pub mod admin;
pub mod live;
mod parts;
pub mod words;
