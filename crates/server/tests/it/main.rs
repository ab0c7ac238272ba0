//! The server on the embedded store, and what its main tests say on a DynamoDB endpoint too.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

#[macro_use]
mod stores;

mod access;
mod answer;
mod api;
mod console;
mod contracts;
mod descriptors;
mod entry;
mod export;
mod headers;
mod health;
mod limits;
mod listen;
mod metrics;
mod order;
mod ports;
mod running;
mod server;
mod shutdown;
mod strict;
mod tls;
mod trace;
mod units;
