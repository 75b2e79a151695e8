//! Variants as JSON and pages.

pub(crate) mod admin;
pub(crate) mod form;
pub(crate) mod rest;
