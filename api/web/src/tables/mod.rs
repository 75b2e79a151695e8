//! Tables as JSON and pages.

pub(crate) mod admin;
pub(crate) mod codes;
pub(crate) mod guest;
pub(crate) mod history;
pub(crate) mod plan;
pub(crate) mod rest;
