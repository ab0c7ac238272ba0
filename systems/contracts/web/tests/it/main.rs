//! The registry of contracts as it is served: its API and its pages.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod api;
mod pages;
mod server;
