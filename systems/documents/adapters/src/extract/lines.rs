//! Texts cut into segments of a bounded size.

use super::Sink;
use crate::event::{Block, Segment, SegmentKind};
use crate::trouble::Trouble;

/// The text of a segment, in bytes, after which a new one begins.
pub(super) const MAX_TEXT: usize = 48 * 1024;

/// Collects the paragraphs of a chapter and gives segments out.
pub(super) struct Chapter {
    kind: SegmentKind,
    title: Option<String>,
    blocks: Vec<Block>,
    size: usize,
}

impl Chapter {
    pub(super) fn new(kind: SegmentKind) -> Self {
        Self { kind, title: None, blocks: Vec::new(), size: 0 }
    }

    /// Ends the chapter and begins one with a title.
    pub(super) fn begin(&mut self, title: String, sink: &mut Sink<'_>) -> Result<(), Trouble> {
        self.end(sink)?;
        self.title = (!title.trim().is_empty()).then(|| title.trim().chars().take(300).collect());
        Ok(())
    }

    /// Adds a paragraph. One that is too long for a segment is cut.
    pub(super) fn add(&mut self, paragraph: &str, sink: &mut Sink<'_>) -> Result<(), Trouble> {
        let mut rest = paragraph.trim();
        while !rest.is_empty() {
            let cut = cut(rest, MAX_TEXT);
            let (part, after) = rest.split_at(cut);
            if self.size + part.len() > MAX_TEXT {
                self.flush(sink)?;
            }
            self.size += part.len() + 1;
            self.blocks.push(Block::of(part.trim().to_owned()));
            rest = after.trim_start();
        }
        Ok(())
    }

    /// Gives what was collected out, also where that is a title alone.
    pub(super) fn end(&mut self, sink: &mut Sink<'_>) -> Result<(), Trouble> {
        if !self.blocks.is_empty() || self.title.is_some() {
            self.flush(sink)?;
        }
        self.title = None;
        Ok(())
    }

    fn flush(&mut self, sink: &mut Sink<'_>) -> Result<(), Trouble> {
        let blocks = std::mem::take(&mut self.blocks);
        self.size = 0;
        sink.segment(segment(self.kind, self.title.clone(), blocks))
    }
}

/// A segment of paragraphs.
pub(super) fn segment(kind: SegmentKind, title: Option<String>, blocks: Vec<Block>) -> Segment {
    let text = blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n");
    Segment { index: 0, kind, title, text, blocks, image: None, scan: None }
}

/// Where to cut a text of more than `limit` bytes: after a space, or between two characters.
fn cut(text: &str, limit: usize) -> usize {
    if text.len() <= limit {
        return text.len();
    }
    let end = text.floor_char_boundary(limit);
    text[..end].rfind(char::is_whitespace).filter(|at| *at > end / 2).unwrap_or(end)
}

/// A text with single spaces, as pages and documents mean it.
pub(super) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_words_and_never_inside_a_character() {
        assert_eq!(cut("abc", 10), 3);
        assert_eq!(cut("abc def ghi", 9), 7);
        assert_eq!(cut("가나다라", 7), 6);
        assert_eq!(squeeze(" a\n\tb  c "), "a b c");
    }
}
