//! Staff as JSON and pages.

pub mod account;
pub mod admin;
pub mod rest;
pub mod signed_in;
pub mod welcome;
