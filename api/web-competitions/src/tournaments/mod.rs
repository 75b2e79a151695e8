//! Tournaments as JSON and pages.

pub mod admin;
pub mod answers;
pub mod embed;
pub mod export;
pub mod guest;
pub mod live;
pub mod rest;
#[cfg(test)]
pub mod samples;
pub mod view;
mod wall;
