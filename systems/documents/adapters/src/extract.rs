//! Reads the segments of a file, one after the other, within limits.

mod decode;
mod docx;
mod html;
mod hwp;
mod kind;
mod lines;
mod markdown;
mod package;
mod pdf;
mod picture;
mod pptx;
mod text;
mod xlsx;
mod xml;

use std::path::Path;

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

use crate::event::{Done, Event, Facts, Segment};
use crate::limits::Options;
use crate::trouble::{Format, Trouble};

/// Reads a file and gives its events to `out`: the facts, each segment, and the end of a complete output. Only one
/// segment is held at a time. Call it in a process of its own, as [`crate::extract_in_child`] does: a file can make it use
/// all memory, or crash.
///
/// # Errors
/// What makes the file impossible to read. Segments may have been given before.
pub fn extract(
    file: &Path,
    options: &Options,
    out: &mut dyn FnMut(Event) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let format = kind::format(file, options)?;
    let mut sink = Sink { out, options, done: Done::default(), next: 0 };
    match format {
        Format::Pdf => pdf::read(file, options, &mut sink)?,
        Format::Picture => picture::read(file, options, &mut sink)?,
        Format::Docx => docx::read(file, options, &mut sink)?,
        Format::Xlsx => xlsx::read(file, options, &mut sink)?,
        Format::Pptx => pptx::read(file, options, &mut sink)?,
        Format::Hwp | Format::Hwpx => hwp::read(file, format, &mut sink)?,
        Format::Html => html::read(file, &mut sink)?,
        Format::Markdown => markdown::read(file, &mut sink)?,
        Format::Text => text::read(file, &mut sink)?,
    }
    let done = sink.done;
    out(Event::Done(done))
}

/// The format of a file by its content.
///
/// # Errors
/// A file that is empty, encrypted, of another type, or not readable.
pub fn format_of(file: &Path, options: &Options) -> Result<Format, Trouble> {
    kind::format(file, options)
}

/// Counts and numbers what is given out.
struct Sink<'a> {
    out: &'a mut dyn FnMut(Event) -> Result<(), Trouble>,
    options: &'a Options,
    done: Done,
    /// The number of the next segment.
    next: u32,
}

impl Sink<'_> {
    fn facts(&mut self, facts: Facts) -> Result<(), Trouble> {
        (self.out)(Event::Facts(facts))
    }

    /// Gives the next segment out, with the next number.
    fn segment(&mut self, mut segment: Segment) -> Result<(), Trouble> {
        segment.index = self.next;
        if self.options.wants(segment.index) {
            return self.page(segment);
        }
        self.next += 1;
        Ok(())
    }

    /// Gives a segment out that has its number.
    fn page(&mut self, mut segment: Segment) -> Result<(), Trouble> {
        if segment.index >= self.options.limits.pages {
            return Err(Trouble::TooManyPages(self.options.limits.pages));
        }
        self.next = segment.index + 1;
        compose(&mut segment.text);
        segment.blocks.iter_mut().for_each(|block| compose(&mut block.text));
        self.done.segments += 1;
        self.done.without_text += u32::from(segment.scan.is_some() && segment.text.is_empty());
        (self.out)(Event::Segment(segment))
    }
}

/// Puts letters together that stand alone: some programs write Hangul in its parts.
fn compose(text: &mut String) {
    if is_nfc_quick(text.chars()) != IsNormalized::Yes {
        *text = text.nfc().collect();
    }
}
