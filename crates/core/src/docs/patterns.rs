//! The access patterns and their reads: the pattern-to-index map.

use super::text::{code, kind, table, titles};
use crate::describe::{self, Operation, Read, SortTest, text};
use crate::model::{Model, Pattern};
use crate::read;
use crate::unique;

pub(super) fn map(model: &Model) -> String {
    let rows = model.patterns.iter().map(|pattern| {
        let returns: Vec<&str> = pattern.entities.iter().map(|entity| &*entity.name).collect();
        let also: Vec<&str> = pattern.also_reads.iter().map(|name| &**name).collect();
        let reads = describe::reads(model, pattern);
        let conditions: Vec<String> = reads.iter().map(condition).collect();
        vec![
            code(&pattern.name),
            titles(&pattern.title),
            pattern.doc.english().to_owned(),
            returns.join(", "),
            arguments(pattern),
            operation(pattern, &reads),
            source(model, pattern),
            conditions.join("\n"),
            order(model, pattern),
            describe::page(pattern).map_or_else(String::new, |page| page.to_string()),
            if pattern.consistent { "strong".to_owned() } else { String::new() },
            also.join(", "),
        ]
    });
    let header = [
        "Pattern",
        "Title",
        "About",
        "Returns",
        "Arguments",
        "Operation",
        "On",
        "Key condition",
        "Order",
        "Page",
        "Consistency",
        "Also reads",
    ];
    table(&header, rows.collect())
}

fn arguments(pattern: &Pattern) -> String {
    let arguments: Vec<String> = read::parameters(pattern)
        .iter()
        .map(|parameter| {
            let optional = if parameter.required { "" } else { ", optional" };
            format!("{} ({}{optional})", code(parameter.name), kind(parameter.kind))
        })
        .collect();
    arguments.join("\n")
}

fn operation(pattern: &Pattern, reads: &[Read<'_>]) -> String {
    let words: Vec<&str> = reads.iter().map(|read| read.operation.name()).collect();
    let round = words.join(", then ");
    match &pattern.over {
        None => round,
        Some(over) => {
            format!("fan-out: {round} for each {}, at most {}", code(&over.attribute.name), over.max)
        }
    }
}

fn source(model: &Model, pattern: &Pattern) -> String {
    pattern.index.map_or_else(|| "table".to_owned(), |index| code(&model.table.indexes[index].name))
}

/// The attribute the items come in the order of.
fn order(model: &Model, pattern: &Pattern) -> String {
    describe::order(model, pattern).map_or_else(String::new, |order| {
        format!("{} {}", code(order.by), if order.descending { "descending" } else { "ascending" })
    })
}

fn condition(read: &Read<'_>) -> String {
    let (pk_name, pk) = &read.pk;
    let mut condition = format!("{pk_name} = {}", text(pk));
    if let Some((sk_name, test)) = &read.sk {
        let test = match test {
            SortTest::Equal(key) => format!("= {}", text(key)),
            SortTest::BeginsWith(start) => format!("begins_with {}", text(start)),
            SortTest::Between(from, to) => format!("between {} and {}", text(from), text(to)),
        };
        condition.push_str(&format!(", {sk_name} {test}"));
    }
    match read.operation {
        Operation::Get | Operation::Query => code(&condition),
        Operation::Lookup => {
            let (pk, sk) = (code(&unique::OWNER_PK), code(&unique::OWNER_SK));
            format!("{}, then the item that {pk} and {sk} name", code(&condition))
        }
    }
}
