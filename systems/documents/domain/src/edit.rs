//! Parts that verbs share: keys, changes, guards, reads, and the rules of new input.

use hansang_core::db::{Ask, GetOptions, Operation, Typed, TypedListing};
use hansang_core::kind::time::Precision;
use hansang_core::plan::{
    Action, Change, Comparison, Condition, Guard, Guards, Operand, Path, Reason, Write,
};
use hansang_core::validate::{Violation, violation};
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, ErrorKind, Item, Name, Record, Value, message, name};
use jiff::Timestamp;

use crate::{Documents, DocumentsCode, messages};

/// The number of attempts while others write.
pub(crate) const ATTEMPTS: usize = 16;
/// The number of items of a page of a cascade, all of which one transaction can delete.
pub(crate) const PAGE: u32 = 100;

/// Checks an id that becomes part of keys of the table and of the cache.
///
/// # Errors
/// When it is empty, too long or has a character that separates parts of keys.
pub fn check_id(field: &str, id: &str) -> Result<(), Error> {
    let bad = |c: char| c == ':' || c == '#' || c.is_whitespace() || c.is_control();
    if id.is_empty() || id.chars().count() > 64 || id.chars().any(bad) {
        let problem = violation(field, message!(messages::ID_INVALID));
        return Err(Error { code: DocumentsCode::IdInvalid.into(), ..Error::fields(vec![problem]) });
    }
    Ok(())
}

/// The fields of a key.
pub(crate) fn key<const N: usize>(fields: [(Name, &str); N]) -> Item {
    fields.into_iter().map(|(name, value)| (name, Value::from(value))).collect()
}

pub(crate) fn project_key(project_id: &str) -> Item {
    key([(name!("project_id"), project_id)])
}

pub(crate) fn document_key(project_id: &str, document_id: &str) -> Item {
    key([(name!("project_id"), project_id), (name!("document_id"), document_id)])
}

pub(crate) fn time(at: Timestamp) -> Value {
    Precision::Millis.format(at).into()
}

pub(crate) fn path(root: Name) -> Path {
    Path { root, inside: Vec::new() }
}

pub(crate) fn set(name: Name, value: impl Into<Value>) -> (Path, Change) {
    (path(name), Change::Set(value.into()))
}

pub(crate) fn remove(name: Name) -> (Path, Change) {
    (path(name), Change::Remove)
}

pub(crate) fn add(name: Name, number: i64) -> (Path, Change) {
    (path(name), Change::Add(number.into()))
}

/// Sets a text, or removes it if there is none.
pub(crate) fn replace(name: Name, value: Option<impl Into<Value>>) -> (Path, Change) {
    match value {
        Some(value) => set(name, value),
        None => remove(name),
    }
}

/// A text that is optional: nothing if it is blank.
pub(crate) fn optional(text: Option<&str>) -> Option<Value> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(Value::from)
}

/// The fields that have a value.
pub(crate) fn present<const N: usize>(fields: [(Name, Option<Value>); N]) -> Item {
    fields.into_iter().filter_map(|(name, value)| value.map(|value| (name, value))).collect()
}

pub(crate) fn create(entity: Name, fields: Item) -> Operation {
    Operation::Create { entity, fields, guards: Vec::new() }
}

pub(crate) fn update(entity: Name, key: Item, changes: Vec<(Path, Change)>, guards: Vec<Guard>) -> Operation {
    Operation::Update { entity, update: Update { key, changes, expected_version: None }, guards }
}

pub(crate) fn delete(entity: Name, key: Item, guards: Vec<Guard>) -> Operation {
    Operation::Delete { entity, key, expected_version: None, guards }
}

/// Deletes an item, whether it is there or not.
pub(crate) fn erase(documents: &Documents, entity: &str, fields: &Item) -> Result<Operation, Error> {
    let key = hansang_core::write::key(documents.db.entity(entity)?, fields)?;
    Ok(Operation::Write(Write { key, action: Action::Delete, guards: Guards::default() }))
}

/// A guard that an attribute has a value, or none.
pub(crate) fn is(name: &Name, value: Option<Value>, otherwise: Error) -> Guard {
    Guard { condition: Condition::unchanged(name, value.as_ref()), otherwise: Reason::Other(otherwise) }
}

/// A guard that the item exists. Goes before other guards, so that it is reported first.
pub(crate) fn exists(otherwise: Error) -> Guard {
    Guard { condition: Condition::Exists(path(name!("PK"))), otherwise: Reason::Other(otherwise) }
}

fn is_not(name: &Name, value: &str, otherwise: Error) -> Guard {
    let equal =
        Condition::Compare(Operand::Path(name.into()), Comparison::Equal, Operand::Value(Value::from(value)));
    Guard { condition: Condition::Not(Box::new(equal)), otherwise: Reason::Other(otherwise) }
}

/// A guard that an item has the revision that was read. Items without one have 0.
pub(crate) fn same_revision(revision: i64) -> Guard {
    let stored = (revision > 0).then(|| Value::from(revision));
    is(&name!("revision"), stored, changed())
}

/// A check that a project exists.
pub(crate) fn project_exists(project_id: &str) -> Operation {
    Operation::Check {
        entity: name!("Project"),
        key: project_key(project_id),
        guards: vec![exists(unknown_project(project_id))],
    }
}

/// A check that a project exists and takes new documents and runs.
pub(crate) fn project_is_open(project_id: &str) -> Operation {
    let archived = Error::conflict(DocumentsCode::ProjectArchived, message!(messages::PROJECT_ARCHIVED));
    Operation::Check {
        entity: name!("Project"),
        key: project_key(project_id),
        guards: vec![exists(unknown_project(project_id)), is_not(&name!("status"), "archived", archived)],
    }
}

/// A check that a document exists.
pub(crate) fn document_exists(project_id: &str, document_id: &str) -> Operation {
    Operation::Check {
        entity: name!("Document"),
        key: document_key(project_id, document_id),
        guards: vec![exists(unknown_document(document_id))],
    }
}

pub(crate) fn unknown_project(id: &str) -> Error {
    Error::not_found(DocumentsCode::ProjectUnknown, message!(messages::PROJECT_UNKNOWN, id))
}

pub(crate) fn unknown_document(id: &str) -> Error {
    Error::not_found(DocumentsCode::DocumentUnknown, message!(messages::DOCUMENT_UNKNOWN, id))
}

pub(crate) fn changed() -> Error {
    Error::precondition(DocumentsCode::Changed, message!(messages::CHANGED))
}

/// What was read has changed: read again.
pub(crate) fn moved() -> Error {
    Error::conflict(DocumentsCode::Moved, message!(messages::MOVED))
}

/// Too many others are writing.
pub(crate) fn busy() -> Error {
    Error::unavailable(DocumentsCode::Busy, message!(messages::BUSY))
}

/// Commits, and tells those who wait for changes.
pub(crate) async fn commit(documents: &Documents, operations: Vec<Operation>) -> Result<(), Error> {
    let done = documents.db.commit(operations).await.map_err(Error::from);
    documents.ring();
    done
}

/// Commits a change whose first write is that of an item. If the item is gone, it is unknown.
pub(crate) async fn commit_known(
    documents: &Documents,
    operations: Vec<Operation>,
    unknown: impl FnOnce() -> Error,
) -> Result<(), Error> {
    documents.db.commit(operations).await.map_err(|refusal| {
        let gone = refusal.operation == Some(0) && refusal.error.code == CoreCode::NotFound;
        if gone { unknown() } else { refusal.error }
    })
}

/// Whether a plan from a fresh read may succeed.
pub(crate) fn is_stale(error: &Error) -> bool {
    error.code == DocumentsCode::Moved
        || error.code == CoreCode::Contended
        || error.code == CoreCode::WrongState
        || error.code == CoreCode::AlreadyExists
}

/// Whether the write may have taken effect.
pub(crate) fn is_unknown(error: &Error) -> bool {
    error.kind == ErrorKind::Unavailable && error.code == CoreCode::OutcomeUnknown
}

/// Options of a strong read.
pub(crate) fn strong() -> GetOptions {
    GetOptions { consistent: true, fields: None }
}

/// One item, by a strong read.
pub(crate) async fn load<T: Typed>(documents: &Documents, key: &Item) -> Result<Option<T>, Error> {
    let record = documents.db.get(T::ENTITY, key, &strong()).await?;
    record.map(|record| record.typed()).transpose()
}

/// A page of a pattern. Items that cannot be read are counted and left out.
pub(crate) async fn page<T: Typed>(
    documents: &Documents,
    pattern: &str,
    arguments: Item,
    ask: Ask,
) -> Result<TypedListing<T>, Error> {
    let listing = documents.db.query(pattern, arguments, ask).await?;
    let items: Vec<T> = listing.records.iter().filter_map(|record| record.typed().ok()).collect();
    let unreadable = listing.records.len() - items.len() + listing.strays.len();
    Ok(TypedListing { items, unreadable, next: listing.next, previous: listing.previous })
}

/// All items of a pattern that can be read.
pub(crate) async fn every<T: Typed>(
    documents: &Documents,
    pattern: &str,
    arguments: Item,
) -> Result<Vec<T>, Error> {
    let (mut items, mut cursor) = (Vec::new(), None);
    loop {
        let ask = Ask { cursor, limit: Some(1000), ..Ask::default() };
        let page = page(documents, pattern, arguments.clone(), ask).await?;
        items.extend(page.items);
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(items),
        }
    }
}

/// The first records of a pattern: after they are deleted, the next ones are first.
pub(crate) async fn first(documents: &Documents, pattern: &str, arguments: Item) -> Result<First, Error> {
    let ask = Ask { limit: Some(PAGE), ..Ask::default() };
    let listing = documents.db.query(pattern, arguments, ask).await?;
    let strays = listing.strays.into_iter().map(|stray| stray.item).collect();
    Ok(First { records: listing.records, strays })
}

/// Records, and stored items that are none.
pub(crate) struct First {
    pub(crate) records: Vec<Record>,
    pub(crate) strays: Vec<Item>,
}

/// Collects every problem of new input.
#[derive(Default)]
pub(crate) struct Check(Vec<Violation>);

impl Check {
    /// A text that must have a number of characters.
    pub(crate) fn text(&mut self, field: &str, text: &str, max: usize) {
        if !(1..=max).contains(&text.trim().chars().count()) {
            self.0.push(violation(field, message!(messages::TEXT_1_TO, max)));
        }
    }

    /// A text that may be absent or blank.
    pub(crate) fn optional(&mut self, field: &str, text: Option<&str>, max: usize) {
        if text.is_some_and(|text| text.trim().chars().count() > max) {
            self.0.push(violation(field, message!(messages::TEXT_TOO_LONG, max)));
        }
    }

    pub(crate) fn problem(&mut self, field: &str, problem: impl Into<hansang_core::Message>) {
        self.0.push(violation(field, problem));
    }

    pub(crate) fn done(self) -> Result<(), Error> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::fields(self.0)) }
    }
}
