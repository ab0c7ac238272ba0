//! The server on the embedded store, and its main tests on a DynamoDB endpoint too.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod api;
mod closed;
mod compression;
mod console;
mod lockout;
mod order;
mod ports;
mod slow;
mod strict;
mod system;
