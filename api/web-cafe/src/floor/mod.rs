//! Floor as JSON and pages.

pub mod admin;
pub mod live;
mod parts;
#[cfg(test)]
pub mod samples;
pub mod waits;
pub mod words;
