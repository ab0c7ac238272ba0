//! The server on the embedded store, and its main tests on a DynamoDB endpoint too.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod api;
mod console;
mod order;
mod ports;
mod strict;
mod system;
