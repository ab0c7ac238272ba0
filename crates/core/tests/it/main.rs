//! The tests of the model compiler and the planner.

mod diagnostics;
mod models;
