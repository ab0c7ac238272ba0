//! Workbooks of Excel: segments for each sheet, with a line for each row.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use calamine::{DataRef, ExcelDateTime, Reader as _, SheetType, Xlsx, XlsxError};

use super::Sink;
use super::docx::properties;
use super::lines::Chapter;
use super::package::Package;
use crate::event::SegmentKind;
use crate::limits::Options;
use crate::trouble::{Format, Trouble};

pub(super) fn read(file: &Path, options: &Options, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    let mut package = Package::open(file, Format::Xlsx, &options.limits)?;
    let mut book = Xlsx::new(BufReader::new(File::open(file)?)).map_err(|error| trouble(&error))?;
    let sheets: Vec<String> = book
        .sheets_metadata()
        .iter()
        .filter(|sheet| sheet.typ == SheetType::WorkSheet)
        .map(|sheet| sheet.name.clone())
        .collect();
    let count = u32::try_from(sheets.len()).unwrap_or(u32::MAX);
    sink.facts(properties(&mut package, Format::Xlsx, Some(count))?)?;
    drop(package);
    let mut chapter = Chapter::new(SegmentKind::Text);
    for sheet in sheets {
        chapter.begin(sheet.clone(), sink)?;
        rows(&mut book, &sheet, &mut |row| chapter.add(row, sink))?;
    }
    chapter.end(sink)
}

/// Gives each row of a sheet out, its cells separated by tabs.
fn rows(
    book: &mut Xlsx<BufReader<File>>,
    sheet: &str,
    out: &mut dyn FnMut(&str) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut cells = book.worksheet_cells_reader(sheet).map_err(|error| trouble(&error))?;
    let (mut number, mut row) = (0, String::new());
    while let Some(cell) = cells.next_cell().map_err(|error| trouble(&error))? {
        let text = text(cell.get_value());
        if text.is_empty() {
            continue;
        }
        if cell.get_position().0 != number {
            out(&std::mem::take(&mut row))?;
            number = cell.get_position().0;
        }
        if !row.is_empty() {
            row.push('\t');
        }
        row.push_str(text.trim());
    }
    out(&row)
}

fn text(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(value) => value.to_string(),
        DataRef::DateTime(time) => date(time),
        DataRef::Error(_) | DataRef::Empty => String::new(),
    }
}

/// A date, with the time unless that is midnight.
fn date(time: &ExcelDateTime) -> String {
    if time.is_duration() {
        return time.as_f64().to_string();
    }
    let (year, month, day, hour, minute, second, _) = time.to_ymd_hms_milli();
    if (hour, minute, second) == (0, 0, 0) {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
    }
}

fn trouble(error: &XlsxError) -> Trouble {
    match error {
        XlsxError::Password => Trouble::Encrypted(Format::Xlsx),
        XlsxError::Io(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => Trouble::NotReadable,
        _ => Trouble::Damaged(Format::Xlsx),
    }
}
