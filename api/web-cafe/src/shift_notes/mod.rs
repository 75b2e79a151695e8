//! Shift notes as JSON, and the buttons for them.

pub mod admin;
pub mod rest;
