//! Walks through the whole table, including unreadable items.

use std::sync::Arc;

use hansang_core::identify::{Identity, identify};
use hansang_core::messages::reads;
use hansang_core::plan::Scan;
use hansang_core::value::json;
use hansang_core::{CoreCode, Db, Error, Item, StoreError, Value, message};

use super::items;
use crate::messages::errors;
use crate::registry::{Found, Walked};
use crate::{ContractCode, ContractError, ContractRef};

/// The number of scanned items per page.
const PAGE: u32 = 200;

/// Reads a page. A scan, because audits must see items that no pattern finds.
pub(super) async fn page(db: &Db, from: Option<&str>) -> Result<Walked, ContractError> {
    let start = from.map(|text| start(db, text)).transpose()?;
    let scan = Scan { index: None, limit: PAGE, start, consistent: true };
    let failed = |error| match error {
        // The table does not exist; a retry does not help.
        StoreError::Invalid(error) => error,
        outage => {
            let message = message!(errors::STORE_UNAVAILABLE);
            Error::unavailable(CoreCode::StoreUnavailable, message).caused_by(outage)
        }
    };
    let page = db.store().scan(db.table(), &scan).await.map_err(failed)?;
    let found = page.items.iter().filter_map(|item| found(db, item)).collect();
    Ok(Walked { found, next: page.next.map(|key| json::item_to_typed(&key).to_string()) })
}

/// Parses a cursor: the last key of the previous page.
fn start(db: &Db, text: &str) -> Result<Item, Error> {
    let wrong = || Error::invalid(CoreCode::InvalidCursor, message!(reads::CURSOR_OF_OTHER));
    let parsed = serde_json::from_str(text).map_err(|_| wrong())?;
    let key = json::item_from_typed(&parsed).map_err(|_| wrong())?;
    let table = db.table();
    let is_text = |name: &str| key.get(name).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
    if key.len() == 2 && is_text(&table.pk) && is_text(&table.sk) { Ok(key) } else { Err(wrong()) }
}

/// Decodes an item; `None` for kinds, references and pointers.
fn found(db: &Db, item: &Item) -> Option<Found> {
    let text = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
    let (pk, sk) = (text(&db.table().pk), text(&db.table().sk));
    let location = format!("{pk} / {sk}");
    match identify(db.model(), pk, sk) {
        Some(Identity::Entity { entity, .. }) if &*entity.name != items::CONTRACT => return None,
        Some(Identity::Pointer { .. }) => return None,
        _ => {}
    }
    let contract = match reference(pk, sk) {
        Some(reference) => {
            let spelling = pk.split_once('#').map_or("", |(kind, _)| kind);
            items::contract(&reference, spelling, item.clone()).map(Arc::new)
        }
        None => {
            let message = message!(errors::NOT_A_CONTRACT, &location);
            Err(ContractError::Refused(Error::invalid(ContractCode::ContractUnreadable, message)))
        }
    };
    Some(Found { location, contract })
}

fn reference(pk: &str, sk: &str) -> Option<ContractRef> {
    let (kind, id) = pk.split_once('#')?;
    ContractRef::new(kind, id, sk).ok()
}
