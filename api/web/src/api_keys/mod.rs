//! Keys of services elsewhere, as JSON and pages, and how they are let in.

pub(crate) mod admin;
pub mod door;
mod reach;
pub(crate) mod rest;
