//! The server `houserules` and its tools. Everything starts in `cli`; what it serves is `web`, what that does is `cafe`.

mod audit_head;
mod backup;
mod chain;
pub mod cli;
mod cluster;
mod demo;
mod descriptors;
mod doctor;
mod files;
mod healthcheck;
mod load;
mod secret;
mod tls;
