//! Games as JSON and pages.

pub(crate) mod rest;
pub(crate) mod rules;
