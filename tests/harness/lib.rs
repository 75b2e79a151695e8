//! What the end-to-end tests stand on: one throw-away Postgres for the run, a database for each test, real `houserules`
//! processes, visitors who speak HTTP to them, and a real browser. Nothing here knows more of the service than a client does.

mod app;
mod authority;
mod axe;
mod browser;
mod clock;
mod cluster;
mod disk;
mod document;
mod evening;
mod identity_provider;
mod line;
mod parties;
mod pooler;
mod programs;
mod server;
mod service;
mod visitor;
mod wait;
mod workplace;

pub use app::TestApp;
pub use authority::{Authority, Issued};
pub use axe::Axe;
pub use browser::Browser;
pub use clock::Clock;
pub use cluster::{Database, EncryptedPostgres, Lock, ReplicatedPostgres, postgres_program};
pub use disk::Disk;
pub use evening::Evening;
pub use identity_provider::{IdentityProvider, Proof};
pub use line::{Fault, Line};
pub use parties::Party;
pub use pooler::Pooler;
pub use programs::{Ran, installed, program, python, repository, run};
pub use server::{Launch, Server, end};
pub use service::{Reply, Request, Service};
pub use visitor::{Answer, Sent, Stream, Visitor};
pub use wait::{eventually, within};
pub use workplace::{Workplace, workplace};
