//! Tournaments, and the series that they make: use cases and what they keep. No HTTP, no HTML.

pub mod series;
pub mod tournaments;
