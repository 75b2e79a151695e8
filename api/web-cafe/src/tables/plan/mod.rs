//! The floor plan as JSON and a page.

pub mod admin;
pub mod rest;
