//! The registry of contracts: the same on every adapter, from memory, under faults and in any order.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod audit;
mod cache;
mod compare;
mod faults;
mod grounds;
mod references;
mod schedules;
mod seed;
mod suite;
mod threads;
mod yaml;
