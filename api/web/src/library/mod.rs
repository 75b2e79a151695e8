//! Library as JSON and pages.

pub(crate) mod admin;
pub(crate) mod guest;
pub(crate) mod rest;
