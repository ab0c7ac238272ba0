//! PDF files: the text of each page with its positions, and its image.

mod draw;
mod page;

use std::path::Path;

use hayro::RenderCache;
use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::object::{Dict, String as PdfString};
use hayro::hayro_syntax::{LoadPdfError, Pdf, PdfData};

use super::Sink;
use super::lines::squeeze;
use crate::event::{Facts, Segment, SegmentKind};
use crate::limits::{MEGABYTE, Options};
use crate::trouble::{Format, Trouble};

/// The pages after which the file is opened again: what was read of a page is kept until then.
const MAX_PAGES_HELD: usize = 50;
/// The unpacked contents of pages after which the file is opened again.
const MAX_CONTENT_HELD: usize = 32 * MEGABYTE as usize;

pub(super) fn read(file: &Path, options: &Options, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    // Positions inside the file are jumped to, and it cannot be mapped without unsafe code, so it is read whole.
    let data = PdfData::from(std::fs::read(file)?);
    let pdf = open(&data)?;
    let count = pdf.pages().len();
    if count > options.limits.pages as usize {
        return Err(Trouble::TooManyPages(options.limits.pages));
    }
    sink.facts(facts(&pdf, count))?;
    drop(pdf);
    let mut next = 0;
    while next < count {
        next = some(&open(&data)?, next, options, sink)?;
    }
    Ok(())
}

/// Reads pages until enough is held in memory, and returns the page after them.
fn some(pdf: &Pdf, first: usize, options: &Options, sink: &mut Sink<'_>) -> Result<usize, Trouble> {
    let settings = InterpreterSettings::default();
    let cache = RenderCache::new();
    let interpreter = hayro::hayro_interpret::InterpreterCache::new();
    let mut held = 0;
    for (index, page) in pdf.pages().iter().enumerate().skip(first) {
        let number = u32::try_from(index).map_err(|_| Trouble::TooManyPages(options.limits.pages))?;
        if options.wants(number) {
            let read = page::read(page, &interpreter, &settings);
            let drawn = draw::images(page, number, &cache, &settings, &read, options)?;
            sink.page(Segment {
                index: number,
                kind: SegmentKind::Page,
                title: None,
                text: read.text,
                blocks: read.blocks,
                image: drawn.image,
                scan: drawn.scan,
            })?;
            held += page.page_stream().map_or(0, <[u8]>::len);
        }
        if held > MAX_CONTENT_HELD || index + 1 - first >= MAX_PAGES_HELD {
            return Ok(index + 1);
        }
    }
    Ok(pdf.pages().len())
}

fn open(data: &PdfData) -> Result<Pdf, Trouble> {
    let bytes = data.as_ref();
    if is_cut(bytes) {
        return Err(Trouble::Truncated(Format::Pdf));
    }
    let pdf = Pdf::new(data.clone()).map_err(|error| match error {
        LoadPdfError::Decryption(_) => Trouble::Encrypted(Format::Pdf),
        LoadPdfError::Invalid => Trouble::Damaged(Format::Pdf),
    })?;
    if pdf.pages().is_empty() { Err(Trouble::Damaged(Format::Pdf)) } else { Ok(pdf) }
}

/// Whether the end of the file is missing: its last part says where its directory is, and a file for the web says
/// its length first.
fn is_cut(bytes: &[u8]) -> bool {
    let has = |part: &[u8], word: &[u8]| part.windows(word.len()).any(|at| at == word);
    let tail = &bytes[bytes.len().saturating_sub(64 * 1024)..];
    if !has(tail, b"startxref") {
        return true;
    }
    let head = &bytes[..bytes.len().min(1024)];
    has(head, b"/Linearized") && length(head).is_some_and(|length| length > bytes.len())
}

/// The value of `/L` in the head of a file for the web.
fn length(head: &[u8]) -> Option<usize> {
    let at = head.windows(3).position(|part| part == b"/L " || part == b"/L\t")?;
    let digits: Vec<u8> = head[at + 3..]
        .iter()
        .copied()
        .skip_while(u8::is_ascii_whitespace)
        .take_while(u8::is_ascii_digit)
        .collect();
    std::str::from_utf8(&digits).ok()?.parse().ok()
}

fn facts(pdf: &Pdf, count: usize) -> Facts {
    let title =
        pdf.metadata().title.as_ref().map(|title| squeeze(&decode(title))).filter(|title| !title.is_empty());
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let language =
        catalog.and_then(|catalog| catalog.get::<PdfString<'_>>("Lang")).map(|text| decode(text.as_bytes()));
    Facts {
        format: Format::Pdf,
        pages: u32::try_from(count).ok(),
        title: title.map(|title| title.chars().take(300).collect()),
        language: language.filter(|language| !language.is_empty() && language.len() <= 35),
    }
}

/// A text outside of pages: UTF-16 or UTF-8 with a mark, else Western.
fn decode(bytes: &[u8]) -> String {
    let encoding =
        encoding_rs::Encoding::for_bom(bytes).map_or(encoding_rs::WINDOWS_1252, |(found, _)| found);
    encoding.decode(bytes).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_file_is_known_by_its_end() {
        assert!(is_cut(b"%PDF-1.7\n1 0 obj\n"));
        assert!(!is_cut(b"%PDF-1.7\nstartxref\n9\n%%EOF\n trailing"));
        assert!(is_cut(b"%PDF-1.7\n<< /Linearized 1 /L 5000 >> startxref\n0\n%%EOF"));
        assert!(!is_cut(b"%PDF-1.7\n<< /Linearized 1 /L 50 >> startxref\n0\n%%EOF"));
    }
}
