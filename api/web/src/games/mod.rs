//! Games as JSON and pages.

pub(crate) mod rest;
pub(crate) mod rules;
#[cfg(test)]
mod texts;
