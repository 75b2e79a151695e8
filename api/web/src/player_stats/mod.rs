//! Tallies as JSON and pages.

pub(crate) mod rest;
