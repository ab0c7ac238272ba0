//! The same random operations on two stores: every answer must be the same.
//!
//! Only what the port leaves open may differ: the order of a scan, and the order of items that have
//! one index key.

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
    /// Several writes or none.
    Transact(Vec<Write>),
    /// Whole items.
    BatchPut(Vec<Item>),
    /// One item.
    Get(Get),
    /// Several items.
    BatchGet(BatchGet),
    /// A partition, all pages of it.
    Query(Query),
    /// Everything, all pages of it.
    Scan(Scan),
}

/// Runs the operations on a fresh table of both stores and compares every answer and, in the end,
/// everything that is in the table and in its indexes.
///
/// # Errors
/// What was asked and what the two answered, if they differ.
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

/// Whether two answers are the same, as far as the port goes: when a transaction has a guard that does
/// not hold and a change that does not fit, it does not say which of the two is told.
fn agree(operation: &Operation, first: &Answer, second: &Answer) -> bool {
    let for_two_reasons = matches!(operation, Operation::Transact(_))
        && matches!(
            (first, second),
            (Answer::Failed(_), Answer::Refused(UNFIT)) | (Answer::Refused(UNFIT), Answer::Failed(_))
        );
    first == second || for_two_reasons
}

/// A change that does not fit the stored item, in whatever way.
const UNFIT: &str = "does not fit what is stored";

/// What a store answered, as far as two stores must agree.
#[derive(Debug, PartialEq)]
enum Answer {
    Item(Option<Item>),
    Items(Vec<Option<Item>>),
    /// A page as it is.
    Page(Page),
    /// The items of all pages, brought into one order, and the values of the sort key as they came.
    All(Vec<Item>, Vec<String>),
    Done,
    Failed(Vec<(usize, Option<Item>)>),
    Refused(&'static str),
    Other(String),
}

async fn run(store: &dyn Store, table: &Table, operation: &Operation) -> Answer {
    let answer = match operation {
        Operation::Write(write) => store.write(table, write.clone()).await.map(Answer::Item),
        Operation::Transact(writes) => {
            store.transact(plans::on(table, writes.clone())).await.map(|()| Answer::Done)
        }
        Operation::BatchPut(items) => store.batch_put(table, items.clone()).await.map(|()| Answer::Done),
        Operation::Get(get) => store.get(table, get).await.map(Answer::Item),
        Operation::BatchGet(gets) => store.batch_get(table, gets).await.map(Answer::Items),
        // In the table no two items have one key, so even the pages must be the same.
        Operation::Query(query) if query.index.is_none() => one_page(store, table, query).await,
        Operation::Query(query) => all_of_query(store, table, query).await,
        Operation::Scan(scan) => all_of_scan(store, table, scan).await,
    };
    answer.unwrap_or_else(|error| refusal(operation, error))
}

fn refusal(operation: &Operation, error: StoreError) -> Answer {
    match error {
        StoreError::Condition(failed) => {
            Answer::Failed(failed.into_iter().map(|one| (one.index, one.item)).collect())
        }
        StoreError::Invalid(error) if depends_on_what_is_stored(operation) => match error.code.as_str() {
            // An update can be wrong in several ways at once, and the port does not say which comes first.
            "no_such_path"
            | "wrong_type"
            | "number_out_of_range"
            | "wrong_key_type"
            | "empty_key"
            | "key_too_long"
            | "item_too_large" => Answer::Refused(UNFIT),
            code => Answer::Refused(code),
        },
        StoreError::Invalid(error) => Answer::Refused(error.code.as_str()),
        other => Answer::Other(fmt::format(format_args!("{other:?}"))),
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

/// A page, and whether anything follows. A store may know that nothing can follow the one key that was
/// asked for: DynamoDB Local does, and has no next page then.
async fn one_page(store: &dyn Store, table: &Table, query: &Query) -> Result<Answer, StoreError> {
    let mut page = store.query(table, query).await?;
    if page.next.is_some() {
        let rest = store.query(table, &Query { start: page.next.clone(), ..query.clone() }).await?;
        page.next = page.next.filter(|_| !rest.items.is_empty() || rest.next.is_some());
    }
    Ok(Answer::Page(page))
}

/// No sequence of operations fills more pages than this: what has more goes in circles.
const MOST_PAGES: usize = 200;

async fn all_of_query(store: &dyn Store, table: &Table, query: &Query) -> Result<Answer, StoreError> {
    let mut query = query.clone();
    let mut items = Vec::new();
    for _ in 0..MOST_PAGES {
        let page = store.query(table, &query).await?;
        items.extend(page.items);
        query.start = page.next;
        if query.start.is_none() {
            let sort_key = if query.index.as_deref() == Some(BY_TEXT) { "tsk" } else { "nsk" };
            let sort_keys = items.iter().map(|item| format!("{:?}", item.get(sort_key))).collect();
            return Ok(Answer::All(in_order(items), sort_keys));
        }
    }
    Ok(Answer::Other("the pages never end".to_owned()))
}

async fn all_of_scan(store: &dyn Store, table: &Table, scan: &Scan) -> Result<Answer, StoreError> {
    let mut scan = scan.clone();
    let mut items = Vec::new();
    for _ in 0..MOST_PAGES {
        let page = store.scan(table, &scan).await?;
        items.extend(page.items);
        scan.start = page.next;
        if scan.start.is_none() {
            return Ok(Answer::All(in_order(items), Vec::new()));
        }
    }
    Ok(Answer::Other("the pages never end".to_owned()))
}

fn in_order(mut items: Vec<Item>) -> Vec<Item> {
    items.sort_by_cached_key(|item| format!("{item:?}"));
    items
}
