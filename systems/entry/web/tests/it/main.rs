//! Events as they are served: their API and their pages.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod api;
mod pages;
mod server;
