//! The tests of the model compiler and the planner.

mod diagnostics;
mod language;
mod limits;
mod models;
