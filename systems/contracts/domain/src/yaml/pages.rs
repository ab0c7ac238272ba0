//! Lists of what is in a directory, a page at a time.

use std::sync::Arc;

use hansang_core::messages::reads;
use hansang_core::read::MAX_PAGE;
use hansang_core::{CoreCode, Error, message};

use super::directory::Entry;
use crate::registry::{Found, Headers, ListAsk, Walked};
use crate::{ContractError, ContractRef, Header, Kind, Status};

/// The files of a page when everything is walked through.
const WALKED: usize = 100;

/// The versions of a page, if nobody says otherwise.
const PAGE: u32 = 50;

/// The headers of some contracts. One that cannot be read spoils the list: nothing is left out silently.
pub(super) fn headers(
    entries: &[Arc<Entry>],
    wanted: impl Fn(&ContractRef) -> bool,
) -> Result<Vec<Header>, ContractError> {
    all_named(entries)?;
    let wanted = entries.iter().filter(|entry| entry.file.reference.as_ref().is_some_and(&wanted));
    wanted.map(|entry| entry.header.clone().map_err(|_| unlistable(entry))).collect()
}

/// That every file has a name: one that has none might belong into any list.
pub(super) fn all_named(entries: &[Arc<Entry>]) -> Result<(), ContractError> {
    match entries.iter().find(|entry| entry.file.reference.is_none()) {
        None => Ok(()),
        Some(entry) => Err(unlistable(entry)),
    }
}

/// Why a list cannot be given.
pub(super) fn unlistable(entry: &Entry) -> ContractError {
    let place = &entry.place;
    let message = format!(
        "a contract in this list cannot be read, in {place}: `hansang contracts verify` tells what is wrong"
    );
    ContractError::Refused(Error::conflict("contract_unreadable", message))
}

/// A page of the versions of a kind, in the order of status, id and version.
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
    Ok(Headers { headers, next })
}

/// A page of everything, in the order of places.
pub(super) fn walk(entries: &[Arc<Entry>], from: Option<&str>) -> Result<Walked, ContractError> {
    let after = from.map(|text| text.strip_prefix(AFTER).ok_or_else(invalid_cursor)).transpose()?;
    let rest = entries.iter().filter(|entry| after.is_none_or(|after| entry.place.as_str() > after));
    let found = |entry: &Arc<Entry>| Found { place: entry.place.clone(), contract: entry.contract.clone() };
    let mut found: Vec<Found> = rest.take(WALKED + 1).map(found).collect();
    let more = found.len() > WALKED;
    found.truncate(WALKED);
    let next = found.last().filter(|_| more).map(|last| format!("{AFTER}{}", last.place));
    Ok(Walked { found, next })
}

/// How the place begins behind which a page starts.
const AFTER: &str = "after|";

/// Which list, and the last of it that was given.
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
    let message = "this is not a cursor of this list: start again from its first page";
    Error::invalid("invalid_cursor", message)
}
