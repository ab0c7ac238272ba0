//! The conformance suite of registries: one test body per behaviour.

mod failures;
mod lists;
mod moves;
mod names;
mod registering;
mod typed;
