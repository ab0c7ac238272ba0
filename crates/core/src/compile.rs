//! Model file in, [`Model`] out, or every problem at once.
//!
//! A part that has a problem is left out of later checks, so one mistake gives one message: a pattern
//! of an entity that did not compile is not reported as well.

use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic, short};
use crate::model::{Entity, Model, Table};
use crate::value::Name;
use crate::yaml::{self, Key, Node};

mod attributes;
mod checks;
mod entities;
mod indexes;
mod kinds;
mod language;
mod lifecycles;
mod names;
mod patterns;
mod problems;
mod reader;
mod references;
mod rules;
mod suggest;
mod table;
mod templates;
mod texts;
mod uniques;

pub use language::words;
pub use suggest::name as nearest;

use names::Names;
use problems::Problems;
use reader::Fields;

/// Compiles the bytes of a model file.
///
/// # Errors
/// Every problem found, in the order of the file.
pub fn compile(source: &[u8]) -> Result<Model, Vec<Diagnostic>> {
    let mut problems = Problems::default();
    let model = yaml::read(source, &mut problems.list).and_then(|root| read_model(&root, &mut problems));
    match model {
        Some(model) if problems.list.is_empty() => Ok(model),
        _ => Err(problems.sorted()),
    }
}

fn read_model(root: &Node, problems: &mut Problems) -> Option<Model> {
    let fields = Fields::read(root, "the model", language::MODEL, problems)?;
    let name = fields
        .require("model", "write `model: name`, the short name of the system", problems)
        .and_then(|node| names::read(node, Names::Model, problems));
    let version = read_version(&fields, problems);
    let (title, doc) = (fields.words("title", problems), fields.words("doc", problems));
    let table = fields
        .require("table", "write `table:` with `name`, `key` and `indexes`", problems)
        .and_then(|node| table::read(node, problems));
    let entities_node = fields.require("entities", "write `entities:` with at least one entity", problems);
    // Entities cannot be checked without the table.
    let mut read = table?;
    let mut entities = entities::read(entities_node?, &read, problems);
    references::read(&mut entities, problems);
    let compiled: Vec<Arc<Entity>> = entities.iter().filter_map(|entry| entry.entity.clone()).collect();
    checks::across(&mut entities, &mut read, problems);
    let patterns = match fields.get("patterns") {
        Some(node) => patterns::read(node, &read, &entities, problems),
        None => Vec::new(),
    };
    let hidden = Vec::new();
    Some(Model { name: name?, version, title, doc, table: read.table, entities: compiled, patterns, hidden })
}

fn read_version(fields: &Fields<'_>, problems: &mut Problems) -> String {
    let Some(node) = fields.get("version") else { return "1.0.0".to_owned() };
    let Some(text) = reader::text(node, problems) else { return String::new() };
    if semver::Version::parse(text).is_err() {
        let message = format!("`{}` is not a version of the schema", short(text));
        problems.report(Code::BadChoice, node.span, message, "write three numbers, such as `version: 1.0.0`");
    }
    text.to_owned()
}

/// The table, and details of the file that entities need.
pub(crate) struct TableSource<'n> {
    pub(crate) node: &'n Node,
    pub(crate) table: Table,
    pub(crate) precision: crate::kind::time::Precision,
    pub(crate) created: Option<Name>,
    pub(crate) updated: Option<Name>,
    /// Whether the table has an unknown field that may be a missing one, misspelt.
    pub(crate) unclear: bool,
    /// Indexes that did not compile: references to them are not reported.
    pub(crate) broken_indexes: Vec<String>,
    /// Whether the delimiter is valid, so that keys can be checked with it.
    pub(crate) delimiter_works: bool,
}

/// An entity as the file has it; `entity` is absent when it did not compile.
pub(crate) struct EntitySource<'n> {
    pub(crate) key: &'n Key,
    pub(crate) node: &'n Node,
    pub(crate) entity: Option<Arc<Entity>>,
}
