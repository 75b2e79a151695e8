//! Players as JSON and pages.

pub mod admin;
pub mod export;
pub mod guest;
pub mod rest;
pub mod rest_staff;
