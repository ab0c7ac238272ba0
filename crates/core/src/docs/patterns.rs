//! The access patterns and the read that answers each: the pattern-to-index map.

use super::entities::{key_text, unique_key};
use super::text::{code, kind, table};
use crate::model::{KeySource, Leg, Model, Pattern, Sort};
use crate::read;
use crate::template::Template;
use crate::unique;

pub(super) fn map(model: &Model) -> String {
    let rows = model.patterns.iter().map(|pattern| {
        let returns: Vec<&str> = pattern.entities.iter().map(|entity| &*entity.name).collect();
        let also: Vec<&str> = pattern.also_reads.iter().map(|name| &**name).collect();
        let queries = pattern.legs.iter().any(|leg| matches!(leg, Leg::Query { .. }));
        vec![
            code(&pattern.name),
            pattern.doc.clone(),
            returns.join(", "),
            arguments(pattern),
            operation(pattern),
            place(model, pattern),
            conditions(model, pattern),
            if queries { order(model, pattern) } else { String::new() },
            if queries { pattern.page.to_string() } else { String::new() },
            if pattern.consistent { "strong".to_owned() } else { String::new() },
            also.join(", "),
        ]
    });
    let header = [
        "Pattern",
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

/// What is asked of the store, in DynamoDB's words.
fn operation(pattern: &Pattern) -> String {
    let word = |leg: &Leg| match leg {
        Leg::Get { .. } => "Get",
        Leg::Query { .. } => "Query",
        Leg::Lookup { .. } => "Lookup",
    };
    let words: Vec<&str> = pattern.legs.iter().map(word).collect();
    let round = words.join(", then ");
    match &pattern.over {
        None => round,
        Some(over) => {
            format!("fan-out: {round} for each {}, at most {}", code(&over.attribute.name), over.max)
        }
    }
}

fn place(model: &Model, pattern: &Pattern) -> String {
    pattern.index.map_or_else(|| "table".to_owned(), |index| code(&model.table.indexes[index].name))
}

/// The attribute the items come in the order of.
fn order(model: &Model, pattern: &Pattern) -> String {
    let direction = if pattern.descending { "descending" } else { "ascending" };
    let sk = match pattern.index {
        Some(index) => model.table.indexes[index].sk.as_ref(),
        None => Some(&model.table.sk),
    };
    sk.map_or_else(String::new, |sk| format!("{} {direction}", code(sk)))
}

fn conditions(model: &Model, pattern: &Pattern) -> String {
    let lines: Vec<String> = pattern.legs.iter().map(|leg| condition(model, pattern, leg)).collect();
    lines.join("\n")
}

fn condition(model: &Model, pattern: &Pattern, leg: &Leg) -> String {
    let settings = &model.table;
    let (pk_name, sk_name) = match pattern.index.map(|index| &settings.indexes[index]) {
        Some(index) => (&index.pk, index.sk.as_ref()),
        None => (&settings.pk, Some(&settings.sk)),
    };
    match leg {
        Leg::Get { pk, sk } => code(&format!("{pk_name} = {pk}, {} = {sk}", settings.sk)),
        Leg::Query { pk, sort } => {
            let mut text = format!("{pk_name} = {}", key_text(pk));
            if let (Some(name), Some(sort)) = (sk_name, sort_text(sort)) {
                text.push_str(&format!(", {name} {sort}"));
            }
            code(&text)
        }
        Leg::Lookup { entity, unique: constraint } => {
            let pointer = unique_key(model, entity, constraint);
            let text = format!("{} = {pointer}, {} = {}", settings.pk, settings.sk, unique::PREFIX);
            let (pk, sk) = (code(&unique::OWNER_PK), code(&unique::OWNER_SK));
            format!("{}, then the item that {pk} and {sk} name", code(&text))
        }
    }
}

fn sort_text(sort: &Sort) -> Option<String> {
    match sort {
        Sort::All => None,
        Sort::Exact(source) => Some(format!("= {}", key_text(source))),
        Sort::Prefix { template, known } => Some(format!("begins_with {}", prefix(template, *known))),
        Sort::Range { source, known } => {
            let start = match source {
                KeySource::Derived(template) | KeySource::Own(template) => prefix(template, *known),
                KeySource::Number(_) => String::new(),
            };
            let (from, to) = (read::FROM, read::TO);
            Some(format!("between {start}{{{from}}} and {start}{{{to}}}"))
        }
    }
}

/// The first `known` segments of a template and the fixed text of the next. Not cut out of the
/// template's text: what entities have in common has segments but no text of its own.
fn prefix(template: &Template, known: usize) -> String {
    let mut text = String::new();
    for (position, segment) in template.segments.iter().take(known + 1).enumerate() {
        if position > 0 {
            text.push(template.delimiter);
        }
        text.push_str(&segment.literal);
        if position < known
            && let Some(field) = &segment.field
        {
            let pad = field.pad.map_or_else(String::new, |pad| format!(":{pad:02}"));
            text.push_str(&format!("{{{}{pad}}}", field.attribute.name));
        }
    }
    text
}
