//! Tournaments from draft to end, by nothing but the API. `event` is one that a test runs.

mod arena;
mod bulk;
mod by_itself;
mod copies;
mod desk;
mod entrants;
mod entry;
mod event;
mod files;
mod formats;
mod games;
mod groups;
mod kills;
mod late;
mod results;
mod rounds;
mod rulings;
mod table_needs;
mod teams;
mod ways_back;
