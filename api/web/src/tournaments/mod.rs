//! Tournaments as JSON and pages.

pub(crate) mod admin;
pub(crate) mod answers;
pub(crate) mod embed;
pub(crate) mod export;
pub(crate) mod guest;
pub(crate) mod live;
pub(crate) mod rest;
#[cfg(test)]
pub(crate) mod samples;
pub(crate) mod view;
mod wall;
