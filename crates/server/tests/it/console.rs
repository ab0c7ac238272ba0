//! The pages of the console.

mod docs;
mod explore;
mod handbook;
mod kept;
mod lists;
mod live;
mod model;
mod search;
mod settings;
