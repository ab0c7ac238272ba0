//! The tests of documents.

#![allow(clippy::unwrap_used, reason = "a test that panics says where")]

mod grounds;
mod projects;
mod uploads;
