//! A room for each game. No game knows of another.

pub mod perudo;
