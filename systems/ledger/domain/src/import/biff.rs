//! The records of an xls file, checked before calamine reads them: it makes a table of every sheet at once, as large as the
//! positions of the cells say, and copies each text into each cell that names it.

use std::io::{Cursor, Read as _, Write as _};

use hansang_core::{Error, message};

use super::table::{MAX_MEMORY, invalid, too_large};
use crate::messages;

/// The number of columns of a sheet.
const MAX_COLUMNS: usize = 256;
/// The number of rows of a sheet.
const MAX_SHEET_ROWS: usize = 65_536;
/// The number of cells of the tables of all sheets.
const MAX_AREA: usize = 6_000_000;
/// The number of sheets.
const MAX_SHEETS: usize = 256;
/// The bytes of all formulas: each may become a text that is 150 times as long.
const MAX_FORMULAS: usize = 1024 * 1024;

/// Types of records, as the documentation of the format names them.
mod kind {
    pub(super) const FORMULA: u16 = 0x0006;
    pub(super) const END: u16 = 0x000A;
    pub(super) const CONTINUE: u16 = 0x003C;
    pub(super) const SHEET: u16 = 0x0085;
    pub(super) const MANY_NUMBERS: u16 = 0x00BD;
    pub(super) const SHARED_TEXTS: u16 = 0x00FC;
    pub(super) const SHARED_TEXT: u16 = 0x00FD;
    pub(super) const DIMENSIONS: u16 = 0x0200;
    /// Rich text, number, text, truth, number in four bytes.
    pub(super) const CELLS: [u16; 5] = [0x00D6, 0x0203, 0x0204, 0x0205, 0x027E];
}

/// A record with those that continue it.
struct Record<'r> {
    kind: u16,
    data: &'r [u8],
    rest: Vec<&'r [u8]>,
}

/// The size of the sheets of a workbook.
#[derive(Default)]
struct Extent {
    area: usize,
    text: usize,
    formulas: usize,
    /// The bytes of records that were looked at: sheets may share them.
    bytes: usize,
}

/// Checks the workbook of an xls file, and returns a file with nothing else in it.
pub(super) fn checked(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let damaged = |_| damaged();
    // Chains of sectors that run in circles are refused here.
    let mut file = cfb::CompoundFile::open(Cursor::new(bytes)).map_err(damaged)?;
    let name = if file.exists("/Workbook") { "/Workbook" } else { "/Book" };
    let stream = file.open_stream(name).map_err(damaged)?;
    let mut workbook = Vec::new();
    stream.take(bytes.len() as u64).read_to_end(&mut workbook).map_err(damaged)?;
    check(&workbook)?;
    // calamine takes a file of version 4 without small streams for an empty one.
    let mut copy =
        cfb::CompoundFile::create_with_version(cfb::Version::V3, Cursor::new(Vec::new())).map_err(damaged)?;
    copy.create_stream(name).and_then(|mut stream| stream.write_all(&workbook)).map_err(damaged)?;
    copy.flush().map_err(damaged)?;
    Ok(copy.into_inner().into_inner())
}

fn check(workbook: &[u8]) -> Result<(), Error> {
    let (mut sheets, mut texts) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(record) = next(workbook, &mut at)? {
        match record.kind {
            kind::SHEET => sheets.push(number(record.data, 0, 4)?),
            kind::SHARED_TEXTS => texts = lengths(&record)?,
            kind::END => break,
            _ => {}
        }
    }
    if sheets.len() > MAX_SHEETS {
        return Err(too_large());
    }
    let mut extent = Extent::default();
    for start in sheets {
        sheet(workbook, start, &texts, &mut extent)?;
        // Every sheet has records of its own, unless somebody wants to keep the reader busy.
        if extent.bytes > 2 * workbook.len() {
            return Err(damaged());
        }
    }
    Ok(())
}

fn sheet(workbook: &[u8], start: usize, texts: &[usize], extent: &mut Extent) -> Result<(), Error> {
    let mut bounds: Option<[usize; 4]> = None;
    let (mut at, mut tables) = (start, 1);
    while let Some(record) = next(workbook, &mut at)? {
        let cell = match record.kind {
            kind::END => break,
            kind::DIMENSIONS => {
                check_dimensions(record.data)?;
                continue;
            }
            kind::MANY_NUMBERS => {
                let last = number(record.data, record.data.len().saturating_sub(2), 2)?;
                Some((number(record.data, 2, 2)?, last))
            }
            kind::FORMULA => {
                extent.formulas += record.data.len();
                tables = 2;
                Some((number(record.data, 2, 2)?, number(record.data, 2, 2)?))
            }
            kind::SHARED_TEXT => {
                let text = texts.get(number(record.data, 6, 4)?).copied().unwrap_or_default();
                extent.text = extent.text.saturating_add(text);
                Some((number(record.data, 2, 2)?, number(record.data, 2, 2)?))
            }
            other if kind::CELLS.contains(&other) => {
                Some((number(record.data, 2, 2)?, number(record.data, 2, 2)?))
            }
            _ => None,
        };
        let Some((first, last)) = cell else { continue };
        if first > last || last >= MAX_COLUMNS {
            return Err(damaged());
        }
        let row = number(record.data, 0, 2)?;
        let [top, bottom, left, right] = bounds.unwrap_or([row, row, first, last]);
        bounds = Some([top.min(row), bottom.max(row), left.min(first), right.max(last)]);
    }
    extent.bytes += at - start.min(at);
    if let Some([top, bottom, left, right]) = bounds {
        extent.area += tables * (bottom - top + 1) * (right - left + 1);
    }
    if extent.area > MAX_AREA || extent.text > MAX_MEMORY || extent.formulas > MAX_FORMULAS {
        return Err(too_large());
    }
    Ok(())
}

/// Checks what a sheet says about its size, for which calamine makes room.
fn check_dimensions(data: &[u8]) -> Result<(), Error> {
    let wide = if data.len() == 10 { 2 } else { 4 };
    let (top, bottom) = (number(data, 0, wide)?, number(data, wide, wide)?);
    let (left, right) = (number(data, 2 * wide, 2)?, number(data, 2 * wide + 2, 2)?);
    // An empty sheet ends where it starts; some writers count from 0 and some from 1.
    if top > bottom.max(1) || bottom > MAX_SHEET_ROWS || right > MAX_COLUMNS {
        return Err(damaged());
    }
    let left = if left > right { 0 } else { left };
    if (bottom - top.min(bottom)) * (right - left) > MAX_AREA {
        return Err(too_large());
    }
    Ok(())
}

/// The lengths in bytes that the shared texts have at most.
fn lengths(record: &Record<'_>) -> Result<Vec<usize>, Error> {
    let (mut lengths, mut part) = (Vec::new(), 0);
    let mut data = record.data.get(8..).ok_or_else(damaged)?;
    loop {
        if data.is_empty() {
            let Some(more) = record.rest.get(part) else { return Ok(lengths) };
            (data, part) = (more, part + 1);
            continue;
        }
        let (letters, flags) = (number(data, 0, 2)?, number(data, 2, 1)?);
        let (has_runs, has_more) = (flags & 8 != 0, flags & 4 != 0);
        let mut behind = 3;
        let mut rest = 0;
        if has_runs {
            rest += 4 * number(data, behind, 2)?;
            behind += 2;
        }
        if has_more {
            rest += number(data, behind, 4)?;
            behind += 4;
        }
        data = data.get(behind..).ok_or_else(damaged)?;
        let (mut left, mut wide) = (letters, flags & 1 != 0);
        loop {
            let here = left.min(data.len() / if wide { 2 } else { 1 });
            data = &data[here * if wide { 2 } else { 1 }..];
            left -= here;
            if left == 0 {
                break;
            }
            // A text that goes on in the next record says again how wide its letters are.
            let more = record.rest.get(part).ok_or_else(damaged)?;
            part += 1;
            wide = number(more, 0, 1)? & 1 != 0;
            data = &more[1..];
        }
        while rest > 0 {
            let here = rest.min(data.len());
            (data, rest) = (&data[here..], rest - here);
            if rest > 0 {
                (data, part) = (record.rest.get(part).ok_or_else(damaged)?, part + 1);
            }
        }
        lengths.push(3 * letters);
    }
}

/// The record at a position, which moves behind it.
fn next<'r>(workbook: &'r [u8], at: &mut usize) -> Result<Option<Record<'r>>, Error> {
    let Some((kind, data)) = one(workbook, at)? else { return Ok(None) };
    let mut rest = Vec::new();
    while workbook
        .get(*at..)
        .is_some_and(|left| left.len() > 4 && number(left, 0, 2).ok() == Some(kind::CONTINUE.into()))
    {
        rest.extend(one(workbook, at)?.map(|(_, data)| data));
    }
    Ok(Some(Record { kind, data, rest }))
}

fn one<'r>(workbook: &'r [u8], at: &mut usize) -> Result<Option<(u16, &'r [u8])>, Error> {
    let left = workbook.get(*at..).ok_or_else(damaged)?;
    if left.is_empty() {
        return Ok(None);
    }
    let (kind, length) = (number(left, 0, 2)?, number(left, 2, 2)?);
    let data = left.get(4..4 + length).ok_or_else(damaged)?;
    *at += 4 + length;
    Ok(Some((u16::try_from(kind).unwrap_or_default(), data)))
}

/// A number of some bytes, the lowest first.
fn number(data: &[u8], at: usize, bytes: usize) -> Result<usize, Error> {
    let bytes = data.get(at..at + bytes).ok_or_else(damaged)?;
    Ok(bytes.iter().rev().fold(0, |number, byte| (number << 8) | usize::from(*byte)))
}

fn damaged() -> Error {
    invalid(message!(messages::FILE_DAMAGED))
}

#[cfg(test)]
mod tests {
    use super::super::sheets::xls;
    use super::*;
    use crate::LedgerCode;

    fn record(kind: u16, data: &[u8]) -> Vec<u8> {
        let length = u16::try_from(data.len()).unwrap();
        [&kind.to_le_bytes(), &length.to_le_bytes(), data].concat()
    }

    fn number_at(row: u16, column: u16) -> Vec<u8> {
        let data = [&row.to_le_bytes()[..], &column.to_le_bytes(), &[0, 0], &1.0_f64.to_le_bytes()].concat();
        record(0x0203, &data)
    }

    fn text_at(row: u16, column: u16) -> Vec<u8> {
        record(0x00FD, &[&row.to_le_bytes()[..], &column.to_le_bytes(), &[0, 0], &[0; 4]].concat())
    }

    /// A file with one sheet and one shared text.
    fn file(cells: &[Vec<u8>], text: &[&[u8]]) -> Vec<u8> {
        let start = record(0x0809, &[0, 6, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let mut texts = record(0x00FC, &[&[1, 0, 0, 0, 1, 0, 0, 0], text[0]].concat());
        texts.extend(text[1..].iter().flat_map(|more| record(0x003C, more)));
        let name = |at: usize| {
            let at = u32::try_from(at).unwrap().to_le_bytes();
            record(0x0085, &[&at[..], &[0, 0, 1, 0, b'a']].concat())
        };
        let end = record(0x000A, &[]);
        let at = start.len() + texts.len() + name(0).len() + end.len();
        let globals = [start.clone(), texts, name(at), end.clone()].concat();
        let workbook = [globals, start, cells.concat(), end].concat();
        let mut file =
            cfb::CompoundFile::create_with_version(cfb::Version::V3, Cursor::new(Vec::new())).unwrap();
        file.create_stream("/Workbook").unwrap().write_all(&workbook).unwrap();
        file.flush().unwrap();
        file.into_inner().into_inner()
    }

    const SHORT: &[&[u8]] = &[&[2, 0, 0, b'o', b'k']];

    fn code(cells: &[Vec<u8>], text: &[&[u8]]) -> Result<usize, String> {
        xls(&file(cells, text)).map(|rows| rows.len()).map_err(|error| error.code.to_string())
    }

    #[test]
    fn a_small_sheet_is_read() {
        let rows = xls(&file(&[number_at(0, 0), text_at(1, 3)], SHORT)).unwrap();
        assert_eq!(rows[0], (1, vec!["1".to_owned(), String::new(), String::new(), String::new()]));
        assert_eq!((rows[1].0, &*rows[1].1[3]), (2, "ok"));
        // A text that goes on in another record, with wider letters there.
        let split: &[&[u8]] = &[&[3, 0, 0, b'a'], &[1, 0x40, 0xAC, b'b', 0]];
        assert_eq!(xls(&file(&[text_at(0, 0)], split)).unwrap()[0].1, ["a\u{ac40}b"]);
    }

    /// Two cells at opposite corners would be a table of 4 billion cells, and even of the columns that Excel has.
    #[test]
    fn cells_far_apart_are_refused() {
        assert_eq!(
            code(&[number_at(0, 0), number_at(65_535, 65_535)], SHORT),
            Err("file_invalid".to_owned())
        );
        assert_eq!(code(&[number_at(0, 0), number_at(65_535, 255)], SHORT), Err("file_too_large".to_owned()));
        let wide = [[0, 0, 0, 0].as_slice(), &[0; 12], &[0xFF, 0xFF]].concat();
        assert_eq!(code(&[record(0x00BD, &wide)], SHORT), Err("file_invalid".to_owned()));
        assert_eq!(code(&[number_at(0, 0), number_at(65_535, 20)], SHORT), Ok(2));
    }

    #[test]
    fn dimensions_are_not_trusted() {
        let dimensions = |rows: u32, columns: u16| {
            let data = [&[0; 4][..], &rows.to_le_bytes(), &[0; 2], &columns.to_le_bytes(), &[0; 2]].concat();
            code(&[record(0x0200, &data), number_at(0, 0)], SHORT)
        };
        assert_eq!(dimensions(1, 1), Ok(1));
        assert_eq!(dimensions(0, 0), Ok(1));
        assert_eq!(dimensions(u32::MAX, 1), Err("file_invalid".to_owned()));
        assert_eq!(dimensions(1, u16::MAX), Err("file_invalid".to_owned()));
        assert_eq!(dimensions(65_536, 256), Err("file_too_large".to_owned()));
    }

    /// 30,000 cells that name one text of 32,000 letters.
    #[test]
    fn a_long_text_in_many_cells_is_refused() {
        let long = [&[0x00, 0x7D, 0][..], &[b'a'; 8000]].concat();
        let more = [&[0][..], &[b'a'; 8000]].concat();
        let text: &[&[u8]] = &[&long, &more, &more, &more];
        assert_eq!(code(&[text_at(0, 0)], text), Ok(1));
        let cells: Vec<Vec<u8>> = (0..30_000).map(|row| text_at(row, 0)).collect();
        assert_eq!(code(&cells, text), Err("file_too_large".to_owned()));
    }

    /// A chain of sectors that leads back to itself.
    #[test]
    fn a_chain_in_a_circle_is_refused() {
        let mut file = file(&[number_at(0, 0)], SHORT);
        // The table of sectors begins in sector 0, behind the header; sector 1 has the directory.
        let directory = u32::from_le_bytes(file[48..52].try_into().unwrap());
        let table = u32::from_le_bytes(file[76..80].try_into().unwrap()) as usize;
        let sector = 1 << u16::from_le_bytes(file[30..32].try_into().unwrap());
        let at = (table + 1) * sector + 4 * directory as usize;
        file[at..at + 4].copy_from_slice(&directory.to_le_bytes());
        assert_eq!(xls(&file).unwrap_err().code, LedgerCode::FileInvalid);
    }
}
