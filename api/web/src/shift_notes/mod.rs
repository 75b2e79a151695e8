//! Shift notes as JSON, and the buttons for them.

pub(crate) mod admin;
pub(crate) mod rest;
