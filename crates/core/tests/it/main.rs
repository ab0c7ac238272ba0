//! The tests of the model compiler and the planner.

mod cost;
mod diff;
mod docs;
mod models;

/// Compiles a model that is meant to be right, and shows what is wrong with it otherwise.
fn compiled(source: &str) -> hansang_core::Model {
    hansang_core::compile(source.as_bytes()).unwrap_or_else(|problems| {
        panic!("{}", hansang_core::diagnostic::render("model.yaml", source, &problems))
    })
}
