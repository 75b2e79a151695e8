//! Keys of services elsewhere, as JSON and pages, and how they are let in.

pub mod admin;
pub mod door;
pub mod reach;
pub mod rest;
