//! The tests of documents.

#![allow(clippy::unwrap_used, reason = "a test that panics says where")]

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
