//! Series of tournaments as JSON and pages.

pub mod admin;
pub mod answers;
pub mod export;
pub mod guest;
pub mod rest;
#[cfg(test)]
mod samples;
pub mod view;
