//! Runs the same random operations on two stores and compares the results.
//!
//! Only what the port leaves open may differ: the order of a scan, and the order of items with the same index
//! key.

use std::fmt;

use hansang_core::model::Table;
use hansang_core::plan::{Action, BatchGet, Get, Query, Scan, Write};
use hansang_core::{Item, Page, Store, StoreError};

use crate::plans;
use crate::table::{BY_NUMBER, BY_TEXT, described};

mod strategy;

pub use strategy::{early_operations, operations};

/// One call of a store.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a test has a few dozen of them")]
pub enum Operation {
    /// One write.
    Write(Write),
    /// A transaction.
    Transact(Vec<Write>),
    /// A batch of puts.
    BatchPut(Vec<Item>),
    /// One item.
    Get(Get),
    /// Several items.
    BatchGet(BatchGet),
    /// A query, all pages.
    Query(Query),
    /// A scan, all pages.
    Scan(Scan),
}

/// Runs the operations on a fresh table of both stores. Compares every result and, at the end, the contents
/// of the table and its indexes.
///
/// # Errors
/// The operation and both results, if they differ.
pub async fn same(a: &dyn Store, b: &dyn Store, operations: &[Operation]) -> Result<(), String> {
    let table = described();
    for store in [a, b] {
        store.ensure_table(&table).await.map_err(|error| format!("the table was not made: {error:?}"))?;
    }
    for (number, operation) in operations.iter().enumerate() {
        let (first, second) = (run(a, &table, operation).await, run(b, &table, operation).await);
        if !agree(operation, &first, &second) {
            return Err(format!(
                "operation {number}, {operation:#?}\nfirst:  {first:#?}\nsecond: {second:#?}"
            ));
        }
    }
    for scan in [plans::scan(), plans::scan_index(BY_TEXT), plans::scan_index(BY_NUMBER)] {
        let operation = Operation::Scan(scan);
        let (first, second) = (run(a, &table, &operation).await, run(b, &table, &operation).await);
        if first != second {
            return Err(format!("in the end, {operation:?}\nfirst:  {first:#?}\nsecond: {second:#?}"));
        }
    }
    Ok(())
}

/// Returns whether two results are equivalent. For a transaction with a failed guard and an invalid change,
/// the port leaves open which one is reported.
fn agree(operation: &Operation, first: &Outcome, second: &Outcome) -> bool {
    let for_two_reasons = matches!(operation, Operation::Transact(_))
        && matches!(
            (first, second),
            (Outcome::Failed(_), Outcome::Refused(UNFIT)) | (Outcome::Refused(UNFIT), Outcome::Failed(_))
        );
    first == second || for_two_reasons
}

/// Any change that does not fit the stored item.
const UNFIT: &str = "does not fit what is stored";

/// Result of an operation, reduced to what two stores must agree on.
#[derive(Debug, PartialEq)]
enum Outcome {
    Item(Option<Item>),
    Items(Vec<Option<Item>>),
    /// One page.
    Page(Page),
    /// Items of all pages in a fixed order, and the sort keys in the order of the store.
    All(Vec<Item>, Vec<String>),
    Done,
    Failed(Vec<(usize, Option<Item>)>),
    Refused(&'static str),
    Other(String),
}

async fn run(store: &dyn Store, table: &Table, operation: &Operation) -> Outcome {
    let outcome = match operation {
        Operation::Write(write) => store.write(table, write.clone()).await.map(Outcome::Item),
        Operation::Transact(writes) => {
            store.transact(plans::on(table, writes.clone())).await.map(|()| Outcome::Done)
        }
        Operation::BatchPut(items) => store.batch_put(table, items.clone()).await.map(|()| Outcome::Done),
        Operation::Get(get) => store.get(table, get).await.map(Outcome::Item),
        Operation::BatchGet(gets) => store.batch_get(table, gets).await.map(Outcome::Items),
        // Keys of a table are unique, so pages must be equal.
        Operation::Query(query) if query.index.is_none() => one_page(store, table, query).await,
        Operation::Query(query) => all_of_query(store, table, query).await,
        Operation::Scan(scan) => all_of_scan(store, table, scan).await,
    };
    outcome.unwrap_or_else(|error| refusal(operation, error))
}

fn refusal(operation: &Operation, error: StoreError) -> Outcome {
    match error {
        StoreError::Condition(failed) => {
            Outcome::Failed(failed.into_iter().map(|one| (one.index, one.item)).collect())
        }
        StoreError::Invalid(error) if depends_on_what_is_stored(operation) => match error.code.as_str() {
            // An update can break several rules, and the port leaves open which one is reported.
            "no_such_path"
            | "wrong_type"
            | "number_out_of_range"
            | "wrong_key_type"
            | "empty_key"
            | "key_too_long"
            | "item_too_large" => Outcome::Refused(UNFIT),
            code => Outcome::Refused(code),
        },
        StoreError::Invalid(error) => Outcome::Refused(error.code.as_str()),
        other => Outcome::Other(fmt::format(format_args!("{other:?}"))),
    }
}

fn depends_on_what_is_stored(operation: &Operation) -> bool {
    let writes = match operation {
        Operation::Write(write) => std::slice::from_ref(write),
        Operation::Transact(writes) => writes,
        _ => return false,
    };
    writes.iter().any(|write| matches!(write.action, Action::Update(_)))
}

/// Reads a page and whether anything follows. DynamoDB Local knows that nothing follows an exact key, and has
/// no next page then.
async fn one_page(store: &dyn Store, table: &Table, query: &Query) -> Result<Outcome, StoreError> {
    let mut page = store.query(table, query).await?;
    if page.next.is_some() {
        let rest = store.query(table, &Query { start: page.next.clone(), ..query.clone() }).await?;
        page.next = page.next.filter(|_| !rest.items.is_empty() || rest.next.is_some());
    }
    Ok(Outcome::Page(page))
}

/// Maximum number of pages. No sequence fills more, so more pages are a loop.
const MAX_PAGES: usize = 200;

async fn all_of_query(store: &dyn Store, table: &Table, query: &Query) -> Result<Outcome, StoreError> {
    let mut query = query.clone();
    let mut items = Vec::new();
    for _ in 0..MAX_PAGES {
        let page = store.query(table, &query).await?;
        items.extend(page.items);
        query.start = page.next;
        if query.start.is_none() {
            let sort_key = if query.index.as_deref() == Some(BY_TEXT) { "tsk" } else { "nsk" };
            let sort_keys = items.iter().map(|item| format!("{:?}", item.get(sort_key))).collect();
            return Ok(Outcome::All(in_order(items), sort_keys));
        }
    }
    Ok(Outcome::Other("the pages never end".to_owned()))
}

async fn all_of_scan(store: &dyn Store, table: &Table, scan: &Scan) -> Result<Outcome, StoreError> {
    let mut scan = scan.clone();
    let mut items = Vec::new();
    for _ in 0..MAX_PAGES {
        let page = store.scan(table, &scan).await?;
        items.extend(page.items);
        scan.start = page.next;
        if scan.start.is_none() {
            return Ok(Outcome::All(in_order(items), Vec::new()));
        }
    }
    Ok(Outcome::Other("the pages never end".to_owned()))
}

fn in_order(mut items: Vec<Item>) -> Vec<Item> {
    items.sort_by_cached_key(|item| format!("{item:?}"));
    items
}
