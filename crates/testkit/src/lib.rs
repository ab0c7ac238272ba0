#![doc = include_str!("../README.md")]
#![allow(clippy::unwrap_used, reason = "everything here runs inside tests, where a panic is the report")]

pub mod cache_suite;
pub mod differential;
pub mod endpoints;
pub mod expect;
pub mod faults;
pub mod files_suite;
pub mod memory;
pub mod plans;
pub mod queue_suite;
pub mod run;
pub mod suite;
pub mod table;
pub mod world;

mod random;

#[doc(hidden)]
pub use hansang_core as core;
