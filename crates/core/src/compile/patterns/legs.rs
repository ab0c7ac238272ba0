//! From the arguments of a pattern to its reads.

use std::sync::Arc;

use super::super::{reader, suggest};
use super::Reader;
use crate::diagnostic::Code;
use crate::model::{Attribute, Entity, KeySource, Leg, Over, Sort};
use crate::template::{Segment, Template};

/// The keys of one entity, in the table or in the pattern's index.
struct Keys {
    entity: Arc<Entity>,
    pk: KeySource,
    sk: Option<KeySource>,
    /// The number of segments of the sort key that the arguments determine.
    known: usize,
    /// Whether the whole sort key is known.
    whole: bool,
}

impl Reader<'_, '_> {
    pub(super) fn legs(
        &mut self,
        entities: &[Arc<Entity>],
        index: Option<usize>,
        given: &[Arc<Attribute>],
        range: Option<&Arc<Attribute>>,
        over: Option<&Over>,
    ) -> Option<Vec<Leg>> {
        let mut known: Vec<&str> = given.iter().map(|attribute| &*attribute.name).collect();
        let over = over.map(|over| &*over.attribute.name);
        if let Some(name) = over.filter(|name| known.contains(name)) {
            let message = format!("`{name}` is given, so there is nothing to fan out over");
            self.report(Code::UnusedGiven, "over", message, "remove it from `given`, or remove `over`");
            return None;
        }
        known.extend(over);
        let mut keys = Vec::new();
        for entity in entities {
            keys.push(self.keys(entity, index, &known, over, range)?);
        }
        let mut legs = Vec::new();
        while !keys.is_empty() {
            let text = pk_text(&keys[0]);
            let (group, rest): (Vec<Keys>, Vec<Keys>) =
                keys.into_iter().partition(|keys| pk_text(keys) == text);
            legs.push(self.leg(&group, index.is_some(), range)?);
            keys = rest;
        }
        Some(legs)
    }

    /// Finds the keys of an entity, and checks that the partition is known and every argument is used.
    fn keys(
        &mut self,
        entity: &Arc<Entity>,
        index: Option<usize>,
        given: &[&str],
        over: Option<&str>,
        range: Option<&Arc<Attribute>>,
    ) -> Option<Keys> {
        let (pk, sk) = match index {
            Some(index) => {
                let entry = entity.in_index(index)?;
                (entry.pk.clone(), entry.sk.clone())
            }
            None => (KeySource::Own(entity.pk.clone()), Some(KeySource::Own(entity.sk.clone()))),
        };
        let missing: Vec<String> =
            fields_of(&pk).into_iter().filter(|name| !given.contains(&name.as_str())).collect();
        if !missing.is_empty() {
            self.needs_scan(entity, &pk, &missing, given);
            return None;
        }
        let (known, whole) = sk.as_ref().map_or((0, true), |sk| known_part(sk, given));
        let usable = usable_fields(&pk, sk.as_ref(), known);
        let unused: Vec<&str> =
            given.iter().filter(|name| !usable.iter().any(|field| field == *name)).copied().collect();
        for name in &unused {
            self.unused(name, entity, &pk, sk.as_ref(), over == Some(*name));
        }
        if !unused.is_empty() {
            return None;
        }
        if let Some(range) = range {
            self.check_range(range, sk.as_ref(), known)?;
        }
        Some(Keys { entity: entity.clone(), pk, sk, known, whole })
    }

    fn unused(&mut self, name: &str, entity: &Entity, pk: &KeySource, sk: Option<&KeySource>, over: bool) {
        let relation = match sk {
            Some(sk) if sk.uses(name) => "comes after a field that is not given in",
            _ => "is not part of",
        };
        let key = sk.map_or_else(String::new, |sk| format!(" / `{}`", shown(sk)));
        let message = format!("`{name}` {relation} the key of `{}`: `{}`{key}", entity.name, shown(pk));
        let field = if over { "over" } else { "given" };
        let node = self.fields.get(field);
        let node = node.and_then(|list| reader::element(list, name)).or(node);
        let span = node.map_or(self.key.span, |node| node.span);
        let help = format!("remove it from `{field}`, or use an index whose key has it");
        self.problems.report(Code::UnusedGiven, span, message, help);
    }

    fn needs_scan(&mut self, entity: &Entity, pk: &KeySource, missing: &[String], given: &[&str]) {
        let fitting = self.table.indexes.iter().enumerate().find(|(number, _)| {
            entity.in_index(*number).is_some_and(|entry| {
                let fields = fields_of(&entry.pk);
                fields.is_empty() == given.is_empty()
                    && fields.iter().all(|field| given.contains(&field.as_str()))
            })
        });
        let missing = suggest::list(missing);
        let help = match fitting {
            Some((_, index)) if given.is_empty() => {
                format!("add {missing} to `given`, or `index: {}`, which has all of them", index.name)
            }
            Some((_, index)) => {
                format!("add `index: {}`, whose partition key is given", index.name)
            }
            None => {
                format!("add {missing} to `given`, or an index whose partition key is given")
            }
        };
        let message =
            format!("without {missing} the partition `{}` is not known: this would be a Scan", shown(pk));
        self.report(Code::NeedsScan, "given", message, help);
    }

    fn check_range(&mut self, range: &Attribute, sk: Option<&KeySource>, known: usize) -> Option<()> {
        let next = match sk {
            Some(KeySource::Number(attribute)) if known == 0 => Some(attribute.name.clone()),
            Some(KeySource::Own(template) | KeySource::Derived(template)) => template
                .segments
                .get(known)
                .and_then(|segment| segment.field.as_ref())
                .map(|field| field.attribute.name.clone()),
            _ => None,
        };
        if next.as_ref() == Some(&range.name) {
            return Some(());
        }
        let (message, help) = match (sk.map(shown), next) {
            (None, _) => (
                format!("this index has no sort key, so `{}` cannot narrow it", range.name),
                "remove `range`, or give the index an `sk`".to_owned(),
            ),
            (Some(sk), Some(next)) => (
                format!("`{}` is not the next field of the sort key `{sk}`", range.name),
                format!("write `range: {next}`, or use an index that sorts by `{}`", range.name),
            ),
            (Some(sk), None) => (
                format!("all of the sort key `{sk}` is given, so `{}` has nothing to narrow", range.name),
                "remove `range`".to_owned(),
            ),
        };
        self.report(Code::BadRange, "range", message, help);
        None
    }

    /// The one read for entities that share a partition.
    fn leg(&mut self, group: &[Keys], on_index: bool, range: Option<&Arc<Attribute>>) -> Option<Leg> {
        let first = group.first()?;
        if let ([Keys { entity, whole: true, .. }], false) = (group, on_index) {
            return Some(Leg::Get { pk: entity.pk.clone(), sk: entity.sk.clone() });
        }
        let sort = if range.is_some() {
            if group.iter().any(|keys| sk_text(keys) != sk_text(first)) {
                let message = "the entities have different sort keys, so one range does not fit them all";
                self.report(Code::BadRange, "range", message, "make a pattern for each of them");
                return None;
            }
            Sort::Range { source: first.sk.clone()?, known: first.known }
        } else if group.iter().all(|keys| sk_text(keys) == sk_text(first)) {
            sort_of(first)
        } else {
            common_start(group)
        };
        Some(Leg::Query { pk: first.pk.clone(), sort })
    }
}

fn sort_of(keys: &Keys) -> Sort {
    match &keys.sk {
        Some(sk) if keys.whole => Sort::Exact(sk.clone()),
        Some(KeySource::Own(template) | KeySource::Derived(template)) => {
            let next = template.segments.get(keys.known).map_or("", |segment| segment.literal.as_str());
            if keys.known == 0 && next.is_empty() {
                Sort::All
            } else {
                Sort::Prefix { template: template.clone(), known: keys.known }
            }
        }
        _ => Sort::All,
    }
}

/// The segments with which the sort keys of all entities of the group start.
fn common_start(group: &[Keys]) -> Sort {
    let templates: Vec<(&Template, usize)> =
        group.iter().filter_map(|keys| Some((keys.sk.as_ref()?.template()?, keys.known))).collect();
    let Some(((first, _), rest)) = templates.split_first() else { return Sort::All };
    let shared = |position: usize| {
        first.segments.get(position).is_some_and(|segment| {
            rest.iter().all(|(other, _)| other.segments.get(position).is_some_and(|one| same(segment, one)))
        })
    };
    let least = templates.iter().map(|(_, known)| *known).min().unwrap_or(0);
    let known = (0..least).take_while(|position| shared(*position)).count();
    if known == 0 || templates.len() != group.len() {
        return Sort::All;
    }
    let mut template = Template::clone(first);
    template.segments.truncate(known);
    // A sort key that ends with the shared part (`META` beside `META#{id}`) has no delimiter after it, so
    // the prefix cannot have one either.
    if templates.iter().any(|(template, _)| template.segments.len() == known) {
        let known = known - 1;
        if known == 0 && template.segments[0].literal.is_empty() {
            return Sort::All;
        }
        return Sort::Prefix { template, known };
    }
    template.segments.push(Segment { literal: String::new(), field: None });
    Sort::Prefix { template, known }
}

fn same(a: &Segment, b: &Segment) -> bool {
    let field =
        |segment: &Segment| segment.field.as_ref().map(|field| (field.attribute.name.clone(), field.pad));
    a.literal == b.literal && field(a) == field(b)
}

/// The number of leading segments that are known, and whether that is all of them.
fn known_part(sk: &KeySource, given: &[&str]) -> (usize, bool) {
    match sk {
        KeySource::Number(attribute) => {
            let known = given.contains(&&*attribute.name);
            (usize::from(known), known)
        }
        KeySource::Own(template) | KeySource::Derived(template) => {
            let is_known = |segment: &&Segment| {
                segment.field.as_ref().is_none_or(|field| given.contains(&&*field.attribute.name))
            };
            let known = template.segments.iter().take_while(is_known).count();
            (known, known == template.segments.len())
        }
    }
}

fn usable_fields(pk: &KeySource, sk: Option<&KeySource>, known: usize) -> Vec<String> {
    let mut fields = fields_of(pk);
    match sk {
        Some(KeySource::Number(attribute)) => fields.push(attribute.name.to_string()),
        Some(KeySource::Own(template) | KeySource::Derived(template)) => {
            let segments = template.segments.iter().take(known);
            fields.extend(
                segments.filter_map(|segment| Some(segment.field.as_ref()?.attribute.name.to_string())),
            );
        }
        None => {}
    }
    fields
}

fn fields_of(source: &KeySource) -> Vec<String> {
    match source {
        KeySource::Number(attribute) => vec![attribute.name.to_string()],
        KeySource::Own(template) | KeySource::Derived(template) => {
            template.fields().map(|field| field.attribute.name.to_string()).collect()
        }
    }
}

fn shown(source: &KeySource) -> String {
    match source {
        KeySource::Number(attribute) => format!("{{{}}}", attribute.name),
        KeySource::Own(template) | KeySource::Derived(template) => template.text.clone(),
    }
}

fn pk_text(keys: &Keys) -> String {
    shown(&keys.pk)
}

fn sk_text(keys: &Keys) -> Option<String> {
    keys.sk.as_ref().map(shown)
}
