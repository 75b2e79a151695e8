//! Webhooks as JSON and pages, and their delivery.

pub(crate) mod admin;
pub mod delivery;
pub(crate) mod rest;
