//! The indexes that an entity is in, and the sources of its keys there.

use std::sync::Arc;

use super::problems::Problems;
use super::reader::{self, Fields};
use super::templates::{self, Scope, Use, semver_order};
use super::{TableSource, suggest};
use crate::diagnostic::{Code, Span};
use crate::kind::Kind;
use crate::model::{Attribute, EntityIndex, Index, KeySource, Role};
use crate::template::Template;
use crate::value::Name;
use crate::yaml::{Content, Key, Node};

/// Reads `index:` and adds the indexes that the entity is in by its own attributes. `keys` are
/// absent when the entity's own key did not compile.
pub(super) fn read(
    node: Option<&Node>,
    table: &TableSource<'_>,
    scope: &Scope<'_>,
    attributes: &[Arc<Attribute>],
    keys: Option<&(Template, Template)>,
    problems: &mut Problems,
) -> Vec<EntityIndex> {
    let declared = node.map(|node| read_declared(node, table, scope, problems)).unwrap_or_default();
    let finder = Finder { table, scope, attributes, keys, declared: &declared };
    let mut entries = Vec::new();
    for (position, index) in table.table.indexes.iter().enumerate() {
        let is_in = finder.has(&index.pk) && index.sk.as_ref().is_none_or(|sk| finder.has(sk));
        let pk = finder.find(&index.pk, Use::IndexPartition, is_in, problems);
        let sk = index.sk.as_ref().map(|sk| finder.find(sk, Use::IndexSort, is_in, problems));
        match (pk, sk) {
            (Some(pk), None) => entries.push(EntityIndex { index: position, pk, sk: None }),
            (Some(pk), Some(Some(sk))) => entries.push(EntityIndex { index: position, pk, sk: Some(sk) }),
            (pk, sk) => finder.report_half(index, node, pk.is_some(), matches!(sk, Some(Some(_))), problems),
        }
    }
    entries
}

/// A key attribute with a template of the entity; the template is absent if it did not compile.
struct Declared {
    name: Name,
    index: Name,
    template: Option<Template>,
}

fn read_declared(
    node: &Node,
    table: &TableSource<'_>,
    scope: &Scope<'_>,
    problems: &mut Problems,
) -> Vec<Declared> {
    let mut declared: Vec<Declared> = Vec::new();
    for (key, node) in reader::map(node, "`index`", problems).unwrap_or_default() {
        let Some(index) = find_index(table, key, problems) else { continue };
        let allowed: Vec<&str> =
            [Some(&index.pk), index.sk.as_ref()].into_iter().flatten().map(|n| &**n).collect();
        let Some(fields) =
            Fields::read(node, &format!("a key of the index `{}`", index.name), &allowed, problems)
        else {
            continue;
        };
        for (name, used) in [(Some(&index.pk), Use::IndexPartition), (index.sk.as_ref(), Use::IndexSort)] {
            let Some(name) = name else { continue };
            let Some(node) = fields.get(name) else {
                // An unknown field may be this one, misspelt.
                if fields.unclear() {
                    declared.push(Declared { name: name.clone(), index: index.name.clone(), template: None });
                }
                continue;
            };
            let own = scope.sources.iter().any(|source| source.attribute.name == *name)
                || scope.of_table.iter().any(|attribute| attribute.name == *name);
            let template = if own || *name == table.table.pk || *name == table.table.sk {
                let message = format!("`{name}` is an attribute of its own already");
                let help = "leave it out here: the index uses the attribute as it is";
                problems.report(Code::ReservedName, node.span, message, help);
                None
            } else if let Some(first) = declared.iter().find(|declared| declared.name == *name) {
                let message =
                    format!("`{name}` is given in `{}` already, and an item has it once", first.index);
                problems.report(Code::DuplicateKey, node.span, message, "leave it out here");
                continue;
            } else {
                templates::compile(node, used, scope, problems)
            };
            declared.push(Declared { name: name.clone(), index: index.name.clone(), template });
        }
    }
    declared
}

fn find_index<'t>(table: &'t TableSource<'_>, key: &Key, problems: &mut Problems) -> Option<&'t Index> {
    let found = table.table.indexes.iter().find(|index| *index.name == *key.text);
    if found.is_none() {
        report_unknown(table, &key.text, key.span, problems);
    }
    found
}

/// Reports an index that the table does not have, unless a problem with it was reported already.
pub(super) fn report_unknown(table: &TableSource<'_>, name: &str, span: Span, problems: &mut Problems) {
    if table.unclear || table.broken_indexes.iter().any(|broken| broken == name) {
        return;
    }
    let names = || table.table.indexes.iter().map(|index| &*index.name);
    let help = suggest::did_you_mean(name, names(), || match names().next() {
        Some(_) => format!("the table has {}; add it under `table: indexes:`", suggest::some(names())),
        None => format!("add `{name}: {{ pk: …, sk: … }}` under `table: indexes:`"),
    });
    problems.report(Code::UnknownIndex, span, format!("there is no index `{name}`"), help);
}

struct Finder<'a> {
    table: &'a TableSource<'a>,
    scope: &'a Scope<'a>,
    attributes: &'a [Arc<Attribute>],
    keys: Option<&'a (Template, Template)>,
    declared: &'a [Declared],
}

impl Finder<'_> {
    /// Whether the entity has this key, broken or not.
    fn has(&self, name: &Name) -> bool {
        self.declared.iter().any(|declared| declared.name == *name)
            || self.scope.broken.contains(&&**name)
            || self.attributes.iter().any(|attribute| attribute.name == *name)
            || *name == self.table.table.pk
            || *name == self.table.table.sk
    }

    fn find(&self, name: &Name, used: Use, is_in: bool, problems: &mut Problems) -> Option<KeySource> {
        if let Some(declared) = self.declared.iter().find(|declared| declared.name == *name) {
            return declared.template.clone().map(KeySource::Derived);
        }
        if *name == self.table.table.pk {
            return self.keys.map(|(pk, _)| KeySource::Own(pk.clone()));
        }
        if *name == self.table.table.sk {
            return self.keys.map(|(_, sk)| KeySource::Own(sk.clone()));
        }
        let attribute = self.attributes.iter().find(|attribute| attribute.name == *name)?;
        let delimiter = self.scope.delimiter;
        match &attribute.role {
            Role::Type => return Some(KeySource::Own(templates::of_literal(self.scope.entity, delimiter))),
            Role::Derived(template) => return Some(KeySource::Own(template.clone())),
            _ => self.check_own(attribute, used, is_in, problems)?,
        }
        if attribute.kind.is_numeric() {
            return Some(KeySource::Number(attribute.clone()));
        }
        Some(KeySource::Own(templates::of_attribute(attribute, delimiter)))
    }

    /// Checks that an attribute can be the key of an index without a template. Its type must fit also if the entity
    /// is not in the index, because DynamoDB rejects items with another one.
    fn check_own(
        &self,
        attribute: &Attribute,
        used: Use,
        is_in: bool,
        problems: &mut Problems,
    ) -> Option<()> {
        let name = &attribute.name;
        let source = self.scope.sources.iter().find(|source| source.attribute.name == *name);
        let span = source.map(|source| source.span).unwrap_or_default();
        if !attribute.kind.fits_key() && !attribute.kind.is_numeric() {
            let message = format!("`{name}` is {}, but an index uses it as a key", attribute.kind);
            problems.report(Code::NotAKeyType, span, message, "use text, a number, a time or an enum");
            return None;
        }
        if !is_in {
            return None;
        }
        if !attribute.stored {
            let message = format!("`{name}` is a key of an index, so it has to be an attribute of the item");
            problems.report(Code::NotRecoverable, span, message, "remove `stored: false`");
            return None;
        }
        let accepted = source.is_some_and(|source| source.sorts_as_text);
        if used == Use::IndexSort && attribute.kind == Kind::Semver && !accepted {
            let (message, help) = semver_order(name);
            problems.report(Code::SemverOrder, span, message, help);
            return None;
        }
        Some(())
    }

    /// Reports an entity that has only one of the two keys of an index.
    fn report_half(
        &self,
        index: &Index,
        node: Option<&Node>,
        has_pk: bool,
        has_sk: bool,
        problems: &mut Problems,
    ) {
        let Some(Content::Map(entries)) = node.map(|node| &node.content) else { return };
        let Some((key, entry)) = entries.iter().find(|(key, _)| key.text == *index.name) else { return };
        let missing = match (has_pk, &index.sk) {
            (false, _) => &index.pk,
            (true, Some(sk)) if !has_sk => sk,
            _ => return,
        };
        // A key that did not compile was reported already.
        if self.has(missing) || !matches!(entry.content, Content::Map(_)) {
            return;
        }
        let message = format!("the index `{}` also needs `{missing}`", index.name);
        let help = format!("add `{missing}: \"…\"`: without it no item is in the index");
        problems.report(Code::HalfIndex, key.span, message, help);
    }
}
