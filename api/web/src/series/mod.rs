//! Series of tournaments as JSON and pages.

pub(crate) mod admin;
pub(crate) mod answers;
pub(crate) mod export;
pub(crate) mod guest;
pub(crate) mod rest;
#[cfg(test)]
mod samples;
pub(crate) mod view;
