//! Closing the day as JSON and a page.

pub mod admin;
pub mod rest;
