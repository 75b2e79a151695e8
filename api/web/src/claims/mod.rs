//! Claims as pages: a guest's new phone asks, their party or staff answer.

pub(crate) mod admin;
pub(crate) mod guest;
