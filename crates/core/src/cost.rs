//! Estimates of the costs of reads and writes on DynamoDB.
//!
//! The rules are Amazon's: a Get is billed by its item's size rounded up to 4 KB, a Query by the sum
//! of the sizes it read rounded up to 4 KB for each response, an eventually consistent read by half
//! of that. Fetching only some attributes saves nothing: whole items are billed. A write is billed by
//! the size of its item rounded up to 1 KB.

use std::fmt;
use std::sync::Arc;

use crate::describe::{self, Operation};
use crate::identify::{Identity, identify};
use crate::language::Language;
use crate::model::{Entity, Index, Leg, Model, Pattern};
use crate::plan::{Get, ReadPlan, Step};
use crate::value::Name;

mod size;

pub use size::typical_size;

const BLOCK: usize = 4 * 1024;
/// The most bytes of one response to a Query.
const RESPONSE: usize = 1024 * 1024;

/// The bytes of one write unit.
const WRITE_BLOCK: usize = 1024;

/// Half read units of one response. An empty one costs as much as a small one.
#[must_use]
pub fn half_units_read(bytes: usize, consistent: bool) -> u64 {
    half_units(bytes.div_ceil(BLOCK).max(1), consistent)
}

/// Write units for an item of so many bytes, outside of a transaction: inside, it is twice that.
#[must_use]
pub fn units_written(bytes: usize) -> u64 {
    bytes.div_ceil(WRITE_BLOCK).max(1) as u64
}

fn half_units(blocks: usize, consistent: bool) -> u64 {
    blocks as u64 * if consistent { 2 } else { 1 }
}

/// The estimated cost of a read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Halves of read units: an eventually consistent read of 4 KB costs one half, so this is exact.
    pub half_units: u64,
    /// The parts of the sum.
    pub reads: Vec<Priced>,
}

/// Reads that cost the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priced {
    /// The number of requests.
    pub times: u64,
    /// The operation.
    pub operation: Operation,
    /// The number of items per request, without the pointer of a lookup.
    pub items: usize,
    /// The bytes of an item.
    pub item_size: usize,
    /// The number of responses.
    pub responses: usize,
    /// The billed blocks of 4 KB per request.
    pub blocks: usize,
    /// Whether the read is strongly consistent.
    pub consistent: bool,
}

/// Estimates the maximum cost of a plan: each Query fills its page, and each step of a fan-out is read.
/// `item_size` is the size of an item if it is known; otherwise it is the [`typical_size`] of the
/// largest entity.
#[must_use]
pub fn read_units(model: &Model, plan: &ReadPlan, item_size: Option<usize>) -> Cost {
    let largest = |index| item_size.unwrap_or_else(|| largest(model, &plan.entities, index));
    Cost::of(plan.steps.iter().map(|step| match step {
        Step::Get(get) => Priced::get(item_size.unwrap_or_else(|| size_at(model, plan, get)), get.consistent),
        Step::Lookup(get) => Priced::lookup(largest(None), get.consistent),
        Step::Query(query) => {
            let index = query.index.as_ref().and_then(|name| index_named(model, name));
            Priced::query(largest(index), query.limit as usize, query.consistent)
        }
    }))
}

/// Estimates the maximum cost of a page of a pattern for any arguments: as [`read_units`] of its longest
/// fan-out, with the page size and consistency of the model.
#[must_use]
pub fn of_pattern(model: &Model, pattern: &Pattern) -> Cost {
    let names: Vec<Name> = pattern.entities.iter().map(|entity| entity.name.clone()).collect();
    let largest = |index| largest(model, &names, index);
    let consistent = pattern.consistent;
    let reads = pattern.legs.iter().map(|leg| match leg {
        Leg::Get { pk, sk } => {
            let of_key = |entity: &&Arc<Entity>| entity.pk.overlaps(pk) && entity.sk.overlaps(sk);
            let entity = model.entities.iter().find(of_key);
            Priced::get(entity.map_or_else(|| largest(None), |entity| typical_size(entity)), consistent)
        }
        Leg::Lookup { .. } => Priced::lookup(largest(None), consistent),
        Leg::Query { .. } => {
            let index = pattern.index.map(|position| (position, &model.table.indexes[position]));
            Priced::query(largest(index), pattern.page as usize, consistent)
        }
    });
    let rounds = u64::from(describe::rounds(pattern));
    Cost::of(reads.map(|read| Priced { times: read.times * rounds, ..read }))
}

impl Cost {
    /// Groups equal reads: most steps of a fan-out cost the same.
    fn of(all: impl Iterator<Item = Priced>) -> Self {
        let mut reads: Vec<Priced> = Vec::new();
        for read in all {
            match reads.iter_mut().find(|other| Priced { times: other.times, ..read } == **other) {
                Some(other) => other.times += read.times,
                None => reads.push(read),
            }
        }
        let half_units = reads.iter().map(|read| read.half_units() * read.times).sum();
        Self { half_units, reads }
    }

    /// The arithmetic, in one line.
    #[must_use]
    pub fn explanation(&self) -> String {
        match self.reads.as_slice() {
            [] => "nothing is read".to_owned(),
            [read] if read.times == 1 => format!("{read} = {self}"),
            reads => {
                let summand = |read: &Priced| match read.times {
                    1 => format!("({read})"),
                    times => format!("{times} × ({read})"),
                };
                let parts: Vec<String> = reads.iter().map(summand).collect();
                format!("{} = {self}", parts.join(" + "))
            }
        }
    }
}

impl fmt::Display for Cost {
    /// The sum alone: `2.5 read units`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&units(self.half_units))
    }
}

impl Priced {
    fn get(item_size: usize, consistent: bool) -> Self {
        let blocks = item_size.div_ceil(BLOCK).max(1);
        Self { times: 1, operation: Operation::Get, items: 1, item_size, responses: 1, blocks, consistent }
    }

    fn lookup(item_size: usize, consistent: bool) -> Self {
        let get = Self::get(item_size, consistent);
        // The pointer is two keys and two attributes: never more than one block.
        Self { operation: Operation::Lookup, blocks: 1 + get.blocks, ..get }
    }

    fn query(item_size: usize, items: usize, consistent: bool) -> Self {
        let item_size = item_size.max(1);
        let fitting = (RESPONSE / item_size).max(1);
        let (full, rest) = (items / fitting, items % fitting);
        let blocks = full * (fitting * item_size).div_ceil(BLOCK) + (rest * item_size).div_ceil(BLOCK);
        let responses = items.div_ceil(fitting);
        Self { times: 1, operation: Operation::Query, items, item_size, responses, blocks, consistent }
    }

    /// The cost of one read.
    fn half_units(&self) -> u64 {
        half_units(self.blocks, self.consistent)
    }
}

impl fmt::Display for Priced {
    /// The bytes of one read, and its cost.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_language(Language::English))
    }
}

impl Priced {
    /// The bytes of one read, and its cost.
    #[must_use]
    pub fn in_language(&self, language: Language) -> String {
        let (items, size) =
            (self.items, language.plural(self.item_size, "{0} byte", "{0} bytes", "{0}바이트"));
        let read = match self.operation {
            Operation::Get => language.fill("Get: {0} item × {1}", "Get: 항목 {0}개 × {1}"),
            Operation::Lookup => {
                language.fill("Lookup: pointer + {0} item × {1}", "Lookup: 포인터 + 항목 {0}개 × {1}")
            }
            Operation::Query if items == 1 => {
                language.fill("Query: {0} item × {1} = {2}", "Query: 항목 {0}개 × {1}")
            }
            Operation::Query => language.fill("Query: {0} items × {1} = {2}", "Query: 항목 {0}개 × {1}"),
        };
        let read = read.with(items).with(size).with(total(items * self.item_size));
        let responses = match self.responses {
            0 | 1 => String::new(),
            many => language.fill(" in {0} responses", ", 응답 {0}번").with(many).to_string(),
        };
        let factor = match self.consistent {
            true => language.say("1 (strongly consistent)", "1 (강한 일관성)"),
            false => language.say("½ (eventually consistent)", "½ (최종 일관성)"),
        };
        format!("{read}{responses} → {} × 4 KB × {factor}", self.blocks)
    }
}

fn units(half_units: u64) -> String {
    let half = if half_units.is_multiple_of(2) { "" } else { ".5" };
    let word = if half_units == 2 { "unit" } else { "units" };
    format!("{}{half} read {word}", half_units / 2)
}

/// A sum of sizes in kilobytes or megabytes, with one decimal.
fn total(size: usize) -> String {
    let (unit, name) = if size < RESPONSE { (1024, "KB") } else { (1024 * 1024, "MB") };
    let tenths = (size * 10 + unit / 2) / unit;
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

/// The typical size of the entity that the key belongs to.
fn size_at(model: &Model, plan: &ReadPlan, get: &Get) -> usize {
    match identify(model, &get.key.pk, &get.key.sk) {
        Some(Identity::Entity { entity, .. }) => typical_size(entity),
        _ => largest(model, &plan.entities, None),
    }
}

/// The largest typical size among entities, as the table or an index holds them.
fn largest(model: &Model, names: &[Name], index: Option<(usize, &Index)>) -> usize {
    let entities = names.iter().filter_map(|name| model.entity(name));
    let size = |entity: &Entity| match index {
        Some((position, index)) => size::in_index(entity, position, index),
        None => typical_size(entity),
    };
    entities.map(|entity| size(entity)).max().unwrap_or(0)
}

fn index_named<'m>(model: &'m Model, name: &str) -> Option<(usize, &'m Index)> {
    model.table.indexes.iter().enumerate().find(|(_, index)| &*index.name == name)
}
