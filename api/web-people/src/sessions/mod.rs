//! Sessions as JSON and pages.

pub mod admin;
pub mod door;
pub mod guest;
pub mod password;
pub mod rest;
