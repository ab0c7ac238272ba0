//! Writes as DynamoDB requests, made of the expressions that are sent, for snapshots.

use hansang_core::Table;
use hansang_core::expression::Expressions;
use hansang_core::plan::{Action, Key, Write};
use hansang_core::request::Request;
use hansang_core::value::json::item_to_typed;
use serde_json::{Map, Value as Json, json};

/// The request of writes that belong together: one write, or a transaction.
pub(crate) fn of_writes(table: &Table, table_name: &str, writes: &[Write]) -> Request {
    if let [one] = writes
        && one.action != Action::Check
    {
        let (operation, body) = of_write(table, table_name, one);
        let operation = match operation {
            "Put" => "PutItem",
            "Update" => "UpdateItem",
            _ => "DeleteItem",
        };
        return Request { operation, body: Json::Object(body) };
    }
    let items: Vec<Json> = writes
        .iter()
        .map(|write| {
            let (operation, body) = of_write(table, table_name, write);
            json!({ operation: body })
        })
        .collect();
    Request { operation: "TransactWriteItems", body: json!({ "TransactItems": items }) }
}

/// One write with the name it has in a transaction.
fn of_write(table: &Table, table_name: &str, write: &Write) -> (&'static str, Map<String, Json>) {
    let mut body = Map::from_iter([("TableName".to_owned(), table_name.into())]);
    let mut expressions = Expressions::default();
    let operation = match &write.action {
        Action::Put(item) => {
            body.insert("Item".into(), item_to_typed(item));
            "Put"
        }
        Action::Update(changes) => {
            body.insert("Key".into(), key_json(table, &write.key));
            body.insert("UpdateExpression".into(), expressions.update(changes).into());
            "Update"
        }
        Action::Delete => {
            body.insert("Key".into(), key_json(table, &write.key));
            "Delete"
        }
        Action::Check => {
            body.insert("Key".into(), key_json(table, &write.key));
            "ConditionCheck"
        }
    };
    if let Some(condition) = expressions.guards(write) {
        body.insert("ConditionExpression".into(), condition.into());
    }
    expressions.add_to(&mut body);
    (operation, body)
}

fn key_json(table: &Table, key: &Key) -> Json {
    json!({ (&*table.pk): { "S": key.pk }, (&*table.sk): { "S": key.sk } })
}
