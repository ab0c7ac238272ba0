//! What a read costs on DynamoDB, estimated before it is made.
//!
//! The rules are Amazon's: a Get is billed by its item's size rounded up to 4 KB, a Query by the sum
//! of the sizes it read rounded up to 4 KB for each response, an eventually consistent read by half
//! of that. Fetching only some attributes saves nothing: whole items are billed. A write is billed by
//! the size of its item rounded up to 1 KB.

use std::fmt;

use crate::identify::{Identity, identify};
use crate::model::{Entity, Index, Model};
use crate::plan::{Get, Query, ReadPlan, Step};
use crate::value::Name;

mod size;

pub use size::typical_size;

const BLOCK: usize = 4 * 1024;
/// The most bytes of one response to a Query.
const RESPONSE: usize = 1024 * 1024;

/// What one unit of writing pays for.
const WRITE_BLOCK: usize = 1024;

/// Halves of read units for one response with so many bytes. Reading nothing costs like a little.
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

/// An estimate of what a read costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Halves of read units: an eventually consistent read of 4 KB costs one half, so this is exact.
    pub half_units: u64,
    /// The arithmetic, in one line.
    pub explanation: String,
}

impl fmt::Display for Cost {
    /// The sum alone: `2.5 read units`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&units(self.half_units))
    }
}

/// Estimates what executing a plan costs at most: each Query is taken to fill its page and each step
/// of a fan-out to be read. `item_size` is the size of an item where it is known; otherwise it is
/// [`typical_size`] of the entity, the largest where several are read.
#[must_use]
pub fn read_units(model: &Model, plan: &ReadPlan, item_size: Option<usize>) -> Cost {
    // Most steps of a fan-out cost the same, so those that read alike are told as one.
    let mut lines: Vec<(Line, u64)> = Vec::new();
    for step in &plan.steps {
        let line = Line::of(model, plan, step, item_size);
        match lines.iter_mut().find(|(other, _)| *other == line) {
            Some((_, times)) => *times += 1,
            None => lines.push((line, 1)),
        }
    }
    let half_units = lines.iter().map(|(line, times)| line.half_units * times).sum();
    let explanation = match lines.as_slice() {
        [] => "nothing is read".to_owned(),
        [(line, 1)] => format!("{} = {}", line.text, units(half_units)),
        _ => {
            let parts: Vec<String> = lines.iter().map(|(line, times)| line.repeated(*times)).collect();
            format!("{} = {}", parts.join(" + "), units(half_units))
        }
    };
    Cost { half_units, explanation }
}

/// The cost of one step.
#[derive(PartialEq, Eq)]
struct Line {
    half_units: u64,
    text: String,
}

impl Line {
    fn of(model: &Model, plan: &ReadPlan, step: &Step, item_size: Option<usize>) -> Self {
        match step {
            Step::Get(get) => {
                let size = item_size.unwrap_or_else(|| size_at(model, plan, get));
                let blocks = size.div_ceil(BLOCK).max(1);
                Self::new(blocks, get.consistent, format!("Get: 1 item × {}", bytes(size)))
            }
            Step::Lookup(get) => {
                let size = item_size.unwrap_or_else(|| largest(model, &plan.entities, None));
                // The pointer is two keys and two attributes: never more than one block.
                let blocks = 1 + size.div_ceil(BLOCK).max(1);
                Self::new(blocks, get.consistent, format!("Lookup: pointer + 1 item × {}", bytes(size)))
            }
            Step::Query(query) => Self::of_query(model, plan, query, item_size),
        }
    }

    fn of_query(model: &Model, plan: &ReadPlan, query: &Query, item_size: Option<usize>) -> Self {
        let index = query.index.as_ref().and_then(|name| index_named(model, name));
        let size = item_size.unwrap_or_else(|| largest(model, &plan.entities, index)).max(1);
        let items = query.limit as usize;
        let fitting = (RESPONSE / size).max(1);
        let responses = items / fitting;
        let rest = items % fitting;
        let blocks = responses * (fitting * size).div_ceil(BLOCK) + (rest * size).div_ceil(BLOCK);
        let item = if items == 1 { "item" } else { "items" };
        let mut text = format!("Query: {items} {item} × {} = {}", bytes(size), total(items * size));
        if items > fitting {
            text.push_str(&format!(" in {} responses", items.div_ceil(fitting)));
        }
        Self::new(blocks, query.consistent, text)
    }

    fn new(blocks: usize, consistent: bool, reads: String) -> Self {
        let factor = if consistent { "1 (strongly consistent)" } else { "½ (eventually consistent)" };
        Self {
            half_units: half_units(blocks, consistent),
            text: format!("{reads} → {blocks} × 4 KB × {factor}"),
        }
    }

    /// The line as a summand.
    fn repeated(&self, times: u64) -> String {
        match times {
            1 => format!("({})", self.text),
            _ => format!("{times} × ({})", self.text),
        }
    }
}

fn units(half_units: u64) -> String {
    let half = if half_units.is_multiple_of(2) { "" } else { ".5" };
    let word = if half_units == 2 { "unit" } else { "units" };
    format!("{}{half} read {word}", half_units / 2)
}

fn bytes(size: usize) -> String {
    if size == 1 { "1 byte".to_owned() } else { format!("{size} bytes") }
}

/// A sum of sizes for people: kilobytes or megabytes with one digit behind the point.
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
