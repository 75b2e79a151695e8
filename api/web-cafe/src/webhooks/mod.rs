//! Webhooks as JSON and pages, and their delivery.

pub mod admin;
pub mod delivery;
pub mod rest;
