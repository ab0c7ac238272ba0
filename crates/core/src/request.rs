//! Reads as the exact DynamoDB requests that they become, to be shown.

use std::fmt;

use serde_json::{Map, Value as Json, json};

use crate::expression::Expressions;
use crate::model::Table;
use crate::plan::{BatchGet, Get, Key, Query, Step};
use crate::template::LAST;
use crate::value::json::item_to_typed;

/// A request: the operation and its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The name of the operation, such as `Query`.
    pub operation: &'static str,
    /// The body in DynamoDB's own JSON.
    pub body: Json,
}

/// The request of one read.
#[must_use]
pub fn of_step(table: &Table, table_name: &str, step: &Step) -> Request {
    match step {
        Step::Get(get) | Step::Lookup(get) => of_get(table, table_name, get),
        Step::Query(query) => of_query(table_name, query),
    }
}

/// The request of many reads by key.
#[must_use]
pub fn of_batch_get(table: &Table, table_name: &str, gets: &BatchGet) -> Request {
    let keys: Vec<Json> = gets.keys.iter().map(|key| key_json(table, key)).collect();
    let mut body = Map::from_iter([("Keys".to_owned(), keys.into())]);
    let mut expressions = Expressions::default();
    if let Some(fields) = &gets.fields {
        body.insert("ProjectionExpression".into(), expressions.projection(fields).into());
    }
    if gets.consistent {
        body.insert("ConsistentRead".into(), true.into());
    }
    expressions.add_to(&mut body);
    Request { operation: "BatchGetItem", body: json!({ "RequestItems": { table_name: body } }) }
}

fn of_get(table: &Table, table_name: &str, get: &Get) -> Request {
    let mut body = start(table_name);
    body.insert("Key".into(), key_json(table, &get.key));
    let mut expressions = Expressions::default();
    if let Some(fields) = &get.fields {
        body.insert("ProjectionExpression".into(), expressions.projection(fields).into());
    }
    if get.consistent {
        body.insert("ConsistentRead".into(), true.into());
    }
    expressions.add_to(&mut body);
    Request { operation: "GetItem", body: Json::Object(body) }
}

fn of_query(table_name: &str, query: &Query) -> Request {
    let mut body = start(table_name);
    let mut expressions = Expressions::default();
    if let Some(index) = &query.index {
        body.insert("IndexName".into(), Json::from(&**index));
    }
    body.insert("KeyConditionExpression".into(), expressions.key_condition(query).into());
    if let Some(filter) = &query.filter {
        body.insert("FilterExpression".into(), expressions.condition(filter).into());
    }
    if let Some(fields) = &query.fields {
        body.insert("ProjectionExpression".into(), expressions.projection(fields).into());
    }
    expressions.add_to(&mut body);
    body.insert("ScanIndexForward".into(), (!query.descending).into());
    body.insert("Limit".into(), query.limit.into());
    if query.consistent {
        body.insert("ConsistentRead".into(), true.into());
    }
    if let Some(start) = &query.start {
        body.insert("ExclusiveStartKey".into(), item_to_typed(start));
    }
    Request { operation: "Query", body: Json::Object(body) }
}

fn start(table_name: &str) -> Map<String, Json> {
    let mut body = Map::new();
    body.insert("TableName".into(), table_name.into());
    body
}

fn key_json(table: &Table, key: &Key) -> Json {
    json!({ (&*table.pk): { "S": key.pk }, (&*table.sk): { "S": key.sk } })
}

impl fmt::Display for Request {
    /// The operation and its JSON, with short values on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        lay_out(&self.body, 0, true, &mut text);
        write!(f, "{} {text}", self.operation)
    }
}

const LINE: usize = 100;

fn lay_out(json: &Json, indent: usize, open: bool, text: &mut String) {
    let flat = flat(json);
    let (start, members, end): (_, Vec<(String, &Json)>, _) = match json {
        Json::Object(map) => (
            '{',
            map.iter().map(|(name, value)| (format!("{}: ", Json::from(name.as_str())), value)).collect(),
            '}',
        ),
        Json::Array(values) => ('[', values.iter().map(|value| (String::new(), value)).collect(), ']'),
        _ => return text.push_str(&flat),
    };
    if !open && indent + flat.chars().count() <= LINE {
        return text.push_str(&flat);
    }
    text.push(start);
    for (position, (name, value)) in members.iter().enumerate() {
        text.push_str(if position == 0 { "\n" } else { ",\n" });
        text.push_str(&" ".repeat(indent + 2));
        text.push_str(name);
        lay_out(value, indent + 2, false, text);
    }
    text.push('\n');
    text.push_str(&" ".repeat(indent));
    text.push(end);
}

/// JSON on one line, with a space where a person would put one.
fn flat(json: &Json) -> String {
    let join = |parts: Vec<String>| parts.join(", ");
    match json {
        Json::Object(map) if map.is_empty() => "{}".to_owned(),
        Json::Object(map) => {
            let member =
                |(name, value): (&String, &Json)| format!("{}: {}", Json::from(name.as_str()), flat(value));
            format!("{{ {} }}", join(map.iter().map(member).collect()))
        }
        Json::Array(values) => format!("[{}]", join(values.iter().map(flat).collect())),
        // The end of a range is a character without a glyph: show its code.
        other => other.to_string().replace(LAST, "\\udbff\\udfff"),
    }
}
