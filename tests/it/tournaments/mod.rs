//! Tournaments from draft to end, by nothing but the API. `event` is one that a test runs.

mod arena;
mod copies;
mod desk;
mod entrants;
mod event;
mod formats;
mod games;
mod groups;
mod kills;
mod results;
mod rounds;
mod rulings;
mod teams;
mod ways_back;
