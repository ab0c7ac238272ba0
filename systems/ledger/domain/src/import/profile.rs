//! Profiles: how the files of a source are read, recognised by their header.

use hansang_core::value::json::{from_plain, to_plain};
use hansang_core::{Error, Item, Value, message, name};

use super::{Mapping, Table, guess};
use crate::line::every;
use crate::{Ledger, LedgerCode, messages};

/// The profile of a file and its mapping: that of a known source with the same header, or a guess without a profile.
///
/// # Errors
/// When no row looks like a header.
pub async fn mapping_of(ledger: &Ledger, table: &Table) -> Result<(Option<String>, Mapping), Error> {
    for record in every(&ledger.db, "profiles", Item::new()).await? {
        let Some(Value::L(header)) = record.fields.get("header") else { continue };
        let header: Vec<&str> = header.iter().filter_map(Value::as_str).collect();
        let found = table.rows.iter().take(60).find(|(_, cells)| titles(cells) == header);
        let mapping =
            record.fields.get("mapping").and_then(|mapping| serde_json::from_value(to_plain(mapping)).ok());
        if let (Some((number, _)), Some(mapping)) = (found, mapping) {
            let mapping = Mapping { header: *number, ..mapping };
            return Ok((record.text("profile").map(str::to_owned), mapping));
        }
    }
    let mapping = guess(table)
        .ok_or_else(|| Error::invalid(LedgerCode::MappingInvalid, message!(messages::NO_HEADER)))?;
    Ok((None, mapping))
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
