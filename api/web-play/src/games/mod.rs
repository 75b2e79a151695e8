//! Games as JSON and pages, and what is said in them.

pub mod rest;
pub mod rules;
#[cfg(test)]
mod texts;
pub mod wordbook;
pub mod words;
