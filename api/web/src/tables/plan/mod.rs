//! The floor plan as JSON and a page.

pub(crate) mod admin;
pub(crate) mod rest;
