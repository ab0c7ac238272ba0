//! Tests of entry: without faults, in simulated worlds, and with a crash in every call.

#![allow(clippy::unwrap_used, reason = "a test that panics says where")]
#![allow(clippy::print_stdout, reason = "a seed that is run alone shows what happened")]
#![allow(clippy::disallowed_methods, reason = "tests are told by the environment which seeds to run")]

mod basics;
mod checker;
mod crashes;
mod damaged;
mod editing;
mod gate;
mod grounds;
mod lottery;
mod operators;
mod outage;
mod recorder;
mod simulation;
mod sold_out;
