//! The tests of the model compiler and the planner.

mod bad_input;
mod diagnostics;
mod language;
mod legs;
mod limits;
mod models;
mod templates;
