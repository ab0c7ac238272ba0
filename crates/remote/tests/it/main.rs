//! Tests of the ports of a real server on an embedded store.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod conformance;
mod failures;
mod lending;
mod waiting;
mod wire;
