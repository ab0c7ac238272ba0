//! The `unique:` of an entity.

use std::sync::Arc;

use super::names::{self, Names};
use super::problems::Problems;
use super::reader::{self, Fields};
use super::{language, suggest};
use crate::diagnostic::{Code, Span, short};
use crate::model::{Attribute, Role, Unique};
use crate::yaml::{Content, Key, Node};

const MAX_UNIQUES: usize = 20;
const MAX_FIELDS: usize = 20;

/// Reads the constraints; those with a problem are left out.
pub(super) fn read(
    node: &Node,
    entity: &str,
    attributes: &[Arc<Attribute>],
    broken: &[&str],
    problems: &mut Problems,
) -> Vec<Unique> {
    if let Content::List(_) = &node.content {
        let message = "each unique constraint has a name, so `unique` must be a map";
        problems.report(Code::WrongShape, node.span, message, "write `unique: { slug: [slug] }`");
        return Vec::new();
    }
    reader::entries(node, "`unique`", MAX_UNIQUES, problems)
        .iter()
        .filter_map(|(key, node)| read_one(key, node, entity, attributes, broken, problems))
        .collect()
}

fn read_one(
    key: &Key,
    node: &Node,
    entity: &str,
    attributes: &[Arc<Attribute>],
    broken: &[&str],
    problems: &mut Problems,
) -> Option<Unique> {
    let name = names::check(&key.text, key.span, Names::Unique, problems);
    let (fields, within) = match &node.content {
        Content::Map(_) => {
            let parts =
                Fields::read(node, &format!("the unique constraint `{name}`"), language::UNIQUE, problems)?;
            let help = "write `{ fields: [slug], within: [categoryId] }`";
            let fields = reader::texts(parts.require("fields", help, problems)?, MAX_FIELDS, problems);
            let within = parts.get("within").map(|node| reader::texts(node, MAX_FIELDS, problems));
            (fields, within.unwrap_or_else(|| Some(Vec::new())))
        }
        _ => (reader::texts(node, MAX_FIELDS, problems), Some(Vec::new())),
    };
    let (fields, within) = (fields?, within?);
    if fields.is_empty() {
        let help = format!("write `{name}: [attribute]`");
        problems.report(Code::BadUnique, node.span, format!("`{name}` names no attribute"), help);
        return None;
    }
    if let Some((both, span)) =
        fields.iter().find(|(field, _)| within.iter().any(|(other, _)| other == field))
    {
        let message = format!("`{both}` is in `within` already");
        problems.report(Code::BadUnique, *span, message, "keep it in one of `fields` and `within`");
        return None;
    }
    let within = find(&within, entity, attributes, broken, problems);
    let fields = find(&fields, entity, attributes, broken, problems);
    Some(Unique { name, within: within?, fields: fields? })
}

fn find(
    names: &[(&str, Span)],
    entity: &str,
    attributes: &[Arc<Attribute>],
    broken: &[&str],
    problems: &mut Problems,
) -> Option<Vec<Arc<Attribute>>> {
    let mut found = Vec::new();
    for (name, span) in names {
        match attributes.iter().find(|attribute| &*attribute.name == *name) {
            Some(attribute) if !attribute.stored => {
                let message = format!("`{name}` is only in the key, and a constraint needs it stored");
                problems.report(Code::BadUnique, *span, message, "remove its `stored: false`");
            }
            Some(attribute) if !matches!(attribute.role, Role::Given) => {
                let message = format!("`{name}` is written by Hansang and cannot be kept unique");
                problems.report(Code::BadUnique, *span, message, "use an attribute that is given");
            }
            Some(attribute) if attribute.kind.fits_key() => found.push(attribute.clone()),
            Some(attribute) => {
                let message = format!("`{name}` is {}, which cannot be kept unique", attribute.kind);
                let help = "use text, an identifier, a time, an enum or an integer";
                problems.report(Code::BadUnique, *span, message, help);
            }
            None if broken.contains(name) => {}
            None => {
                let known = attributes.iter().map(|attribute| &*attribute.name);
                let help = suggest::did_you_mean(name, known, || format!("add `{name}` to the attributes"));
                let message = format!("`{entity}` has no attribute `{}`", short(name));
                problems.report(Code::UnknownAttribute, *span, message, help);
            }
        }
    }
    (found.len() == names.len()).then_some(found)
}
