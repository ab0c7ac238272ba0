//! Profiles: how the files of a source are read, recognised by their header.

use hansang_core::value::json::{from_plain, to_plain};
use hansang_core::{Error, Item, Record, Value, message, name};

use super::{Mapping, Table, guess, imports};
use crate::line::every;
use crate::{Ledger, LedgerCode, messages};

/// The profile of a file and its mapping: that of a known source with the same titles, or a guess without a profile.
///
/// The source that the caller names is read by its own mapping, or by that of another source with the same titles. If
/// none is named, it is the source that this person imported last, because a couple may have accounts at one bank.
///
/// # Errors
/// When no row looks like a header.
pub async fn mapping_of(
    ledger: &Ledger,
    table: &Table,
    profile: Option<&str>,
    by: Option<&str>,
) -> Result<(Option<String>, Mapping), Error> {
    let records = every(&ledger.db, "profiles", Item::new()).await?;
    let mut fitting: Vec<(String, Mapping)> =
        records.iter().filter_map(|record| fits(record, table)).collect();
    if let Some(profile) = profile {
        if let Some(index) = fitting.iter().position(|(name, _)| name == profile) {
            let (name, mapping) = fitting.swap_remove(index);
            return Ok((Some(name), mapping));
        }
        if let Some((_, mapping)) = fitting.pop() {
            return Ok((None, Mapping { person: None, ..mapping }));
        }
    }
    if fitting.len() > 1 {
        let past = imports(ledger).await?;
        let last = |mine: bool| {
            let mut past = past.iter().filter(|import| !mine || by == Some(&*import.by));
            past.find_map(|import| fitting.iter().position(|(name, _)| *name == import.profile))
        };
        let index = last(true).or_else(|| last(false)).unwrap_or_default();
        fitting.swap(0, index);
    }
    if let Some((name, mapping)) = fitting.into_iter().next() {
        return Ok((Some(name), mapping));
    }
    let mapping = guess(table)
        .ok_or_else(|| Error::invalid(LedgerCode::MappingInvalid, message!(messages::NO_HEADER)))?;
    Ok((None, mapping))
}

/// The name and the mapping of a profile, if the file has its titles.
fn fits(record: &Record, table: &Table) -> Option<(String, Mapping)> {
    let Some(Value::L(header)) = record.fields.get("header") else { return None };
    let header: Vec<&str> = header.iter().filter_map(Value::as_str).collect();
    let (number, _) = table.rows.iter().take(60).find(|(_, cells)| titles(cells) == header)?;
    let mapping: Mapping = serde_json::from_value(to_plain(record.fields.get("mapping")?)).ok()?;
    Some((record.text("profile")?.to_owned(), Mapping { header: *number, ..mapping }))
}

/// Remembers the mapping of a source.
pub(super) async fn save(
    ledger: &Ledger,
    profile: &str,
    table: &Table,
    mapping: &Mapping,
) -> Result<(), Error> {
    let header =
        table.rows.iter().find(|(number, _)| *number == mapping.header).map(|(_, cells)| titles(cells));
    let header = header.unwrap_or_default().into_iter().map(Value::from).collect();
    let wrong = || Error::invalid(LedgerCode::MappingInvalid, message!(messages::MAPPING_INVALID));
    let mapping = from_plain(&serde_json::to_value(mapping).map_err(|_| wrong())?).map_err(|_| wrong())?;
    let fields = Item::from([
        (name!("profile"), profile.into()),
        (name!("header"), Value::L(header)),
        (name!("mapping"), mapping),
    ]);
    ledger.db.put("Profile", fields, None).await.map(drop)
}

fn titles(cells: &[String]) -> Vec<&str> {
    cells.iter().map(|cell| cell.trim()).collect()
}
