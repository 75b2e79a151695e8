//! Staff as JSON and pages.

pub(crate) mod account;
pub(crate) mod admin;
pub(crate) mod rest;
pub(crate) mod signed_in;
pub(crate) mod welcome;
