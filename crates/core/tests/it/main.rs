//! The tests of the model compiler and the planner.

#![allow(clippy::unwrap_used, reason = "a test that panics says where")]

mod aliases;
mod bad_input;
mod cost;
mod cursors;
mod describe;
mod diagnostics;
mod diff;
mod docs;
mod expiry;
mod export;
mod invariants;
mod language;
mod legs;
mod limits;
mod messages;
mod models;
mod numbers;
mod patterns;
mod reads;
mod replaces;
mod requests;
mod templates;
mod updates;
mod writes;

use hansang_core::model::Model;
use hansang_core::request::Request;
use hansang_core::value::json;
use hansang_core::{Entity, Item};

/// Compiles a valid model; panics with its diagnostics otherwise.
fn model(source: &str) -> Model {
    hansang_core::compile(source.as_bytes()).unwrap_or_else(|problems| {
        panic!("{}", hansang_core::diagnostic::render("model.yaml", source, &problems))
    })
}

/// A file of the repository.
fn file(path: &str) -> String {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Fields written as JSON.
fn fields(json: serde_json::Value) -> Item {
    json::item_from_plain(&json).unwrap()
}

/// A stored item written as JSON, with the attributes of the entity converted to their types.
fn item(entity: &Entity, json: serde_json::Value) -> Item {
    fields(json)
        .into_iter()
        .map(|(name, value)| match entity.attribute(&name) {
            Some(attribute) => (name, attribute.kind.coerce(value).unwrap()),
            None => (name, value),
        })
        .collect()
}

/// A request as the tests show it.
fn show(request: &Request) -> String {
    format!("{request}\n")
}
