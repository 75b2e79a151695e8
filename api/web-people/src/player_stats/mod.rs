//! Tallies as JSON and pages.

pub mod rest;
