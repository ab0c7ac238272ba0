//! Workbooks: xlsx and xls.

use std::io::{Cursor, Read as _};

use calamine::{Data, DataRef, ExcelDateTime, Reader as _, Xls, Xlsx};
use hansang_core::{Error, message};
use memchr::memmem;

use super::biff;
use super::table::{MAX_COLUMNS, MAX_ROWS, Rows, invalid, short, too_large};
use crate::messages;

/// The maximum size of everything in a workbook, unpacked.
const MAX_UNPACKED: usize = 400 * 1024 * 1024;
/// The number of bytes that are unpacked at once.
const PIECE: usize = 64 * 1024;
/// The attribute with the number of different texts.
const NAME: &[u8] = b"uniqueCount";
/// The same in UTF-16, of either order.
const WIDE_NAME: &[u8] = b"u\0n\0i\0q\0u\0e\0C\0o\0u\0n\0t";
/// The largest number of different texts.
const MAX_TEXTS: u64 = 5_000_000;
/// The bytes in which an attribute with a number that is too large fits.
const OVERLAP: usize = 256;

/// The sheet of Banksalad's export that has the transactions.
const BANKSALAD: &str = "가계부 내역";

type Numbered = Vec<(usize, Vec<String>)>;

/// The rows of an xlsx file. Cells are read one by one: a single cell far away makes no large table.
pub(super) fn xlsx(bytes: &[u8]) -> Result<Numbered, Error> {
    check_unpacked(bytes)?;
    let damaged = || invalid(message!(messages::FILE_DAMAGED));
    let mut book = Xlsx::new(Cursor::new(bytes)).map_err(|_| damaged())?;
    let mut found = Rows::default();
    for name in sheets(&book.sheet_names()) {
        let mut rows = Rows::default();
        let mut cells = book.worksheet_cells_reader(&name).map_err(|_| damaged())?;
        let (mut current, mut row) = (0, Vec::new());
        while let Some(cell) = cells.next_cell().map_err(|_| damaged())? {
            let (number, column) = cell.get_position();
            if number != current {
                rows.push(current as usize + 1, std::mem::take(&mut row))?;
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
        rows.push(current as usize + 1, row)?;
        if rows.len() > found.len() {
            found = rows;
        }
    }
    Ok(found.done())
}

/// The rows of an xls file, which has at most 65,536.
pub(super) fn xls(bytes: &[u8]) -> Result<Numbered, Error> {
    let damaged = || invalid(message!(messages::FILE_DAMAGED));
    let mut book = Xls::new(Cursor::new(biff::checked(bytes)?)).map_err(|_| damaged())?;
    let mut found = Rows::default();
    for name in sheets(&book.sheet_names()) {
        let range = book.worksheet_range(&name).map_err(|_| damaged())?;
        let first = range.start().map_or(0, |(row, _)| row as usize);
        let mut rows = Rows::default();
        for (index, cells) in range.rows().enumerate() {
            rows.push(first + index + 1, cells.iter().map(owned_text).collect())?;
        }
        if rows.len() > found.len() {
            found = rows;
        }
    }
    Ok(found.done())
}

/// The sheets to look at: Banksalad's if it is there, otherwise all.
fn sheets(names: &[String]) -> Vec<String> {
    match names.iter().find(|name| *name == BANKSALAD) {
        Some(name) => vec![name.clone()],
        None => names.to_vec(),
    }
}

/// Unpacks every part without keeping it, up to the limit: what a part says about its size is not trusted, nor what it says
/// about the number of its texts, for which calamine makes room.
fn check_unpacked(bytes: &[u8]) -> Result<(), Error> {
    let damaged = || invalid(message!(messages::FILE_DAMAGED));
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|_| damaged())?;
    let mut left = MAX_UNPACKED;
    let mut piece = vec![0; PIECE];
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).map_err(|_| damaged())?;
        let mut seen = Vec::new();
        loop {
            let read = part.read(&mut piece).map_err(|_| damaged())?;
            left = left.checked_sub(read).ok_or_else(too_large)?;
            seen.extend_from_slice(&piece[..read]);
            if counts(&seen).any(|count| count > MAX_TEXTS) {
                return Err(too_large());
            }
            if read == 0 {
                break;
            }
            // Looks again at a character that may begin a count.
            seen.drain(..seen.len().saturating_sub(OVERLAP));
        }
    }
    Ok(())
}

/// The numbers of texts that a part says it has.
fn counts(part: &[u8]) -> impl Iterator<Item = u64> {
    // Excel writes UTF-8: a count in UTF-16 is as good as one that is too large.
    let wide = memmem::find(part, WIDE_NAME).map(|_| u64::MAX);
    let plain = memmem::find_iter(part, NAME).map(|at| {
        let behind = part[at + NAME.len()..].iter().skip_while(|byte| b" \t\r\n='\"+".contains(byte));
        let digits = behind.take_while(|byte| byte.is_ascii_digit());
        digits.fold(0_u64, |count, digit| count.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
    });
    plain.chain(wide)
}

fn text(value: &DataRef<'_>) -> String {
    match value {
        DataRef::SharedString(text) => short(text).to_owned(),
        DataRef::String(text) => short(text).to_owned(),
        DataRef::DateTime(at) => time(at),
        other => owned_text(&Data::from(other.clone())),
    }
}

fn owned_text(value: &Data) -> String {
    match value {
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => short(text).to_owned(),
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
