//! Cafe as JSON and pages.

pub mod admin;
pub mod logo;
pub mod opening;
pub mod rest;
pub mod sheets;
pub mod tariff;
