//! What people pay for their time: as JSON, as a page, and in words.

pub(crate) mod admin;
pub(crate) mod charges;
pub(crate) mod rest;
mod words;

pub(crate) use charges::Charges;
