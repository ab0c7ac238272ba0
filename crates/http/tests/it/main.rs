//! The layers of the chain, one by one, over real sockets.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod descriptors;
mod export;
mod headers;
mod health;
mod layers;
mod limits;
mod listen;
mod metrics;
mod shutdown;
mod tls;
mod trace;
mod units;
