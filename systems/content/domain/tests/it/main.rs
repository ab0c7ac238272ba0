//! The tests of content.

#![allow(clippy::unwrap_used, reason = "a test that panics says where")]

mod categories;
mod editors;
mod ends;
mod grounds;
mod hooks;
mod inquiries;
mod migration;
mod mails;
mod posts;
mod publishing;
mod site;
mod together;
