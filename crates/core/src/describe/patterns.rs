//! The reads of an access pattern.

use super::keys::{Piece, of_source, of_start, of_template, pointer};
use crate::model::{KeySource, Leg, Model, Pattern, Sort};
use crate::read;
use crate::unique;
use crate::value::Name;

/// A DynamoDB operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// One item by its whole key.
    Get,
    /// Items of one partition.
    Query,
    /// A pointer by its whole key, then the item that it names.
    Lookup,
}

impl Operation {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "Get",
            Self::Query => "Query",
            Self::Lookup => "Lookup",
        }
    }
}

/// One read of a pattern, with the condition on its keys.
#[derive(Clone, Debug)]
pub struct Read<'m> {
    /// The operation.
    pub operation: Operation,
    /// The partition key and its value.
    pub pk: (&'m Name, Vec<Piece<'m>>),
    /// The sort key and its condition, if there is one.
    pub sk: Option<(&'m Name, SortTest<'m>)>,
}

/// A condition on a sort key.
#[derive(Clone, Debug)]
pub enum SortTest<'m> {
    /// Exactly this.
    Equal(Vec<Piece<'m>>),
    /// The key starts with this.
    BeginsWith(Vec<Piece<'m>>),
    /// From the first to the second; each end is optional.
    Between(Vec<Piece<'m>>, Vec<Piece<'m>>),
}

/// The order of the items that come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order<'m> {
    /// The key attribute.
    pub by: &'m Name,
    /// Whether the greatest comes first.
    pub descending: bool,
}

/// The reads of a pattern, of one round if it fans out.
#[must_use]
pub fn reads<'m>(model: &'m Model, pattern: &'m Pattern) -> Vec<Read<'m>> {
    pattern.legs.iter().map(|leg| one(model, pattern, leg)).collect()
}

/// The maximum number of rounds of reads.
#[must_use]
pub fn rounds(pattern: &Pattern) -> u32 {
    match &pattern.over {
        None => 1,
        Some(over) => over.attribute.kind.choices().map_or(over.max, |choices| choices.len() as u32),
    }
}

/// The order, where more than one item can come back and the index has one.
#[must_use]
pub fn order<'m>(model: &'m Model, pattern: &Pattern) -> Option<Order<'m>> {
    let (_, sk) = key_names(model, pattern);
    sk.filter(|_| queries(pattern)).map(|by| Order { by, descending: pattern.descending })
}

/// The page size, if there are pages.
#[must_use]
pub fn page(pattern: &Pattern) -> Option<u32> {
    queries(pattern).then_some(pattern.page)
}

fn queries(pattern: &Pattern) -> bool {
    pattern.legs.iter().any(|leg| matches!(leg, Leg::Query { .. }))
}

fn key_names<'m>(model: &'m Model, pattern: &Pattern) -> (&'m Name, Option<&'m Name>) {
    match pattern.index.map(|index| &model.table.indexes[index]) {
        Some(index) => (&index.pk, index.sk.as_ref()),
        None => (&model.table.pk, Some(&model.table.sk)),
    }
}

fn one<'m>(model: &'m Model, pattern: &'m Pattern, leg: &'m Leg) -> Read<'m> {
    let (pk_name, sk_name) = key_names(model, pattern);
    let table = &model.table;
    match leg {
        Leg::Get { pk, sk } => Read {
            operation: Operation::Get,
            pk: (pk_name, of_template(pk)),
            sk: Some((&table.sk, SortTest::Equal(of_template(sk)))),
        },
        Leg::Query { pk, sort } => {
            Read { operation: Operation::Query, pk: (pk_name, of_source(pk)), sk: sk_name.zip(test(sort)) }
        }
        Leg::Lookup { entity, unique: constraint } => {
            let last = Piece { text: unique::PREFIX.to_owned(), attribute: None };
            Read {
                operation: Operation::Lookup,
                pk: (&table.pk, pointer(model, entity, constraint)),
                sk: Some((&table.sk, SortTest::Equal(vec![last]))),
            }
        }
    }
}

fn test(sort: &Sort) -> Option<SortTest<'_>> {
    match sort {
        Sort::All => None,
        Sort::Exact(source) => Some(SortTest::Equal(of_source(source))),
        Sort::Prefix { template, known } => Some(SortTest::BeginsWith(of_start(template, *known))),
        Sort::Range { source, known } => {
            let (start, attribute) = match source {
                KeySource::Derived(template) | KeySource::Own(template) => {
                    let next = template.segments.get(*known).and_then(|segment| segment.field.as_ref());
                    (of_start(template, *known), next.map(|field| &field.attribute.name))
                }
                KeySource::Number(attribute) => (Vec::new(), Some(&attribute.name)),
            };
            let end = |name: &str| {
                let mut pieces = start.clone();
                pieces.push(Piece { text: format!("{{{name}}}"), attribute });
                pieces
            };
            Some(SortTest::Between(end(read::FROM), end(read::TO)))
        }
    }
}
