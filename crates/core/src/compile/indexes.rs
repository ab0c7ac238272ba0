//! Which indexes an entity is in, and where its keys there come from.

use std::sync::Arc;

use super::TableSource;
use super::reader::{self, Fields, Problems};
use super::templates::{self, Scope, Use};
use crate::diagnostic::Code;
use crate::model::{Attribute, EntityIndex, Index, KeySource, Role};
use crate::template::Template;
use crate::value::Name;
use crate::yaml::Node;

/// Reads `index:` and adds the indexes that the entity is in by its own attributes.
pub(super) fn read(
    node: Option<&Node>,
    table: &TableSource,
    scope: &Scope<'_>,
    attributes: &[Arc<Attribute>],
    keys: (&Template, &Template),
    problems: &mut Problems,
) -> Vec<EntityIndex> {
    let declared = node.map(|node| read_declared(node, table, scope, problems)).unwrap_or_default();
    let finder = Finder { table, scope, attributes, keys, declared: &declared };
    let mut entries = Vec::new();
    for (position, index) in table.table.indexes.iter().enumerate() {
        let pk = finder.find(&index.pk, problems);
        let sk = index.sk.as_ref().map(|sk| finder.find(sk, problems));
        match (pk, sk) {
            (Some(pk), None) => entries.push(EntityIndex { index: position, pk, sk: None }),
            (Some(pk), Some(Some(sk))) => entries.push(EntityIndex { index: position, pk, sk: Some(sk) }),
            (pk, sk) => report_half(index, node, pk.is_some(), sk, problems),
        }
    }
    entries
}

/// The key attributes that the entity gives a template for.
fn read_declared(
    node: &Node,
    table: &TableSource,
    scope: &Scope<'_>,
    problems: &mut Problems,
) -> Vec<(Name, Option<Template>)> {
    let mut declared = Vec::new();
    for (key, node) in reader::map(node, "`index`", problems).unwrap_or_default() {
        let Some(index) = table.table.indexes.iter().find(|index| *index.name == *key.text) else {
            let names: Vec<&str> = table.table.indexes.iter().map(|index| &*index.name).collect();
            let help = match reader::suggest(&key.text, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the table has {}; add it under `table: indexes:`", reader::list(&names)),
            };
            problems.report(Code::UnknownIndex, key.span, format!("there is no index `{}`", key.text), help);
            continue;
        };
        let allowed: Vec<&str> =
            [Some(&index.pk), index.sk.as_ref()].into_iter().flatten().map(|name| &**name).collect();
        let Some(fields) = Fields::read(node, "an index key", &allowed, problems) else { continue };
        for (name, used) in [(Some(&index.pk), Use::IndexPartition), (index.sk.as_ref(), Use::IndexSort)] {
            let Some(name) = name else { continue };
            let Some(node) = fields.get(name) else { continue };
            let template = templates::compile(node, used, scope, problems);
            let own = scope.sources.iter().any(|source| source.attribute.name == *name)
                || scope.of_table.iter().any(|attribute| attribute.name == *name);
            if own || *name == table.table.pk || *name == table.table.sk {
                let message = format!("`{name}` is an attribute of its own already");
                let help = "leave it out here: the index uses the attribute as it is";
                problems.report(Code::ReservedName, node.span, message, help);
            }
            declared.push((name.clone(), template));
        }
    }
    declared
}

struct Finder<'a> {
    table: &'a TableSource,
    scope: &'a Scope<'a>,
    attributes: &'a [Arc<Attribute>],
    keys: (&'a Template, &'a Template),
    declared: &'a [(Name, Option<Template>)],
}

impl Finder<'_> {
    fn find(&self, name: &Name, problems: &mut Problems) -> Option<KeySource> {
        if let Some((_, template)) = self.declared.iter().find(|(declared, _)| declared == name) {
            return template.clone().map(KeySource::Derived);
        }
        if *name == self.table.table.pk {
            return Some(KeySource::Own(self.keys.0.clone()));
        }
        if *name == self.table.table.sk {
            return Some(KeySource::Own(self.keys.1.clone()));
        }
        let attribute = self.attributes.iter().find(|attribute| attribute.name == *name)?;
        let delimiter = self.scope.delimiter;
        if let Role::Type = attribute.role {
            return Some(KeySource::Own(templates::of_literal(self.scope.entity, delimiter)));
        }
        if let Role::Derived(template) = &attribute.role {
            return Some(KeySource::Own(template.clone()));
        }
        if attribute.kind.is_numeric() {
            return Some(KeySource::Number(attribute.clone()));
        }
        if !attribute.kind.fits_key() {
            let span = self
                .scope
                .sources
                .iter()
                .find(|source| source.attribute.name == *name)
                .map(|source| source.span);
            let message = format!("`{name}` is {}, but an index uses it as a key", attribute.kind);
            problems.report(
                Code::NotAKeyType,
                span.unwrap_or_default(),
                message,
                "use text, a number, a time or an enum",
            );
            return None;
        }
        Some(KeySource::Own(templates::of_attribute(attribute, delimiter)))
    }
}

/// An entity that was meant to be in the index but has only one of its keys.
fn report_half(
    index: &Index,
    node: Option<&Node>,
    has_pk: bool,
    sk: Option<Option<KeySource>>,
    problems: &mut Problems,
) {
    let Some(entry) = node.and_then(|node| {
        let crate::yaml::Content::Map(entries) = &node.content else { return None };
        entries.iter().find(|(key, _)| key.text == *index.name)
    }) else {
        return;
    };
    let has_sk = matches!(sk, Some(Some(_)));
    let missing = match (has_pk, &index.sk) {
        (false, _) => &index.pk,
        (true, Some(sk)) if !has_sk => sk,
        _ => return,
    };
    // A template that did not compile was given; its own problem is enough.
    if let crate::yaml::Content::Map(fields) = &entry.1.content {
        if fields.iter().any(|(key, _)| key.text == **missing) {
            return;
        }
    }
    let message = format!("the index `{}` also needs `{missing}`", index.name);
    problems.report(
        Code::HalfIndex,
        entry.0.span,
        message,
        format!("add `{missing}: \"…\"`: without it no item is in the index"),
    );
}
