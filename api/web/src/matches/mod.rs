//! Matches as JSON and pages.

pub(crate) mod admin;
pub(crate) mod answers;
pub(crate) mod invitations;
mod narrator;
pub(crate) mod reactions;
pub(crate) mod replay;
pub(crate) mod rest;
pub(crate) mod stream;

pub use answers::EventFrame;
pub use answers::MatchAnswer;
pub use answers::SeatAnswer;
pub(crate) mod results;
