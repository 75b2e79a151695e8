//! Sessions as JSON and pages.

pub(crate) mod admin;
pub(crate) mod door;
pub(crate) mod guest;
pub(crate) mod password;
pub(crate) mod rest;
