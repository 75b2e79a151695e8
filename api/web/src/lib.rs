//! The HTTP side of House Rules: the JSON API, pages and live streams over the use cases of `cafe`. Every address is in `routes`.

mod app_links;
pub mod openapi;
mod pwa;
pub mod routes;
mod serve;
pub mod telemetry;
pub mod tls;

pub use serve::{App, Listeners, serve};
