//! The `entities:` section.

use std::sync::Arc;

use super::attributes::{self, AttributeSource};
use super::names::{self, Names};
use super::problems::Problems;
use super::reader::{self, Fields};
use super::templates::{self, Scope, Use};
use super::texts::{self, Known};
use super::{EntitySource, TableSource, indexes, language, uniques};
use crate::diagnostic::{Code, short};
use crate::kind::Kind;
use crate::model::{Attribute, Entity, Role};
use crate::template::Template;
use crate::yaml::{Key, Node};

const MAX_ENTITIES: usize = 200;

pub(super) fn read<'n>(
    node: &'n Node,
    table: &TableSource<'_>,
    problems: &mut Problems,
) -> Vec<EntitySource<'n>> {
    let before = problems.list.len();
    let entries = reader::entries(node, "`entities`", MAX_ENTITIES, problems);
    if entries.is_empty() && problems.list.len() == before {
        let help = "add `Name:` with its `key` and `attributes`";
        problems.report(Code::MissingField, node.span, "a model has at least one entity", help);
    }
    let read = entries.iter().map(|(key, node)| {
        let before = problems.list.len();
        let entity = read_one(key, node, table, problems).filter(|_| problems.keys_are_clear(before));
        EntitySource { key, node, entity: entity.map(Arc::new) }
    });
    let mut sources: Vec<EntitySource<'n>> = read.collect();
    // Entities beyond the limit are not checked, but patterns may refer to them.
    let beyond = reader::beyond(node, MAX_ENTITIES);
    sources.extend(beyond.iter().map(|(key, node)| EntitySource { key, node, entity: None }));
    sources
}

fn read_one(key: &Key, node: &Node, table: &TableSource<'_>, problems: &mut Problems) -> Option<Entity> {
    let name = names::check(&key.text, key.span, Names::Entity, problems);
    let fields = Fields::read(node, &format!("the entity `{}`", short(&name)), language::ENTITY, problems)?;
    let [title, plural, doc] = ["title", "plural", "doc"].map(|name| fields.words(name, problems));
    let timestamps = fields.flag("timestamps", problems).unwrap_or(true);
    let private = fields.flag("private", problems).unwrap_or(false);
    // An unknown field may be `attributes`, misspelt: then no name can be checked.
    if fields.unclear() && fields.get("attributes").is_none() {
        return None;
    }
    let (sources, broken) = attributes::read(fields.get("attributes"), table, timestamps, problems);
    let mut of_table = attributes::of_table(&name, table, timestamps);
    of_table.extend(read_version(&fields, table, timestamps, &sources, problems));
    let scope = Scope {
        entity: &name,
        delimiter: table.table.delimiter,
        delimiter_works: table.delimiter_works,
        sources: &sources,
        of_table: &of_table,
        broken: &broken,
    };
    let keys = read_keys(&fields, table, &scope, problems);
    let mut compiled: Vec<Arc<Attribute>> =
        sources.iter().filter_map(|source| with_template(source, &scope, problems)).collect();
    compiled.extend(of_table.iter().cloned());
    check_ttl(&sources, table, problems);
    let uniques = fields.get("unique").map(|node| uniques::read(node, &name, &compiled, &broken, problems));
    let known = Known { entity: &name, attributes: &compiled, broken: &broken };
    let label = texts::label(&fields, &known, problems);
    let columns = texts::columns(&fields, &known, problems);
    let entries = indexes::read(fields.get("index"), table, &scope, &compiled, keys.as_ref(), problems);
    let (pk, sk) = keys?;
    check_stored(&sources, &pk, &sk, problems);
    let uniques = uniques.unwrap_or_default();
    let mut by_name = compiled.clone();
    by_name.sort_by(|a, b| a.name.cmp(&b.name));
    let name = name.clone();
    Some(Entity {
        name,
        title,
        plural,
        doc,
        label,
        columns,
        references: Vec::new(),
        private,
        pk,
        sk,
        indexes: entries,
        attributes: compiled,
        by_name,
        uniques,
    })
}

fn read_keys(
    fields: &Fields<'_>,
    table: &TableSource<'_>,
    scope: &Scope<'_>,
    problems: &mut Problems,
) -> Option<(Template, Template)> {
    let (pk_name, sk_name) = (&*table.table.pk, &*table.table.sk);
    let help = format!("write `key: {{ {pk_name}: \"…\", {sk_name}: \"…\" }}`");
    let node = fields.require("key", &help, problems)?;
    // The same wording for every entity: a slip in the table's key is one problem, not one per entity.
    let keys = Fields::read(node, "the key of an item", &[pk_name, sk_name], problems)?;
    let keys = keys.called(format!("the key of `{}`", short(scope.entity)));
    let pk = keys.require(pk_name, &help, problems);
    let sk = keys.require(sk_name, &help, problems);
    let pk = pk.and_then(|node| templates::compile(node, Use::PartitionKey, scope, problems));
    let sk = sk.and_then(|node| templates::compile(node, Use::SortKey, scope, problems));
    Some((pk?, sk?))
}

/// `version: rev` adds an integer that counts the writes.
fn read_version(
    fields: &Fields<'_>,
    table: &TableSource<'_>,
    timestamps: bool,
    sources: &[AttributeSource<'_>],
    problems: &mut Problems,
) -> Option<Arc<Attribute>> {
    let node = fields.get("version")?;
    let name = names::read(node, Names::Attribute, problems)?;
    let is_ttl = table.table.ttl.as_ref().is_some_and(|ttl| ttl.attribute == name);
    let (taken, help) = if sources.iter().any(|source| source.attribute.name == name) {
        ("an attribute already", "remove it from the attributes, or choose another name")
    } else if let Some(job) = attributes::job(&name, table, timestamps) {
        (job, "choose a name of its own, such as `version: rev`")
    } else if is_ttl {
        ("the table's `ttl`", "choose a name of its own, such as `version: rev`")
    } else {
        return Some(attributes::written(&name, Kind::Integer, Role::Version, false));
    };
    let message = format!("`{name}` is {taken}; the version counts the writes of an item");
    problems.report(Code::BadVersion, node.span, message, help);
    None
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

fn check_ttl(sources: &[AttributeSource<'_>], table: &TableSource<'_>, problems: &mut Problems) {
    let Some(ttl) = &table.table.ttl else { return };
    for source in sources.iter().filter(|source| source.attribute.name == ttl.attribute) {
        if source.attribute.kind != Kind::Integer {
            let message = format!("`{}` is the TTL attribute and must hold epoch seconds", ttl.attribute);
            let help = format!("write `{}: integer?`", ttl.attribute);
            problems.report(Code::BadTtl, source.span, message, help);
        }
    }
}

fn check_stored(sources: &[AttributeSource<'_>], pk: &Template, sk: &Template, problems: &mut Problems) {
    for source in sources.iter().filter(|source| !source.attribute.stored) {
        let name = &source.attribute.name;
        if !pk.uses(name) && !sk.uses(name) {
            let message = format!("`{name}` is neither stored nor part of the key, so it would be lost");
            let help = "remove `stored: false`, or add it to the key";
            problems.report(Code::NotRecoverable, source.span, message, help);
        }
    }
}

/// The entity of this name: the outer option is empty if the file does not have it, the inner one if
/// it did not compile.
#[allow(clippy::option_option, reason = "unknown and broken are two answers")]
pub(super) fn find<'e>(entities: &'e [EntitySource<'_>], name: &str) -> Option<Option<&'e Arc<Entity>>> {
    let called = |source: &&EntitySource<'_>| source.key.text == name;
    // An invalid name is often spelt right where it is used.
    let meant =
        |source: &&EntitySource<'_>| source.entity.is_none() && source.key.text.eq_ignore_ascii_case(name);
    let found = entities.iter().find(called).or_else(|| entities.iter().find(meant));
    found.map(|source| source.entity.as_ref())
}
