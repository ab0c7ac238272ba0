//! Reads the segments of a file, one after the other, within limits.

mod decode;
mod docx;
mod hwp;
mod html;
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
    let mut sink = Sink { out, options, done: Done::default() };
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
}

impl Sink<'_> {
    fn facts(&mut self, facts: Facts) -> Result<(), Trouble> {
        (self.out)(Event::Facts(facts))
    }

    /// Gives the next segment out. Its index is set here, except for pages that are read alone.
    fn segment(&mut self, mut segment: Segment) -> Result<(), Trouble> {
        if self.options.pages.is_none() {
            segment.index = self.done.segments;
        }
        if self.done.segments >= self.options.limits.pages {
            return Err(Trouble::TooManyPages(self.options.limits.pages));
        }
        self.done.segments += 1;
        self.done.without_text += u32::from(segment.scan.is_some());
        (self.out)(Event::Segment(segment))
    }
}
