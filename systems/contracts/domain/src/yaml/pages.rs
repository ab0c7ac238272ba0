//! Pages of the contracts of a directory.

use std::sync::Arc;

use hansang_core::messages::reads;
use hansang_core::read::MAX_PAGE;
use hansang_core::{CoreCode, Error, message};

use super::directory::Entry;
use crate::messages::errors;
use crate::registry::{Found, Headers, ListAsk, Walked};
use crate::{ContractCode, ContractError, ContractRef, Header, Kind, Status};

/// The page size of a walk.
const WALKED: usize = 100;

/// The default page size.
const PAGE: u32 = 50;

/// The headers of the wanted contracts. An unreadable one is an error; none is skipped silently.
pub(super) fn headers(
    entries: &[Arc<Entry>],
    wanted: impl Fn(&ContractRef) -> bool,
) -> Result<Vec<Header>, ContractError> {
    all_named(entries)?;
    let wanted = entries.iter().filter(|entry| entry.file.reference.as_ref().is_some_and(&wanted));
    wanted.map(|entry| entry.header.clone().map_err(|_| unlistable(entry))).collect()
}

/// Checks that every file has a readable name: one without might belong to any list.
pub(super) fn all_named(entries: &[Arc<Entry>]) -> Result<(), ContractError> {
    match entries.iter().find(|entry| entry.file.reference.is_none()) {
        None => Ok(()),
        Some(entry) => Err(unlistable(entry)),
    }
}

/// The error of a list with an unreadable file.
pub(super) fn unlistable(entry: &Entry) -> ContractError {
    let message = message!(errors::LIST_FILE_UNREADABLE, &entry.location);
    ContractError::Refused(Error::conflict(ContractCode::ContractUnreadable, message))
}

/// A page of the versions of a kind, sorted by status, id and version.
pub(super) fn list(entries: &[Arc<Entry>], kind: &Kind, ask: &ListAsk) -> Result<Headers, ContractError> {
    let limit = ask.limit.unwrap_or(PAGE);
    if !(1..=MAX_PAGE).contains(&limit) {
        let message = message!(reads::PAGE_SIZE, MAX_PAGE, limit);
        return Err(Error::invalid(CoreCode::InvalidPageSize, message).into());
    }
    let after = ask.cursor.as_deref().map(|text| position(text, kind, ask.status)).transpose()?;
    let mut headers = headers(entries, |reference| reference.kind == *kind)?;
    headers.retain(|header| ask.status.is_none_or(|status| header.status == status));
    headers.retain(|header| {
        after.as_ref().is_none_or(|after| (header.status, &header.reference) > (after.0, &after.1))
    });
    headers.sort_by(|one, other| (one.status, &one.reference).cmp(&(other.status, &other.reference)));
    let more = headers.len() > limit as usize;
    headers.truncate(limit as usize);
    let next = headers.last().filter(|_| more).map(|last| cursor(ask.status, last));
    Ok(Headers { headers, unreadable: Vec::new(), next })
}

/// A page of all files, sorted by path.
pub(super) fn walk(entries: &[Arc<Entry>], from: Option<&str>) -> Result<Walked, ContractError> {
    let after = from.map(|text| text.strip_prefix(AFTER).ok_or_else(invalid_cursor)).transpose()?;
    let rest = entries.iter().filter(|entry| after.is_none_or(|after| entry.location.as_str() > after));
    let found =
        |entry: &Arc<Entry>| Found { location: entry.location.clone(), contract: entry.contract.clone() };
    let mut found: Vec<Found> = rest.take(WALKED + 1).map(found).collect();
    let more = found.len() > WALKED;
    found.truncate(WALKED);
    let next = found.last().filter(|_| more).map(|last| format!("{AFTER}{}", last.location));
    Ok(Walked { found, next })
}

/// The prefix of a walk cursor, which the last path follows.
const AFTER: &str = "after|";

/// A cursor: the list, and the last version of the page.
fn cursor(asked: Option<Status>, last: &Header) -> String {
    format!("{}|{}|{}", asked.map_or("", Status::name), last.status, last.reference)
}

fn position(text: &str, kind: &Kind, asked: Option<Status>) -> Result<(Status, ContractRef), Error> {
    let read = || {
        let (list, last) = text.split_once('|')?;
        let (status, reference) = last.split_once('|')?;
        let reference: ContractRef = reference.parse().ok()?;
        let is_this = list == asked.map_or("", Status::name) && reference.kind == *kind;
        Some((status.parse().ok()?, reference)).filter(|_| is_this)
    };
    read().ok_or_else(invalid_cursor)
}

fn invalid_cursor() -> Error {
    Error::invalid(CoreCode::InvalidCursor, message!(reads::CURSOR_OF_OTHER))
}
