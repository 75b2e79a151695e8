//! Calls as JSON and pages.

pub(crate) mod admin;
pub(crate) mod rest;
