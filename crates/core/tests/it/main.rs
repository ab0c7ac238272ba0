//! The tests of the model compiler and the planner.

mod export;
mod models;
