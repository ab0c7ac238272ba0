//! Tests of the ledger: verb by verb on each store, and in simulated worlds with every fault.

#![allow(clippy::unwrap_used, reason = "a test that panics says where")]
#![allow(clippy::disallowed_methods, reason = "tests are told by the environment which seeds to run")]

mod accounts;
mod basics;
mod checker;
mod crashes;
mod edges;
mod files;
mod grounds;
mod imports;
mod journal;
mod planning;
mod readers;
mod simulation;
mod twice;
