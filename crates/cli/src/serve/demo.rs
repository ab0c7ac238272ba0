//! Example data for the models that come with Hansang, so that there is something to look at.

use hansang_core::plan::Scan;
use hansang_core::value::json::item_from_plain;
use hansang_core::{Db, Error};
use serde_json::Value as Json;

use crate::failure::Failure;

/// The records of each model, a line each.
const RECORDS: [(&str, &str); 5] = [
    ("content", include_str!("../../demo/content.jsonl")),
    ("ledger", include_str!("../../demo/ledger.jsonl")),
    ("entry", include_str!("../../demo/entry.jsonl")),
    ("documents", include_str!("../../demo/documents.jsonl")),
    ("contracts", include_str!("../../demo/contracts.jsonl")),
];

/// Fills the table of a model, if there are examples for it and the table is empty. Gives the number
/// of records.
pub(super) async fn fill(db: &Db) -> Result<usize, Failure> {
    let Some((_, lines)) = RECORDS.iter().find(|(name, _)| **name == *db.model().name) else { return Ok(0) };
    let look = Scan { index: None, limit: 1, start: None, consistent: true };
    if !db.store().scan(db.table(), &look).await?.items.is_empty() {
        return Ok(0);
    }
    let mut count = 0;
    for line in lines.lines() {
        put(db, line).await?;
        count += 1;
    }
    Ok(count)
}

async fn put(db: &Db, line: &str) -> Result<(), Error> {
    let wrong =
        |problem: String| Error::internal("demo", format!("a line of the examples is wrong: {problem}"));
    let mut json: Json = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
    let entity = json.as_object_mut().and_then(|members| members.remove("$entity"));
    let fields = item_from_plain(&json).map_err(wrong)?;
    db.put(entity.as_ref().and_then(Json::as_str).unwrap_or_default(), fields, None).await.map(drop)
}
