//! The server `houserules` and its tools. Everything starts in `cli`: its commands, `serve` among them, which is `server`.
//! What that serves is `web`, what that does is `cafe`.

mod audit_head;
mod backup;
mod chain;
pub mod cli;
mod cluster;
mod database;
mod demo;
mod descriptors;
mod doctor;
mod error;
mod files;
mod healthcheck;
mod load;
mod person;
mod secret;
mod server;
mod tls;
