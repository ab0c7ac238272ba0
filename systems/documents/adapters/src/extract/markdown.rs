//! Texts with Markdown, in chapters by their headings.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::Sink;
use super::decode::decode;
use super::lines::{Chapter, squeeze};
use super::text::lines;
use crate::event::{Facts, SegmentKind};
use crate::limits::MEGABYTE;
use crate::trouble::{Format, Trouble};

/// A larger text is read as lines: the parser needs the whole.
const MAX_PARSED: u64 = 16 * MEGABYTE;

pub(super) fn read(file: &Path, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    let mut chapter = Chapter::new(SegmentKind::Chapter);
    if std::fs::metadata(file)?.len() > MAX_PARSED {
        sink.facts(Facts { format: Format::Markdown, pages: None, title: None, language: None })?;
        lines(file, &mut |line| chapter.add(line, sink))?;
        return chapter.end(sink);
    }
    let mut text = String::new();
    decode(&mut File::open(file)?.take(MAX_PARSED), |_| None, &mut |part| {
        text.push_str(part);
        Ok(())
    })?;
    let title = title(&text);
    sink.facts(Facts { format: Format::Markdown, pages: None, title, language: None })?;
    chapters(&text, &mut chapter, sink)?;
    chapter.end(sink)
}

/// The first heading of the first level.
fn title(text: &str) -> Option<String> {
    let mut inside = false;
    let mut title = String::new();
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) => inside = true,
            Event::End(TagEnd::Heading(HeadingLevel::H1)) => return Some(squeeze(&title)),
            Event::Text(part) | Event::Code(part) if inside => title.push_str(&part),
            _ => {}
        }
    }
    None
}

fn chapters(text: &str, chapter: &mut Chapter, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    let mut paragraph = String::new();
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Text(part) | Event::Code(part) => paragraph.push_str(&part),
            Event::SoftBreak => paragraph.push(' '),
            Event::HardBreak => paragraph.push('\n'),
            Event::Start(Tag::Heading { .. } | Tag::Paragraph | Tag::Item | Tag::CodeBlock(_)) => {
                chapter.add(&std::mem::take(&mut paragraph), sink)?;
            }
            Event::End(TagEnd::Heading(level)) => {
                let heading = std::mem::take(&mut paragraph);
                if level <= HeadingLevel::H3 {
                    chapter.begin(heading.clone(), sink)?;
                }
                chapter.add(&heading, sink)?;
            }
            Event::End(TagEnd::TableCell) => paragraph.push('\t'),
            Event::End(
                TagEnd::Paragraph | TagEnd::Item | TagEnd::CodeBlock | TagEnd::TableRow | TagEnd::TableHead,
            ) => chapter.add(&std::mem::take(&mut paragraph), sink)?,
            _ => {}
        }
    }
    chapter.add(&paragraph, sink)
}
