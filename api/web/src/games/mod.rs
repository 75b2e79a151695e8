//! Games as JSON and pages, and what is said in them.

pub(crate) mod rest;
pub(crate) mod rules;
#[cfg(test)]
mod texts;
pub(crate) mod wordbook;
pub(crate) mod words;
