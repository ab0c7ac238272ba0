//! What is read from a file: facts about it, and its segments one after the other.

use serde::{Deserialize, Serialize};

use crate::trouble::{Format, Trouble};

/// One line of the output of a reader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// What is known before the first segment.
    Facts(Facts),
    /// The next segment.
    Segment(Segment),
    /// The end of a complete output.
    Done(Done),
    /// The end of an output that is not complete.
    Failed(Trouble),
}

/// What is known about a file before it is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The format, by the content.
    pub format: Format,
    /// The number of pages, sheets or slides, where the format tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
    /// The title that the file gives itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The language that the file gives itself, such as `ko-KR`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// What is known after a file was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// The number of segments.
    pub segments: u32,
    /// The number of those without text that have an image for OCR.
    pub without_text: u32,
}

/// The kind of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum SegmentKind {
    /// A page, a slide or a picture.
    Page,
    /// A part of a text, or a sheet.
    Text,
    /// A chapter or a section.
    Chapter,
    /// A part of a web page.
    Web,
}

/// One page, sheet, slide or section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Segment {
    /// The position in the document, from 0 without gaps.
    pub index: u32,
    /// The kind.
    pub kind: SegmentKind,
    /// The heading, or the name of a sheet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The text.
    pub text: String,
    /// The lines or paragraphs of the text, with their positions where there is an image.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<Block>,
    /// The image for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<ImageFile>,
    /// The image for OCR: only where there is no text but something to see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scan: Option<ImageFile>,
}

/// An image in the directory of images.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageFile {
    /// The name in the directory.
    pub name: String,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}

impl ImageFile {
    /// The content type, by the name that the reader gave.
    #[must_use]
    pub fn content_type(&self) -> &'static str {
        if self.name.ends_with(".png") { "image/png" } else { "image/jpeg" }
    }
}

/// A line or a paragraph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// The text.
    pub text: String,
    /// The box on the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// How sure OCR is, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
}

impl Block {
    /// A block without a position.
    #[must_use]
    pub fn of(text: String) -> Self {
        Self { text, bounds: None, confidence: None }
    }
}

/// The whole of a page in the units of [`Bounds`].
pub const WHOLE: u16 = 10_000;

/// A box on a page: left, top, width and height, in ten thousandths of the page's width and height.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u16, u16, u16, u16)", into = "(u16, u16, u16, u16)")]
pub struct Bounds {
    /// The left edge.
    pub left: u16,
    /// The top edge.
    pub top: u16,
    /// The width.
    pub width: u16,
    /// The height.
    pub height: u16,
}

impl From<(u16, u16, u16, u16)> for Bounds {
    fn from((left, top, width, height): (u16, u16, u16, u16)) -> Self {
        Self { left, top, width, height }
    }
}

impl From<Bounds> for (u16, u16, u16, u16) {
    fn from(bounds: Bounds) -> Self {
        (bounds.left, bounds.top, bounds.width, bounds.height)
    }
}

/// A length in ten thousandths of a whole, within the page.
#[must_use]
pub(crate) fn share(length: f64, whole: f64) -> u16 {
    if whole <= 0.0 || !length.is_finite() {
        return 0;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let share = (length / whole * f64::from(WHOLE)).round().clamp(0.0, f64::from(WHOLE)) as u16;
    share
}
