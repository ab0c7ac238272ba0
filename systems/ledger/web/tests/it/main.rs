//! The ledger as it is served.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod api;
mod copies;
mod demo;
mod imports;
mod looks;
mod pages;
mod reports;
mod typed;
