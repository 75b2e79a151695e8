//! Calls as JSON and pages.

pub mod admin;
pub mod rest;
