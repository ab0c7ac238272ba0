//! The pages of the console.

mod explore;
mod live;
mod model;
mod settings;
