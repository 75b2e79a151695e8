//! The HTTP service. Everything starts in `cli`, every route is in `routes`, and each noun has its own folder.

pub mod assets;
pub mod audit;
mod backup;
pub mod cli;
pub mod cluster;
pub mod config;
pub mod db;
pub mod error;
pub mod etag;
pub mod extract;
pub mod floor;
pub mod games;
mod healthcheck;
pub mod idempotency;
pub mod ids;
pub mod limits;
pub mod list;
pub mod live;
pub mod load;
pub mod matches;
pub mod openapi;
pub mod operations;
pub mod page;
pub mod players;
pub mod routes;
pub mod schema;
mod serve;
pub mod sessions;
pub mod staff;
pub mod stop;
pub mod tables;
pub mod telemetry;
pub mod text;
pub mod variants;
pub mod world;

pub use serve::{App, serve};
