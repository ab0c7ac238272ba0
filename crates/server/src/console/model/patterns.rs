//! The access patterns: the index, the conditions and the cost of each.

use hansang_core::cost::{self, Cost, Priced};
use hansang_core::describe::{self, Operation, Read, SortTest};
use hansang_core::{Model, Pattern, read, unique};

use super::keys::{Palette, Stretch};
use super::words::{self, Word, code, coded, said};
use hansang_ui::frame::View;

/// A pattern in a table.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) doc: String,
    /// The entities that are returned, and those that are read and dropped.
    pub(super) returns: Vec<String>,
    pub(super) also_reads: Vec<String>,
    pub(super) arguments: Vec<Argument>,
    /// The distinct requests to the store.
    pub(super) operations: Vec<&'static str>,
    /// The argument that a fan-out repeats for.
    pub(super) fan_out: Option<Vec<Word>>,
    /// The name of the index; `None` for the table.
    pub(super) index: Option<String>,
    pub(super) consistent: bool,
    /// The condition of each read, in lines.
    pub(super) conditions: Vec<Vec<Vec<Stretch>>>,
    pub(super) order: Option<Vec<Word>>,
    pub(super) page: Option<u32>,
    /// The total cost, and whether it is an upper bound.
    pub(super) units: String,
    pub(super) at_most: bool,
    /// The parts of the total.
    pub(super) sums: Vec<String>,
}

/// An argument of a pattern.
pub(super) struct Argument {
    pub(super) name: String,
    pub(super) kind: Vec<Word>,
    pub(super) required: bool,
}

/// Patterns as rows, with the colours of `palette` and new ones for further attributes.
pub(super) fn rows<'m>(
    model: &'m Model,
    patterns: impl Iterator<Item = &'m Pattern>,
    palette: &Palette<'m>,
    view: &View,
) -> Vec<Row> {
    patterns.map(|pattern| row(model, pattern, palette, view)).collect()
}

fn row<'m>(model: &'m Model, pattern: &'m Pattern, palette: &Palette<'m>, view: &View) -> Row {
    let palette =
        pattern.entities.iter().fold(palette.clone(), |palette, entity| palette.with(model, entity));
    let reads = describe::reads(model, pattern);
    let mut operations: Vec<&'static str> = reads.iter().map(|read| read.operation.name()).collect();
    operations.dedup();
    let arguments = read::parameters(pattern).into_iter().map(|parameter| Argument {
        name: parameter.name.to_owned(),
        kind: words::short_kind(parameter.kind, view),
        required: parameter.required,
    });
    let cost = cost::of_pattern(model, pattern);
    Row {
        name: pattern.name.to_string(),
        title: pattern.title.in_language(view.language).to_owned(),
        doc: pattern.doc.in_language(view.language).to_owned(),
        returns: pattern.entities.iter().map(|entity| entity.name.to_string()).collect(),
        also_reads: pattern.also_reads.iter().map(ToString::to_string).collect(),
        arguments: arguments.collect(),
        operations,
        fan_out: fan_out(pattern, view),
        index: pattern.index.map(|index| model.table.indexes[index].name.to_string()),
        consistent: pattern.consistent,
        conditions: reads.iter().map(|read| condition(read, &palette, view)).collect(),
        order: describe::order(model, pattern).map(|order| {
            let direction = match order.descending {
                true => view.say(" descending", " 내림차순"),
                false => view.say(" ascending", " 오름차순"),
            };
            vec![code(&**order.by), said(direction)]
        }),
        page: describe::page(pattern),
        units: (cost.half_units as f64 / 2.0).to_string(),
        at_most: pattern.over.is_some() || describe::page(pattern).is_some(),
        sums: sums(&cost, view),
    }
}

fn fan_out(pattern: &Pattern, view: &View) -> Option<Vec<Word>> {
    let over = pattern.over.as_ref()?;
    let text = view.fill("for each `{0}`, at most {1}", "`{0}`마다, 최대 {1}번");
    Some(coded(&text.with(&over.attribute.name).with(describe::rounds(pattern)).to_string()))
}

/// The condition in DynamoDB's syntax, one line per key.
fn condition(read: &Read<'_>, palette: &Palette<'_>, view: &View) -> Vec<Vec<Stretch>> {
    let line = |name: &str, test: &str| vec![Stretch::name(name), Stretch::fixed(test)];
    let (pk_name, pk) = &read.pk;
    let mut first = line(pk_name, " = ");
    first.extend(palette.paint(pk));
    let mut lines = vec![first];
    if let Some((sk_name, test)) = &read.sk {
        let (word, start) = match test {
            SortTest::Equal(key) => (" = ", key),
            SortTest::BeginsWith(start) => (" begins_with ", start),
            SortTest::Between(from, _) => (" between ", from),
        };
        let mut second = line(sk_name, word);
        second.extend(palette.paint(start));
        if let SortTest::Between(_, to) = test {
            second.push(Stretch::fixed(" and "));
            second.extend(palette.paint(to));
        }
        lines.push(second);
    }
    if read.operation == Operation::Lookup {
        let (pk, sk) = (&**unique::OWNER_PK, &**unique::OWNER_SK);
        let then = view.fill("then the item that {0} and {1} name", "그다음 {0}, {1}가 가리키는 항목");
        lines.push(vec![Stretch::fixed(&then.with(pk).with(sk).to_string())]);
    }
    lines
}

/// The parts of a cost, one line per kind of read.
fn sums(cost: &Cost, view: &View) -> Vec<String> {
    let sum = |read: &Priced| {
        let one = read.in_language(view.language);
        match read.times {
            1 => one,
            times => format!("{times} × ({one})"),
        }
    };
    cost.reads.iter().map(sum).collect()
}
