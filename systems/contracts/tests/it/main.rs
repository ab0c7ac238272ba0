//! The registry of contracts: the same on every adapter, from memory, under faults and in any order.

mod cache;
mod faults;
mod grounds;
mod references;
mod schedules;
mod suite;
mod threads;
