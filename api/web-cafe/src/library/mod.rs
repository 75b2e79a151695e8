//! Library as JSON and pages.

pub mod admin;
pub mod guest;
pub mod rest;
