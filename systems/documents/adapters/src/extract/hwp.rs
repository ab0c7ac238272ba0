//! Documents of Hangul, in both of its formats: chapters by headings, or the sections of the document.

use std::ops::ControlFlow;
use std::path::Path;

use unhwp::model::{Block, Paragraph, Section, Table};
use unhwp::{ErrorMode, ParseEvent, SectionStreamOptions, parse_file_streaming};

use super::Sink;
use super::lines::{Chapter, squeeze};
use crate::event::{Facts, SegmentKind};
use crate::trouble::{Format, Trouble};

pub(super) fn read(file: &Path, format: Format, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    let mut chapter = Chapter::new(SegmentKind::Chapter);
    let mut stopped = None;
    let options =
        SectionStreamOptions { error_mode: ErrorMode::Strict, extract_resources: false, extract_text: true };
    let parsed = parse_file_streaming(file, options, |event| {
        let given = match event {
            ParseEvent::DocumentStart { metadata, .. } => {
                let title = metadata.title.as_deref().map(squeeze).filter(|title| !title.is_empty());
                sink.facts(Facts { format, pages: None, title, language: None })
            }
            ParseEvent::SectionParsed(part) => section(part, &mut chapter, sink),
            _ => Ok(()),
        };
        match given {
            Ok(()) => ControlFlow::Continue(()),
            Err(trouble) => {
                stopped = Some(trouble);
                ControlFlow::Break(())
            }
        }
    });
    if let Some(trouble) = stopped {
        return Err(trouble);
    }
    parsed.map_err(|error| trouble(&error, format, sink))?;
    chapter.end(sink)
}

fn section(section: &Section, chapter: &mut Chapter, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    chapter.begin(String::new(), sink)?;
    for block in &section.content {
        match block {
            Block::Paragraph(paragraph) => self::paragraph(paragraph, chapter, sink)?,
            Block::Table(table) => rows(table, chapter, sink)?,
        }
    }
    Ok(())
}

fn paragraph(paragraph: &Paragraph, chapter: &mut Chapter, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    let text = paragraph.plain_text();
    if (1..=3).contains(&paragraph.style.heading_level) && !text.trim().is_empty() {
        chapter.begin(squeeze(&text), sink)?;
    }
    chapter.add(&text, sink)
}

/// A line for each row, also of tables in cells.
fn rows(table: &Table, chapter: &mut Chapter, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    for table in table.with_nested_tables() {
        for row in &table.rows {
            let cells: Vec<String> = row.cells.iter().map(|cell| squeeze(&cell.plain_text())).collect();
            chapter.add(&cells.join("\t"), sink)?;
        }
    }
    Ok(())
}

fn trouble(error: &unhwp::Error, format: Format, sink: &Sink<'_>) -> Trouble {
    match error {
        unhwp::Error::Encrypted | unhwp::Error::DistributionRestricted => Trouble::Encrypted(format),
        // The crate reports a decompression bomb only by the text of its error.
        error if error.to_string().contains("decompression bomb") => {
            Trouble::ExpandsTooMuch(sink.options.limits.expanded_mb)
        }
        unhwp::Error::UnsupportedFormat(_) | unhwp::Error::UnknownFormat => {
            Trouble::NotSupported { found: format.name().to_owned() }
        }
        _ => Trouble::Damaged(format),
    }
}
