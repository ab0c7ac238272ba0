//! What every registry does, wherever its contracts are: one body for each behaviour.

mod failures;
mod lists;
mod moves;
mod names;
mod registering;
mod typed;
