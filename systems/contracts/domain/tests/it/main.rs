//! Tests of the contract registry: on every adapter, with the cache, under faults and in every interleaving.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test may stop at the first surprise")]

mod audit;
mod cache;
mod compare;
mod faults;
mod grounds;
mod references;
mod rules;
mod schedules;
mod seed;
mod suite;
mod threads;
mod yaml;
