//! The tests of documents.

#![allow(clippy::unwrap_used, reason = "a test that panics says where")]
#![allow(clippy::disallowed_methods, reason = "tests are told by the environment which seeds to run")]

mod caching;
mod cascades;
mod grounds;
mod leases;
mod people;
mod processing;
mod projects;
mod segments;
mod simulation;
mod uploads;
