//! End-to-end tests, one file for each noun of the service's addresses, and one for each promise that spans them.

mod account;
mod admin;
mod audit;
mod auth;
mod backup;
mod bad_input;
mod browser;
mod chaos;
mod fairness;
mod history;
mod house;
mod hygiene;
mod idempotency;
mod library;
mod live;
mod matches;
mod moves;
mod operations;
mod private_postgres;
mod ratings;
mod reading;
mod readme;
mod settings;
mod terms;
mod variants;
