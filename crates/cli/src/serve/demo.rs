//! Example data for the models that come with Hansang, so that there is something to look at.

use hansang_contracts::{ContractFile, SeedReport, StoreRegistry, seed};
use hansang_core::plan::Scan;
use hansang_core::value::json::item_from_plain;
use hansang_core::{Db, Error};
use hansang_entry::events::{Allocation, NewEvent, create};
use hansang_entry::{Entry, submit};
use hansang_server::{System, Verbs};
use jiff::SignedDuration;
use serde_json::Value as Json;

use crate::failure::Failure;
use crate::target::now;

/// The records of each model, a line each.
const RECORDS: [(&str, &str); 3] = [
    ("content", include_str!("../../demo/content.jsonl")),
    ("ledger", include_str!("../../demo/ledger.jsonl")),
    ("documents", include_str!("../../demo/documents.jsonl")),
];

macro_rules! examples {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../examples/contracts/", $name)))),*]
    };
}

/// The files with contracts.
const CONTRACTS: &[(&str, &str)] = examples![
    "changeset.v1-next.yaml",
    "changeset.v1.yaml",
    "entity-brand.v1.yaml",
    "entity-product.v1.yaml",
    "inverted-index.v1.yaml",
    "join-spec.v1.yaml",
    "ruleset-product.v1.1.yaml",
    "ruleset-product.v1.yaml",
    "sink-rule-archive.v1.yaml",
    "sink-rule-opensearch.v1.yaml",
    "view-product-detail.v1.yaml",
    "view-product-search.v1.yaml",
];

/// Fills the table of a system, if there are examples for it and the table is empty.
pub(super) async fn fill(system: &System) -> Result<(), Failure> {
    let db = &system.db;
    let look = Scan { index: None, limit: 1, start: None, consistent: true };
    if !db.store().scan(db.table(), &look).await?.items.is_empty() {
        return Ok(());
    }
    match &system.verbs {
        Verbs::Contracts(_) => return register(db).await,
        Verbs::Entry(door) => return events(&door.entry).await,
        Verbs::Records => {}
    }
    let records = RECORDS.iter().find(|(name, _)| **name == *db.model().name);
    for line in records.map_or("", |(_, lines)| lines).lines() {
        put(db, line).await?;
    }
    Ok(())
}

/// Events around this moment, and more people than the first of them has places for.
async fn events(entry: &Entry) -> Result<(), Failure> {
    let now = now();
    let hours = |number: i64| now + SignedDuration::from_hours(number);
    let lottery = Allocation::Lottery { winners: 50, cutoff_at: hours(72) };
    for (id, title, opens_at, closes_at, allocation) in [
        ("launch-party", "Launch party / 출시 기념 파티", hours(-1), hours(168), Allocation::FirstCome(20)),
        ("concert-tickets", "Concert tickets / 콘서트 티켓 추첨", hours(-1), hours(96), lottery),
        ("spring-sale", "Spring sale / 봄 세일 선착순", hours(24), hours(48), Allocation::FirstCome(100)),
    ] {
        let new = NewEvent {
            id: Some(id.to_owned()),
            title: title.to_owned(),
            opens_at,
            closes_at,
            allocation,
            settle: None,
        };
        create(entry, new).await?;
    }
    for number in 1..=30 {
        submit(entry, "launch-party", &format!("guest-{number:02}")).await?;
        submit(entry, "concert-tickets", &format!("guest-{number:02}")).await?;
    }
    Ok(())
}

/// Registers the contracts in the table, also where files are served: those are somebody's own.
async fn register(db: &Db) -> Result<(), Failure> {
    let files = CONTRACTS.iter().map(|(name, text)| ContractFile::read(name.into(), text));
    let files: Vec<ContractFile> = files.collect();
    let registry = StoreRegistry::new(db.clone());
    let SeedReport { conflicts, errors, .. } = seed(&registry, &files, "demo", false, &mut |_| ()).await;
    match conflicts.into_iter().chain(errors).next() {
        None => Ok(()),
        Some(wrong) => {
            let (path, why) = (wrong.path.display(), wrong.message.unwrap_or_default());
            Err(Failure::Message { text: format!("the example {path} cannot be registered: {why}"), code: 1 })
        }
    }
}

async fn put(db: &Db, line: &str) -> Result<(), Error> {
    let wrong =
        |problem: String| Error::internal("demo", format!("a line of the examples is wrong: {problem}"));
    let mut json: Json = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
    let entity = json.as_object_mut().and_then(|members| members.remove("$entity"));
    let fields = item_from_plain(&json).map_err(wrong)?;
    db.put(entity.as_ref().and_then(Json::as_str).unwrap_or_default(), fields, None).await.map(drop)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_example_is_shown() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/contracts");
        let names = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        assert_eq!(CONTRACTS.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
    }
}
