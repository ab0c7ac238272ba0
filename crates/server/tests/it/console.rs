//! The pages of the console.

mod explore;
mod handbook;
mod live;
mod model;
mod search;
mod settings;
