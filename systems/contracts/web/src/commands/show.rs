//! Formats contracts for the command line.

use std::fmt::Display;
use std::io::{self, Write};

use hansang_contracts::{Contract, Header};
use hansang_core::value::json::item_to_plain;
use serde_json::{Value as Json, json};

use hansang_command::say;

/// A header as JSON. Leaves out an unknown author and time.
pub(super) fn header(header: &Header) -> Json {
    let mut json = json!({
        "kind": header.reference.kind.as_str(),
        "id": &*header.reference.id,
        "version": header.reference.version.to_string(),
        "status": header.status.name(),
        "checksum": header.checksum,
    });
    let changed = header.status_changed.as_ref();
    for (name, value) in [
        ("createdAt", header.created_at.map(|at| at.to_string())),
        ("createdBy", header.created_by.clone()),
        ("statusChangedAt", changed.map(|changed| changed.at.to_string())),
        ("statusChangedBy", changed.map(|changed| changed.by.clone())),
    ] {
        if let Some(value) = value {
            json[name] = value.into();
        }
    }
    json
}

/// A version with its header and spec. The output is a valid contract file, because JSON is YAML.
pub(super) fn contract(contract: &Contract) -> Json {
    let mut json = header(&contract.header);
    json["spec"] = item_to_plain(&contract.spec);
    json
}

/// Prints rows as a table with aligned columns.
pub(super) fn table(rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

/// Prints warnings to the standard error, apart from the output for programs.
pub(super) fn warn(warnings: &[impl Display]) {
    for warning in warnings {
        say(&format!("warning: {warning}"));
    }
}
