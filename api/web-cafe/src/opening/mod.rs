//! A café's first minutes: who comes before there is an owner is led to the set-up page, and the owner through four steps.

pub mod admin;
pub mod gate;
