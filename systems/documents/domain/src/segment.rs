//! Segments: the parts of a document, such as its pages.

use std::collections::BTreeMap;

use hansang_core::db::Typed;
use hansang_core::{Error, Item, message, name, names};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::edit::key;
use crate::{DocumentsCode, messages};

/// The maximum number of a segment.
pub const MAX_SEGMENT_INDEX: i64 = 999_999;

names! {
    /// The kind of a segment.
    pub enum SegmentType {
        /// A page.
        Page = "PAGE",
        /// A part of a text without pages.
        Text = "TEXT",
        /// A chapter.
        Chapter = "CHAPTER",
        /// A web page.
        Web = "WEB",
    }
}

/// A piece of text with its position on the page, in ten-thousandths of the page's width and height.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The text.
    pub text: String,
    /// What it is, such as `line`, `word`, `heading`, `table`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The left edge.
    pub left: i64,
    /// The top edge.
    pub top: i64,
    /// The width.
    pub width: i64,
    /// The height.
    pub height: i64,
    /// How sure the recognition is, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<i64>,
    /// The source, such as `parsed` or `ocr`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// A question about a segment, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// Who asked.
    pub by: String,
    /// When it was answered.
    pub at: Timestamp,
}

/// The text of a segment, with all that grows with it. It may be too large for an item.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentText {
    /// The text that is shown and searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The text of each source, such as `parsed` and `ocr`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<String, String>,
    /// Where the text is on the page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<Block>,
}

/// A part of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// The workflow.
    pub workflow_id: String,
    /// The number, from zero.
    pub segment_index: i64,
    /// The kind.
    pub segment_type: Option<SegmentType>,
    /// The title of a chapter or web page.
    pub title: Option<String>,
    /// The key of a file with the result of a processor.
    pub s3_key: Option<String>,
    /// The address of the page's image.
    pub image_uri: Option<String>,
    /// The key of the page's image in the file store.
    pub image_key: Option<String>,
    /// Its width in pixels.
    pub image_width: Option<i64>,
    /// Its height in pixels.
    pub image_height: Option<i64>,
    /// The language.
    pub language: Option<String>,
    /// The text. Of a segment with a `text_ref`, its beginning: see [`crate::whole_segment`].
    #[serde(flatten)]
    pub text: SegmentText,
    /// The keywords.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Questions and answers.
    #[serde(default)]
    pub questions: Vec<Question>,
    /// The key of the text in the file store, if it does not fit into an item.
    pub text_ref: Option<String>,
    /// The time it was created.
    pub created_at: Timestamp,
    /// The time it was last written.
    pub updated_at: Timestamp,
}

impl Typed for Segment {
    const ENTITY: &'static str = "Segment";
}

/// A segment as a processor writes it. What is absent stays as it is; the texts of sources are added to those that are there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewSegment {
    /// The number, from zero.
    pub segment_index: i64,
    /// The kind.
    pub segment_type: Option<SegmentType>,
    /// The title.
    pub title: Option<String>,
    /// The key of a file with the result of a processor.
    pub s3_key: Option<String>,
    /// The address of the page's image.
    pub image_uri: Option<String>,
    /// The key of the page's image, which was reserved for the document.
    pub image_key: Option<String>,
    /// Its width in pixels.
    pub image_width: Option<i64>,
    /// Its height in pixels.
    pub image_height: Option<i64>,
    /// The language.
    pub language: Option<String>,
    /// The text that is shown and searched.
    pub content: Option<String>,
    /// The texts of sources.
    #[serde(default)]
    pub texts: BTreeMap<String, String>,
    /// Where the text is on the page.
    pub blocks: Option<Vec<Block>>,
    /// The keywords.
    pub keywords: Option<Vec<String>>,
}

pub(crate) fn segment_key(workflow_id: &str, index: i64) -> Item {
    let mut fields = key([(name!("workflow_id"), workflow_id)]);
    fields.insert(name!("segment_index"), index.into());
    fields
}

/// Reads the number of a segment, with or without leading zeros.
///
/// # Errors
/// `segment_out_of_range`.
pub fn parse_index(text: &str) -> Result<i64, Error> {
    let digits = !text.is_empty() && text.len() <= 20 && text.bytes().all(|byte| byte.is_ascii_digit());
    let index = text.parse().ok().filter(|_| digits);
    index.filter(|index| (0..=MAX_SEGMENT_INDEX).contains(index)).ok_or_else(|| out_of_range(text))
}

/// Checks the number of a segment.
pub(crate) fn check_index(index: i64) -> Result<(), Error> {
    if (0..=MAX_SEGMENT_INDEX).contains(&index) { Ok(()) } else { Err(out_of_range(&index.to_string())) }
}

fn out_of_range(text: &str) -> Error {
    let text: String = text.chars().take(40).collect();
    let message = message!(messages::SEGMENT_OUT_OF_RANGE, text, MAX_SEGMENT_INDEX);
    Error::invalid(DocumentsCode::SegmentOutOfRange, message)
}

pub(crate) fn unknown_segment(index: i64) -> Error {
    Error::not_found(DocumentsCode::SegmentUnknown, message!(messages::SEGMENT_UNKNOWN, index))
}
