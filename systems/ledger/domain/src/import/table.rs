//! A file as rows of text, whatever its format and encoding.

use std::borrow::Cow;

use encoding_rs::{EUC_KR, Encoding, UTF_16BE, UTF_16LE};
use hansang_core::{Error, message};

use super::{html, sheets};
use crate::{LedgerCode, messages};

/// The maximum size of a file.
pub const MAX_BYTES: usize = 50 * 1024 * 1024;
/// The maximum number of rows.
pub const MAX_ROWS: usize = 1_000_000;
/// The maximum number of columns.
pub(super) const MAX_COLUMNS: usize = 200;
/// The maximum number of characters of a cell, as in Excel.
pub(super) const MAX_CELL: usize = 32_767;
/// The maximum memory of all cells of a file: a workbook may name one long text in millions of cells.
pub(super) const MAX_MEMORY: usize = 256 * 1024 * 1024;

/// The rows of a file. A row's number is that of its line or row in the file, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The rows: their numbers and cells.
    pub rows: Vec<(usize, Vec<String>)>,
}

/// Reads a CSV, xls or xlsx file, or HTML that is called one.
///
/// # Errors
/// A file that is too large, damaged or of another format.
pub fn read(bytes: &[u8]) -> Result<Table, Error> {
    if bytes.len() > MAX_BYTES {
        return Err(too_large());
    }
    let rows = if bytes.starts_with(b"PK\x03\x04") {
        sheets::xlsx(bytes)?
    } else if bytes.starts_with(&[0xD0, 0xCF, 0x11, 0xE0]) {
        sheets::xls(bytes)?
    } else {
        let text = decode(bytes)?;
        let start = text.trim_start().get(..200).unwrap_or(text.trim_start()).to_lowercase();
        if start.starts_with('<') || start.contains("<table") { html::rows(&text)? } else { csv(&text)? }
    };
    Ok(Table { rows })
}

/// The text of a file: by its byte order mark, as UTF-8, as UTF-16 without a mark, or as CP949.
fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
    let strict = |encoding: &'static Encoding, bytes| {
        encoding.decode_without_bom_handling_and_without_replacement(bytes)
    };
    let text = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => strict(encoding, &bytes[length..]),
        None => match std::str::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => Some(Cow::Borrowed(text)),
            _ => {
                let zeros = |odd: usize| {
                    bytes.iter().skip(odd).step_by(2).take(500).filter(|byte| **byte == 0).count()
                };
                let encoding = match (zeros(0), zeros(1)) {
                    (0, 0) => EUC_KR,
                    (even, odd) if odd >= even => UTF_16LE,
                    _ => UTF_16BE,
                };
                strict(encoding, bytes)
            }
        },
    };
    text.ok_or_else(|| invalid(message!(messages::FILE_ENCODING)))
}

fn csv(text: &str) -> Result<Vec<(usize, Vec<String>)>, Error> {
    // The reader counts a line at its `\n`, so a row behind `\r\n` would get the number of the row before it.
    let plain = text.contains('\r').then(|| text.replace("\r\n", "\n").replace('\r', "\n"));
    let text = plain.as_deref().unwrap_or(text);
    let ended = (!text.ends_with('\n')).then(|| format!("{text}\n"));
    let text = ended.as_deref().unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(text))
        .from_reader(text.as_bytes());
    let (mut rows, mut record) = (Rows::default(), csv::StringRecord::new());
    loop {
        let line = usize::try_from(reader.position().line()).unwrap_or(usize::MAX);
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => return Err(invalid(message!(messages::FILE_LINE, line))),
        }
        // The reader skips blank lines, so the line of a record is counted from its end.
        let end = usize::try_from(reader.position().line()).unwrap_or(usize::MAX);
        let inside: usize = record.iter().map(|cell| cell.matches('\n').count()).sum();
        let cells = record.iter().take(MAX_COLUMNS).map(|cell| short(cell).to_owned());
        rows.push(end.saturating_sub(1 + inside), cells.collect())?;
    }
    // A quote that never ends takes the rest of the file into one cell.
    if text.bytes().filter(|byte| *byte == b'"').count() % 2 == 1 {
        // It has no end of a line, from which its number was counted.
        let line = rows.done().last().map_or(1, |(line, _)| *line + 1);
        return Err(invalid(message!(messages::FILE_CUT_OFF, line)));
    }
    Ok(rows.done())
}

/// The separator that stands most often in the first lines.
fn delimiter(text: &str) -> u8 {
    let start: Vec<&str> = text.lines().take(30).collect();
    let count =
        |separator: &u8| start.iter().map(|line| line.bytes().filter(|byte| byte == separator).count()).sum();
    [b',', b'\t', b';', b'|'].into_iter().rev().max_by_key(|one| -> usize { count(one) }).unwrap_or(b',')
}

/// Adds rows, within the limits.
#[derive(Default)]
pub(super) struct Rows {
    rows: Vec<(usize, Vec<String>)>,
    /// The memory that the cells take.
    bytes: usize,
}

impl Rows {
    /// Adds a row, unless all of its cells are empty.
    pub(super) fn push(&mut self, number: usize, mut cells: Vec<String>) -> Result<(), Error> {
        if self.rows.len() >= MAX_ROWS {
            return Err(too_large());
        }
        cells.truncate(MAX_COLUMNS);
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            return Ok(());
        }
        self.bytes += cells.iter().map(|cell| cell.len() + size_of::<String>()).sum::<usize>();
        if self.bytes > MAX_MEMORY {
            return Err(too_large());
        }
        self.rows.push((number, cells));
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn done(self) -> Vec<(usize, Vec<String>)> {
        self.rows
    }
}

/// The start of a text, as far as a cell may have it.
pub(super) fn short(text: &str) -> &str {
    if text.len() <= MAX_CELL {
        return text;
    }
    text.char_indices().nth(MAX_CELL).map_or(text, |(end, _)| &text[..end])
}

/// The error for a file that cannot be read.
pub(super) fn invalid(message: hansang_core::Message) -> Error {
    Error::invalid(LedgerCode::FileInvalid, message)
}

/// The error for a file beyond the limits.
pub(super) fn too_large() -> Error {
    Error::invalid(
        LedgerCode::FileTooLarge,
        message!(messages::FILE_TOO_LARGE, MAX_BYTES / 1024 / 1024, MAX_ROWS),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: &str = "날짜,내용,금액\n2026-02-04,커피,\"4,500\"\n";

    fn cells(bytes: &[u8]) -> Vec<Vec<String>> {
        read(bytes).unwrap().rows.into_iter().map(|(_, cells)| cells).collect()
    }

    /// Every encoding gives the same rows.
    #[test]
    fn encodings_are_recognised() {
        let right = [["날짜", "내용", "금액"], ["2026-02-04", "커피", "4,500"]];
        assert_eq!(cells(CSV.as_bytes()), right);
        assert_eq!(cells(&[b"\xEF\xBB\xBF", CSV.as_bytes()].concat()), right);
        assert_eq!(cells(&EUC_KR.encode(CSV).0), right);
        let wide = |bytes: fn(u16) -> [u8; 2]| CSV.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        assert_eq!(cells(&[b"\xFF\xFE".as_slice(), &wide(u16::to_le_bytes)].concat()), right);
        assert_eq!(cells(&[b"\xFE\xFF".as_slice(), &wide(u16::to_be_bytes)].concat()), right);
        assert_eq!(cells(&wide(u16::to_le_bytes)), right);
        assert_eq!(read(CSV.replace('\n', "\r\n").as_bytes()).unwrap(), read(CSV.as_bytes()).unwrap());
        assert_eq!(cells(CSV.replace(',', "\t").replace("\"4\t500\"", "\"4,500\"").as_bytes()), right);
    }

    /// Rows have the numbers of their lines, behind blank lines and cells of several lines too.
    #[test]
    fn rows_have_the_numbers_of_their_lines() {
        for text in ["a,b\n\n\n1,\"x\ny\"\n3,4", "a,b\r\n\r\n\r\n1,\"x\r\ny\"\r\n3,4\r\n"] {
            let numbers: Vec<usize> =
                read(text.as_bytes()).unwrap().rows.iter().map(|(number, _)| *number).collect();
            assert_eq!(numbers, [1, 4, 6], "{text:?}");
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        assert_eq!(read(b"a,b\n1,\"half").unwrap_err().code, LedgerCode::FileInvalid);
        assert_eq!(read(b"PK\x03\x04rest").unwrap_err().code, LedgerCode::FileInvalid);
        assert_eq!(read(&[0xD0, 0xCF, 0x11, 0xE0, 1, 2]).unwrap_err().code, LedgerCode::FileInvalid);
        assert_eq!(read(&[0xFF, 0xFF, 0x81]).unwrap_err().code, LedgerCode::FileInvalid);
        assert_eq!(read(&vec![b'a'; MAX_BYTES + 1]).unwrap_err().code, LedgerCode::FileTooLarge);
        // A million rows of one letter and commas.
        let wide = format!("a{}\n", ",".repeat(48)).repeat(1_000_000);
        assert_eq!(read(wide.as_bytes()).unwrap_err().code, LedgerCode::FileTooLarge);
        assert_eq!(read("a\n".repeat(MAX_ROWS + 1).as_bytes()).unwrap_err().code, LedgerCode::FileTooLarge);
    }
}
