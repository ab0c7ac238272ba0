//! The tests of adapters, with a real mail server, real connections and real files.

#![allow(clippy::unwrap_used, reason = "a test that panics says where")]

mod grounds;
mod hooks;
mod mails;
mod uploads;
