//! A real server on an embedded store, used through its ports.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod conformance;
mod failures;
mod lending;
mod waiting;
mod wire;
