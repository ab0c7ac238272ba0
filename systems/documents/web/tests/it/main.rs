//! Documents as they are served.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod api;
mod pages;
