//! Entities that a pattern reads without returning them.

use std::sync::Arc;

use super::super::EntitySource;
use crate::model::{Entity, KeySource, Leg, Sort};
use crate::template::{Segment, Template};
use crate::value::Name;

/// Entities of the table that a query reads and drops.
pub(super) fn also_reads(
    all: &[EntitySource<'_>],
    entities: &[Arc<Entity>],
    index: Option<usize>,
    legs: &[Leg],
) -> Vec<Name> {
    let others = all.iter().filter_map(|source| source.entity.as_ref());
    others
        .filter(|other| !entities.iter().any(|entity| entity.name == other.name))
        .filter(|other| legs.iter().any(|leg| passes(leg, other, index)))
        .map(|other| other.name.clone())
        .collect()
}

fn passes(leg: &Leg, other: &Entity, index: Option<usize>) -> bool {
    let Leg::Query { pk, sort } = leg else { return false };
    let (other_pk, other_sk) = match index {
        Some(index) => match other.in_index(index) {
            Some(entry) => (Some(&entry.pk), entry.sk.as_ref()),
            None => return false,
        },
        None => (None, None),
    };
    let pk_template = other_pk.map_or(Some(&other.pk), KeySource::template);
    let sk_template = if index.is_some() { other_sk.and_then(KeySource::template) } else { Some(&other.sk) };
    let (Some(a), Some(b)) = (pk.template(), pk_template) else { return true };
    if !a.overlaps(b) {
        return false;
    }
    let (template, known) = match sort {
        Sort::Prefix { template, known } => (template, *known),
        Sort::Range { source, known } => match source.template() {
            Some(template) => (template, *known),
            None => return true,
        },
        _ => return true,
    };
    let Some(sk) = sk_template else { return true };
    let cut = |segments: &[Segment]| Template {
        text: String::new(),
        delimiter: template.delimiter,
        segments: segments[..known].to_vec(),
    };
    sk.segments.len() >= known && cut(&template.segments).overlaps(&cut(&sk.segments))
}
