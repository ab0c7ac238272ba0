//! The tests of entry events: by themselves, in simulated worlds, and in the order of every crash.

mod basics;
mod checker;
mod crashes;
mod grounds;
mod lottery;
mod operators;
mod recorder;
mod simulation;
