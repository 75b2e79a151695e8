//! What every use case stands on: who acts and what they may, the database, texts, settings, the audit log. It knows no
//! party, match or tournament.

pub mod audit;
pub mod auth;
pub mod certificates;
pub mod codes;
pub mod db;
pub mod error;
pub mod games;
pub mod idempotency_keys;
pub mod ids;
pub mod inputs;
mod joins;
pub mod list;
pub mod live;
pub mod names;
pub mod network;
pub mod schema;
pub mod settings;
pub mod setup;
pub mod spare;
pub mod stop;
pub mod storage;
pub mod templates;
pub mod text;
pub mod undo;
pub mod world;
