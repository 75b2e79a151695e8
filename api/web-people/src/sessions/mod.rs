//! Sessions as JSON and pages.

pub mod admin;
pub mod guest;
pub mod password;
pub mod refusals;
pub mod rest;
