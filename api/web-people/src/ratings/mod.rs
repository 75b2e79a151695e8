//! Ratings as JSON and pages.

pub mod admin;
pub mod graph;
pub mod rest;

pub use graph::Graph;
