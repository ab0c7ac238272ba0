//! Plain texts, in parts of bounded size.

use std::fs::File;
use std::path::Path;

use super::Sink;
use super::decode::decode;
use super::lines::Chapter;
use crate::event::{Facts, SegmentKind};
use crate::trouble::{Format, Trouble};

pub(super) fn read(file: &Path, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    sink.facts(Facts { format: Format::Text, pages: None, title: None, language: None })?;
    let mut chapter = Chapter::new(SegmentKind::Text);
    lines(file, &mut |line| chapter.add(line, sink))?;
    chapter.end(sink)
}

/// A line longer than this is cut: a file may be one line.
const MAX_LINE: usize = 64 * 1024;

/// Gives each line of a text file out.
pub(super) fn lines(file: &Path, out: &mut dyn FnMut(&str) -> Result<(), Trouble>) -> Result<(), Trouble> {
    let mut held = String::new();
    decode(&mut File::open(file)?, |_| None, &mut |part| {
        held.push_str(part);
        let mut start = 0;
        while let Some(length) = held[start..].find('\n') {
            out(held[start..start + length].trim_end_matches('\r'))?;
            start += length + 1;
        }
        held.drain(..start);
        if held.len() > MAX_LINE {
            let cut = held.rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(held.len());
            out(&held[..cut])?;
            held.drain(..cut);
        }
        Ok(())
    })?;
    out(&held)
}
