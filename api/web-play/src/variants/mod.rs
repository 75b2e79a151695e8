//! Variants as JSON and pages.

pub mod admin;
pub mod form;
pub mod rest;
