//! What people pay for their time: as JSON and as a page.

pub(crate) mod admin;
pub(crate) mod rest;
