//! Trials as JSON and pages.

pub mod admin;
