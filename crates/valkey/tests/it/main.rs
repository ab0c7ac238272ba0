//! Tests of the cache on real servers: one alone, with TLS, and clusters, which are paused, killed and failed over.
#![allow(clippy::unwrap_used, reason = "a test that panics says where")]

mod cluster;
mod conformance;
mod connect;
mod faults;
mod load;
mod server;
