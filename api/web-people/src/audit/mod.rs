//! Audit as JSON and pages.

pub mod admin;
pub mod export;
pub mod rest;
pub mod words;
