//! Keys of services elsewhere, as JSON and pages, and how they are let in.

pub mod admin;
pub mod middleware;
pub mod reach;
pub mod rest;
