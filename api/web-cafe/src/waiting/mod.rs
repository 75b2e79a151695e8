//! The waiting list as JSON and pages.

pub mod admin;
pub mod door;
pub mod guest;
pub mod rest;
