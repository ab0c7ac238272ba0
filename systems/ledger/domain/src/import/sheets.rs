//! Workbooks: xlsx and xls.

use std::io::{Cursor, Read as _};

use calamine::{Data, DataRef, ExcelDateTime, Reader as _, Xls, Xlsx};
use hansang_core::{Error, message};

use super::table::{MAX_COLUMNS, MAX_ROWS, invalid, push, too_large};
use crate::messages;

/// The maximum size of everything in a workbook, unpacked.
const MAX_UNPACKED: u64 = 400 * 1024 * 1024;

/// The sheet of Banksalad's export that has the transactions.
const BANKSALAD: &str = "가계부 내역";

type Rows = Vec<(usize, Vec<String>)>;

/// The rows of an xlsx file. Cells are read one by one: a single cell far away makes no large table.
pub(super) fn xlsx(bytes: &[u8]) -> Result<Rows, Error> {
    check_unpacked(bytes)?;
    let damaged = || invalid(message!(messages::FILE_DAMAGED));
    let mut book = Xlsx::new(Cursor::new(bytes)).map_err(|_| damaged())?;
    let mut found = Rows::new();
    for name in sheets(&book.sheet_names()) {
        let mut rows = Rows::new();
        let mut cells = book.worksheet_cells_reader(&name).map_err(|_| damaged())?;
        let (mut current, mut row) = (0, Vec::new());
        while let Some(cell) = cells.next_cell().map_err(|_| damaged())? {
            let (number, column) = cell.get_position();
            if number != current {
                push(&mut rows, current as usize + 1, std::mem::take(&mut row))?;
                current = number;
            }
            let column = column as usize;
            if number as usize > MAX_ROWS + 100 {
                return Err(too_large());
            }
            if column < MAX_COLUMNS {
                row.resize(row.len().max(column + 1), String::new());
                row[column] = text(cell.get_value());
            }
        }
        push(&mut rows, current as usize + 1, row)?;
        if rows.len() > found.len() {
            found = rows;
        }
    }
    Ok(found)
}

/// The rows of an xls file, which has at most 65,536.
pub(super) fn xls(bytes: &[u8]) -> Result<Rows, Error> {
    let damaged = || invalid(message!(messages::FILE_DAMAGED));
    let mut book = Xls::new(Cursor::new(bytes)).map_err(|_| damaged())?;
    let mut found = Rows::new();
    for name in sheets(&book.sheet_names()) {
        let range = book.worksheet_range(&name).map_err(|_| damaged())?;
        let first = range.start().map_or(0, |(row, _)| row as usize);
        let mut rows = Rows::new();
        for (index, cells) in range.rows().enumerate() {
            push(&mut rows, first + index + 1, cells.iter().map(owned_text).collect())?;
        }
        if rows.len() > found.len() {
            found = rows;
        }
    }
    Ok(found)
}

/// The sheets to look at: Banksalad's if it is there, otherwise all.
fn sheets(names: &[String]) -> Vec<String> {
    match names.iter().find(|name| *name == BANKSALAD) {
        Some(name) => vec![name.clone()],
        None => names.to_vec(),
    }
}

/// Unpacks every part without keeping it, up to the limit: what a part says about its size is not trusted.
fn check_unpacked(bytes: &[u8]) -> Result<(), Error> {
    let damaged = || invalid(message!(messages::FILE_DAMAGED));
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|_| damaged())?;
    let mut left = MAX_UNPACKED;
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(|_| damaged())?;
        let size = std::io::copy(&mut part.take(left + 1), &mut std::io::sink()).map_err(|_| damaged())?;
        left = left.checked_sub(size).ok_or_else(too_large)?;
    }
    Ok(())
}

fn text(value: &DataRef<'_>) -> String {
    match value {
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::DateTime(at) => time(at),
        other => owned_text(&Data::from(other.clone())),
    }
}

fn owned_text(value: &Data) -> String {
    match value {
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => text.clone(),
        Data::Bool(truth) => truth.to_string(),
        Data::DateTime(at) => time(at),
        Data::Error(_) | Data::Empty => String::new(),
    }
}

fn time(at: &ExcelDateTime) -> String {
    if !at.is_datetime() {
        return at.as_f64().to_string();
    }
    let (year, month, day, hour, minute, ..) = at.to_ymd_hms_milli();
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")
}
