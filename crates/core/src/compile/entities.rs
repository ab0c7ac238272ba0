//! The `entities:` section.

use std::sync::Arc;

use super::attributes::{self, AttributeSource};
use super::reader::{self, Fields, Names, Problems};
use super::templates::{self, Scope, Use};
use super::{EntitySource, TableSource, indexes};
use crate::diagnostic::{Code, Span};
use crate::kind::Kind;
use crate::model::{Attribute, Entity, Role, Unique};
use crate::template::Template;
use crate::yaml::{Content, Key, Node};

const FIELDS: &[&str] = &["doc", "key", "index", "attributes", "unique", "version", "timestamps"];

pub(super) fn read<'n>(
    node: &'n Node,
    table: &TableSource,
    problems: &mut Problems,
) -> Vec<EntitySource<'n>> {
    let entries = reader::map(node, "`entities`", problems).unwrap_or_default();
    if entries.is_empty() {
        problems.report(
            Code::MissingField,
            node.span,
            "a model has at least one entity",
            "add `Name: { key: …, attributes: … }`",
        );
    }
    entries
        .iter()
        .map(|(key, node)| {
            let before = problems.list.len();
            let entity = read_one(key, node, table, problems).filter(|_| problems.list.len() == before);
            EntitySource { key, node, entity: entity.map(Arc::new) }
        })
        .collect()
}

fn read_one(key: &Key, node: &Node, table: &TableSource, problems: &mut Problems) -> Option<Entity> {
    let name = reader::check_name(&key.text, key.span, Names::Entity, problems)?;
    let fields = Fields::read(node, "an entity", FIELDS, problems)?;
    let timestamps = fields.get("timestamps").and_then(|node| reader::flag(node, problems)).unwrap_or(true);
    let (sources, broken) = attributes::read(fields.get("attributes"), table, problems);
    let mut of_table = attributes::of_table(&name, table, timestamps);
    of_table.extend(read_version(&fields, &sources, problems));
    let scope = Scope {
        entity: &name,
        delimiter: table.table.delimiter,
        sources: &sources,
        of_table: &of_table,
        broken: &broken,
    };
    let keys = read_keys(&fields, table, &scope, problems);
    let mut compiled: Vec<Arc<Attribute>> =
        sources.iter().filter_map(|source| with_template(source, &scope, problems)).collect();
    compiled.extend(of_table.iter().cloned());
    check_ttl(&sources, table, problems);
    let uniques =
        fields.get("unique").map(|node| read_uniques(node, &compiled, &broken, problems)).unwrap_or_default();
    let (pk, sk) = keys?;
    check_stored(&sources, &pk, &sk, problems);
    let entries = indexes::read(fields.get("index"), table, &scope, &compiled, (&pk, &sk), problems);
    let mut by_name = compiled.clone();
    by_name.sort_by(|a, b| a.name.cmp(&b.name));
    let doc = fields.doc(problems);
    Some(Entity { name: name.clone(), doc, pk, sk, indexes: entries, attributes: compiled, by_name, uniques })
}

fn read_keys(
    fields: &Fields<'_>,
    table: &TableSource,
    scope: &Scope<'_>,
    problems: &mut Problems,
) -> Option<(Template, Template)> {
    let (pk_name, sk_name) = (&*table.table.pk, &*table.table.sk);
    let help = format!("write `key: {{ {pk_name}: \"…\", {sk_name}: \"…\" }}`");
    let node = fields.require("key", &help, problems)?;
    let keys = Fields::read(node, "the key of an entity", &[pk_name, sk_name], problems)?;
    let pk = keys.require(pk_name, &help, problems);
    let sk = keys.require(sk_name, &help, problems);
    let pk = pk.and_then(|node| templates::compile(node, Use::PartitionKey, scope, problems));
    let sk = sk.and_then(|node| templates::compile(node, Use::SortKey, scope, problems));
    Some((pk?, sk?))
}

/// `version: rev` adds an integer that counts the writes.
fn read_version(
    fields: &Fields<'_>,
    sources: &[AttributeSource<'_>],
    problems: &mut Problems,
) -> Option<Arc<Attribute>> {
    let node = fields.get("version")?;
    let name = reader::name(node, Names::Attribute, problems)?;
    if sources.iter().any(|source| source.attribute.name == name) {
        let message = format!("`{name}` is an attribute already; the version is written by Hansang");
        problems.report(
            Code::BadVersion,
            node.span,
            message,
            "remove it from the attributes, or choose another name",
        );
        return None;
    }
    Some(attributes::written(&name, Kind::Integer, Role::Version, false))
}

fn with_template(
    source: &AttributeSource<'_>,
    scope: &Scope<'_>,
    problems: &mut Problems,
) -> Option<Arc<Attribute>> {
    let Some(node) = source.template else { return Some(source.attribute.clone()) };
    let template = templates::compile(node, Use::Attribute, scope, problems)?;
    let mut attribute = Attribute::clone(&source.attribute);
    attribute.role = Role::Derived(template);
    Some(Arc::new(attribute))
}

fn check_ttl(sources: &[AttributeSource<'_>], table: &TableSource, problems: &mut Problems) {
    let Some(ttl) = &table.table.ttl else { return };
    for source in sources.iter().filter(|source| source.attribute.name == ttl.attribute) {
        if source.attribute.kind != Kind::Integer {
            let message = format!("`{}` is the TTL attribute and must hold epoch seconds", ttl.attribute);
            problems.report(
                Code::BadTtl,
                source.span,
                message,
                format!("write `{}: integer?`", ttl.attribute),
            );
        }
    }
}

fn check_stored(sources: &[AttributeSource<'_>], pk: &Template, sk: &Template, problems: &mut Problems) {
    for source in sources.iter().filter(|source| !source.attribute.stored) {
        let name = &source.attribute.name;
        if !pk.uses(name) && !sk.uses(name) {
            let message = format!("`{name}` is neither stored nor part of the key, so it would be lost");
            problems.report(
                Code::NotRecoverable,
                source.span,
                message,
                "remove `stored: false`, or add it to the key",
            );
        }
    }
}

fn read_uniques(
    node: &Node,
    attributes: &[Arc<Attribute>],
    broken: &[&str],
    problems: &mut Problems,
) -> Vec<Unique> {
    let entries = reader::map(node, "`unique`", problems).unwrap_or_default();
    entries
        .iter()
        .filter_map(|(key, node)| {
            let name = reader::check_name(&key.text, key.span, Names::Pattern, problems)?;
            let (fields, within) = match &node.content {
                Content::Map(_) => {
                    let fields = Fields::read(node, "a unique constraint", &["fields", "within"], problems)?;
                    let help = "write `{ fields: [slug], within: [categoryId] }`";
                    let list = reader::texts(fields.require("fields", help, problems)?, problems);
                    (list, fields.get("within").map(|node| reader::texts(node, problems)).unwrap_or_default())
                }
                _ => (reader::texts(node, problems), Vec::new()),
            };
            if fields.is_empty() {
                let help = "write `name: [attribute]`";
                problems.report(Code::BadUnique, node.span, format!("`{name}` names no attribute"), help);
                return None;
            }
            Some(Unique {
                name,
                within: unique_fields(&within, attributes, broken, problems)?,
                fields: unique_fields(&fields, attributes, broken, problems)?,
            })
        })
        .collect()
}

fn unique_fields(
    names: &[(&str, Span)],
    attributes: &[Arc<Attribute>],
    broken: &[&str],
    problems: &mut Problems,
) -> Option<Vec<Arc<Attribute>>> {
    let mut found = Vec::new();
    for (name, span) in names {
        match attributes.iter().find(|attribute| &*attribute.name == *name) {
            Some(attribute) if attribute.kind.fits_key() => found.push(attribute.clone()),
            Some(attribute) => {
                let message = format!("`{name}` is {}, which cannot be kept unique", attribute.kind);
                problems.report(
                    Code::BadUnique,
                    *span,
                    message,
                    "use text, an identifier, a time, an enum or an integer",
                );
            }
            None if broken.contains(name) => {}
            None => {
                let known = attributes.iter().map(|attribute| &*attribute.name);
                let help = match reader::suggest(name, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("add `{name}` to the attributes"),
                };
                problems.report(
                    Code::UnknownAttribute,
                    *span,
                    format!("there is no attribute `{name}`"),
                    help,
                );
            }
        }
    }
    (found.len() == names.len()).then_some(found)
}

/// The entity of this name: the outer option says whether the file has it, the inner one whether
/// it compiled.
#[allow(clippy::option_option, reason = "unknown and broken are two answers")]
pub(super) fn find<'e>(entities: &'e [EntitySource<'_>], name: &str) -> Option<Option<&'e Arc<Entity>>> {
    entities.iter().find(|source| source.key.text == name).map(|source| source.entity.as_ref())
}
