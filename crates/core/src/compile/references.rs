//! `ref:` of an attribute: the entity exists, and its key can be built from fields of the record.

use std::sync::Arc;

use super::problems::Problems;
use super::{EntitySource, entities, reader, suggest};
use crate::diagnostic::{Code, Span, short};
use crate::kind::Kind;
use crate::model::texts::Reference;
use crate::model::{Attribute, Entity};
use crate::value::Name;
use crate::yaml::Content;

/// Adds the references of every entity that compiled.
pub(super) fn read(all: &mut [EntitySource<'_>], problems: &mut Problems) {
    let found: Vec<Vec<Reference>> = all.iter().map(|source| of_entity(source, all, problems)).collect();
    for (source, references) in all.iter_mut().zip(found) {
        if let Some(entity) = source.entity.as_mut().filter(|_| !references.is_empty()) {
            Arc::make_mut(entity).references = references;
        }
    }
}

fn of_entity(source: &EntitySource<'_>, all: &[EntitySource<'_>], problems: &mut Problems) -> Vec<Reference> {
    let Some(entity) = &source.entity else { return Vec::new() };
    let Some(Content::Map(attributes)) = reader::at(source.node, &["attributes"]).map(|node| &node.content)
    else {
        return Vec::new();
    };
    let mut references = Vec::new();
    for (key, node) in attributes {
        let Some(node) = reader::at(node, &["ref"]) else { continue };
        let (Some(attribute), Some(name)) = (entity.attribute(&key.text), reader::text(node, problems))
        else {
            continue;
        };
        match entities::find(all, name) {
            Some(Some(target)) => references.extend(follow(entity, attribute, target, node.span, problems)),
            // An entity that did not compile was reported already.
            Some(None) => {}
            None => {
                let known = || all.iter().map(|source| source.key.text.as_str());
                let help = suggest::did_you_mean(name, known(), || {
                    format!("write the name of an entity; there is {}", suggest::some(known()))
                });
                let message = format!("there is no entity `{}`", short(name));
                problems.report(Code::UnknownEntity, node.span, message, help);
            }
        }
    }
    references
}

/// The fields that build the key of `target`: the attribute stands for the key attribute of its own name, or for
/// the only one that no field of the record has; the others are fields of the same name.
fn follow(
    entity: &Entity,
    attribute: &Attribute,
    target: &Entity,
    span: Span,
    problems: &mut Problems,
) -> Option<Reference> {
    let mut keys: Vec<&Attribute> = Vec::new();
    for field in target.pk.fields().chain(target.sk.fields()) {
        if !keys.iter().any(|known| known.name == field.attribute.name) {
            keys.push(&field.attribute);
        }
    }
    let absent: Vec<&&Attribute> = keys.iter().filter(|key| entity.attribute(&key.name).is_none()).collect();
    let stands_for = match (keys.as_slice(), absent.as_slice()) {
        ([only], _) => Some(&only.name),
        _ if keys.iter().any(|key| key.name == attribute.name) => Some(&attribute.name),
        (_, [only]) => Some(&only.name),
        _ => None,
    };
    let own = |key: &Attribute| match stands_for == Some(&key.name) {
        true => Some(attribute),
        false => entity.attribute(&key.name).map(|one| &**one),
    };
    let problem = if keys.is_empty() {
        Some(format!("there is only one `{}`, which needs no reference", target.name))
    } else if let Some(missing) = keys.iter().find(|key| own(key).is_none()) {
        Some(format!(
            "the key of `{}` needs `{}`, which `{}` has not",
            target.name, missing.name, entity.name
        ))
    } else {
        let differs = |key: &&&Attribute| own(key).is_some_and(|own| !fits(&own.kind, &key.kind));
        keys.iter().find(differs).map(|key| {
            let (own, kind) = (own(key).map_or(&attribute.name, |own| &own.name), &key.kind);
            format!("`{own}` cannot be the `{}` of `{}`, which is {kind}", key.name, target.name)
        })
    };
    if let Some(message) = problem {
        let help =
            "refer to an entity whose key can be built from this attribute and fields of the same name";
        problems.report(Code::BadReference, span, message, help);
        return None;
    }
    let key: Option<Vec<(Name, Name)>> =
        keys.iter().map(|key| Some((key.name.clone(), own(key)?.name.clone()))).collect();
    Some(Reference { attribute: attribute.name.clone(), entity: target.name.clone(), key: key? })
}

/// Whether values of one type can be part of a key of another.
fn fits(own: &Kind, key: &Kind) -> bool {
    own == key || (own.fits_key() && *own != Kind::Integer && *key != Kind::Integer)
}
