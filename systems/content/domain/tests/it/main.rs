//! The tests of content.

#![allow(clippy::unwrap_used, reason = "a test that panics says where")]

mod categories;
mod editors;
mod ends;
mod faults;
mod grounds;
mod hooks;
mod inquiries;
mod mails;
mod migration;
mod outage;
mod posts;
mod publishing;
mod site;
mod together;
