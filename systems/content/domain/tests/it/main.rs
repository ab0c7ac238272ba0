//! The tests of content.

#![allow(clippy::unwrap_used, reason = "a test that panics says where")]

mod categories;
mod editors;
mod grounds;
mod inquiries;
mod migration;
mod posts;
mod publishing;
