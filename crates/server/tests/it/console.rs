//! The pages of the console.

mod docs;
mod explore;
mod handbook;
mod import;
mod kept;
mod lists;
mod live;
mod model;
mod search;
mod settings;
mod typed;
