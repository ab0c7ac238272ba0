//! The conformance suite of registries: one test body per behaviour.

mod failures;
mod history;
mod lists;
mod moves;
mod names;
mod references;
mod registering;
mod strict;
mod typed;
