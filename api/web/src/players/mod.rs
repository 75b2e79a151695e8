//! Players as JSON and pages.

pub(crate) mod admin;
pub(crate) mod export;
pub(crate) mod guest;
pub(crate) mod rest;
pub(crate) mod rest_staff;
