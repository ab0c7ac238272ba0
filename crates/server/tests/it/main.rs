//! The server, on the embedded store.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod access;
mod api;
mod descriptors;
mod export;
mod headers;
mod health;
mod limits;
mod listen;
mod metrics;
mod order;
mod running;
mod server;
mod shutdown;
mod tls;
mod trace;
mod units;
