//! Tables as JSON and pages.

pub mod admin;
pub mod codes;
pub mod guest;
pub mod history;
pub mod plan;
pub mod rest;
