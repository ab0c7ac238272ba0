//! Tests of the embedded store.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod conformance;
mod smoke;
