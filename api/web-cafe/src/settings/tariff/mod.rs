//! What people pay for their time: as JSON and as a page.

pub mod admin;
pub mod rest;
