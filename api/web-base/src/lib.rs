//! What every page and every address of the API stands on: configuration, who asks and what they sent, limits, errors, the frame of
//! a page, streams.

#![expect(unreachable_pub, reason = "the macros of routes put each handler into a function")]

// Templates name this crate wherever they are compiled.
extern crate self as web_base;

pub mod addresses;
pub mod assets;
pub mod compression;
pub mod config;
pub mod cors;
pub mod error;
pub mod etag;
pub mod extract;
pub mod head;
pub mod idempotency;
pub mod lang;
pub mod limits;
pub mod origin;
pub mod outgoing;
pub mod page;
pub mod proxies;
pub mod public_url;
pub mod qr;
pub mod streams;
