//! Ratings as JSON and pages.

pub(crate) mod admin;
pub(crate) mod graph;
pub(crate) mod rest;

pub use graph::Graph;
