//! Claims as JSON and pages: a guest's new phone asks, their party or staff answer.

pub mod admin;
pub mod guest;
pub mod rest;
