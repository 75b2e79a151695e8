//! Matches as JSON and pages.

pub mod admin;
pub mod answers;
pub mod invitations;
mod narrator;
pub mod reactions;
pub mod replay;
pub mod rest;
pub mod stream;

pub use answers::EventFrame;
pub use answers::MatchAnswer;
pub use answers::SeatAnswer;
pub mod results;
