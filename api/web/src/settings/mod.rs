//! Cafe as JSON and pages.

pub(crate) mod admin;
pub(crate) mod logo;
pub(crate) mod opening;
pub(crate) mod rest;
pub(crate) mod sheets;
pub(crate) mod tariff;
