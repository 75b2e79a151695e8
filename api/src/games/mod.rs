//! The games on offer, as the engine has them, with their names from the catalogues.

pub mod rest;
pub mod rules;
