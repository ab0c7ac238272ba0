//! Verification: every row of the source against its item here, and every record against the source.

use std::collections::{BTreeMap, BTreeSet};

use hansang_core::db::Ask;
use hansang_core::value::from_item;
use hansang_core::{Error, Item, Value, name, write};
use serde::{Deserialize, Serialize};

use super::lookups::Lookups;
use super::map::{Mapped, map};
use super::plan::{item, put_of};
use super::state::{self, State, Unrecorded, batch};
use super::step::{ATTEMPTS, is_passing};
use super::sum::{self, VOLATILE};
use super::{Finding, FindingKind, LegacyTable, Options, Row, Source, in_order};
use crate::live::Live;
use crate::{Content, Post};

/// The result of a verification of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    /// The rows that were read.
    pub rows: u64,
    /// Rows whose items are exactly what the rows say.
    pub faithful: u64,
    /// Rows whose items were edited or deleted here, or that a newer row replaces.
    pub changed_here: u64,
    /// Rows that are not here, or differ from their items.
    pub wrong: u64,
    /// The checksum of the rows, whatever their order.
    pub sum: String,
}

/// Compares a source with what is here; `found` is told every difference. Nothing is written.
///
/// # Errors
/// When a store or the source fails.
pub async fn verify(
    content: &Content,
    source: &mut dyn Source,
    options: &Options,
    found: &mut (dyn FnMut(&Finding) + Send),
) -> Result<BTreeMap<LegacyTable, Verified>, Error> {
    let lookups = Lookups::load(content, source, options).await?;
    let mut all = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for table in in_order(&*source) {
        let mut verified = Verified::default();
        let mut position: Option<String> = None;
        loop {
            let page = source.read(table, position.as_deref()).await?;
            let rows = page.rows;
            for finding in repeated(content, options, table, rows, &lookups, &mut seen, &mut verified).await?
            {
                found(&finding);
            }
            (options.progress)(verified.rows);
            position = page.next;
            if position.is_none() {
                break;
            }
        }
        all.insert(table, verified);
    }
    gone(content, &all, &seen, found).await?;
    if all.contains_key(&LegacyTable::Posts) {
        counts(content, found).await?;
    }
    Ok(all)
}

async fn repeated(
    content: &Content,
    options: &Options,
    table: LegacyTable,
    rows: Vec<Row>,
    lookups: &Lookups,
    seen: &mut BTreeSet<u64>,
    verified: &mut Verified,
) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let mut mapped = Vec::with_capacity(rows.len());
    for Row { location, item } in rows {
        verified.rows += 1;
        let row = item.map_err(|reason| Finding::new(table, &location, FindingKind::NotMapped).was(&reason));
        let row_sum = row.as_ref().map(sum::of).unwrap_or_default();
        if row.is_ok() {
            verified.sum = sum::add(&verified.sum, row_sum);
        }
        match row.and_then(|row| map(content.db.model(), table, &location, row, row_sum, lookups)) {
            Err(finding) => findings.push(finding),
            Ok(_) if table == LegacyTable::Corp && !lookups.is_newest_corp(row_sum) => {
                verified.changed_here += 1
            }
            Ok(row) => {
                seen.insert(sum::word(&format!("{table} {}", row.id)));
                mapped.push(row);
            }
        }
    }
    verified.wrong += findings.len() as u64;
    let mut attempt = 1;
    let states = loop {
        match state::read(content, &mapped, Unrecorded::Read).await {
            Err(error) if attempt < ATTEMPTS && is_passing(&error) => (options.pause)(attempt).await,
            other => break other?,
        }
        attempt += 1;
    };
    for (row, state) in mapped.iter().zip(states) {
        match compare(content, row, state).await? {
            None => verified.faithful += 1,
            Some(finding) => {
                let changed = matches!(finding.kind, FindingKind::EditedHere | FindingKind::DeletedHere);
                *if changed { &mut verified.changed_here } else { &mut verified.wrong } += 1;
                findings.push(finding);
            }
        }
    }
    Ok(findings)
}

/// The difference between a row and its item here.
async fn compare(content: &Content, row: &Mapped, state: State) -> Result<Option<Finding>, Error> {
    let finding = |kind| Some(Finding::new(row.table, &row.id, kind));
    let Some(record) = state.record else { return Ok(finding(FindingKind::Missing)) };
    let text = |name: &str| record.get(name).and_then(Value::as_str).unwrap_or_default();
    if matches!(record.get("others"), Some(Value::Ss(others)) if others.iter().any(|one| **one == *row.sum)) {
        return Ok(finding(FindingKind::Duplicate));
    }
    let Some(target) = state.target else { return Ok(finding(FindingKind::DeletedHere)) };
    if sum::stored(&target) != text("stored") {
        return Ok(finding(FindingKind::EditedHere));
    }
    if text("sum") != row.sum {
        return Ok(finding(FindingKind::Differs).map(|finding| finding.of("row")));
    }
    let slug = target.get("slug").and_then(Value::as_str);
    let expected = item(content, row, slug)?;
    let expected = put_of(&expected).cloned().unwrap_or_default();
    let is_kept = |name: &str| match row.table {
        LegacyTable::Categories => VOLATILE.contains(&name),
        // It follows from the retention period of the run that moved it.
        LegacyTable::Inquiries => name == "purgeAt",
        _ => false,
    };
    let names = expected.keys().chain(target.keys()).filter(|name| !is_kept(name));
    if let Some(name) = names.into_iter().find(|name| expected.get(name) != target.get(name)) {
        return Ok(finding(FindingKind::Differs).map(|finding| finding.of(name)));
    }
    if row.table == LegacyTable::Posts && !listed(content, &target).await? {
        return Ok(finding(FindingKind::Differs).map(|finding| finding.of("list")));
    }
    Ok(None)
}

/// Whether a published post is in its lists and has its address.
async fn listed(content: &Content, target: &Item) -> Result<bool, Error> {
    let Ok(post) = from_item::<Post>(target) else { return Ok(false) };
    let Some(live) = Live::of(&post) else { return Ok(true) };
    let mut keys = Vec::new();
    for (entity, fields) in live.items() {
        keys.push(write::key(content.db.entity(&entity)?, &fields)?);
    }
    let Some(slug) = &post.text.slug else { return Ok(false) };
    let slug = Item::from([(name!("slug"), Value::from(slug.as_str()))]);
    keys.push(write::key(content.db.entity("PostSlug")?, &slug)?);
    let found = batch(content, keys).await?;
    let owner = found.last().and_then(|item| item.as_ref()?.get("id")?.as_str().map(str::to_owned));
    Ok(found.iter().all(Option::is_some) && owner.as_deref() == Some(&*post.id))
}

/// The records of rows that are no longer in the source. The ids of the source are held as eight bytes each.
async fn gone(
    content: &Content,
    tables: &BTreeMap<LegacyTable, Verified>,
    seen: &BTreeSet<u64>,
    found: &mut (dyn FnMut(&Finding) + Send),
) -> Result<(), Error> {
    let mut cursor = None;
    loop {
        let page = content.db.query("migratedItems", Item::new(), Ask { cursor, ..Ask::default() }).await?;
        for record in &page.records {
            let (Some(source), Some(id)) = (record.text("source"), record.text("id")) else { continue };
            let Some(table) = LegacyTable::named(source).filter(|table| tables.contains_key(table)) else {
                continue;
            };
            if !seen.contains(&sum::word(&format!("{table} {id}"))) {
                found(&Finding::new(table, id, FindingKind::Gone));
            }
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(()),
        }
    }
}

/// The categories that count another number of posts than they have.
async fn counts(content: &Content, found: &mut (dyn FnMut(&Finding) + Send)) -> Result<(), Error> {
    let mut cursor = None;
    loop {
        let page = content.db.query("categories", Item::new(), Ask { cursor, ..Ask::default() }).await?;
        for category in &page.records {
            let id = category.text("id").unwrap_or_default();
            let counted =
                category.fields.get("posts").and_then(Value::as_number).and_then(|posts| posts.to_i64());
            let posts = posts_of(content, id).await?;
            if counted.unwrap_or_default() != posts {
                let finding = Finding::new(LegacyTable::Categories, id, FindingKind::WrongCount);
                found(&finding.was(&counted.unwrap_or_default().to_string()).now(&posts.to_string()));
            }
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(()),
        }
    }
}

async fn posts_of(content: &Content, category: &str) -> Result<i64, Error> {
    let arguments = Item::from([(name!("categoryId"), category.into())]);
    let (mut posts, mut cursor) = (0, None);
    loop {
        let ask = Ask { cursor, consistent: Some(true), fields: Some(vec!["id".into()]), ..Ask::default() };
        let page = content.db.query("postsInCategory", arguments.clone(), ask).await?;
        posts += i64::try_from(page.records.len()).unwrap_or(i64::MAX);
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(posts),
        }
    }
}
