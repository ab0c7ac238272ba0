//! Model file in, [`Model`] out, or every problem at once.
//!
//! A part that has a problem is left out of what follows, so one mistake gives one message: a
//! pattern on an entity that did not compile is not complained about a second time.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::model::{Entity, Model, Table};
use crate::value::Name;
use crate::yaml::{self, Key, Node};

mod attributes;
mod checks;
mod entities;
mod indexes;
mod kinds;
mod patterns;
mod reader;
mod table;
mod templates;

pub use reader::suggest;

use reader::{Fields, Names, Problems};

/// Compiles the bytes of a model file.
///
/// # Errors
/// Every problem found, in the order of their places in the file.
pub fn compile(source: &[u8]) -> Result<Model, Vec<Diagnostic>> {
    let mut problems = Problems::default();
    let model = yaml::read(source, &mut problems.list).and_then(|root| read_model(&root, &mut problems));
    match model {
        Some(model) if problems.list.is_empty() => Ok(model),
        _ => Err(problems.sorted()),
    }
}

const FIELDS: &[&str] = &["model", "version", "doc", "table", "entities", "patterns"];

fn read_model(root: &Node, problems: &mut Problems) -> Option<Model> {
    let fields = Fields::read(root, "the model", FIELDS, problems)?;
    let name = fields
        .require("model", "write `model: name`, the short name of the system", problems)
        .and_then(|node| reader::name(node, Names::Model, problems));
    let version = fields.text("version", problems).map_or_else(|| "1.0.0".to_owned(), str::to_owned);
    let doc = fields.doc(problems);
    let table = fields
        .require("table", "write `table:` with `name`, `key` and `indexes`", problems)
        .and_then(|node| table::read(node, problems));
    let entities_node = fields.require("entities", "write `entities:` with at least one entity", problems);
    // Without its table an entity cannot be judged.
    let mut read = table?;
    let entities = match entities_node {
        Some(node) => entities::read(node, &read, problems),
        None => Vec::new(),
    };
    let compiled: Vec<Arc<Entity>> = entities.iter().filter_map(|entry| entry.entity.clone()).collect();
    checks::across(&entities, &mut read, problems);
    let patterns = match fields.get("patterns") {
        Some(node) => patterns::read(node, &read.table, &entities, problems),
        None => Vec::new(),
    };
    Some(Model { name: name?, version, doc, table: read.table, entities: compiled, patterns })
}

/// The table and what the entities need to know of how the file put it.
pub(crate) struct TableSource {
    pub(crate) table: Table,
    pub(crate) precision: crate::kind::time::Precision,
    pub(crate) created: Option<Name>,
    pub(crate) updated: Option<Name>,
    pub(crate) ttl_span: Option<crate::diagnostic::Span>,
}

/// An entity as the file has it; `entity` is absent when it did not compile.
pub(crate) struct EntitySource<'n> {
    pub(crate) key: &'n Key,
    pub(crate) node: &'n Node,
    pub(crate) entity: Option<Arc<Entity>>,
}
