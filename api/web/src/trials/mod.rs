//! Trials as JSON and pages.

pub(crate) mod admin;
